package measuring

import (
	"context"
	"image"
	"io"
	"log/slog"
	"slices"

	"haarlem/cascade/detector"
	"haarlem/cascade/pico"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/models"
)

const evalText = `Measures recall and false positives of detectors. A model is a file, in our format,
OpenCV's or pico's, or a built-in model. All models see the same grey pictures. Truth is boxes or
landmarks in any format that samples/README.md names.

   train-cascade eval -model face-fast -model haarcascade_frontalface_alt2.xml \
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

func Eval() *cli.Command {
	return &cli.Command{
		Name: "eval", Summary: "measure detectors on labelled photographs", Text: evalText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &evalFlags{flags: f, sweep: "auto", minSize: 24, enlarge: 1, output: "text", plotTo: 500, at: 10}
			f.Group("Detectors")
			f.Strings(&v.models, "model", "measure `[NAME=]MODEL`, a file or built-in model; may be repeated")
			f.Strings(&v.detections, "detections", "measure what another program found, `[NAME=]FILE` as detect -format json or jsonl writes it; may be repeated")
			v.TruthFlags.Declare(f)
			v.MatchFlags.Declare(f)
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
			f.Float(&v.scale, "scale", "`FACTOR` between two levels of the image pyramid; 0 for the model's, or 1.1")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`")
			f.Int(&v.maxSize, "max-size", "largest object to find, in `PIXELS`; the picture if not given")
			f.Int(&v.minNeighbors, "min-neighbors", "a detection needs more than `N` overlapping candidates; 0 keeps all groups; the model's own, or 1, if not given")
			f.Float(&v.enlarge, "enlarge", "search photographs enlarged by `F`, for objects smaller than the detection window; -min-size holds all the same")
			f.String(&v.sweep, "sweep", "rank detections by `WHAT`: score, neighbors, or auto: of classical stages, what gives the larger average precision, and otherwise the score")
			f.Int(&v.workers, "workers", "search `N` photographs at one time; one for each processor if not given. Results do not depend on it")
			v.evalShardFlags.declare(f)
			return func(ctx context.Context, _ []string) error { return evaluate(ctx, v, s.Out, s.Err) }
		},
	}
}

func evaluate(ctx context.Context, v *evalFlags, stdout, stderr io.Writer) error {
	switch {
	case len(v.models)+len(v.detections) == 0:
		return cli.Usagef("nothing to measure: name a model with -model, or a file with -detections")
	case len(v.Truth)+len(v.bg) == 0:
		return cli.Usagef("nothing to measure on: name a file with -truth")
	case v.shard != "" && v.from != "", v.out != "" && v.shard == "":
		return cli.Usagef("-shard and -out search a part of the photographs, and -from measures all of them later")
	case v.at < 0 || v.plotTo < 1:
		return cli.Usagef("-at is %d and -plot-to %d, want at least 0 and 1", v.at, v.plotTo)
	}
	matcher, err := v.Matcher()
	if err != nil {
		return err
	}
	precision, err := v.precisionOptions()
	if err != nil {
		return err
	}
	if err := CheckPlots(v.plots); err != nil {
		return err
	}
	photos, err := v.Photos()
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
		progress, finish := output.Progress(stderr, "photographs")
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
		if err := samples.WriteAtomically(v.json, report.WriteJSON); err != nil {
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

// contenders opens the models and the files of detections.
func (v *evalFlags) contenders(photos []eval.Photo, log *slog.Logger) ([]*eval.Contender, error) {
	sweep, err := eval.ParseSweep(v.sweep)
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
	}
	everyGroup := o.Search.MinNeighbors == 0 && v.flags.Given("min-neighbors")
	var all []*eval.Contender
	for _, s := range v.models {
		name, file := input.Named(s)
		if !slices.Contains(models.Names(), file) && pico.IsFile(file) {
			one, err := v.picoContender(name, file)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
			continue
		}
		c, err := input.OpenModel(file)
		if err != nil {
			return nil, err
		}
		v.cascades = append(v.cascades, c)
		if everyGroup {
			all := *c
			all.Search.MinCandidates = 1
			c = &all
		}
		one, err := eval.Detector(name, o, c)
		if err != nil {
			return nil, cli.UsageIf(err, detector.ErrOptions)
		}
		all = append(all, one)
		if smallest, wanted, enlarge := one.Detector.Smallest(); wanted < smallest {
			log.Warn("smaller objects are not searched", "model", name, "smallest", smallest, "with -enlarge", enlarge, "then", wanted)
		}
	}
	for _, s := range v.detections {
		name, file := input.Named(s)
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
