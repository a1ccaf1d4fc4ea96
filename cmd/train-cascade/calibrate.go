package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v3"

	"haarlem/boost/plot"
	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cascade/eval"
)

const calibrateText = `Runs the model with the options that people get unless they ask for others on
photographs that it was not trained on, and writes a copy of it whose scores are
probabilities: what it finds with a score of 0.5 is as likely right as wrong, and
who does not ask for less gets what scores as much (-min-score).

   train-cascade calibrate -model raw.cascade -out face.cascade \
      -truth held-out/truth.csv -bg held-out/backgrounds -at-alarms-per-megapixel 0.2

-raise makes the model stricter by a margin, -at-alarms-per-megapixel until it
makes no more false alarms than that; the last threshold is all that changes.
Objects that the model is not for are left out with -ignore.

With -check no model is written: it tells how true the scores of a calibrated
model are on photographs that did not calibrate it either.`

// newCalibrate is the subcommand that makes probabilities of scores.
func newCalibrate(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "calibrate",
		Usage:       "make the scores of a model probabilities, on photographs that it has not seen",
		Description: calibrateText,
		Flags: slices.Concat(changeFlags(), []cli.Flag{
			&cli.BoolFlag{Name: "check", Usage: "write no model, and see how true the scores of this one are"},
			&cli.StringFlag{Name: "name", Usage: "what the model is to call itself; as before unless given"},
			&cli.StringFlag{Name: "object", Usage: "what the model finds, for messages: face, or with a plural of its own bus,buses; as before unless given"},
			&cli.FloatFlag{Name: "raise", Usage: "by this margin, the last threshold"},
			&cli.FloatFlag{Name: "at-alarms-per-megapixel", Usage: "raise the last threshold until there are no more false alarms than this"},
			&cli.FloatFlag{Name: "min-std-dev", Usage: "contrast that windows need, in grey levels; as before unless given"},
			&cli.FloatFlag{Name: "scale", Value: 1.1, Usage: "factor between two levels of the search"},
			&cli.IntFlag{Name: "min-size", Usage: "smallest object to search, in pixels; 0 means the model's window"},
			&cli.StringFlag{Name: "multi-crop", Aliases: []string{"again"}, Usage: "LOW,HIGH,SHIFT,GROW: where the verifier makes a margin between LOW and HIGH it looks at six more squares, SHIFT of the side away and larger and smaller by GROW, and the best two count; 0 for nowhere; as before unless given"},
			&cli.FloatFlag{Name: "min-score", Usage: "probability that a detection needs unless who searches says otherwise, 0 for none; unless given as before, or 0.5 if the model had none"},
			&cli.StringFlag{Name: "output", Value: "text", Usage: "what goes to stdout: text; markdown, the table alone; or json, for train-cascade page"},
			&cli.StringSliceFlag{Name: "plot", Usage: "file for a plot of what was said and what was so, .png or .svg; may be repeated"},
			&cli.IntFlag{Name: "workers", Usage: "photographs at the same time; 0 means one a core. Results do not depend on it"},
		}, windowFlags(), truthFlags(), matchFlags()),
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return calibrate(ctx, c, stdout, stderr)
		},
	}
}

