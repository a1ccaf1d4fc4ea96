package eval

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// Fit recovers a curve from scores drawn from it, even when some verdicts are
// wrong, including those of the highest scores.
func TestFit(t *testing.T) {
	const slope, offset = 0.5, -2.0
	rng := rand.New(rand.NewPCG(1, 0))
	var scores []float64
	var right []bool
	for range 4000 {
		s := rng.ExpFloat64() * 12 // as sums of margins: few are large
		scores = append(scores, s)
		right = append(right, rng.Float64() < logistic(slope*s+offset))
	}
	c := must.Get(Fit(scores, right))
	if even := -c.Offset / c.Slope; math.Abs(even-4) > 0.3 || math.Abs(c.Slope-slope) > 0.1 {
		t.Errorf("slope %g, even odds at %g, want %g and 4", c.Slope, even, slope)
	}
	for _, n := range []float64{60, 75, 90, 110} {
		scores = append(scores, n)
		right = append(right, false)
	}
	d := must.Get(Fit(scores, right))
	if even := -d.Offset / d.Slope; math.Abs(even-4) > 0.4 || math.Abs(d.Slope-slope) > 0.1 {
		t.Errorf("with four slips: slope %g, even odds at %g, want %g and 4", d.Slope, even, slope)
	}
	// Six digits, and the same for scores in another order and unit.
	if c.Slope != sixDigits(c.Slope) || c.Offset != sixDigits(c.Offset) {
		t.Errorf("%v has more than six digits", c)
	}
	for i := range scores {
		scores[i] *= 1024
	}
	e := must.Get(Fit(scores, right))
	if math.Abs(e.Slope*1024/d.Slope-1) > 1e-4 || math.Abs(e.Offset/d.Offset-1) > 1e-4 {
		t.Errorf("in units of 1/1024: %v, want the curve of %v", e, d)
	}
}

// Where few right and wrong scores do not overlap the curve is not steep.
func TestFitApart(t *testing.T) {
	c := must.Get(Fit([]float64{1, 2, 3, 10, 11, 12}, []bool{false, false, false, true, true, true}))
	even := -c.Offset / c.Slope
	if !(even > 3 && even < 10) || !(c.Slope > 0.2 && c.Slope < 1) {
		t.Errorf("slope %g, even odds at %g", c.Slope, even)
	}
}

// Few scores promise less than many, where right and wrong do not overlap: of n right
// ones about one in n+2 may be wrong.
func TestFitFew(t *testing.T) {
	last := 0.0
	for _, n := range []int{2, 5, 20, 60} {
		var scores []float64
		var right []bool
		for range n {
			scores, right = append(scores, 0, 10), append(right, false, true)
		}
		c := must.Get(Fit(scores, right))
		said, want := logistic(10*c.Slope+c.Offset), float64(n+1)/float64(n+2)
		if math.Abs(said-want) > 0.02 || said <= last {
			t.Errorf("%d right and %d wrong: %.4f for right ones, want about %.4f and more than %.4f", n, n, said, want, last)
		}
		last = said
	}
}

func TestFitErrors(t *testing.T) {
	for name, v := range map[string]struct {
		scores []float64
		right  []bool
	}{
		"none":       {nil, nil},
		"all right":  {[]float64{1, 2}, []bool{true, true}},
		"all wrong":  {[]float64{1, 2}, []bool{false, false}},
		"one score":  {[]float64{2, 2}, []bool{false, true}},
		"wrong way":  {[]float64{1, 2, 3, 4}, []bool{true, true, false, false}},
		"no number":  {[]float64{1, math.NaN()}, []bool{false, true}},
		"no bound":   {[]float64{1, math.Inf(1)}, []bool{false, true}},
		"unrelated?": {[]float64{1, 2, 1, 2}, []bool{true, true, false, false}},
	} {
		if c, err := Fit(v.scores, v.right); !errors.Is(err, ErrCalibration) {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}

func TestReliability(t *testing.T) {
	bins := Reliability([]float64{0, 0.1, 0.19, 0.2, 0.9, 1}, []bool{false, false, true, true, true, true}, []float64{0.1, 0.2, 0.9})
	want := []Bin{
		{From: 0, To: 0.1, Detections: 1},
		{From: 0.1, To: 0.2, Detections: 2, Right: 1, Predicted: 0.145, Share: 0.5},
		{From: 0.2, To: 0.9, Detections: 1, Right: 1, Predicted: 0.2, Share: 1},
		{From: 0.9, To: 1, Detections: 2, Right: 2, Predicted: 0.95, Share: 1},
	}
	for i, b := range bins {
		if b.Low > b.Share || b.High < b.Share || b.High-b.Low < 0.2 {
			t.Errorf("bin %d: interval %v to %v about %v", i, b.Low, b.High, b.Share)
		}
		b.Low, b.High = 0, 0
		if math.Abs(b.Predicted-want[i].Predicted) < 1e-12 {
			b.Predicted = want[i].Predicted
		}
		if b != want[i] {
			t.Errorf("bin %d: %+v, want %+v", i, b, want[i])
		}
	}
	// Wilson's interval for 8 of 10, from his formula.
	b := Reliability([]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, []bool{true, true, true, true, true, true, true, true, false, false}, []float64{0.5})[1]
	if math.Abs(b.Low-0.4902) > 1e-3 || math.Abs(b.High-0.9433) > 1e-3 {
		t.Errorf("interval %v to %v, want 0.4902 to 0.9433", b.Low, b.High)
	}
}
