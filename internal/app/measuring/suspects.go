package measuring

import (
	"context"
	"encoding/csv"
	"fmt"
	"image"
	"io"
	"strconv"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train/verify"
)

const suspectsText = `Lists labels that are probably wrong by what a model finds in their photographs: missing
boxes, boxes in the wrong place, labels of nothing, of another class, and double ones.
The model may have learned from these labels.

   train-cascade suspects -model cup.cascade -truth cups.csv -out suspects.csv
   train-cascade ui photos/ -truth cups.csv -cascade cup.cascade

The list begins with the surest; look at it until most entries are right. Review, in the
second command's page, has such a list by detections alone, and takes the corrections.`

// Suspects is suspects.
func Suspects() *cli.Command {
	return &cli.Command{
		Name: "suspects", Summary: "list labels that are probably wrong, by what a model finds", Text: suspectsText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &suspectFlags{}
			f.Group("Model")
			f.String(&v.model, "model", "`MODEL`, a file or a built-in model")
			v.TruthFlags.Declare(f)
			f.Strings(&v.where, "where", "the model finds objects for which the truth says `COLUMN=VALUE,...`; the others are of other classes; may be repeated")
			f.Group("Output")
			f.String(&v.out, "out", "write the list to `FILE`, a CSV")
			f.Group("Search")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`; the detection window if not given")
			f.Int(&v.workers, "workers", "search `N` photographs at one time; one for each processor if not given. Results do not depend on it")
			return func(ctx context.Context, _ []string) error { return v.list(ctx, s.Out, s.Err) }
		},
	}
}

// suspectFlags are those of suspects.
type suspectFlags struct {
	TruthFlags
	model, out       string
	where            []string
	minSize, workers int
}

func (v *suspectFlags) list(ctx context.Context, stdout, stderr io.Writer) error {
	switch {
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
	o := &eval.DetectorOptions{}
	o.Search.MinSize = image.Pt(max(v.minSize, 1), max(v.minSize, 1))
	finder, err := eval.Detector(m.Name, o, m)
	if err != nil {
		return cli.Usage(err)
	}
	progress, finish := output.Progress(stderr, "photographs")
	set, err := eval.Measure(ctx, photos, []*eval.Contender{finder}, &eval.MeasureOptions{Workers: v.workers, Progress: progress})
	finish()
	if err != nil {
		return err
	}
	progress, finish = output.Progress(stderr, "labels")
	fits, err := verify.Fits(ctx, photos, set.Found[0], other, &eval.MeasureOptions{Workers: v.workers, Progress: progress})
	finish()
	if err != nil {
		return err
	}
	all := eval.Suspects(photos, set.Found[0], other, fits)
	if err := samples.WriteAtomically(v.out, func(w io.Writer) error { return writeSuspects(w, photos, all) }); err != nil {
		return err
	}
	labels := 0
	for i := range photos {
		labels += len(photos[i].Objects)
	}
	_, err = fmt.Fprintf(stdout, "%d of %s are suspect, or lack: %s\n", len(all), output.Count(labels, "label"), v.out)
	return err
}

func writeSuspects(w io.Writer, photos []eval.Photo, all []eval.Suspect) error {
	c := csv.NewWriter(w)
	c.Write([]string{"file", "x", "y", "width", "height", "why", "chance", "found"})
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
