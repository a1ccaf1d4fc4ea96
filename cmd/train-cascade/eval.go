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

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/plot"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/models"
)

const evalText = `Measures recall and false positives of detectors. A model is a file, in our format,
OpenCV's or pico's, or a built-in model. All models see the same grey pictures. Truth is boxes or
landmarks in any format that samples/README.md names.

   train-cascade eval -model frontalface -model haarcascade_frontalface_alt2.xml \
      -truth mosaics/truth.csv -bg unseen/ -plot roc.png -misses misses/

A detection matches an object by its centre (at most half of the object's size from
the object's centre, and half to twice its size) or by overlap (intersection over
union of at least one half). A second detection of an object is a false positive. The
curve varies the score; of classical stages, such as OpenCV's, it varies minNeighbors if
that gives the larger average precision (-sweep). False positives are told apart: about
no object, of a wrong size, badly placed, or duplicates.

With -precision the report adds the usual measures of benchmarks. WIDER FACE's subsets:

   train-cascade eval -model face -truth wild.csv -enlarge 2 -min-size 12 \
      -subset easy:level=easy -subset medium:level=easy,medium \
      -subset hard:level=easy,medium,hard -recall-by pose -recall-by size

With several models, false positives on which another one agrees are counted separately:
they may be objects that the truth lacks.`

// evalFlags are those of eval.
type evalFlags struct {
	flags              *cli.Flags
	models, detections []string
	pose, profile      string
	truthFlags
	matchFlags

	scale, enlarge, pad  float64
	minSize, maxSize     int
	minNeighbors         int
	padWith, sweep       string
	output, json, misses string
	plots                []string
	plotTo, at, workers  int

	precision         bool
	subsets, recallBy []string

	evalShardFlags
}

