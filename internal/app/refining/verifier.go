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
	keep, trees, depth, negatives   int
	sides, weight, shrinkage, share float64
	context, loss, enlarge          float64
	boxTrees, copies, folds         int
	group                           string
	mirror, second                  bool
	seed                            uint64
}

func Verifier() *cli.Command {
	return &cli.Command{
		Name: "verifier", Summary: "train a verifier, which examines the detections of a model more closely", Text: verifierText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &verifierFlags{sides: 1.4, loss: 0.01, enlarge: 1, weight: 3, trees: 1000, depth: 3, shrinkage: 0.2, share: 0.15, negatives: 100000, seed: 1}
			v.declareModel(f, "verifier")
			f.Group("Verifier")
			f.Bool(&v.mirror, "mirror", "learn from mirror images of objects too")
			f.Int(&v.trees, "trees", "boost `N` trees")
			f.Int(&v.depth, "depth", "trees of `DEPTH`")
			f.Int(&v.negatives, "negatives", "learn from at most `N` false positives; each takes 11 kB of memory")
			f.Float(&v.sides, "sides", "examine a square of `N` times the side of the detection")
			f.Float(&v.context, "context", "examine a second square of `N` times the side of the detection")
			f.Int(&v.boxTrees, "box-trees", "correct the boxes of detections with `N` trees per edge")
			f.Bool(&v.second, "second", "train another verifier after those of the model, on the boxes that they correct")
			f.Float(&v.loss, "loss", "let the earlier ones reject `SHARE` of the true positives, with -second")
			f.Int(&v.folds, "folds", "with -second: in each of `N` parts of the photographs, learn from the detections of verifiers that learned from the other parts")
			f.String(&v.group, "group", "with -folds: photographs with the same value in `COLUMN` of the truth are in the same part")
			f.Int(&v.copies, "copies", "learn from `N` copies of each true positive too, moved and scaled at random")
			f.Float(&v.weight, "weight", "weigh the verifier `WEIGHT` times as much as the cascade")
			f.Int(&v.keep, "keep", "keep at most the first `N` weak classifiers of the model; 0 for all")
			f.Float(&v.shrinkage, "shrinkage", "multiply the output of each tree by `FACTOR`")
			f.Float(&v.share, "share", "let each tree choose from `SHARE` of the columns")
			f.Uint64(&v.seed, "seed", "`SEED` of the random numbers")
			v.declareSearch(f, 24)
			f.Float(&v.enlarge, "enlarge", "search photographs enlarged by `F`, for objects smaller than the detection window; -min-size holds all the same")
			return func(ctx context.Context, _ []string) error { return trainVerifier(ctx, v, s.Out, s.Err) }
		},
	}
}

func trainVerifier(ctx context.Context, v *verifierFlags, stdout, stderr io.Writer) error {
	m, photos, err := v.openToLearn()
	if err != nil {
		return err
	}
	search := v.options()
	search.Enlarge = v.enlarge
	progress, finish := output.Steps(stderr)
	res, err := verify.Train(ctx, m, photos, &verify.Settings{
		Keep: v.keep, Sides: v.sides, Weight: v.weight, Mirror: v.mirror,
		Context: v.context, BoxTrees: v.boxTrees, Second: v.second, Loss: v.loss, Folds: v.folds, Group: v.group, Copies: v.copies,
		Trees: v.trees, Depth: v.depth, Shrinkage: v.shrinkage, Share: v.share,
		Negatives: v.negatives, Seed: v.seed, Workers: v.workers,
		Search:   search,
		Progress: progress,
	})
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
