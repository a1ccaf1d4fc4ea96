package refining

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/train/verify"
)

const verifierText = `Trains a verifier, which examines each detection of a model more closely, and writes a
copy of the model with it. A verifier is slower than Haar features and sees more:
brightness and gradients of a square around the detection. It learns to separate true
from false positives, in photographs that may be those of the training. -truth names
labelled photographs, which mosaic makes of single objects, and -bg photographs
without the object.

   train-cascade mosaic -truth faces/train.csv -bg backgrounds -out mosaics
   train-cascade verifier -model raw.cascade -out verified.cascade -mirror \
      -truth mosaics/truth.csv -bg backgrounds
   train-cascade calibrate -model verified.cascade -out face.cascade \
      -truth held-out/truth.csv -bg held-out/backgrounds

With -box-trees it corrects the boxes of detections. With -second another verifier
examines the corrected boxes that pass the first:

   train-cascade verifier -model raw.cascade -out one.cascade -trees 200 -box-trees 100 ...
   train-cascade verifier -model one.cascade -out two.cascade -second -context 2.5 ...

With -keep the model loses its last weak classifiers, which the verifier replaces.
Calibrate the model afterwards.`

// verifierFlags are those of verifier.
type verifierFlags struct {
	changeFlags
	set verify.Settings
}

func Verifier() *cli.Command {
	return &cli.Command{
		Name: "verifier", Summary: "train a verifier, which examines the detections of a model more closely", Text: verifierText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &verifierFlags{set: verify.Settings{Sides: 1.4, Loss: 0.01, Weight: 3, Trees: 1000, Depth: 3, Shrinkage: 0.2, Share: 0.15, Negatives: 100000, Seed: 1}}
			o := &v.set
			v.declareModel(f, "verifier")
			f.Group("Verifier")
			f.Bool(&o.Mirror, "mirror", "learn from mirror images of objects too")
			f.Int(&o.Trees, "trees", "boost `N` trees")
			f.Int(&o.Depth, "depth", "trees of `DEPTH`")
			f.Int(&o.Negatives, "negatives", "learn from at most `N` false positives; each takes 11 kB of memory")
			f.Float(&o.Sides, "sides", "examine a square of `N` times the side of the detection")
			f.Float(&o.Context, "context", "examine a second square of `N` times the side of the detection")
			f.Int(&o.BoxTrees, "box-trees", "correct the boxes of detections with `N` trees per edge")
			f.Bool(&o.Second, "second", "train another verifier after those of the model, on the boxes that they correct")
			f.Float(&o.Loss, "loss", "let the earlier ones reject `SHARE` of the true positives, with -second")
			f.Int(&o.Folds, "folds", "with -second: in each of `N` parts of the photographs, learn from the detections of verifiers that learned from the other parts")
			f.String(&o.Group, "group", "with -folds: photographs with the same value in `COLUMN` of the truth are in the same part")
			f.Int(&o.Copies, "copies", "learn from `N` copies of each true positive too, moved and scaled at random")
			f.Float(&o.Weight, "weight", "weigh the verifier `WEIGHT` times as much as the cascade")
			f.Int(&o.Keep, "keep", "keep at most the first `N` weak classifiers of the model; 0 for all")
			f.Float(&o.Shrinkage, "shrinkage", "multiply the output of each tree by `FACTOR`")
			f.Float(&o.Share, "share", "let each tree choose from `SHARE` of the columns")
			f.Uint64(&o.Seed, "seed", "`SEED` of the random numbers")
			v.declareSearch(f, 24)
			v.declareEnlarge(f)
			return func(ctx context.Context, _ []string) error { return trainVerifier(ctx, v, s.Out, s.Err) }
		},
	}
}

func trainVerifier(ctx context.Context, v *verifierFlags, stdout, stderr io.Writer) error {
	m, photos, err := v.openToLearn()
	if err != nil {
		return err
	}
	o := v.set
	o.Search, o.Workers = v.options(), v.workers
	var finish func()
	o.Progress, finish = output.Steps(stderr)
	res, err := verify.Train(ctx, m, photos, &o)
	finish()
	if err != nil {
		return cli.UsageIf(err, detector.ErrOptions, verify.ErrSettings)
	}
	note := fmt.Sprintf("Verifier trained on %d true and %d false positives.", res.Positives, res.Negatives)
	if err := v.write(res.Cascade, note); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d trees from %d true and %d false positives (with the first %s weak classifiers too): %s\n",
		res.Trees, res.Positives, res.Negatives, cmp.Or(strings.Trim(fmt.Sprint(res.Looser), "[]"), "0"), v.out)
	return err
}
