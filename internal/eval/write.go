package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText writes tables.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer // which has no errors
	fmt.Fprintf(&b, "Matched by %s\n", r.Matcher)
	fmt.Fprintf(&b, "%d objects (%d more ignored) in %d photographs (%d of them without any), %.1f megapixels\n\n",
		r.Objects, r.Ignored, r.Photos, r.Empty, r.Megapixels)
	fmt.Fprintln(&b, "Recall in per cent, at no more than so many false positives:")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
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
	t.Flush()
	fmt.Fprintln(&b, "\nTheir thresholds:")
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
	t.Flush()
	first := true
	for i := range r.Lines {
		if said := r.Lines[i].Estimate(); said != "" {
			if first {
				first = false
				fmt.Fprintf(&b, "\nWith %d objects, recall is an estimate (95 per cent confidence):\n", r.Objects)
			}
			fmt.Fprintf(&b, "  %s: %s\n", r.Lines[i].Name, said)
		}
	}
	r.writeKinds(&b)
	if _, err := b.WriteTo(w); err != nil || r.Precision == nil {
		return err
	}
	return r.Precision.WriteText(w)
}

// writeKinds writes each detector at its best threshold and at its lowest.
func (r *Report) writeKinds(w io.Writer) {
	fmt.Fprintln(w, "\nAt the threshold with the best F1 measure, and at the lowest; what the false positives are:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "recall\tprecision\tF1\tfalse\tbackground\twrong size\tbadly placed\tduplicates\tthreshold\t  detector\n")
	kinds := func(n int, k *FalsePositiveKinds) {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t", n, k.Background, k.WrongSize, k.BadlyPlaced, k.Duplicates)
	}
	for i := range r.Lines {
		l := &r.Lines[i]
		if b := l.Best; b != nil {
			fmt.Fprintf(t, "%.1f\t%.1f\t%.1f\t", 100*b.Recall, 100*b.Precision, 100*b.F1)
			kinds(b.FalsePositives, &b.Kinds)
			fmt.Fprintf(t, "%.4g\t  %s\n", b.Threshold, l.Name)
			if b.Found == l.Found && b.FalsePositives == l.FalsePositives {
				continue
			}
		}
		if n := l.Found + l.FalsePositives; r.Objects > 0 && n > 0 {
			fmt.Fprintf(t, "%.1f\t%.1f\t%.1f\t", 100*float64(l.Found)/float64(r.Objects), 100*float64(l.Found)/float64(n), 200*float64(l.Found)/float64(n+r.Objects))
		} else {
			fmt.Fprint(t, "-\t-\t-\t")
		}
		kinds(l.FalsePositives, &l.Kinds)
		fmt.Fprintf(t, "lowest\t  %s\n", l.Name)
	}
	t.Flush()
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
