package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/boost/plot"
	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cascade/eval"
	"haarlem/models"
	"haarlem/samples"
)

const evalText = `A model is a file, of the native format or OpenCV's XML, or the name of a
built-in model. All models see the same grey pictures. Truth is a file of boxes
(OpenCV's info.dat, CSV, Pascal VOC, COCO, YOLO) or of landmarks.

   train-cascade eval -model frontalface -model haarcascade_frontalface_alt2.xml \
      -truth mosaics/truth.csv -bg unseen/ -plot roc.png -misses misses/

A detection is matched by its centre (at most half of the object's size from the
object's centre, and of half to twice its size) or by overlap (intersection over
union of at least one half). A second detection of an object is a false alarm.
What OpenCV's cascades find is swept by neighbours, as minNeighbors would; what
others find, by score.`

// newEval is the subcommand that measures detectors.
func newEval(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "eval",
		Usage:       "measure detectors on labelled photographs",
		Description: evalText,
		Flags: append([]cli.Flag{
			&cli.StringSliceFlag{Name: "model", Usage: "[NAME=]MODEL: file or built-in model; may be repeated"},
			&cli.StringFlag{Name: "pose", Value: "frontal", Usage: "of the faces that every -model is to find: frontal; profile and any add -profile-model and its mirror image, and profile leaves out -model"},
			&cli.StringFlag{Name: "profile-model", Value: models.ProfileName, Usage: "for profiles that look to one side: file or built-in model"},
			&cli.StringSliceFlag{Name: "detections", Usage: "[NAME=]FILE: what another program found, as detect -format json or jsonl writes it; may be repeated"},
			&cli.StringFlag{Name: "sweep", Value: "auto", Usage: "by what detections are ranked: score, neighbours, or auto"},
			&cli.FloatFlag{Name: "scale", Value: 1.1, Usage: "factor between two levels of the search"},
			&cli.IntFlag{Name: "min-size", Value: 24, Usage: "smallest object to search, in pixels"},
			&cli.FloatFlag{Name: "enlarge", Value: 1, Usage: "search photographs up to so many times as large, for objects smaller than a model's window; -min-size holds all the same"},
			&cli.IntFlag{Name: "max-size", Usage: "largest object to search; 0 means the picture"},
			&cli.IntFlag{Name: "neighbors", Usage: "a detection needs more candidates than this; 0 keeps all groups; if not given, what the model says, or 1", HideDefault: true},
			&cli.FloatFlag{Name: "pad", Usage: "per cent of the picture's shorter side that are put around it, so that objects cut by the edge are found"},
			&cli.StringFlag{Name: "pad-with", Value: "replicate", Usage: "replicate, mirror or constant"},
			&cli.StringFlag{Name: "output", Value: "text", Usage: "what goes to stdout: text or json"},
			&cli.StringFlag{Name: "json", Usage: "file for the whole report, with the curves"},
			&cli.StringSliceFlag{Name: "plot", Usage: "file for a plot of all curves, .png or .svg; may be repeated"},
			&cli.IntFlag{Name: "plot-to", Value: 500, Usage: "false alarms at which the plot ends"},
			&cli.StringFlag{Name: "misses", Usage: "folder for pictures of what was missed and of false alarms"},
			&cli.IntFlag{Name: "at", Value: 10, Usage: "false alarms at which -misses draws"},
			&cli.IntFlag{Name: "workers", Usage: "photographs at the same time; 0 means one a core. Results do not depend on it"},
		}, slices.Concat(truthFlags(), matchFlags())...),
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return evaluate(ctx, c, stdout, stderr)
		},
	}
}

