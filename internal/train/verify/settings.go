package verify

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"runtime"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("verify: bad settings")

// ErrData is wrapped by errors about unusable photographs.
var ErrData = errors.New("verify: cannot learn from this")

// Settings are the settings of a training. A nil *Settings and the zero value
// mean every field's default.
type Settings struct {
	// Keep is the largest number of the cascade's weak classifiers to keep: the
	// verifier replaces the last ones. 0 means all.
	Keep int

	// Sides is the side of the verified square, in sides of the detection. 0 means
	// 1.4.
	Sides float64

	// Weight is the weight of the verifier's score, beside 1 for the cascade's.
	// 0 means 3.
	Weight float64

	// Context is the side of a second square, in sides of the detection. 0
	// means none.
	Context float64

	// BoxTrees is the number of trees per edge that correct the boxes of
	// detections. 0 means no correction.
	BoxTrees int

	// Second trains another verifier after those of the cascade, on their
	// detections with corrected boxes. True positives have an intersection over
	// union of at least 0.5 with an object, false positives less than 0.42 with
	// all. Keep is ignored, and false positives come from all photographs.
	Second bool

	// Loss is the fraction of true positives that the earlier verifiers may
	// reject, with Second. 0 means 0.01.
	Loss float64

	// Folds is, with Second, the number of parts of the photographs. In each the
	// detections are those of verifiers like the cascade's that learned from the others
	// (cross-validation): a verifier is nearly always right about what it has learned
	// from, which teaches another one nothing. 0 means none.
	Folds int

	// Group names a tag of objects: photographs with the same value of it are in the
	// same part. Empty means that each photograph is alone.
	Group string

	// Copies is the number of augmented copies of each true positive: moved by
	// up to 8 per cent of the side and scaled by up to 12 per cent, at random.
	// Copies that are no longer right are left out.
	Copies int

	// Mirror adds the mirror images of true positives.
	Mirror bool

	Trees     int     // 0 means 1,000
	Depth     int     // of a tree: the nodes on a path. 0 means 3
	Shrinkage float64 // of each tree's output. 0 means 0.2
	Share     float64 // fraction of the columns that each tree chooses from. 0 means 0.15
	Negatives int     // largest number of false positives to learn from. 0 means 100,000

	// Search is how to search. Its MinSize means 24 by 24 if there is none,
	// MinScore, Overlapping, Workers and Search have no effect, and detections
	// are the groups of at least the cascade's MinCandidates, before
	// non-maximum suppression.
	Search detector.Options

	Seed     uint64
	Workers  int                                // 0 means GOMAXPROCS. The result does not depend on it
	Progress func(what string, done, total int) // may be nil; never called twice at once
}

// A Result is a cascade with its verifier, and the size of its training set.
type Result struct {
	Cascade   *cascade.Cascade // without a calibration
	Trees     int              // of the new verifier, without those for boxes
	Positives int              // without copies and mirror images
	Negatives int
	Looser    []int // numbers of weak classifiers of the shortened cascades that found more negatives
}

func (s *Settings) withDefaults() (Settings, error) {
	v := *cmp.Or(s, &Settings{})
	v.Sides, v.Weight = cmp.Or(v.Sides, 1.4), cmp.Or(v.Weight, 3)
	v.Trees, v.Depth, v.Negatives = cmp.Or(v.Trees, 1000), cmp.Or(v.Depth, 3), cmp.Or(v.Negatives, 100000)
	v.Shrinkage, v.Share, v.Loss = cmp.Or(v.Shrinkage, 0.2), cmp.Or(v.Share, 0.15), cmp.Or(v.Loss, 0.01)
	v.Workers = cmp.Or(max(v.Workers, 0), runtime.GOMAXPROCS(0))
	if v.Search.MinSize == (image.Point{}) {
		v.Search.MinSize = image.Pt(24, 24)
	}
	// A detector also verifies groups that are suppressed later, and they give
	// more false positives to learn from.
	v.Search.MinScore, v.Search.Overlapping, v.Search.Workers, v.Search.Search = 0, true, 1, nil
	if v.Progress == nil {
		v.Progress = func(string, int, int) {}
	}
	for _, f := range []struct {
		name string
		ok   bool
	}{
		{"Keep", v.Keep >= 0},
		{"Trees", v.Trees > 0},
		{"Depth", v.Depth > 0 && v.Depth <= 10},
		{"Negatives", v.Negatives > 0},
		{"Shrinkage", v.Shrinkage > 0 && v.Shrinkage <= 1},
		{"Share", v.Share > 0 && v.Share <= 1},
		{"BoxTrees", v.BoxTrees >= 0},
		{"Copies", v.Copies >= 0},
		{"Loss", v.Loss > 0 && v.Loss < 1},
		{"Folds", v.Folds == 0 || v.Second && v.Folds >= 2},
	} {
		if !f.ok {
			return v, fmt.Errorf("%w: %s", ErrSettings, f.name)
		}
	}
	return v, nil
}
