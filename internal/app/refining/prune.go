package refining

import (
	"context"
	"fmt"
	"io"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/train/prune"
)

const pruneText = `Makes a model of the shape chain or soft faster, and writes a copy: its rejection
thresholds are raised as far as the objects in labelled photographs allow. In
training every window of an object has to pass; detection needs one of many. The photographs
may be those that the model was trained on. mosaic makes them of single objects.

   train-cascade mosaic -truth faces/train.csv -bg backgrounds -out mosaics
   train-cascade prune -model raw.cascade -out pruned.cascade -loss 0.01 \
      -truth mosaics/truth.csv

Prune before you train a verifier. With a verifier, lower thresholds are safe: it removes
the extra false positives. -keep drops the last weak classifiers of the model, and
-lower lowers all thresholds before they are raised.`

// pruneFlags are those of prune.
type pruneFlags struct {
	changeFlags
	set prune.Settings
}

func Prune() *cli.Command {
	return &cli.Command{
		Name: "prune", Summary: "make a model faster, by rejection thresholds as high as objects in photographs allow", Text: pruneText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &pruneFlags{set: prune.Settings{Power: 1, Windows: 4}}
			o := &v.set
			v.declareModel(f, "prune")
			f.Group("Thresholds")
			f.Float(&o.Loss, "loss", "`SHARE` of the detected objects that may be lost")
			f.Float(&o.Power, "loss-power", "below 1 spends more of -loss on the first weak classifiers, above 1 less (`POWER`)")
			f.Int(&o.Windows, "windows", "count the best `N` windows of an object")
			f.Int(&o.Keep, "keep", "keep at most the first `N` weak classifiers of the model; 0 for all")
			f.Float(&o.Lower, "lower", "lower all thresholds by `MARGIN` first")
			v.declareSearch(f, 24)
			return func(ctx context.Context, _ []string) error { return pruneModel(ctx, v, s.Out, s.Err) }
		},
	}
}

func pruneModel(ctx context.Context, v *pruneFlags, stdout, stderr io.Writer) error {
	m, photos, err := v.openToLearn()
	if err != nil {
		return err
	}
	o := v.set
	o.Search, o.Workers = v.options(), v.workers
	var finish func()
	o.Progress, finish = output.Progress(stderr, "searching")
	res, err := prune.Raise(ctx, m, photos, &o)
	finish()
	if err != nil {
		return cli.UsageIf(err, detector.ErrOptions, prune.ErrSettings)
	}
	note := fmt.Sprintf("Thresholds raised on %d objects, %d of them lost.", res.Objects, res.Lost)
	if err := v.write(res.Cascade, note); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d of %d objects that were found are lost: %s\n", res.Lost, res.Objects, v.out)
	return err
}
