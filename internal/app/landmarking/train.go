package landmarking

import (
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/app/search"
	"haarlem/internal/datasource"
	"haarlem/internal/samples"
	"haarlem/internal/train/points"
	"haarlem/landmarks"
)

const landmarksText = `Trains a model that finds points in the boxes of a detector: eyes, nose and mouth
of a face, or any others. -truth names pictures and where their points are, such
as a CSV with the columns file, left_eye_x, left_eye_y and so on, or file, x1, y1,
x2 and so on.

   train-cascade landmarks -truth faces/points.csv -detector face-fast \
      -name face5 -out face5.points
   train-cascade eval-landmarks -model face5.points -truth faces/val.csv \
      -detector face-fast

Five points must be left eye, right eye, nose, left and right corner of the mouth,
left and right as seen in the picture; 68 points must be in 300-W's order. For
others, -eyes names two that are level in an upright object, and -mirror those that
change places in mirror images.

A model depends on the position of the points in a detector's boxes: those of
-truth, or those that -detector finds there. With -model an older model is adapted
to the boxes of another detector, and nothing is trained. With -coarse it stays as it
is, and only gets coarse levels, by which it finds the position in boxes of other
detectors before it finds the points.`

// landmarksFlags are those of landmarks.
type landmarksFlags struct {
	out, name, model string
	overwrite        bool
	coarse           bool
	dataNames        []string
	sources          []string
	eyes, mirror     string
	mirrorGiven      func() bool
	settings         points.Settings
	markedFlags
	boxFlags
}

func Train() *cli.Command {
	return &cli.Command{
		Name: "landmarks", Summary: "train a landmark model: eyes, nose and mouth of detected faces", Text: landmarksText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &landmarksFlags{settings: points.Settings{
				Levels: 10, Trees: 250, Depth: 3, Features: 256, Side: 64, Reach: 2.1, Samples: 100000, Pairs: 25,
				Shrinkage: 0.12, Shift: 0.05, Size: 0.09, Turn: 35, Seed: 1,
			}}
			f.Group("Model")
			f.String(&v.out, "out", "write the model to `FILE`")
			f.Bool(&v.overwrite, "overwrite", "replace the file of -out")
			f.String(&v.name, "name", "call the model `NAME`")
			f.Strings(&v.dataNames, "data-name", "name the data and their `TERMS` in the model; may be repeated")
			f.Strings(&v.sources, "data-source", datasource.Usage)
			f.String(&v.model, "model", "train nothing: adapt the landmark model in `FILE` to the boxes of another detector")
			f.Bool(&v.coarse, "coarse", "train coarse levels of -model for the boxes of -detector")
			v.markedFlags.declare(f)
			v.boxFlags.declare(f)
			f.Group("Points")
			f.String(&v.eyes, "eyes", "numbers `LEFT,RIGHT` of the points, from 1 on, of two points that are level in an upright object; errors are measured in their distance")
			f.String(&v.mirror, "mirror", "`PAIRS` of points that change places in a mirror image, as in \"1-2 4-5\"; without one no mirror images are made")
			v.mirrorGiven = func() bool { return f.Given("mirror") }
			f.Group("Training")
			t := &v.settings
			f.Int(&t.Levels, "levels", "move the points `N` times")
			f.Int(&t.Trees, "trees", "`N` trees per level")
			f.Int(&t.Depth, "depth", "trees of depth `N`")
			f.Int(&t.Features, "features", "compare `N` positions of the picture in a level")
			f.Int(&t.Components, "components", "trees of a level move the points in at most `N` directions; 0 means two per point, up to 24")
			f.Int(&t.Side, "side", "scale each object to a patch of `N` pixels a side")
			f.Float(&t.Reach, "reach", "a patch shows `R` times four standard deviations of the points")
			f.Int(&t.Samples, "samples", "train a level on `N` samples: objects with shifted boxes, rotated, degraded")
			f.Int(&t.Block, "block", "choose the comparisons of a tree on `N` samples; 0 means all")
			f.Int(&t.Pairs, "pairs", "choose each comparison from `N` pairs of features")
			f.Float(&t.Shrinkage, "shrinkage", "multiply each tree by `S`")
			f.Float(&t.Shift, "box-shift", "shift boxes by `S` of their side: standard deviation")
			f.Float(&t.Size, "box-size", "scale boxes by `S`: standard deviation")
			f.Float(&t.Turn, "turn", "rotate objects by up to `D` degrees")
			f.Uint64(&t.Seed, "seed", "random `SEED`")
			return func(ctx context.Context, _ []string) error { return trainLandmarks(ctx, v, s.Out, s.Err) }
		},
	}
}