func calibrate(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	switch {
	case c.Args().Present():
		return usagef("calibrate takes flags only, not %q", c.Args().First())
	case c.String("model") == "":
		return usagef("nothing to calibrate: name a model with -model")
	case c.Bool("check") && (slices.ContainsFunc([]string{"out", "name", "object", "data-name", "raise", "at-alarms-per-megapixel", "min-std-dev", "multi-crop", "min-score"}, c.IsSet) ||
		slices.ContainsFunc(windowFlags(), func(f cli.Flag) bool { return c.IsSet(f.Names()[0]) })):
		return usagef("-check changes no model: leave out -out, and what is to be changed")
	case c.String("out") == "" && !c.Bool("check"):
		return usagef("no file given for the calibrated model: name one with -out")
	case len(c.StringSlice("truth")) == 0:
		return usagef("nothing to calibrate with: name a file with -truth")
	case c.Float("raise") < 0 || c.Float("at-alarms-per-megapixel") < 0:
		return usagef("-raise is %g and -at-alarms-per-megapixel %g, want 0 or more", c.Float("raise"), c.Float("at-alarms-per-megapixel"))
	case c.Int("min-size") < 0:
		return usagef("-min-size is %d, want at least 0", c.Int("min-size"))
	case !(c.Float("min-score") >= 0 && c.Float("min-score") < 1):
		return usagef("-min-score is %g, want a probability: 0 to less than 1", c.Float("min-score"))
	case !slices.Contains([]string{"text", "markdown", "json"}, c.String("output")):
		return usagef("-output is %q, want text, markdown or json", c.String("output"))
	}
	if err := checkPlots(c.StringSlice("plot")); err != nil {
		return err
	}
	matcher, err := eval.ParseMatcher(c.String("match"), c.Float("threshold"))
	if err != nil {
		return usageError{err}
	}
	m, err := openToChange(c)
	if err != nil {
		return err
	}
	if c.IsSet("min-std-dev") {
		if m.MinStdDev = c.Float("min-std-dev"); m.Kind != cascade.Haar {
			return usagef("-min-std-dev: %s looks at local binary patterns, which have no such gate", c.String("model"))
		}
		if err := m.Check(); err != nil {
			return usageError{err}
		}
	}
	if c.IsSet("multi-crop") {
		if m.Verifier == nil {
			return usagef("-multi-crop is for models with a verifier")
		}
		a := &m.Verifier.MultiCrop
		if err := setFloats(c, "multi-crop", &a.Low, &a.High, &a.Shift, &a.Grow); err != nil {
			return err
		}
	}
	if err := setWindows(c, m); err != nil {
		return err
	}
	if name := c.String("name"); name != "" {
		m.Name = name
	}
	if c.IsSet("object") {
		var err error
		if m.Object, err = cascade.ParseObject(c.String("object")); err != nil {
			return usagef("-object: %v", err)
		}
	}
	photos, err := evalPhotos(c)
	if err != nil {
		return err
	}
	run := eval.Calibrate
	if c.Bool("check") {
		run = eval.CheckCalibration
	}
	progress, finish := newProgress(stderr, "photographs")
	k, err := run(ctx, m, photos, &eval.CalibrateOptions{
		Search:  searchOf(c),
		Matcher: matcher, Raise: c.Float("raise"), AlarmsPerMegapixel: c.Float("at-alarms-per-megapixel"),
		Measure: eval.MeasureOptions{Workers: c.Int("workers"), Progress: progress},
	})
	finish()
	if err != nil {
		if errors.Is(err, detector.ErrOptions) {
			err = usageError{err}
		}
		return err
	}
	if c.IsSet("min-score") {
		k.Cascade.Search.MinScore = c.Float("min-score")
	}
	if !c.Bool("check") {
		note := fmt.Sprintf("Calibrated on %d objects in %d photographs: %d of %d detections were right; last threshold raised by %g.",
			k.Objects, k.Photos, k.Right, k.Right+k.Wrong, k.After.By)
		if err := writeChanged(c, k.Cascade, note); err != nil {
			return err
		}
	}
	if paths := c.StringSlice("plot"); len(paths) > 0 {
		if err := plotReliability(k, paths); err != nil {
			return err
		}
	}
	switch c.String("output") {
	case "markdown":
		return writeBins(stdout, k.Bins)
	case "json":
		e := json.NewEncoder(stdout)
		e.SetIndent("", " ")
		return e.Encode(k)
	}
	return writeCalibrated(stdout, k, c.Bool("check"))
}

// windowFlags are those of [cascade.SearchFields], but for -min-score.
func windowFlags() []cli.Flag {
	var all []cli.Flag
	for _, f := range cascade.SearchFields() {
		if f.Flag == "min-score" {
			continue // calibrate has one of its own: scores become probabilities
		}
		flag := &cli.StringFlag{Name: f.Flag, Usage: f.Usage + "; as before unless given"}
		if f.Was != f.Flag {
			flag.Aliases = []string{f.Was}
		}
		all = append(all, flag)
	}
	return all
}

