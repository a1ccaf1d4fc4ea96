package refining

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/measuring"
	"haarlem/internal/app/output"
	"haarlem/internal/eval"
)

const calibrateText = `Turns the scores of a model into probabilities (Platt scaling), on photographs that it
was not trained on, and writes a copy. Half of the detections with a score of 0.5 are
then true. Detections need a score of -min-score, unless the caller asks for less. If
no detection is wrong, it learns from some that nearly pass, too.

   train-cascade calibrate -model raw.cascade -out face.cascade \
      -truth held-out/truth.csv -bg held-out/backgrounds -false-positives-per-megapixel 0.2

-raise makes the model stricter by a margin, and -false-positives-per-megapixel until it
makes no more false positives than that. Only the last threshold changes, and with
-centre-boxes the boxes. Objects that the model is not for are left out with -ignore.

-check writes no model. It measures how accurate the scores of a calibrated model are,
on photographs that did not calibrate it either.`

// calibrateFlags are those of calibrate.
type calibrateFlags struct {
	changeFlags
	measuring.MatchFlags

	check, centreBoxes      bool
	name, object, multiCrop string
	averageMirror           string
	raise, alarms           float64
	minStdDev, minScore     float64
	output                  string
	plots                   []string
}

func Calibrate() *cli.Command {
	return &cli.Command{
		Name: "calibrate", Summary: "make the scores of a model probabilities, on held-out photographs", Text: calibrateText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &calibrateFlags{output: "text"}
			v.declareModel(f, "calibrate")
			v.MatchFlags.Declare(f)
			f.Group("Calibration (as before, if not given)")
			f.Bool(&v.check, "check", "write no model, and measure how accurate the scores of this one are")
			f.Float(&v.alarms, "false-positives-per-megapixel", "raise the last threshold until there are at most `N` false positives per megapixel")
			f.Float(&v.raise, "raise", "raise the last threshold by `MARGIN`")
			f.Float(&v.minScore, "min-score", "minimum `SCORE` of a detection, a probability, unless the caller says otherwise; 0 for none, and 0.5 if the model had none")
			f.String(&v.name, "name", "`NAME` of the model")
			f.String(&v.object, "object", "`NAME` of what the model finds, for messages: face, or with a plural of its own bus,buses")
			f.Float(&v.minStdDev, "min-std-dev", "minimum standard deviation of a window, `LEVELS` of grey")
			f.String(&v.multiCrop, "multi-crop", "`LOW,HIGH,SHIFT,GROW`: where the verifier's margin is between LOW and HIGH, verify six more squares, moved by SHIFT of the side and larger and smaller by GROW; the best two count. 0 for none")
			f.Choice(&v.averageMirror, "average-mirror", []string{"none", "last", "all"}, "`WHICH` verifiers examine the mirror image of each detection too, so that the mean of both counts: none, last or all")
			f.Bool(&v.centreBoxes, "centre-boxes", "move the edges that the last verifier corrects so that their mean error is 0")
			f.Group("Output")
			f.Choice(&v.output, "output", []string{"text", "markdown", "json"}, "print `FORMAT` to stdout: text; markdown, the table alone; or json, for train-cascade page")
			f.Strings(&v.plots, "plot", "draw a reliability diagram to `FILE`, .png or .svg; may be repeated")
			v.declareSearch(f, 0)
			return func(ctx context.Context, _ []string) error { return calibrate(ctx, v, s.Out, s.Err) }
		},
	}
}