// truthFlags say what there is to be found, and when it counts as found.
func truthFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "truth", Usage: "file of labelled photographs; may be repeated"},
		&cli.StringFlag{Name: "format", Value: "auto", Usage: "of -truth: auto, info, csv, voc, coco, yolo or landmarks"},
		&cli.StringFlag{Name: "template", Value: "frontalface", Usage: "where landmarks stand in a box, for objects without one: frontalface, or X,Y pairs in shares of its width"},
		&cli.StringSliceFlag{Name: "bg", Usage: "folder, list or picture without any object; may be repeated"},
		&cli.StringSliceFlag{Name: "ignore", Usage: "COLUMN=VALUE of the truth: such objects neither help nor hurt; may be repeated"},
		&cli.IntFlag{Name: "ignore-below", Usage: "objects smaller than this, in pixels, neither help nor hurt"},
	}
}

// matchFlags say when a detection is right.
func matchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "match", Value: "centre", Usage: "centre or overlap"},
		&cli.FloatFlag{Name: "threshold", Usage: "of -match: largest distance of the centres in sizes of the object, 0.5 unless given; least intersection over union, 0.5 unless given"},
	}
}

func evaluate(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	switch {
	case c.Args().Present():
		return usagef("eval takes flags only, not %q", c.Args().First())
	case len(c.StringSlice("model"))+len(c.StringSlice("detections")) == 0 && c.String("pose") != "profile":
		return usagef("nothing to measure: name a model with -model, or a file with -detections")
	case len(c.StringSlice("truth"))+len(c.StringSlice("bg")) == 0:
		return usagef("nothing to measure on: name a file with -truth")
	case c.String("output") != "text" && c.String("output") != "json":
		return usagef("-output is %q, want text or json", c.String("output"))
	case c.Int("at") < 0 || c.Int("plot-to") < 1:
		return usagef("-at is %d and -plot-to %d, want at least 0 and 1", c.Int("at"), c.Int("plot-to"))
	}
	matcher, err := eval.ParseMatcher(c.String("match"), c.Float("threshold"))
	if err != nil {
		return usageError{err}
	}
	if err := checkPlots(c.StringSlice("plot")); err != nil {
		return err
	}
	photos, err := evalPhotos(c)
	if err != nil {
		return err
	}
	contenders, err := contenders(c, photos, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	progress, finish := newProgress(stderr, "photographs")
	set, err := eval.Measure(ctx, photos, contenders, &eval.MeasureOptions{Workers: c.Int("workers"), Progress: progress})
	finish()
	if err != nil {
		return err
	}
	report := set.Report(matcher)
	write := report.WriteText
	if c.String("output") == "json" {
		write = report.WriteJSON
	}
	if err := write(stdout); err != nil {
		return err
	}
	if path := c.String("json"); path != "" {
		if err := writeFile(path, report.WriteJSON); err != nil {
			return err
		}
	}
	if paths := c.StringSlice("plot"); len(paths) > 0 {
		if err := plotReport(report, c.Int("plot-to"), paths); err != nil {
			return err
		}
	}
	if folder := c.String("misses"); folder != "" {
		return drawMisses(set, matcher, c.Int("at"), folder)
	}
	return nil
}

// evalPhotos reads the truth and lists the backgrounds behind it.
func evalPhotos(c *cli.Command) ([]eval.Photo, error) {
	frame, err := frameOf(c)
	if err != nil {
		return nil, err
	}
	o := &eval.TruthOptions{Frame: frame, MinSize: c.Int("ignore-below"), Ignore: map[string][]string{}}
	for _, s := range c.StringSlice("ignore") {
		tag, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, usagef("-ignore is %q, want COLUMN=VALUE", s)
		}
		o.Ignore[tag] = append(o.Ignore[tag], value)
	}
	var labelled []samples.Photo
	if paths := c.StringSlice("truth"); len(paths) > 0 {
		if labelled, err = readTruth(paths, c.String("format")); err != nil {
			return nil, err
		}
	}
	photos, err := eval.Truth(labelled, o)
	if err != nil {
		return nil, err
	}
	backgrounds, err := listPictures(c.StringSlice("bg"))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range photos {
		seen[p.File] = true
	}
	for _, b := range backgrounds {
		if !seen[b] {
			photos = append(photos, eval.Photo{File: b})
		}
	}
	return photos, nil
}