func evalCommand() *cli.Command {
	return &cli.Command{
		Name: "eval", Summary: "measure detectors on labelled photographs", Text: evalText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &evalFlags{flags: f, pose: "frontal", profile: models.ProfileName, sweep: "auto", scale: 1.1, minSize: 24, enlarge: 1, padWith: "replicate", output: "text", plotTo: 500, at: 10}
			f.Group("Detectors")
			f.Strings(&v.models, "model", "measure `[NAME=]MODEL`, a file or built-in model; may be repeated")
			f.Strings(&v.detections, "detections", "measure what another program found, `[NAME=]FILE` as detect -format json or jsonl writes it; may be repeated")
			f.Choice(&v.pose, "pose", []string{"frontal", "profile", "any"}, "find faces in `POSE`: frontal, profile or any. profile and any add -profile-model and its mirror image, and profile leaves out -model")
			f.String(&v.profile, "profile-model", "`MODEL` for profiles that look to one side: a file, or a built-in model")
			v.truthFlags.declare(f)
			v.matchFlags.declare(f)
			f.Group("Precision")
			f.Bool(&v.precision, "precision", "average precision at overlaps of 0.3 to 0.7, how well boxes fit, and kinds of false positives, as benchmarks count them")
			f.Strings(&v.subsets, "subset", "measure the precision of a part of the objects and ignore the others, `NAME:COLUMN=VALUE,VALUE`; may be repeated")
			f.Strings(&v.recallBy, "recall-by", "give recall for each value of `COLUMN` of the truth, or of size; may be repeated")
			f.Group("Output")
			f.Choice(&v.output, "output", []string{"text", "json"}, "print `FORMAT` to stdout: text or json")
			f.String(&v.json, "json", "write the whole report, with the curves, to `FILE`")
			f.Strings(&v.plots, "plot", "draw all curves to `FILE`, .png or .svg; may be repeated")
			f.Int(&v.plotTo, "plot-to", "end the plot at `N` false positives")
			f.String(&v.misses, "misses", "write pictures of misses and false positives into `FOLDER`")
			f.Int(&v.at, "at", "draw -misses at `N` false positives")
			f.Group("Search")
			f.Float(&v.scale, "scale", "`FACTOR` between two levels of the image pyramid")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`")
			f.Int(&v.maxSize, "max-size", "largest object to find, in `PIXELS`; the picture if not given")
			f.Int(&v.minNeighbors, "min-neighbors", "a detection needs more than `N` overlapping candidates; 0 keeps all groups; the model's own, or 1, if not given")
			f.Old("min-neighbors", "neighbors")
			f.Float(&v.enlarge, "enlarge", "search photographs enlarged by `F`, for objects smaller than the detection window; -min-size holds all the same")
			f.Float(&v.pad, "pad", "put `P` per cent of the picture's shorter side around it, so that objects cut by the edge are found")
			f.Choice(&v.padWith, "pad-with", []string{"replicate", "mirror", "constant"}, "pad with `FILL`: replicate, mirror or constant")
			f.String(&v.sweep, "sweep", "rank detections by `WHAT`: score, neighbors, or auto: of classical stages, what gives the larger average precision, and otherwise the score")
			f.Int(&v.workers, "workers", "search `N` photographs at one time; one for each processor if not given. Results do not depend on it")
			v.evalShardFlags.declare(f)
			return func(ctx context.Context, args []string) error { return evaluate(ctx, v, args, s.Out, s.Err) }
		},
	}
}

// truthFlags select the objects.
type truthFlags struct {
	truth, bg, ignore []string
	format, template  string
	ignoreBelow       int
}

func (v *truthFlags) declare(f *cli.Flags) {
	v.format, v.template = "auto", "frontalface"
	f.Group("Photographs")
	f.Strings(&v.truth, "truth", "`FILE` of labelled photographs, with boxes or landmarks; may be repeated")
	f.Strings(&v.bg, "bg", "`PATH` of negative images, without the object: a folder, list or picture; may be repeated")
	f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
	f.Strings(&v.ignore, "ignore", "do not count objects for which the truth says `COLUMN=VALUE`, found or not; may be repeated")
	f.Int(&v.ignoreBelow, "ignore-below", "do not count objects smaller than `N` pixels, found or not")
	f.String(&v.template, "template", "`POINTS` at which landmarks stand in a box, for objects without one: frontalface, none (all have boxes), or X,Y pairs in shares of its width")
}

// matchFlags define when a detection is right.
type matchFlags struct {
	given              func(string) bool
	match              string
	threshold          float64
	position, sizeDiff float64
}

func (v *matchFlags) declare(f *cli.Flags) {
	v.match, v.given = "centre", f.Given
	f.Group("Matching")
	f.Choice(&v.match, "match", []string{"centre", "overlap"}, "`RULE` by which a detection is right: centre or overlap")
	f.Float(&v.threshold, "threshold", "`LIMIT` of -match: largest distance of the centres in sizes of the object, or least intersection over union; 0.5 if not given")
	f.Float(&v.sizeDiff, "maxSizeDiff", "with -match centre: largest `FACTOR` between the size of a detection and of the object; 2 if not given (opencv_performance: 1.5)")
	f.Float(&v.position, "maxPosDiff", "-threshold of -match centre, by the name of opencv_performance (0.3)")
}

func (v *matchFlags) matcher() (eval.Matcher, error) {
	centre := v.match == "centre"
	for _, name := range []string{"maxSizeDiff", "maxPosDiff"} {
		if v.given(name) && !centre {
			return nil, cli.Usagef("-%s is for -match centre, not for -match %s", name, v.match)
		}
	}
	switch {
	case v.given("maxSizeDiff") && !(v.sizeDiff > 1 && v.sizeDiff <= 100):
		return nil, cli.Usagef("-maxSizeDiff is %v, want a factor of more than 1 and at most 100", v.sizeDiff)
	case v.given("maxPosDiff") && v.given("threshold"):
		return nil, cli.Usagef("-maxPosDiff and -threshold are the same: give one of them")
	case v.given("maxPosDiff") && !(v.position > 0 && v.position <= 1):
		return nil, cli.Usagef("-maxPosDiff is %v, want more than 0 and at most 1", v.position)
	}
	m, err := eval.ParseMatcher(v.match, max(v.threshold, v.position))
	if err != nil {
		return nil, cli.Usage(err)
	}
	if c, ok := m.(eval.Centre); ok && centre {
		c.Factor = v.sizeDiff
		m = c
	}
	return m, nil
}

func evaluate(ctx context.Context, v *evalFlags, args []string, stdout, stderr io.Writer) error {
	switch {
	case len(args) > 0:
		return cli.Usagef("eval takes flags only, not %q", args[0])
	case len(v.models)+len(v.detections) == 0 && v.pose != "profile":
		return cli.Usagef("nothing to measure: name a model with -model, or a file with -detections")
	case len(v.truth)+len(v.bg) == 0:
		return cli.Usagef("nothing to measure on: name a file with -truth")
	case v.shard != "" && v.from != "", v.out != "" && v.shard == "":
		return cli.Usagef("-shard and -out search a part of the photographs, and -from measures all of them later")
	case v.at < 0 || v.plotTo < 1:
		return cli.Usagef("-at is %d and -plot-to %d, want at least 0 and 1", v.at, v.plotTo)
	}
	matcher, err := v.matcher()
	if err != nil {
		return err
	}
	precision, err := v.precisionOptions()
	if err != nil {
		return err
	}
	if err := checkPlots(v.plots); err != nil {
		return err
	}
	photos, err := v.photos()
	if err != nil {
		return err
	}
	contenders, err := v.contenders(photos, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	var set *eval.Set
	switch {
	case v.shard != "":
		return v.search(ctx, photos, contenders, stdout)
	case v.from != "":
		set, err = v.gather(ctx, photos, contenders)
	default:
		progress, finish := newProgress(stderr, "photographs")
		set, err = eval.Measure(ctx, photos, contenders, &eval.MeasureOptions{Workers: v.workers, Progress: progress})
		finish()
	}
	if err != nil {
		return err
	}
	set.PickSweep(matcher)
	report := set.Report(matcher)
	if precision != nil {
		if report.Precision, err = set.Precision(precision); err != nil {
			return cli.Usage(err)
		}
	}
	write := report.WriteText
	if v.output == "json" {
		write = report.WriteJSON
	}
	if err := write(stdout); err != nil {
		return err
	}
	if v.json != "" {
		if err := writeFile(v.json, report.WriteJSON); err != nil {
			return err
		}
	}
	if len(v.plots) > 0 {
		if err := plotReport(report, v.plotTo, v.plots); err != nil {
			return err
		}
	}
	if v.misses != "" {
		return drawMisses(set, matcher, v.at, v.misses)
	}
	return nil
}

// photos reads the truth and appends the backgrounds.
func (v *truthFlags) photos() ([]eval.Photo, error) {
	template, err := templateOf(v.template)
	if err != nil {
		return nil, err
	}
	o := &eval.TruthOptions{Template: template, MinSize: v.ignoreBelow, Ignore: map[string][]string{}}
	for _, s := range v.ignore {
		tag, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, cli.Usagef("-ignore is %q, want COLUMN=VALUE", s)
		}
		o.Ignore[tag] = append(o.Ignore[tag], value)
	}
	var labelled []samples.Photo
	if len(v.truth) > 0 {
		if labelled, err = readTruth(v.truth, v.format); err != nil {
			return nil, err
		}
		if err := boxed(v.template, labelled); err != nil {
			return nil, err
		}
	}
	photos, err := eval.Truth(labelled, o)
	if err != nil {
		return nil, err
	}
	backgrounds, err := listPictures(v.bg)
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

// noTemplate is the value of -template for objects that all have boxes.
const noTemplate = "none"

// templateOf parses -template.
func templateOf(text string) (samples.Template, error) {
	if text == noTemplate {
		return samples.Template{}, nil
	}
	t, err := samples.ParseTemplate(text)
	if err != nil {
		return t, cli.Usage(fmt.Errorf("-template: %w", err))
	}
	return t, nil
}

// boxed reports an object that has landmarks only, if no template turns them into a box.
func boxed(template string, photos []samples.Photo) error {
	for i := range photos {
		for k := range photos[i].Objects {
			if o := &photos[i].Objects[k]; template == noTemplate && o.Box.Empty() && len(o.Marks) > 0 {
				return fmt.Errorf("%s: object %d has landmarks and no box: give -template, which says where they stand in it", photos[i].File, k+1)
			}
		}
	}
	return nil
}

// contenders opens the models and the files of detections.
func (v *evalFlags) contenders(photos []eval.Photo, log *slog.Logger) ([]*eval.Contender, error) {
	sweep, err := eval.ParseSweep(v.sweep)
	if err != nil {
		return nil, cli.Usage(err)
	}
	fill, err := eval.ParseFill(v.padWith)
	if err != nil {
		return nil, cli.Usage(err)
	}
	if n := v.minNeighbors; n < 0 {
		return nil, cli.Usagef("-min-neighbors is %d, want 0 or more", n)
	}
	o := &eval.DetectorOptions{
		Search: detector.Options{
			Scale: v.scale, Enlarge: v.enlarge, MinSize: image.Pt(v.minSize, v.minSize),
			MaxSize: image.Pt(v.maxSize, v.maxSize), MinNeighbors: v.minNeighbors,
		},
		Sweep: sweep,
		Pad:   eval.Pad{Share: v.pad / 100, Fill: fill},
	}
	everyGroup := o.Search.MinNeighbors == 0 && v.flags.Given("min-neighbors")
	var all []*eval.Contender
	wanted, err := v.posed()
	if err != nil {
		return nil, err
	}
	for _, w := range wanted {
		if w.pico != nil {
			one, err := v.picoContender(w.name, w.pico)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
			continue
		}
		if everyGroup {
			for i, m := range w.cascades {
				m := *m
				m.Search.MinCandidates = 1
				w.cascades[i] = &m
			}
		}
		one, err := eval.Detector(w.name, o, w.cascades...)
		if err != nil {
			if errors.Is(err, detector.ErrOptions) {
				err = cli.Usage(err)
			}
			return nil, err
		}
		all = append(all, one)
		if smallest, wanted, enlarge := one.Detector.Smallest(); wanted < smallest {
			log.Warn("smaller objects are not looked for", "model", w.name, "smallest", smallest, "with -enlarge", enlarge, "then", wanted)
		}
	}
	for _, s := range v.detections {
		name, file := named(s)
		d, err := eval.ReadDetections(file)
		if err != nil {
			return nil, err
		}
		one, unknown, err := d.Contender(photos, sweep)
		if err != nil {
			return nil, err
		}
		if unknown > 0 {
			log.Warn("detections in photographs that are not measured on are left out", "file", file, "photographs", unknown)
		}
		one.Name = name
		all = append(all, one)
	}
	return all, nil
}

// named splits NAME=FILE. Without a name it is the file's, without the
// extension of models.
func named(s string) (name, file string) {
	if name, file, ok := strings.Cut(s, "="); ok && name != "" && file != "" && !strings.ContainsAny(name, `/\`) {
		return name, file
	}
	name = filepath.Base(s)
	return strings.TrimSuffix(name, filepath.Ext(name)), s
}

// openModel opens a built-in model by name, or a file.
func openModel(name string) (*cascade.Cascade, error) {
	if slices.Contains(models.Names(), name) {
		return models.Open(name)
	}
	c, err := cascade.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, cli.Usagef("model %s: there is no such file, and the built-in models are %s", name, strings.Join(models.Names(), ", "))
	}
	return c, err
}

// plotReport draws all curves.
func plotReport(r *eval.Report, most int, paths []string) error {
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
	return plot.Detection(title, all, most, paths...)
}

// writeFile writes a file by calling write.
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
