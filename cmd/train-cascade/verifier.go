package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/cascade/verify"
)

const verifierText = `Trains a second look at what the model finds, and writes a copy of it that has
one. A verifier sees more than Haar features do, brightness and gradients of a
square around each detection, and takes its time, since there are few of them.
It learns from what the model finds in photographs that may be those which the
model was trained on: right or wrong. -truth names labelled ones, which mosaic
can make of single objects, -bg those without an object.

   train-cascade mosaic -truth faces/train.csv -bg backgrounds -out mosaics
   train-cascade verifier -model raw.cascade -out verified.cascade -mirror \
      -truth mosaics/truth.csv -bg backgrounds
   train-cascade calibrate -model verified.cascade -out face.cascade \
      -truth held-out/truth.csv -bg held-out/backgrounds

With -keep the model loses its last weak learners, for which the verifier makes
up. Scores have to be calibrated anew.`

// newVerifier is the subcommand that trains a second look.
func newVerifier(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "verifier",
		Usage:       "train a second, closer look at what a model finds",
		Description: verifierText,
		Flags: slices.Concat(changeFlags(), []cli.Flag{
			&cli.IntFlag{Name: "keep", Usage: "weak learners of the model that stay, at most; 0 for all"},
			&cli.FloatFlag{Name: "sides", Value: 1.4, Usage: "side of the square that is looked at, in sides of the detection"},
			&cli.FloatFlag{Name: "weight", Value: 3, Usage: "how much the verifier counts beside the model's own score"},
			&cli.BoolFlag{Name: "mirror", Usage: "learn from mirror images of what is right too"},
			&cli.IntFlag{Name: "trees", Value: 1000, Usage: "how many there are"},
			&cli.IntFlag{Name: "depth", Value: 3, Usage: "of the trees"},
			&cli.FloatFlag{Name: "shrinkage", Value: 0.2, Usage: "of what each tree says"},
			&cli.FloatFlag{Name: "share", Value: 0.15, Usage: "of the columns that each tree chooses from"},
			&cli.IntFlag{Name: "negatives", Value: 100000, Usage: "wrong detections to learn from, at most; each takes 11 kB of memory"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "of all that is drawn by lot"},
		}, learnFlags()),
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return trainVerifier(ctx, c, stdout, stderr)
		},
	}
}

func trainVerifier(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	m, photos, err := openToLearn(c)
	if err != nil {
		return err
	}
	var bar func(done, total int)
	finish, doing := func() {}, ""
	res, err := verify.Train(ctx, m, photos, &verify.Settings{
		Keep: c.Int("keep"), Sides: c.Float("sides"), Weight: c.Float("weight"), Mirror: c.Bool("mirror"),
		Trees: c.Int("trees"), Depth: c.Int("depth"), Shrinkage: c.Float("shrinkage"), Share: c.Float("share"),
		Negatives: c.Int("negatives"), Seed: c.Uint64("seed"), Workers: c.Int("workers"),
		Search: searchOf(c),
		Progress: func(what string, done, total int) {
			if what != doing {
				finish()
				bar, finish = newProgress(stderr, what)
				doing = what
			}
			bar(done, total)
		},
	})
	finish()
	if err != nil {
		if errors.Is(err, cascade.ErrOptions) || errors.Is(err, verify.ErrSettings) {
			err = usageError{err}
		}
		return err
	}
	note := fmt.Sprintf("Verifier trained on %d right and %d wrong detections.", res.Positives, res.Negatives)
	if err := writeChanged(c, res.Cascade, note); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d trees from %d right and %d wrong detections (with the first %s weak learners too): %s\n",
		len(res.Cascade.Verifier.Trees), res.Positives, res.Negatives, cmp.Or(strings.Trim(fmt.Sprint(res.Looser), "[]"), "0"), c.String("out"))
	return err
}