// setWindows does to m what windowFlags say, and checks it.
func setWindows(c *cli.Command, m *cascade.Cascade) error {
	for _, f := range cascade.SearchFields() {
		if f.Flag == "min-score" || !c.IsSet(f.Flag) {
			continue
		}
		if err := f.Set(&m.Search, c.String(f.Flag)); err != nil {
			return usagef("-%s is %v", f.Flag, err)
		}
	}
	var wrong *cascade.SearchError
	if err := m.Search.CheckFor(m); errors.As(err, &wrong) {
		return usagef("-%s: %v", wrong.Field.Flag, wrong.Err)
	}
	if err := m.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// setFloats sets numbers to those that a flag gives, with commas between, or all
// to 0 if it gives that.
func setFloats(c *cli.Command, flag string, to ...*float64) error {
	parts := strings.Split(c.String(flag), ",")
	if slices.Equal(parts, []string{"0"}) {
		parts = slices.Repeat(parts, len(to))
	}
	if len(parts) != len(to) {
		return usagef("-%s is %q, want %d numbers with commas between, or 0", flag, c.String(flag), len(to))
	}
	for i, p := range to {
		var err error
		if *p, err = strconv.ParseFloat(parts[i], 64); err != nil {
			return usagef("-%s is %q: %q is not a number", flag, c.String(flag), parts[i])
		}
	}
	return nil
}

// searchOf is what -scale and -min-size say.
func searchOf(c *cli.Command) detector.Options {
	return detector.Options{Scale: c.Float("scale"), MinSize: image.Pt(c.Int("min-size"), c.Int("min-size"))}
}

// learnFlags are those, beside changeFlags, of commands that change a model by
// what it finds in photographs.
func learnFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		&cli.FloatFlag{Name: "scale", Value: 1.1, Usage: "factor between two levels of the search"},
		&cli.IntFlag{Name: "min-size", Value: 24, Usage: "smallest object to search, in pixels"},
		&cli.IntFlag{Name: "workers", Usage: "0 means one a core. The result does not depend on it"},
	}, windowFlags(), truthFlags())
}

// openToLearn opens the model and the photographs of such a command.
func openToLearn(c *cli.Command) (*cascade.Cascade, []eval.Photo, error) {
	switch {
	case c.Args().Present():
		return nil, nil, usagef("%s takes flags only, not %q", c.Name, c.Args().First())
	case c.String("model") == "":
		return nil, nil, usagef("nothing to change: name a model with -model")
	case c.String("out") == "":
		return nil, nil, usagef("no file given for the model: name one with -out")
	case len(c.StringSlice("truth")) == 0:
		return nil, nil, usagef("nothing to learn from: name a file with -truth")
	}
	m, err := openToChange(c)
	if err != nil {
		return nil, nil, err
	}
	if err := setWindows(c, m); err != nil {
		return nil, nil, err
	}
	photos, err := evalPhotos(c)
	return m, photos, err
}

// changeFlags are those of commands that make another model of one.
func changeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "model", Usage: "file, or built-in model"},
		&cli.StringFlag{Name: "out", Usage: "file for the model that is made of it"},
		&cli.BoolFlag{Name: "overwrite", Usage: "replace the file of -out"},
		&cli.StringSliceFlag{Name: "data-name", Usage: "name of a data set and its terms, to keep in the model beside those it has; may be repeated"},
	}
}

// openToChange opens the model that another one is to be made of, if there is
// room for that.
func openToChange(c *cli.Command) (*cascade.Cascade, error) {
	path := c.String("out")
	if _, err := os.Lstat(path); path != "" && err == nil && !c.Bool("overwrite") {
		return nil, fmt.Errorf("%s is there already: name another file, or add -overwrite", path)
	}
	return openModel(c.String("model"))
}

