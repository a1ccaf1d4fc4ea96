package main

import (
	"context"
	"errors"
	"fmt"
	"image"
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
			&cli.FloatFlag{Name: "scale", Value: 1.1, Usage: "factor between two levels of the search"},
			&cli.IntFlag{Name: "min-size", Value: 24, Usage: "smallest object to search, in pixels"},
			&cli.IntFlag{Name: "workers", Usage: "0 means one a core. The result does not depend on it"},
		}, windowFlags(), truthFlags()),
		DisableSliceFlagSeparator: true,
		OnUsageError:              func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return pruneModel(ctx, c, stdout, stderr)
		},
	}
}

func pruneModel(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	switch {
	case c.Args().Present():
		return usagef("prune takes flags only, not %q", c.Args().First())
	case c.String("model") == "":
		return usagef("nothing to prune: name a model with -model")
	case c.String("out") == "":
		return usagef("no file given for the model: name one with -out")
	case len(c.StringSlice("truth")) == 0:
		return usagef("nothing to learn from: name a file with -truth")
	}
	m, err := openToChange(c)
	if err != nil {
		return err
	}
	if err := setWindows(c, m); err != nil {
		return err
	}
	photos, err := evalPhotos(c)
	if err != nil {
		return err
	}
	bar, finish := newProgress(stderr, "searching")
	res, err := prune.Raise(ctx, m, photos, &prune.Settings{
		Loss: c.Float("loss"), Power: c.Float("loss-power"), Windows: c.Int("windows"), Workers: c.Int("workers"),
		Search:   cascade.Options{Scale: c.Float("scale"), MinSize: image.Pt(c.Int("min-size"), c.Int("min-size"))},
		Progress: bar,
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
