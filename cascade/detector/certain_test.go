package detector_test

import (
	"context"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/cpu"
	"haarlem/internal/must"
)

// Where lanes are certain, they agree with the exact evaluator, margins
// included: without vectors the evaluator decides most windows, with vectors
// the lanes do.
func TestLanesAreCertain(t *testing.T) {
	c := must.Get(cascade.Open("../../models/frontalface/frontalface.cascade"))
	c.Calibration = nil // scores are margins
	grey := greyCopy(groupPicture(t))
	var want []detector.Detection
	for _, level := range cpu.Available() {
		cpu.ForTest(t, level)
		found, err := newDetectorOf(t, c, &detector.Options{Ungrouped: true, Workers: 1}).AppendDetect(context.Background(), nil, grey)
		if err != nil || len(found) < 100 {
			t.Fatal(len(found), err)
		}
		if want == nil {
			want = found
		}
		if !slices.EqualFunc(found, want, detector.Detection.Equal) {
			t.Errorf("%v finds %d windows, not the same as the %d of %v", level, len(found), len(want), cpu.PureGo)
		}
	}
}

func newDetectorOf(t *testing.T, c *cascade.Cascade, o *detector.Options) *detector.Detector {
	t.Helper()
	return must.Get(detector.New(o, c))
}
