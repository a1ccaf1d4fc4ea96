package eval

import (
	"context"
	"errors"
	"image"
	"math"
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