// writeChanged writes the model that was made, which tells by which command,
// and notes what there is to say about it.
func writeChanged(c *cli.Command, m *cascade.Cascade, note string) error {
	p := &m.Provenance
	p.Note = strings.TrimSpace(p.Note + "\n" + note)
	p.Command = strings.TrimSpace(p.Command + "\n" + repeatCommand(c, m.Name))
	for _, d := range c.StringSlice("data-name") {
		if !slices.Contains(p.Data, d) {
			p.Data = append(slices.Clip(p.Data), d)
		}
	}
	return writeWhole(c.String("out"), m.Encode)
}

// repeatCommand is the command that does this once more. Of paths that are of
// no use elsewhere the last part is left, and where the model was put has no say
// in it.
func repeatCommand(c *cli.Command, model string) string {
	args := []string{c.Name}
	for _, f := range c.Flags {
		name := f.Names()[0]
		if !c.IsSet(name) || slices.Contains([]string{"out", "overwrite", "plot", "output", "workers"}, name) {
			continue
		}
		values := []string{fmt.Sprint(c.Value(name))}
		switch v := c.Value(name).(type) {
		case bool:
			args = append(args, "-"+name)
			continue
		case []string:
			values = v
		}
		for _, v := range values {
			if slices.Contains([]string{"model", "truth", "bg"}, name) {
				v = portable(v)
			}
			args = append(args, "-"+name, v)
		}
	}
	return commandLine(append(args, "-out", cmp.Or(model, "model")+".cascade"))
}

// checkPlots checks the names of plots before the work is done.
func checkPlots(paths []string) error {
	for _, p := range paths {
		if ext := strings.ToLower(filepath.Ext(p)); ext != ".png" && ext != ".svg" {
			return usagef("-plot is %q, want a name that ends in .png or .svg", p)
		}
	}
	return nil
}

func plotReliability(k *eval.Calibrated, paths []string) error {
	var points []plot.Said
	for _, b := range k.Bins {
		if b.Detections > 0 {
			points = append(points, plot.Said{Probability: b.Said, Share: b.Share, Low: b.Low, High: b.High})
		}
	}
	return plot.Reliability(fmt.Sprintf("%d detections", k.Right+k.Wrong), points, paths...)
}

func writeCalibrated(w io.Writer, k *eval.Calibrated, check bool) error {
	fmt.Fprintf(w, "%d objects in %d photographs, %.1f megapixels, matched by %s\n\n", k.Objects, k.Photos, k.Megapixels, k.Matcher)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "last threshold\tfound\tper cent\tfalse alarms\ta megapixel\t\n")
	row := func(r eval.Raised, what string) {
		fmt.Fprintf(t, "+%.4f\t%d\t%.1f\t%d\t%.3f\t%s\n", r.By, r.Found, 100*float64(r.Found)/float64(max(k.Objects, 1)),
			r.FalseAlarms, float64(r.FalseAlarms)/k.Megapixels, what)
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
	if err := t.Flush(); err != nil {
		return err
	}
	c := k.Cascade.Calibration
	fmt.Fprintf(w, "\nscore = 1/(1+exp(-(%g*margin%+g))); %d detections are right and %d wrong\n\n", c.Slope, c.Offset, k.Right, k.Wrong)
	if err := writeBins(w, k.Bins); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nfrom 0.4 to 0.6: %d of %d are right (%.0f%%; with 95%% confidence %.0f to %.0f)\n",
		k.Even.Right, k.Even.Detections, 100*k.Even.Share, 100*k.Even.Low, 100*k.Even.High)
	return err
}

// writeBins writes a table in Markdown, which reads well as it is.
func writeBins(w io.Writer, bins []eval.Bin) error {
	fmt.Fprintf(w, "| score | detections | mean score | share right | 95%% interval |\n| --- | --- | --- | --- | --- |\n")
	for _, b := range bins {
		if b.Detections == 0 {
			fmt.Fprintf(w, "| %.1f to %.1f | 0 | | | |\n", b.From, b.To)
			continue
		}
		fmt.Fprintf(w, "| %.1f to %.1f | %d | %.2f | %.2f | %.2f to %.2f |\n", b.From, b.To, b.Detections, b.Said, b.Share, b.Low, b.High)
	}
	return nil
}
