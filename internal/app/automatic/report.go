package automatic

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"haarlem/internal/app/output"
	"haarlem/internal/app/training"
	"haarlem/internal/samples"
)

// writeReport writes what was done and chosen.
func (r *autoRun) writeReport() error {
	report, err := r.measuredReport()
	if err != nil {
		return err
	}
	return samples.WriteAtomically(r.stem+".report.md", func(w io.Writer) error {
		name := filepath.Base(r.stem)
		fmt.Fprintf(w, "# How %s was made\n\n", name)
		fmt.Fprintf(w, "%d objects in %d photographs, and %d pictures without, were learned from. Boxes: median %.0f pixels (geometric mean of the sides), width %.2f times the height; %.0f per cent of the picture.\n\n",
			r.facts.Objects, r.facts.Photos, r.facts.Backgrounds, r.facts.Size, r.facts.Aspect, 100*r.facts.Share)
		fmt.Fprintf(w, "On %d objects in %d pictures that were held out (matched by %s):\n\n", report.Objects, report.Photos, report.Matcher)
		fmt.Fprintf(w, "| detector | at 0 false positives | at 10 | at 100 | average precision |\n| --- | --- | --- | --- | --- |\n")
		for i := range report.Lines {
			l := &report.Lines[i]
			fmt.Fprintf(w, "| %s |", l.Name)
			for _, at := range []int{0, 10, 100} {
				for _, rate := range l.Rates {
					if rate.FalsePositives == at {
						fmt.Fprintf(w, " %.1f |", 100*rate.Recall)
					}
				}
			}
			fmt.Fprintf(w, " %.1f |\n", 100*l.AveragePrecision)
		}
		for i := range report.Lines {
			if said := report.Lines[i].Estimate(); said != "" {
				fmt.Fprintf(w, "\nRecall of %s: %s (95 per cent confidence). More objects make this narrower.\n", report.Lines[i].Name, said)
			}
		}
		fmt.Fprintf(w, "\n[All figures](%s), [curves](%s), [the data that were left out](%s), [objects](%s), [the training](%s), [settings](%s).\n",
			r.near(testStep+".txt"), r.near(testStep+".png"), r.near(dataStep+"/"+checkFile), r.near(dataStep+"/"+objectSheet), r.near(cascadeStep+"/"+training.ReportFile), r.near(autoSettings))
		said, useful := worth(report, r.openCVName())
		switch {
		case r.opencv && useful:
			fmt.Fprintf(w, "\n`%s.xml` is a cascade with stages of its own: OpenCV's format has no soft cascades, verifiers, corrected boxes or probabilities. With all of its detections %s.\n", name, said)
		case r.opencv:
			fmt.Fprintf(w, "\nThere is no cascade for OpenCV: the one that the time allowed is of no use. %s.\n", strings.ToUpper(said[:1])+said[1:])
		case r.v.opencv:
			fmt.Fprintf(w, "\nThere is no cascade for OpenCV: the time was too short for one.\n")
		default:
			fmt.Fprintf(w, "\nThere is no cascade for OpenCV: its format has no soft cascades, verifiers, corrected boxes or probabilities, and -opencv=false said to train none beside.\n")
		}
		if r.uncalibrated {
			fmt.Fprintf(w, "\nIt made no mistake on the part to calibrate with, so that its scores could not be made probabilities: they are margins.\n")
		}
		fmt.Fprintf(w, "\n## Steps\n\n| step | time |\n| --- | --- |\n")
		total := 0.0
		for _, d := range r.journal.All {
			if d.Skipped != "" {
				fmt.Fprintf(w, "| %s | skipped: %s |\n", d.Name, d.Skipped)
				continue
			}
			fmt.Fprintf(w, "| %s | %v |\n", d.Name, training.Seconds(d.Seconds))
			total += d.Seconds
		}
		fmt.Fprintf(w, "| all | %v |\n\n```\n", training.Seconds(total))
		for _, d := range r.journal.All {
			fmt.Fprintln(w, output.CommandLine(d.Args))
		}
		_, err := fmt.Fprintln(w, "```")
		return err
	})
}

// near is the path of a file in the working folder, from the report.
func (r *autoRun) near(name string) string {
	return filepath.Base(r.stem) + autoEnding + "/" + name
}

// sum says in a few lines what came out.
func (r *autoRun) sum() error {
	report, err := r.measuredReport()
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d objects in %d pictures that were held out; recall in per cent at a number of false positives:\n", report.Objects, report.Photos)
	for i := range report.Lines {
		l := &report.Lines[i]
		fmt.Fprintf(&b, "  %s:", l.Name)
		for _, rate := range l.Rates {
			fmt.Fprintf(&b, " %.1f at %d,", 100*rate.Recall, rate.FalsePositives)
		}
		fmt.Fprintf(&b, " average precision %.1f\n", 100*l.AveragePrecision)
		if said := l.Estimate(); said != "" {
			fmt.Fprintf(&b, "    %s (95 per cent confidence)\n", said)
		}
	}
	fmt.Fprintf(&b, "see %s.md and %s.report.md; the model is %s", r.stem, r.stem, r.v.out)
	if r.opencv {
		said, useful := worth(report, r.openCVName())
		if useful {
			fmt.Fprintf(&b, "\n%s.xml is for OpenCV: %s", r.stem, said)
		} else {
			fmt.Fprintf(&b, "\nthere is no cascade for OpenCV: the one that the time allowed is of no use (%s); a longer -time trains more stages", said)
		}
	}
	_, err = fmt.Fprintln(r.s.Out, b.String())
	return err
}
