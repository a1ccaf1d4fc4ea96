package points

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"

	"haarlem/internal/luma"
	"haarlem/landmarks"
)

// ErrSettings is wrapped by errors about invalid settings and examples.
var ErrSettings = errors.New("internal/train/points: cannot train")

// An Example is one object and its points.
type Example struct {
	Name   string // in errors
	Plane  luma.Plane
	Points []landmarks.Point

	// Start is the frame of a detector's box, for Coarse. Without a side it is that
	// of the points.
	Start landmarks.Frame
}

// Settings are the settings of a training. Defaults are noted; 0 means the
// default.
type Settings struct {
	Name  string   // of the model
	Notes []string // of the model

	// Box is the model's convention; see [Convention].
	Box landmarks.Convention

	// Eyes are the model's. Errors are measured in their distance in the image.
	Eyes [2]int

	// Mirror is the point that each one becomes in a mirror image. Without it
	// no mirror images are learned from.
	Mirror []int

	Levels     int // 10
	Trees      int // of a level; 250
	Depth      int // of the trees; 3
	Features   int // of a level; 256
	Components int // of a leaf, at most; 0 means as many as fit, up to 24

	Side  int     // of the patch, in pixels; 64
	Reach float64 // of the patch, in sides of the frame; 2.1

	Samples   int     // of a level: examples in one placement each; 100,000
	Block     int     // of them, to choose the comparisons of one tree by; all
	Pairs     int     // of features, to choose a comparison from; 25
	Shrinkage float64 // of each tree's output; 0.12

	// Shift and Size are the errors of boxes: the standard deviations, in the
	// frame's side, of their centres along each axis, and, as a fraction, of
	// their sides. 0 means 0.05 and 0.09. One in seven has twice the error.
	Shift, Size float64

	// Turn is the largest in-plane rotation, in addition to that of the
	// examples, in degrees; two thirds are much less. 0 means 35.
	Turn float64

	Seed    uint64
	Workers int // 0 means one per core; the model does not depend on it

	// Progress, if not nil, is called with the number of trees done and in
	// total.
	Progress func(done, total int)
}

// with returns the settings with defaults filled in.
func (s Settings) with(points int) Settings {
	s.Levels = cmp.Or(s.Levels, 10)
	s.Trees = cmp.Or(s.Trees, 250)
	s.Depth = cmp.Or(s.Depth, 3)
	s.Features = cmp.Or(s.Features, 256)
	s.Components = min(cmp.Or(s.Components, 24), 2*points)
	s.Side = cmp.Or(s.Side, 64)
	s.Reach = cmp.Or(s.Reach, 2.1)
	s.Samples = cmp.Or(s.Samples, 100_000)
	s.Block = min(cmp.Or(s.Block, s.Samples), s.Samples)
	s.Pairs = cmp.Or(s.Pairs, 25)
	s.Shrinkage = cmp.Or(s.Shrinkage, 0.12)
	s.Shift = cmp.Or(s.Shift, 0.05)
	s.Size = cmp.Or(s.Size, 0.09)
	s.Turn = cmp.Or(s.Turn, 35)
	s.Workers = cmp.Or(s.Workers, runtime.GOMAXPROCS(0))
	return s
}

func (s *Settings) check(examples []Example) error {
	// What a model may have: landmarks.Model.Check says the same.
	const maxPoints, maxLevels, maxTrees, maxDepth, maxFeatures, maxComponents, maxSide = 500, 64, 256, 8, 256, 64, 160
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrSettings, fmt.Sprintf(format, args...))
	}
	if len(examples) == 0 {
		return bad("no examples")
	}
	n := len(examples[0].Points)
	for _, c := range []struct {
		what      string
		v         int
		low, high int
	}{
		{"points", n, 2, maxPoints},
		{"levels", s.Levels, 1, maxLevels},
		{"trees", s.Trees, 1, maxTrees},
		{"depth", s.Depth, 1, maxDepth},
		{"features", s.Features, 2, maxFeatures},
		{"components", s.Components, 1, maxComponents},
		{"pixels of a patch's side", s.Side, 16, maxSide},
		{"samples", s.Samples, 1, 5_000_000},
		{"samples in a block", s.Block, 1, 5_000_000},
		{"pairs", s.Pairs, 1, 100_000},
		{"workers", s.Workers, 1, 1 << 16},
		{"the left eye's point", s.Eyes[0], 0, n - 1},
		{"the right eye's point", s.Eyes[1], 0, n - 1},
	} {
		if c.v < c.low || c.v > c.high {
			return bad("%s: %d, want %d to %d", c.what, c.v, c.low, c.high)
		}
	}
	for _, c := range []struct {
		what      string
		v         float64
		low, high float64
	}{
		{"reach", s.Reach, 0.1, 10},
		{"shrinkage", s.Shrinkage, 0.001, 1},
		{"shift", s.Shift, 0, 1},
		{"size", s.Size, 0, 1},
		{"turn", s.Turn, 0, 90},
	} {
		if !(c.v >= c.low && c.v <= c.high) {
			return bad("%s: %v, want %v to %v", c.what, c.v, c.low, c.high)
		}
	}
	if s.Eyes[0] == s.Eyes[1] {
		return bad("both eyes are point %d", s.Eyes[0])
	}
	if s.Mirror != nil {
		if len(s.Mirror) != n {
			return bad("%d points have a partner in the mirror, want all %d", len(s.Mirror), n)
		}
		for i, k := range s.Mirror {
			if k < 0 || k >= n || s.Mirror[k] != i {
				return bad("point %d is point %d in the mirror, and not the other way round", i, k)
			}
		}
	}
	for _, e := range examples {
		if len(e.Points) != n {
			return bad("%s has %d points, and %s has %d", e.Name, len(e.Points), examples[0].Name, n)
		}
		if e.Plane.Width < 1 || e.Plane.Height < 1 {
			return bad("%s has no pixels", e.Name)
		}
		if f := landmarks.FrameOf(e.Points); !(f.A > 0 && f.A < 1<<20) {
			return bad("%s: its points are at one place, or far from each other", e.Name)
		}
	}
	return nil
}
