package eval

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// WriteText writes tables.
func (r *PrecisionReport) WriteText(w io.Writer) error {
	var b bytes.Buffer // which has no errors
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(&b, "\nAverage precision, by the least intersection over union of a right detection:")
	for _, u := range r.IoUs {
		fmt.Fprintf(t, "%g\t", u)
	}
	fmt.Fprint(t, "objects\t  subset\t  detector\n")
	for _, l := range r.Lines {
		for _, s := range l.Subsets {
			for _, p := range s.AveragePrecision {
				fmt.Fprintf(t, "%.1f\t", 100*p)
			}
			fmt.Fprintf(t, "%d\t  %s\t  %s\n", s.Objects, s.Name, l.Name)
		}
	}
	t.Flush()

	fmt.Fprintf(&b, "\nHow well the boxes fit, of detections with an intersection over union of %g and more, at so many false positives:\n", r.IoUs[0])
	fmt.Fprintf(t, "false positives\tdetections\tmedian\tper cent with %g and more\t  detector\n", r.Main)
	for _, l := range r.Lines {
		for k, f := range l.Fits {
			largest := "any"
			if k < len(r.FalsePositives) {
				largest = fmt.Sprint(r.FalsePositives[k])
			}
			fmt.Fprintf(t, "%s\t%d\t%.3f\t%.1f\t  %s\n", largest, f.Matched, f.Median, 100*f.AtMain, l.Name)
		}
	}
	t.Flush()

	if slices.ContainsFunc(r.Lines, func(l PrecisionLine) bool { return len(l.Columns) > 0 }) {
		fmt.Fprintf(&b, "\nPer cent of the objects found, with an intersection over union of %g, at so many false positives:\n", r.Main)
		for _, n := range r.FalsePositives {
			fmt.Fprintf(t, "%d\t", n)
		}
		fmt.Fprint(t, "all\tobjects\t  value\t  detector\n")
		for _, l := range r.Lines {
			for _, c := range l.Columns {
				for _, v := range c.Recall {
					fmt.Fprintf(t, "%.1f\t", 100*v)
				}
				fmt.Fprintf(t, "%d\t  %s=%s\t  %s\n", c.Objects, c.Column, c.Value, l.Name)
			}
		}
		t.Flush()
	}

	fmt.Fprintln(&b, "\nWhat the false positives are:")
	fmt.Fprint(t, "false positives\tbackground\tbad boxes\tduplicates\tperhaps unlabelled\tthreshold\t  detector\n")
	for _, l := range r.Lines {
		for _, e := range l.Errors {
			threshold := "-"
			if e.Threshold != nil {
				threshold = fmt.Sprintf("%.4g", *e.Threshold)
			}
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%d\t%s\t  %s\n", e.FalsePositives, e.Background, e.BadBoxes, e.Duplicates, e.Unlabelled, threshold, l.Name)
		}
	}
	t.Flush()
	_, err := b.WriteTo(w)
	return err
}
