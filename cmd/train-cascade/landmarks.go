package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/landmarks"
	"haarlem/landmarks/train"
)

const landmarksText = `Trains a model that finds points in the boxes of a detector: eyes, nose and mouth
of a face, or any others. -truth names pictures and where their points are, such
as a CSV with the columns file, left_eye_x, left_eye_y and so on, or file, x1, y1,
x2 and so on.

   train-cascade landmarks -truth faces/train.csv -detector frontalface \
      -name face5 -out face5.points
   train-cascade eval-landmarks -model face5.points -truth faces/val.csv \
      -detector frontalface

Of five points it is taken that they are left eye, right eye, nose, left and right
corner of the mouth, left and right as seen in the picture, of 68 that they stand
in 300-W's order; of others -eyes says which two are level in an upright object,
and -mirror which ones change places in mirror images.

A model has to know where in the boxes the points are. The boxes are those of
-truth, or those that -detector finds there. With -model an older model gets to
know the boxes of another detector, and nothing is trained.`

// newLandmarks is the subcommand that trains landmark models.
func newLandmarks(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "landmarks",
		Usage:       "train a model that finds eyes, nose and mouth in what is detected",
		Description: landmarksText,
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "file for the model"},
			&cli.BoolFlag{Name: "overwrite", Usage: "replace the file of -out"},
			&cli.StringFlag{Name: "name", Usage: "of the model"},
			&cli.StringSliceFlag{Name: "data-name", Usage: "what the pictures are, and their terms, for the model; may be repeated"},
			&cli.StringFlag{Name: "model", Usage: "a landmark model that is to know other boxes: nothing is trained"},
		}, markedFlags(), detectorFlags(), []cli.Flag{
			&cli.StringFlag{Name: "eyes", Usage: "LEFT,RIGHT: numbers of the points, from 1 on, that are level in an upright object; errors are measured in their distance"},
			&cli.StringFlag{Name: "mirror", Usage: "pairs of points that change places in a mirror image, as in \"1-2 4-5\"; none: no mirror images"},
			&cli.IntFlag{Name: "levels", Value: 10, Usage: "how often the points are moved"},
			&cli.IntFlag{Name: "trees", Value: 250, Usage: "of each level"},
			&cli.IntFlag{Name: "depth", Value: 3, Usage: "of the trees"},
			&cli.IntFlag{Name: "features", Value: 256, Usage: "places of the picture that a level looks at"},
			&cli.IntFlag{Name: "components", Usage: "directions in which the trees of a level move the points, at most; 0 means two a point, up to 24"},
			&cli.IntFlag{Name: "side", Value: 64, Usage: "of the patch to which an object is brought, in pixels"},
			&cli.FloatFlag{Name: "reach", Value: 2.1, Usage: "what the patch shows, in four standard deviations of the points"},
			&cli.IntFlag{Name: "samples", Value: 100000, Usage: "of a level: objects at boxes that are off, turned, degraded"},
			&cli.IntFlag{Name: "block", Usage: "of them, by which the comparisons of one tree are chosen; 0 means all: with few, a model only finds what it has learned from"},
			&cli.IntFlag{Name: "pairs", Value: 25, Usage: "of features that a comparison is chosen from"},
			&cli.FloatFlag{Name: "shrinkage", Value: 0.12, Usage: "of what each tree says"},
			&cli.FloatFlag{Name: "box-shift", Value: 0.05, Usage: "how far boxes are off, as a share of their side: standard deviation"},
			&cli.FloatFlag{Name: "box-size", Value: 0.09, Usage: "how much too large or small boxes are: standard deviation"},
			&cli.FloatFlag{Name: "turn", Value: 35, Usage: "how far objects are turned, in degrees"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "of all that is random"},
		}),
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return trainLandmarks(ctx, c, stdout, stderr)
		},
	}
}