func calibrate(ctx context.Context, v *calibrateFlags, stdout, stderr io.Writer) error {
	changed := slices.ContainsFunc([]string{"out", "name", "object", "data-name", "data-source", "raise", "false-positives-per-megapixel", "min-std-dev", "multi-crop", "average-mirror", "min-score", "centre-boxes"}, v.flags.Given)
	switch {
	case v.model == "":
		return cli.Usagef("nothing to calibrate: name a model with -model")
	case v.check && (changed || len(v.search) > 0):
		return cli.Usagef("-check changes no model: leave out -out, and what is to be changed")
	case v.out == "" && !v.check:
		return cli.Usagef("no file given for the calibrated model: name one with -out")
	case len(v.Truth) == 0:
		return cli.Usagef("nothing to calibrate with: name a file with -truth")
	case v.raise < 0 || v.alarms < 0:
		return cli.Usagef("-raise is %g and -false-positives-per-megapixel %g, want 0 or more", v.raise, v.alarms)
	case v.minSize < 0:
		return cli.Usagef("-min-size is %d, want at least 0", v.minSize)
	case !(v.minScore >= 0 && v.minScore < 1):
		return cli.Usagef("-min-score is %g, want a probability: 0 to less than 1", v.minScore)
	}
	if err := measuring.CheckPlots(v.plots); err != nil {
		return err
	}
	matcher, err := v.Matcher()
	if err != nil {
		return err
	}
	m, err := v.open()
	if err != nil {
		return err
	}
	if v.flags.Given("min-std-dev") {
		if m.MinStdDev = v.minStdDev; m.Kind != cascade.Haar {
			return cli.Usagef("-min-std-dev: %s has local binary patterns, which have no contrast gate", v.model)
		}
		if err := m.Check(); err != nil {
			return cli.Usage(err)
		}
	}
	if v.multiCrop != "" {
		if m.Verifier == nil {
			return cli.Usagef("-multi-crop is for models with a verifier")
		}
		a := &m.Verifier.MultiCrop
		if err := setFloats(v.multiCrop, &a.Low, &a.High, &a.Shift, &a.Grow); err != nil {
			return cli.Usagef("-multi-crop is %q: %v", v.multiCrop, err)
		}
	}
	if v.averageMirror != "" {
		if m.Verifier == nil {
			return cli.Usagef("-average-mirror is for models with a verifier")
		}
		for w := m.Verifier; w != nil; w = w.Next {
			w.Mirror = v.averageMirror == "all" || v.averageMirror == "last" && w.Next == nil
		}
	}
	if err := v.search.Apply(m); err != nil {
		return err
	}
	if v.name != "" {
		m.Name = v.name
	}
	if v.flags.Given("object") {
		var err error
		if m.Object, err = cascade.ParseObject(v.object); err != nil {
			return cli.Usagef("-object: %v", err)
		}
	}
	photos, err := v.Photos()
	if err != nil {
		return err
	}
	run := eval.Calibrate
	if v.check {
		run = eval.CheckCalibration
	}
	progress, finish := output.Progress(stderr, "photographs")
	k, err := run(ctx, m, photos, &eval.CalibrateOptions{
		Search:  v.options(),
		Matcher: matcher, Raise: v.raise, FalsePositivesPerMegapixel: v.alarms, CentreBoxes: v.centreBoxes,
		Measure: eval.MeasureOptions{Workers: v.workers, Progress: progress},
	})
	finish()
	if err != nil {
		return cli.UsageIf(err, detector.ErrOptions)
	}
	if v.flags.Given("min-score") {
		k.Cascade.Search.MinScore = v.minScore
	}
	if !v.check {
		note := fmt.Sprintf("Calibrated on %d objects in %d photographs: %d of %d detections were right; last threshold raised by %g.",
			k.Objects, k.Photos, k.Right, k.Right+k.Wrong, k.After.By)
		if k.Below > 0 {
			note = strings.TrimSuffix(note, ".") + fmt.Sprintf("; %d false positives with lower thresholds counted as wrong.", k.Below)
		}
		if err := v.write(k.Cascade, note); err != nil {
			return err
		}
	}
	if len(v.plots) > 0 {
		if err := measuring.PlotReliability(k, v.plots); err != nil {
			return err
		}
	}
	if v.output == "json" {
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		return e.Encode(k)
	}
	var b bytes.Buffer
	if v.output == "markdown" {
		measuring.WriteBins(&b, k.Bins)
	} else {
		writeCalibrated(&b, k, v.check)
	}
	_, err = b.WriteTo(stdout)
	return err
}

func writeCalibrated(w *bytes.Buffer, k *eval.Calibrated, check bool) {
	fmt.Fprintf(w, "%d objects in %d photographs, %.1f megapixels, matched by %s\n\n", k.Objects, k.Photos, k.Megapixels, k.Matcher)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "last threshold\tfound\tper cent\tfalse positives\ta megapixel\t\n")
	row := func(r eval.Raised, what string) {
		fmt.Fprintf(t, "+%.4f\t%d\t%.1f\t%d\t%.3f\t%s\n", r.By, r.Found, 100*float64(r.Found)/float64(max(k.Objects, 1)),
			r.FalsePositives, float64(r.FalsePositives)/k.Megapixels, what)
	}
	if check {
		row(k.After, "")
	} else {
		row(k.Before, "  as it came")
	}
	for _, r := range k.Tried {
		if r != k.Before && r != k.After {
			row(r, "  tried")
		}
	}
	if !check {
		row(k.After, "  written")
	}
	t.Flush()
	c := k.Cascade.Calibration
	fmt.Fprintf(w, "\nscore = 1/(1+exp(-(%g*margin%+g))); %d detections are right and %d wrong\n\n", c.Slope, c.Offset, k.Right, k.Wrong)
	if k.Below > 0 {
		fmt.Fprintf(w, "No detection is wrong: the curve is fitted to these and to %d false positives with lower thresholds.\n\n", k.Below)
	}
	measuring.WriteBins(w, k.Bins)
	fmt.Fprintf(w, "\nfrom 0.4 to 0.6: %d of %d are right (%.0f%%; with 95%% confidence %.0f to %.0f)\n",
		k.Even.Right, k.Even.Detections, 100*k.Even.Share, 100*k.Even.Low, 100*k.Even.High)
}

// setFloats parses numbers separated by commas, or 0 for all of them.
func setFloats(text string, to ...*float64) error {
	parts := strings.Split(text, ",")
	if slices.Equal(parts, []string{"0"}) {
		parts = slices.Repeat(parts, len(to))
	}
	if len(parts) != len(to) {
		return fmt.Errorf("want %d numbers with commas between, or 0", len(to))
	}
	for i, p := range to {
		var err error
		if *p, err = strconv.ParseFloat(parts[i], 64); err != nil {
			return fmt.Errorf("%q is not a number", parts[i])
		}
	}
	return nil
}
