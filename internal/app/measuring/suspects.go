package measuring

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train/verify"
)

const suspectsText = `Lists labels that are probably wrong by what a model finds in their photographs: missing
boxes, boxes in the wrong place, labels of nothing, of another class, and double ones.
The model may have learned from these labels: with -folds, verifiers judge each part of
the photographs that learned from the other parts, behind the first weak classifiers of
the model, which have learned little by heart.

   train-cascade suspects -model cup.cascade -truth cups.csv -out suspects.csv
   train-cascade ui photos/ -truth cups.csv -cascade cup.cascade

The list begins with the surest of each kind; look at it until most entries are right.
Review, in the second command's page, has the same list, and takes the corrections.`

// Suspects is suspects.
func Suspects() *cli.Command {
	return &cli.Command{
		Name: "suspects", Summary: "list labels that are probably wrong, by what a model finds", Text: suspectsText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &suspectFlags{keep: 50, trees: 100}
			f.Group("Model")
			f.String(&v.model, "model", "`MODEL`, a file or a built-in model")
			v.TruthFlags.Declare(f)
			f.Strings(&v.where, "where", "the model finds objects for which the truth says `COLUMN=VALUE,...`; the others are of other classes; may be repeated")
			f.Group("Output")
			f.String(&v.out, "out", "write the list to `FILE`, a CSV")
			f.Group("Search")
			f.Int(&v.folds, "folds", "train verifiers for `N` parts of the photographs, each with the other parts")
			f.Int(&v.keep, "keep", "with -folds, search with at most `N` weak classifiers of the cascade")
			f.Int(&v.trees, "trees", "with -folds, boost `N` trees of each verifier")
			f.Bool(&v.mirror, "mirror", "with -folds, learn from mirror images too")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`; the detection window if not given")
			f.Float(&v.pad, "pad", "put `P` per cent of the picture's shorter side around it, for objects cut by the edge")
			f.Int(&v.workers, "workers", "search `N` photographs at one time; one for each processor if not given. Results do not depend on it")
			return func(ctx context.Context, args []string) error { return v.list(ctx, args, s.Out, s.Err) }
		},
	}
}

// suspectFlags are those of suspects.
type suspectFlags struct {
	TruthFlags
	model, out       string
	where            []string
	folds, keep      int
	trees            int
	mirror           bool
	minSize, workers int
	pad              float64
}

func (v *suspectFlags) list(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	switch {
	case len(args) > 0:
		return cli.Usagef("suspects takes flags only, not %q", args[0])
	case v.model == "":
		return cli.Usagef("nothing to search with: name a model with -model")
	case len(v.Truth) == 0 || v.out == "":
		return cli.Usagef("give the labels with -truth FILE, and a file for the list with -out FILE")
	}
	m, err := input.OpenModel(v.model)
	if err != nil {
		return err
	}
	photos, err := v.Photos()
	if err != nil {
		return err
	}
	only, err := input.NewConditions("where", v.where)
	if err != nil {
		return err
	}
	other := func(o *eval.Object) bool { return !only.Holds(&samples.Object{Tags: o.Tags}) }
	search := v.search
	if v.folds != 0 {
		search = v.searchApart
	}
	found, err := search(ctx, m, photos, other, stderr)
	if err != nil {
		return err
	}
	all := eval.Suspects(photos, found, other)
	if err := writeFile(v.out, func(w io.Writer) error { return writeSuspects(w, photos, all) }); err != nil {
		return err
	}
	labels := 0
	for i := range photos {
		labels += len(photos[i].Objects)
	}
	_, err = fmt.Fprintf(stdout, "%d of %s are suspect, or lack: %s\n", len(all), output.Count(labels, "label"), v.out)
	return err
}

// search returns what a model finds.
func (v *suspectFlags) search(ctx context.Context, m *cascade.Cascade, photos []eval.Photo, _ func(*eval.Object) bool, stderr io.Writer) ([][]eval.Found, error) {
	o := &eval.DetectorOptions{Pad: eval.Pad{Share: v.pad / 100}}
	o.Search.MinSize = image.Pt(max(v.minSize, 1), max(v.minSize, 1))
	finder, err := eval.Detector(m.Name, o, m)
	if err != nil {
		return nil, cli.Usage(err)
	}
	progress, finish := output.Progress(stderr, "photographs")
	defer finish()
	set, err := eval.Measure(ctx, photos, []*eval.Contender{finder}, &eval.MeasureOptions{Workers: v.workers, Progress: progress})
	if err != nil {
		return nil, err
	}
	return set.Found[0], nil
}

// searchApart returns what verifiers find that learned from other photographs, behind the
// first weak classifiers of a model.
func (v *suspectFlags) searchApart(ctx context.Context, m *cascade.Cascade, photos []eval.Photo, other func(*eval.Object) bool, stderr io.Writer) ([][]eval.Found, error) {
	own := slices.Clone(photos)
	for i := range own {
		own[i].Objects = slices.DeleteFunc(slices.Clone(own[i].Objects), func(o eval.Object) bool { return !o.Ignore && other(&o) })
	}
	first := m.Cut(v.keep)
	if first == nil {
		return nil, cli.Usagef("-keep is %d, and the first exit of %s is after %d weak classifiers", v.keep, v.model, m.Exits[0].After)
	}
	progress, finish := output.Steps(stderr)
	defer finish()
	found, err := verify.Apart(ctx, first, own, []float64{1}, &verify.Settings{
		Sides: 1.6, Trees: v.trees, Depth: 4, BoxTrees: v.trees / 3, Negatives: 20000, Copies: 2, Mirror: v.mirror, Folds: v.folds, Seed: 1, Workers: v.workers,
		Search: detector.Options{MinSize: image.Pt(max(v.minSize, 1), max(v.minSize, 1))}, Progress: progress,
	})
	if errors.Is(err, verify.ErrSettings) {
		err = cli.Usage(err)
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// SuspectColumns are those of the list.
var SuspectColumns = []string{"file", "x", "y", "width", "height", "why", "chance", "found"}

func writeSuspects(w io.Writer, photos []eval.Photo, all []eval.Suspect) error {
	c := csv.NewWriter(w)
	c.Write(SuspectColumns)
	for _, s := range all {
		found := ""
		if s.Found != nil {
			b := s.Found.Box
			found = fmt.Sprint(b.Min.X, b.Min.Y, b.Dx(), b.Dy())
		}
		b := s.Box
		c.Write([]string{
			photos[s.Photo].File, strconv.Itoa(b.Min.X), strconv.Itoa(b.Min.Y), strconv.Itoa(b.Dx()), strconv.Itoa(b.Dy()),
			s.Why.String(), strconv.FormatFloat(s.Chance, 'f', 3, 64), found,
		})
	}
	c.Flush()
	return c.Error()
}