// frameOf reads -template.
func frameOf(c *cli.Command) (eval.Frame, error) {
	t, err := samples.ParseTemplate(c.String("template"))
	if err != nil {
		return nil, usageError{fmt.Errorf("-template: %w", err)}
	}
	return eval.Frame(t.Marks), nil
}

// contenders opens the models and the files of detections.
func contenders(c *cli.Command, photos []eval.Photo, log *slog.Logger) ([]*eval.Contender, error) {
	sweep, err := eval.ParseSweep(c.String("sweep"))
	if err != nil {
		return nil, usageError{err}
	}
	fill, err := eval.ParseFill(c.String("pad-with"))
	if err != nil {
		return nil, usageError{err}
	}
	if n := c.Int("neighbors"); n < 0 {
		return nil, usagef("-neighbors is %d, want 0 or more", n)
	}
	o := &eval.DetectorOptions{
		Search: detector.Options{
			Scale: c.Float("scale"), Enlarge: c.Float("enlarge"), MinSize: image.Pt(c.Int("min-size"), c.Int("min-size")),
			MaxSize: image.Pt(c.Int("max-size"), c.Int("max-size")), MinNeighbors: c.Int("neighbors"),
		},
		Sweep: sweep,
		Pad:   eval.Pad{Share: c.Float("pad") / 100, Fill: fill},
	}
	everyGroup := o.Search.MinNeighbors == 0 && c.IsSet("neighbors")
	var all []*eval.Contender
	wanted, err := poseModels(c)
	if err != nil {
		return nil, err
	}
	for _, w := range wanted {
		if everyGroup {
			for i, m := range w.cascades {
				m := *m
				m.Search.MinCandidates = 1
				w.cascades[i] = &m
			}
		}
		v, err := eval.Team(w.name, w.cascades, o)
		if err != nil {
			if errors.Is(err, detector.ErrOptions) {
				err = usageError{err}
			}
			return nil, err
		}
		all = append(all, v)
		if smallest, wanted, enlarge := v.Team.Smallest(); wanted < smallest {
			log.Warn("smaller objects are not looked for", "model", w.name, "smallest", smallest, "with -enlarge", enlarge, "then", wanted)
		}
	}
	for _, s := range c.StringSlice("detections") {
		name, file := named(s)
		d, err := eval.ReadDetections(file)
		if err != nil {
			return nil, err
		}
		v, unknown, err := d.Contender(photos, sweep)
		if err != nil {
			return nil, err
		}
		if unknown > 0 {
			log.Warn("detections in photographs that are not measured on are left out", "file", file, "photographs", unknown)
		}
		v.Name = name
		all = append(all, v)
	}
	return all, nil
}

// named splits NAME=FILE. Without a name it is the file's, without what all
// models have in theirs.
func named(s string) (name, file string) {
	if name, file, ok := strings.Cut(s, "="); ok && name != "" && file != "" && !strings.ContainsAny(name, `/\`) {
		return name, file
	}
	name = filepath.Base(s)
	return strings.TrimSuffix(name, filepath.Ext(name)), s
}

// openModel opens a built-in model if it is the name of one, otherwise a file.
func openModel(name string) (*cascade.Cascade, error) {
	if slices.Contains(models.Names(), name) {
		return models.Open(name)
	}
	c, err := cascade.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("-model %s: there is no such file, and the built-in models are %s", name, strings.Join(models.Names(), ", "))
	}
	return c, err
}

// plotReport draws all curves.
func plotReport(r *eval.Report, most int, paths []string) error {
	var all []plot.Detector
	for _, l := range r.Lines {
		d := plot.Detector{Name: l.Name}
		for _, p := range l.Curve {
			d.Alarms = append(d.Alarms, p.FalseAlarms)
			d.Rates = append(d.Rates, float64(p.Found)/float64(max(r.Objects, 1)))
		}
		all = append(all, d)
	}
	title := fmt.Sprintf("%d objects, %.1f megapixels", r.Objects, r.Megapixels)
	return plot.Detection(title, all, most, paths...)
}

// writeFile writes a file as a function does.
func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}