func trainLandmarks(ctx context.Context, v *landmarksFlags, stdout, stderr io.Writer) error {
	out := v.out
	switch {
	case out == "":
		return cli.Usagef("no file given for the model: name one with -out")
	case len(v.truth) == 0:
		return cli.Usagef("nothing to learn from: name a file with -truth")
	case v.coarse && v.model == "":
		return cli.Usagef("-coarse is for an older model: name its file with -model")
	}
	if _, err := os.Stat(out); err == nil && !v.overwrite {
		return cli.Usagef("-out %s: it exists (-overwrite replaces it)", out)
	}
	var m *landmarks.Model
	if v.model != "" {
		var err error
		if m, err = search.OpenPoints("model", v.model); err != nil {
			return err
		}
	}
	objects, err := readMarked(&v.markedFlags)
	if err != nil {
		return err
	}
	settings, err := landmarkSettings(v, len(objects[0].points))
	if err != nil {
		return err
	}
	progress, finish := output.Progress(stderr, "searching")
	boxes, err := boxesOf(ctx, &v.boxFlags, objects, progress)
	finish()
	if err != nil {
		return err
	}
	box, have, err := convention(boxName(v.detector), objects, boxes)
	if err != nil {
		return err
	}
	if m != nil && len(m.Mean) != len(objects[0].points) {
		return cli.Usagef("-model has %d points, and -truth has %d", len(m.Mean), len(objects[0].points))
	}
	if m != nil && !v.coarse {
		m.Box = box
	} else if m, err = learnLandmarks(ctx, m, box, objects, boxes, settings, stderr); err != nil {
		return err
	}
	if err := samples.WriteAtomically(out, m.Encode); err != nil {
		return err
	}
	trees := 0
	for i := range m.Levels {
		trees += m.Levels[i].Trees()
	}
	for i := range m.Coarse {
		trees += m.Coarse[i].Trees()
	}
	_, err = fmt.Fprintf(stdout, "%d points, %d trees from %d objects; boxes of %s on %d of them: %s\n", len(m.Mean), trees, len(objects), box.Name, have, out)
	return err
}

// learnLandmarks trains a new model, or the coarse levels of an older one.
func learnLandmarks(ctx context.Context, old *landmarks.Model, box landmarks.Convention, objects []marked, boxes []image.Rectangle, s *points.Settings, stderr io.Writer) (*landmarks.Model, error) {
	examples := make([]points.Example, len(objects))
	for i, o := range objects {
		examples[i] = points.Example{Name: o.file, Plane: o.plane, Points: o.points}
		if old != nil && !boxes[i].Empty() {
			examples[i].Start = box.Frame(boxes[i])
		}
	}
	s.Box = box
	progress, finish := output.Progress(stderr, "trees")
	s.Progress = progress
	m, err := old, error(nil)
	if old == nil {
		m, err = points.Run(ctx, examples, s)
	} else {
		err = points.Coarse(ctx, m, examples, s)
	}
	finish()
	return m, cli.UsageIf(err, points.ErrSettings)
}

// boxName names a convention.
func boxName(detector string) string {
	if detector != "" {
		return strings.TrimSuffix(detector, ".cascade")
	}
	return "truth"
}

// landmarkSettings parses the flags about a training.
func landmarkSettings(v *landmarksFlags, n int) (*points.Settings, error) {
	s := v.settings
	s.Name, s.Notes, s.Workers = v.name, v.dataNames, v.workers
	lines, err := datasource.Lines(v.sources)
	if err != nil {
		return nil, err
	}
	s.Notes = append(s.Notes, lines...)
	switch {
	case n == 5:
		s.Eyes, s.Mirror = [2]int{0, 1}, []int{1, 0, 2, 4, 3}
	case n == 68:
		s.Eyes, s.Mirror = [2]int{36, 45}, points.Mirror68()
	case v.eyes == "":
		return nil, cli.Usagef("-truth has %d points: say with -eyes which two are level in an upright object", n)
	}
	if text := v.eyes; text != "" {
		if s.Eyes, err = parsePair(text, ",", n); err != nil || s.Eyes[0] == s.Eyes[1] {
			return nil, cli.Usagef("-eyes %q: want the numbers of two of the %d points, such as 1,2", text, n)
		}
	}
	if v.mirrorGiven() {
		if s.Mirror, err = parseMirror(v.mirror, n); err != nil {
			return nil, err
		}
	}
	return &s, nil
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
		p, err := parsePair(word, "-", points)
		if a, b := p[0], p[1]; err != nil || mirror[a] != a || mirror[b] != b {
			return nil, cli.Usagef("-mirror %q: %q, want two of the %d points, each once, such as 1-2", text, word, points)
		}
		mirror[p[0]], mirror[p[1]] = p[1], p[0]
	}
	return mirror, nil
}
