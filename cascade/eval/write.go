package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText writes tables.
func (r *Report) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "Matched by %s\n", r.Matcher)
	fmt.Fprintf(w, "%d objects (%d more ignored) in %d photographs (%d of them without any), %.1f megapixels\n\n",
		r.Objects, r.Ignored, r.Photos, r.Empty, r.Megapixels)
	fmt.Fprintln(w, "Recall in per cent, at no more than so many false positives:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, n := range FalsePositives {
		fmt.Fprintf(t, "%d\t", n)
	}
	fmt.Fprint(t, "AP\tmax. recall\tfalse\tduplicates\t  swept by\t  detector\n")
	for _, n := range FalsePositives {
		fmt.Fprintf(t, "%s\t", perMegapixel(float64(n), r.Megapixels))
	}
	fmt.Fprint(t, "\t\t\t\t\t  (false positives a megapixel)\n")
	for _, l := range r.Lines {
		for _, v := range l.Rates {
			if v.Threshold == nil {
				fmt.Fprint(t, "-\t")
			} else {
				fmt.Fprintf(t, "%.1f\t", 100*v.Recall)
			}
		}
		recall := 0.0
		if r.Objects > 0 {
			recall = 100 * float64(l.Found) / float64(r.Objects)
		}
		fmt.Fprintf(t, "%.1f\t%.1f\t%d\t%d\t  %s\t  %s\n", 100*l.AveragePrecision, recall, l.FalsePositives, l.Duplicates, l.Sweep, l.Name)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nTheir thresholds:")
	for _, l := range r.Lines {
		for _, v := range l.Rates {
			if v.Threshold == nil {
				fmt.Fprint(t, "-\t")
			} else {
				fmt.Fprintf(t, "%.4g\t", *v.Threshold)
			}
		}
		fmt.Fprintf(t, "  %s\n", l.Name)
	}
	if err := t.Flush(); err != nil || r.Precision == nil {
		return err
	}
	return r.Precision.WriteText(w)
}

func perMegapixel(n, megapixels float64) string {
	if !(megapixels > 0) {
		return "-"
	}
	return fmt.Sprintf("%.2g", n/megapixels)
}

// WriteJSON writes everything, including the curves.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(r)
}
