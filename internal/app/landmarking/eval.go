package landmarking

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/app/search"
	"haarlem/internal/eval/accuracy"
	"haarlem/landmarks"
	"haarlem/models/facebox"
)

const evalLandmarksText = `Measures the errors of a landmark model's points, in distances of the eyes: the mean
(normalised mean error), the median, the fraction of objects whose error is 0.1 or
more, and the cumulative error curve.

   train-cascade eval-landmarks -model face5 -truth faces/val.csv \
      -detector face-fast -by pose

Objects without a box get the one that the model expects for their points; the
report says how many.`

// evalLandmarksFlags are those of eval-landmarks.
type evalLandmarksFlags struct {
	model, by, output string
	markedFlags
	boxFlags
}

func Eval() *cli.Command {
	return &cli.Command{
		Name: "eval-landmarks", Summary: "measure a landmark model", Text: evalLandmarksText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &evalLandmarksFlags{output: "text"}
			f.Group("Model and output")
			f.String(&v.model, "model", "measure `MODEL`: a file, or built in: face5, face68")
			f.String(&v.by, "by", "also list errors for each value of `COLUMN` of -truth")
			f.Choice(&v.output, "output", []string{"text", "json"}, "print `FORMAT`: text or json")
			v.markedFlags.declare(f)
			v.boxFlags.declare(f)
			return func(ctx context.Context, _ []string) error { return evalLandmarks(ctx, v, s.Out, s.Err) }
		},
	}
}

func evalLandmarks(ctx context.Context, v *evalLandmarksFlags, stdout, stderr io.Writer) error {
	switch {
	case v.model == "":
		return cli.Usagef("nothing to measure: name a model with -model")
	case len(v.truth) == 0:
		return cli.Usagef("nothing to measure on: name a file with -truth")
	}
	m, err := search.OpenPoints("model", v.model)
	if err != nil {
		return err
	}
	m.Box = facebox.Points(v.detector, m.Box)
	p, err := landmarks.NewPredictor(m)
	if err != nil {
		return err
	}
	marked, err := readMarked(&v.markedFlags)
	if err != nil {
		return err
	}
	if n := len(marked[0].points); n != len(m.Mean) {
		return cli.Usagef("-model finds %d points, and -truth has %d: -pick chooses some", len(m.Mean), n)
	}
	progress, finish := output.Progress(stderr, "searching")
	boxes, err := boxesOf(ctx, &v.boxFlags, marked, progress)
	finish()
	if err != nil {
		return err
	}
	report := LandmarkReport{Objects: len(marked)}
	objects := make([]accuracy.Object, len(marked))
	groups := map[string][]int{}
	for i, o := range marked {
		objects[i] = accuracy.Object{Plane: o.plane, Points: o.points, Frame: landmarks.FrameOf(o.points)}
		if boxes[i].Empty() {
			report.NoBox++
		} else {
			objects[i].Frame = m.Box.Frame(boxes[i])
		}
		if v.by != "" {
			value, ok := o.object.Tags[v.by]
			if !ok {
				return cli.Usagef("-by: -truth has no column %q", v.by)
			}
			groups[value] = append(groups[value], i)
		}
	}
	r, err := accuracy.Run(p, objects)
	if err != nil {
		return err
	}
	report.fill(r)
	for _, value := range slices.Sorted(maps.Keys(groups)) {
		g := r.Of(groups[value])
		report.By = append(report.By, landmarkGroup{value, len(groups[value]), digits(g.Mean()), digits(g.Failures())})
	}
	if v.output == "json" {
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		return e.Encode(report)
	}
	return report.text(stdout, v.by)
}

// A LandmarkReport is the output of eval-landmarks. Errors are in distances of
// the eyes.
type LandmarkReport struct {
	Objects  int             `json:"objects"`
	NoBox    int             `json:"without_box"`
	Mean     float64         `json:"mean_error"`
	Median   float64         `json:"median_error"`
	Failures float64         `json:"failure_rate"` // fraction of errors of 0.1 and more
	Bias     [2]float64      `json:"bias"`         // mean error, right and down
	Centred  float64         `json:"mean_error_without_bias"`
	Points   []float64       `json:"mean_error_by_point"`
	Curve    [][2]float64    `json:"curve"` // error, fraction of objects below it
	By       []landmarkGroup `json:"by,omitempty"`
}

type landmarkGroup struct {
	Value    string  `json:"value"`
	Objects  int     `json:"objects"`
	Mean     float64 `json:"mean_error"`
	Failures float64 `json:"failure_rate"`
}

func digits(v float64) float64 { return math.Round(v*1e5) / 1e5 }

func (l *LandmarkReport) fill(r *accuracy.Result) {
	x, y := r.Bias()
	l.Mean, l.Median, l.Failures = digits(r.Mean()), digits(r.Quantile(0.5)), digits(r.Failures())
	l.Bias, l.Centred = [2]float64{digits(x), digits(y)}, digits(r.WithoutBias().Mean())
	for _, v := range r.Points() {
		l.Points = append(l.Points, digits(v))
	}
	for e := 2; e <= 20; e += 2 {
		at := float64(e) / 100
		l.Curve = append(l.Curve, [2]float64{at, digits(r.Below(at))})
	}
}

func (l *LandmarkReport) text(w io.Writer, by string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d objects, %d of them without a box\n", l.Objects, l.NoBox)
	fmt.Fprintf(&b, "mean error    %6.2f%% of the eyes' distance\n", 100*l.Mean)
	fmt.Fprintf(&b, "median        %6.2f%%\n", 100*l.Median)
	fmt.Fprintf(&b, "10%% and more  %6.2f%% of the objects\n", 100*l.Failures)
	fmt.Fprintf(&b, "bias          %6.2f%% to the right, %.2f%% down; mean error without it %.2f%%\n", 100*l.Bias[0], 100*l.Bias[1], 100*l.Centred)
	if len(l.Points) <= 10 {
		fmt.Fprintf(&b, "by point     ")
		for _, v := range l.Points {
			fmt.Fprintf(&b, " %6.2f%%", 100*v)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nerror below  objects\n")
	for _, p := range l.Curve {
		fmt.Fprintf(&b, "%10.0f%%  %6.1f%%\n", 100*p[0], 100*p[1])
	}
	if len(l.By) > 0 {
		fmt.Fprintf(&b, "\n%-12s objects    mean  10%% and more\n", by)
		for _, g := range l.By {
			fmt.Fprintf(&b, "%-12s %7d %6.2f%% %7.2f%%\n", g.Value, g.Objects, 100*g.Mean, 100*g.Failures)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