func trainLandmarks(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	out := c.String("out")
	switch {
	case c.Args().Present():
		return usagef("landmarks takes flags only, not %q", c.Args().First())
	case out == "":
		return usagef("no file given for the model: name one with -out")
	case len(c.StringSlice("truth")) == 0:
		return usagef("nothing to learn from: name a file with -truth")
	}
	if _, err := os.Stat(out); err == nil && !c.Bool("overwrite") {
		return usagef("-out %s: it exists (-overwrite replaces it)", out)
	}
	var m *landmarks.Model
	if path := c.String("model"); path != "" {
		var err error
		if m, err = openLandmarks(path); err != nil {
			return err
		}
	}
	objects, err := readMarked(c)
	if err != nil {
		return err
	}
	settings, err := landmarkSettings(c, len(objects[0].points))
	if err != nil {
		return err
	}
	progress, finish := newProgress(stderr, "searching")
	boxes, err := boxesOf(ctx, c, objects, progress)
	finish()
	if err != nil {
		return err
	}
	box, have, err := convention(boxName(c), objects, boxes)
	if err != nil {
		return err
	}
	if m != nil {
		if len(m.Mean) != len(objects[0].points) {
			return usagef("-model has %d points, and -truth has %d", len(m.Mean), len(objects[0].points))
		}
		m.Box = box
	} else {
		examples := make([]train.Example, len(objects))
		for i, o := range objects {
			examples[i] = train.Example{Name: o.file, Plane: o.plane, Points: o.points}
		}
		settings.Box = box
		settings.Progress, finish = newProgress(stderr, "trees")
		m, err = train.Run(ctx, examples, settings)
		finish()
		if errors.Is(err, train.ErrSettings) {
			return usageError{err}
		}
		if err != nil {
			return err
		}
	}
	if err := writeWhole(out, m.Encode); err != nil {
		return err
	}
	trees := 0
	for i := range m.Levels {
		trees += m.Levels[i].Trees()
	}
	_, err = fmt.Fprintf(stdout, "%d points, %d trees from %d objects; boxes of %s on %d of them: %s\n", len(m.Mean), trees, len(objects), box.Name, have, out)
	return err
}

// boxName is what a convention is called.
func boxName(c *cli.Command) string {
	if d := c.String("detector"); d != "" {
		return strings.TrimSuffix(d, ".cascade")
	}
	return "truth"
}

// landmarkSettings reads the flags about a training.
func landmarkSettings(c *cli.Command, points int) (*train.Settings, error) {
	s := &train.Settings{
		Name: c.String("name"), Notes: c.StringSlice("data-name"),
		Levels: c.Int("levels"), Trees: c.Int("trees"), Depth: c.Int("depth"), Features: c.Int("features"),
		Components: c.Int("components"), Side: c.Int("side"), Reach: c.Float("reach"),
		Samples: c.Int("samples"), Block: c.Int("block"), Pairs: c.Int("pairs"), Shrinkage: c.Float("shrinkage"),
		Shift: c.Float("box-shift"), Size: c.Float("box-size"), Turn: c.Float("turn"),
		Seed: c.Uint64("seed"), Workers: c.Int("workers"),
	}
	switch {
	case points == 5:
		s.Eyes, s.Mirror = [2]int{0, 1}, []int{1, 0, 2, 4, 3}
	case points == 68:
		s.Eyes, s.Mirror = [2]int{36, 45}, train.Mirror68()
	case !c.IsSet("eyes"):
		return nil, usagef("-truth has %d points: say with -eyes which two are level in an upright object", points)
	}
	if text := c.String("eyes"); text != "" {
		left, right, _ := strings.Cut(text, ",")
		a, err1 := strconv.ParseUint(left, 10, 16)
		b, err2 := strconv.ParseUint(right, 10, 16)
		if err1 != nil || err2 != nil || a < 1 || b < 1 || a == b || int(max(a, b)) > points {
			return nil, usagef("-eyes %q: want the numbers of two of the %d points, such as 1,2", text, points)
		}
		s.Eyes = [2]int{int(a) - 1, int(b) - 1}
	}
	if c.IsSet("mirror") {
		var err error
		if s.Mirror, err = parseMirror(c.String("mirror"), points); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func parseMirror(text string, points int) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	mirror := make([]int, points)
	for i := range mirror {
		mirror[i] = i
	}
	for word := range strings.FieldsSeq(text) {
		left, right, _ := strings.Cut(word, "-")
		a, err1 := strconv.ParseUint(left, 10, 16)
		b, err2 := strconv.ParseUint(right, 10, 16)
		if err1 != nil || err2 != nil || a < 1 || b < 1 || int(max(a, b)) > points || mirror[a-1] != int(a-1) || mirror[b-1] != int(b-1) {
			return nil, usagef("-mirror %q: %q, want two of the %d points, each once, such as 1-2", text, word, points)
		}
		mirror[a-1], mirror[b-1] = int(b-1), int(a-1)
	}
	return mirror, nil
}
