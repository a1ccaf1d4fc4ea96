package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/cascade/prune"
)

const pruneText = `Makes a model with a score that runs on faster, and writes a copy of it: the
thresholds of its exits become as high as the objects in labelled photographs
bear it. A training asks that windows right at an object pass; in a photograph
there are many around it, and those that are best are enough. The photographs may
be those that the model was trained on; mosaic can make them of single objects.

   train-cascade mosaic -truth faces/train.csv -bg backgrounds -out mosaics
   train-cascade prune -model raw.cascade -out pruned.cascade -loss 0.01 \
      -truth mosaics/truth.csv

A verifier comes after this.`

// newPrune is the subcommand that raises thresholds.
func newPrune(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "prune",
		Usage:       "make a model faster: thresholds as high as objects in photographs bear it",
		Description: pruneText,
		Flags: slices.Concat(changeFlags(), []cli.Flag{
			&cli.FloatFlag{Name: "loss", Usage: "share of the objects, of those that are found, that may be lost"},
			&cli.FloatFlag{Name: "loss-power", Value: 1, Usage: "how early: the less, the earlier, as in train"},
			&cli.IntFlag{Name: "windows", Value: 4, Usage: "windows of an object that count, the best ones"},
		}, learnFlags()),
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return pruneModel(ctx, c, stdout, stderr)
		},
	}
}

func pruneModel(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	m, photos, err := openToLearn(c)
	if err != nil {
		return err
	}
	bar, finish := newProgress(stderr, "searching")
	res, err := prune.Raise(ctx, m, photos, &prune.Settings{
		Loss: c.Float("loss"), Power: c.Float("loss-power"), Windows: c.Int("windows"), Workers: c.Int("workers"),
		Search: searchOf(c), Progress: bar,
	})
	finish()
	if err != nil {
		if errors.Is(err, cascade.ErrOptions) || errors.Is(err, prune.ErrSettings) {
			err = usageError{err}
		}
		return err
	}
	note := fmt.Sprintf("Thresholds raised on %d objects, %d of them lost.", res.Objects, res.Lost)
	if err := writeChanged(c, res.Cascade, note); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "of %d objects found %d are lost: %s\n", res.Objects, res.Lost, c.String("out"))
	return err
}
