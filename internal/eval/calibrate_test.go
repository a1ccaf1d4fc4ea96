package eval

import (
	"context"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/internal/samples"
	"haarlem/picture"
)

// hundred returns a cascade that finds drawn faces, and much else.
func hundred(t *testing.T) (*cascade.Cascade, []Photo) {
	c := must.Get(cascade.Open("testdata/hundred.cascade"))
	labelled := must.Get(samples.ReadTruth("../../samples/group.csv", samples.Auto))
	photos := must.Get(Truth(labelled, nil))
	return c, append(photos, Photo{File: "../../samples/room.png"})
}

// Calibrate counts what the resulting model finds with default options, and the
// reliability diagram is that of its scores.
func TestCalibrate(t *testing.T) {
	c, photos := hundred(t)
	before := c.Exits[99]
	for _, o := range []*CalibrateOptions{nil, {Raise: 1.5}, {FalsePositivesPerMegapixel: 9}, {Raise: 0.3, FalsePositivesPerMegapixel: 20, Measure: MeasureOptions{Workers: 3}}} {
		k, err := Calibrate(context.Background(), c, photos, o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		if c.Exits[99] != before || c.Calibration != nil {
			t.Fatalf("%+v: the model that came was changed: %v %v", o, c.Exits[99], c.Calibration)
		}
		if o != nil {
			if o.Raise > 0 && o.FalsePositivesPerMegapixel == 0 && k.After.By != o.Raise || k.After.By < math.Floor(o.Raise*4096)/4096 {
				t.Errorf("raised by %v, want %v", k.After.By, o.Raise)
			}
			if limit := o.FalsePositivesPerMegapixel; limit > 0 && float64(k.After.FalsePositives) > limit*k.Megapixels {
				t.Errorf("%d false positives on %v megapixels, want at most %v on one", k.After.FalsePositives, k.Megapixels, limit)
			}
		}
		if top := float64(k.Cascade.Exits[99].Threshold) * 4096; top != math.Trunc(top) {
			t.Errorf("threshold %v is no multiple of 2^-12", k.Cascade.Exits[99].Threshold)
		}
		m := must.Get(Detector("out", &DetectorOptions{Search: detector.Options{MinSize: image.Pt(c.Width, c.Height), MinNeighbors: 3}}, k.Cascade))
		set := must.Get(Measure(context.Background(), photos, []*Contender{m}, nil))
		var said []float64
		var right []bool
		for _, j := range set.Judge(0, Centre{}) {
			said = append(said, j.Rank)
			right = append(right, j.Verdict == Right)
		}
		bins := Reliability(said, right, nil)
		found := 0
		for i, b := range bins {
			found += b.Right
			if b.Detections != k.Bins[i].Detections || b.Right != k.Bins[i].Right || math.Abs(b.Predicted-k.Bins[i].Predicted) > 1e-12 {
				t.Errorf("%+v: bin %d is %+v, the detector's %+v", o, i, k.Bins[i], b)
			}
		}
		if found != k.After.Found || found != k.Right || len(said)-found != k.Wrong || k.Wrong == 0 {
			t.Errorf("%+v: %d right of %d, told %+v, %d and %d", o, found, len(said), k.After, k.Right, k.Wrong)
		}
	}
	for name, o := range map[string]*CalibrateOptions{"negative": {Raise: -1}, "no number": {FalsePositivesPerMegapixel: math.NaN()}, "nothing left": {Raise: 1000}} {
		if _, err := Calibrate(context.Background(), c, photos, o); !errors.Is(err, ErrCalibration) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Calibrate(context.Background(), c, nil, nil); !errors.Is(err, ErrNothing) {
		t.Errorf("without photographs: %v", err)
	}
}

// A calibrated model reports what is more likely true than false, unless its
// MinScore is set. MinScore of margins is not one of probabilities.
func TestCalibrateMinScore(t *testing.T) {
	raw, photos := hundred(t)
	k := must.Get(Calibrate(context.Background(), raw, photos, nil))
	if k.Cascade.Search.MinScore != 0.5 {
		t.Errorf("score %v of a model that was raw, want 0.5", k.Cascade.Search.MinScore)
	}
	d := must.Get(detector.New(nil, k.Cascade))
	img := must.Get(picture.Open(photos[0].File, nil))
	found, err := d.Detect(context.Background(), img.Image)
	if err != nil || len(found) == 0 {
		t.Fatalf("%d detections, %v", len(found), err)
	}
	for _, f := range found {
		if f.Score < 0.5 {
			t.Errorf("a detection of score %v is shown", f.Score)
		}
	}
	for before, want := range map[float64]float64{0: 0.5, 0.3: 0.3, 0.7: 0.7} {
		m := *k.Cascade
		m.Search.MinScore = before
		again := must.Get(Calibrate(context.Background(), &m, photos, nil))
		if got := again.Cascade.Search.MinScore; got != want {
			t.Errorf("score %v of a calibrated model became %v, want %v", before, got, want)
		}
	}
	margin := *raw
	margin.Search.MinScore = 2
	if k, err = Calibrate(context.Background(), &margin, photos, nil); err != nil || k.Cascade.Search.MinScore != 0.5 {
		t.Errorf("a margin of 2 became a score of %v, want 0.5 (%v)", k.Cascade.Search.MinScore, err)
	}
}

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
