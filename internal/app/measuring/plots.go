package measuring

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/boost/plot"
	"haarlem/internal/eval"
)

// CheckPlots checks the names of plots before the work is done.
func CheckPlots(paths []string) error {
	for _, p := range paths {
		if ext := strings.ToLower(filepath.Ext(p)); ext != ".png" && ext != ".svg" {
			return cli.Usagef("-plot is %q, want a name that ends in .png or .svg", p)
		}
	}
	return nil
}

func PlotReliability(k *eval.Calibrated, paths []string) error {
	var points []plot.Predicted
	for _, b := range k.Bins {
		if b.Detections > 0 {
			points = append(points, plot.Predicted{Probability: b.Predicted, Share: b.Share, Low: b.Low, High: b.High})
		}
	}
	return plot.Reliability(fmt.Sprintf("%d detections", k.Right+k.Wrong), points, paths...)
}

// WriteBins writes a table in Markdown, which reads well as it is.
func WriteBins(w io.Writer, bins []eval.Bin) {
	fmt.Fprintf(w, "| score | detections | mean score | share right | 95%% interval |\n| --- | --- | --- | --- | --- |\n")
	for _, b := range bins {
		if b.Detections == 0 {
			fmt.Fprintf(w, "| %.1f to %.1f | 0 | | | |\n", b.From, b.To)
			continue
		}
		fmt.Fprintf(w, "| %.1f to %.1f | %d | %.2f | %.2f | %.2f to %.2f |\n", b.From, b.To, b.Detections, b.Predicted, b.Share, b.Low, b.High)
	}
}

// FileName returns a portable file name: letters, digits, and a dash for anything
// else.
func FileName(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_')
	})
	return strings.Join(words, "-")
}

// plotReport draws all curves.
func plotReport(r *eval.Report, largest int, paths []string) error {
	var all []plot.Detector
	for _, l := range r.Lines {
		d := plot.Detector{Name: l.Name}
		for _, p := range l.Curve {
			d.FalsePositives = append(d.FalsePositives, p.FalsePositives)
			d.Rates = append(d.Rates, float64(p.Found)/float64(max(r.Objects, 1)))
		}
		all = append(all, d)
	}
	title := fmt.Sprintf("%d objects, %.1f megapixels", r.Objects, r.Megapixels)
	return plot.Detection(title, all, largest, paths...)
}
