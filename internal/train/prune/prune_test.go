package prune

import (
	"context"
	"errors"
	"image"
	"math"
	"reflect"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/samples"
)

// room is a drawn image of faces, and a cascade that finds most of them.
func room(t *testing.T) (*cascade.Cascade, []eval.Photo, *image.Gray) {
	t.Helper()
	c := must.Get(cascade.Open("../../../models/facefast/router.cascade"))
	c.Calibration = &cascade.Calibration{Slope: 1}
	labelled := must.Get(samples.ReadTruth("../../../samples/group.csv", samples.Auto))
	photos := must.Get(eval.Truth(labelled, nil))
	g := must.Get(samples.ReadGrey(photos[0].File))
	return c, photos, g
}

// found returns the number of windows of the grid that pass, and the objects
// that they match.
func found(t *testing.T, c *cascade.Cascade, photos []eval.Photo, g *image.Gray) (windows int, objects []int) {
	t.Helper()
	s := c.Search
	s.RefineX, s.RefineY, s.InterLevel, s.DenseFrom = 0, 0, 0, 0
	e := must.Get(engine.New(c, &engine.Options{MinSize: image.Pt(24, 24), Search: &s}))
	ws := must.Get(e.AppendWindows(context.Background(), nil, g))
	for k, o := range photos[0].Objects {
		if slices.ContainsFunc(ws, func(w engine.Window) bool { _, ok := eval.Close.Match(o.Box, w.Box); return ok }) {
			objects = append(objects, k)
		}
	}
	return len(ws), objects
}

// Without loss fewer windows pass, and every object that was found still is.
func TestRaise(t *testing.T) {
	c, photos, g := room(t)
	before, objects := found(t, c, photos, g)
	kept := *c
	kept.Exits = slices.Clone(c.Exits)
	res := must.Get(Raise(context.Background(), c, photos, &Settings{Workers: 1}))
	if !slices.Equal(c.Exits, kept.Exits) || c.Verifier == nil || c.Calibration == nil {
		t.Error("the cascade that came was changed")
	}
	if res.Objects != len(objects) || res.Lost != 0 || res.Objects < 8 {
		t.Errorf("of %d objects %d are lost, want none of %d", res.Objects, res.Lost, len(objects))
	}
	if res.Cascade.Verifier != nil || res.Cascade.Calibration != nil || res.Cascade.Search.MinScore != 0 {
		t.Error("a verifier and a calibration that belong to other scores")
	}
	raised, last := 0, len(c.Exits)-1
	for e, x := range res.Cascade.Exits {
		if x.Threshold < c.Exits[e].Threshold {
			t.Fatalf("exit %d: threshold %v, was %v", e, x.Threshold, c.Exits[e].Threshold)
		}
		if x.Threshold > c.Exits[e].Threshold {
			raised++
		}
		c.Exits[e].Threshold = x.Threshold
	}
	if raised < last*9/10 || c.Exits[last] != kept.Exits[last] {
		t.Errorf("%d of %d thresholds are higher, the last one is %v, was %v", raised, last, c.Exits[last], kept.Exits[last])
	}
	after, still := found(t, res.Cascade, photos, g)
	if !slices.Equal(still, objects) || after == 0 || after >= before*3/4 {
		t.Errorf("%d windows pass, of objects %v; before, %d of %v", after, still, before, objects)
	}

	// Raising any threshold further loses an object, unless it is the old one:
	// it is the score of some object's best window.
	probe := *res.Cascade
	for _, e := range []int{0, 5, last / 2, last - 1} {
		if res.Cascade.Exits[e].Threshold == kept.Exits[e].Threshold {
			continue
		}
		probe.Exits = slices.Clone(res.Cascade.Exits)
		probe.Exits[e].Threshold += 1
		if n, _ := found(t, &probe, photos, g); n >= after {
			t.Errorf("exit %d: with a threshold higher by 1 than %v %d windows pass, and %d with that", e, res.Cascade.Exits[e].Threshold, n, after)
		}
	}

	again, err := Raise(context.Background(), &kept, photos, &Settings{Workers: 3})
	if err != nil || !reflect.DeepEqual(again, res) {
		t.Errorf("another result with three workers, %v", err)
	}
}

// With a loss no more objects are lost than that, and fewer windows pass. The
// first threshold that differs is higher; a later one may be lower, where its
// object's best window was rejected before. Other windows of a lost object than
// the few that count may pass.
func TestLoss(t *testing.T) {
	c, photos, g := room(t)
	for _, windows := range []int{0, 1 << 20} {
		none := must.Get(Raise(context.Background(), c, photos, &Settings{Windows: windows}))
		loss := 2.5 / float64(none.Objects) // two objects
		some := must.Get(Raise(context.Background(), c, photos, &Settings{Loss: loss, Power: 0.5, Windows: windows}))
		if some.Objects != none.Objects || some.Lost != 2 {
			t.Errorf("of %d objects %d are lost, want 2 of %d", some.Objects, some.Lost, none.Objects)
		}
		before, _ := found(t, none.Cascade, photos, g)
		after, objects := found(t, some.Cascade, photos, g)
		if few := windows == 0; len(objects) < some.Objects-2 || !few && len(objects) > some.Objects-2 || after > before || few && after == before {
			t.Errorf("%d objects are found, want %d; %d windows pass, without a loss %d", len(objects), some.Objects-2, after, before)
		}
		checkThresholds(t, c, none.Cascade, some.Cascade)
	}
}

// checkThresholds compares the thresholds with a loss as TestLoss describes.
func checkThresholds(t *testing.T, c, none, some *cascade.Cascade) {
	t.Helper()
	first := -1
	for e, x := range some.Exits {
		if x.Threshold < c.Exits[e].Threshold {
			t.Errorf("exit %d: threshold %v, was %v", e, x.Threshold, c.Exits[e].Threshold)
		}
		if first < 0 && x.Threshold != none.Exits[e].Threshold {
			first = e
		}
	}
	if first < 0 || some.Exits[first].Threshold < none.Exits[first].Threshold {
		t.Errorf("exit %d: the first threshold that differs is not higher for the loss", first)
	}
}

func TestAllowed(t *testing.T) {
	for _, power := range []float64{0.3, 1, 2} {
		s := &Settings{Loss: 0.1, Power: power}
		before := 0
		for n := 1; n <= 200; n++ {
			now := allowed(s, 1000, n, 200)
			if now < before {
				t.Fatalf("power %v: %d may be lost after %d weak classifiers, %d before", power, now, n, before)
			}
			before = now
		}
		if before != 100 {
			t.Errorf("power %v: %d may be gone in the end, want 100", power, before)
		}
	}
	early, late := &Settings{Loss: 0.1, Power: 0.3}, &Settings{Loss: 0.1, Power: 2}
	if e, l := allowed(early, 1000, 10, 200), allowed(late, 1000, 10, 200); e <= l {
		t.Errorf("after 10 weak classifiers %d may be lost with a power of 0.3, %d with 2", e, l)
	}
}

// An object is kept as long as one of its windows, and a rejected window stays
// rejected.
func TestThresholds(t *testing.T) {
	objects := []object{
		{{5, 1, 9}, {4, 8, 2}},
		{{4, 3, 7}},
		{{9, 9, 1}, {3, 0, 8}},
	}
	for e, want := range []float32{4, 3, 1} {
		got := highest(objects, e, 0)
		if got != want {
			t.Fatalf("exit %d: %v, want %v", e, got, want)
		}
		objects = survivors(objects, e, got)
		if len(objects) != 3 {
			t.Fatalf("exit %d: %d objects are left", e, len(objects))
		}
	}
	if want := (object{{4, 8, 2}}); !reflect.DeepEqual(objects[0], want) {
		t.Errorf("of the first object %v is left, want %v", objects[0], want)
	}
	if got := highest(objects, 2, 1); got != 2 {
		t.Errorf("with one object that may be lost: %v, want 2", got)
	}
	for v, want := range map[float64]float32{0.5: 0.5, 1 + 1e-12: 1, -1 - 1e-12: -1.0000001} {
		if got := down(v); got != want {
			t.Errorf("%v is rounded to %v, want %v", v, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	c, photos, _ := room(t)
	staged := must.Get(cascade.Open("../../../models/frontalfaceopencv/frontalface-opencv.cascade"))
	nowhere := []eval.Photo{{File: photos[0].File, Objects: []eval.Object{{Box: image.Rect(0, 0, 24, 24)}}}}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, v := range map[string]struct {
		ctx    context.Context
		c      *cascade.Cascade
		photos []eval.Photo
		s      *Settings
		want   error
	}{
		"loss":       {context.Background(), c, photos, &Settings{Loss: 1}, ErrSettings},
		"power":      {context.Background(), c, photos, &Settings{Power: 11}, ErrSettings},
		"windows":    {context.Background(), c, photos, &Settings{Windows: -1}, ErrSettings},
		"lower":      {context.Background(), c, photos, &Settings{Lower: -1}, ErrSettings},
		"no lower":   {context.Background(), c, photos, &Settings{Lower: math.NaN()}, ErrSettings},
		"keep":       {context.Background(), c, photos, &Settings{Keep: -1}, ErrSettings},
		"stages":     {context.Background(), staged, photos, nil, ErrData},
		"no object":  {context.Background(), c, nowhere, nil, ErrData},
		"no photo":   {context.Background(), c, nil, nil, ErrData},
		"no cascade": {context.Background(), &cascade.Cascade{}, photos, nil, cascade.ErrModel},
		"options":    {context.Background(), c, photos, &Settings{Search: detector.Options{Scale: 0.5}}, detector.ErrOptions},
		"cancelled":  {ctx, c, photos, nil, context.Canceled},
	} {
		if _, err := Raise(v.ctx, v.c, v.photos, v.s); !errors.Is(err, v.want) {
			t.Errorf("%s: %v, want %v", name, err, v.want)
		}
	}
}

// A cascade with higher thresholds that are lowered first is as good as one without,
// and Keep shortens it.
func TestLower(t *testing.T) {
	c, photos, _ := room(t)
	const keep, lower = 100, 4
	high := *c
	high.Exits = slices.Clone(c.Exits)
	for e := range high.Exits {
		high.Exits[e].Threshold += lower
	}
	raise := func(c *cascade.Cascade, s Settings) *Result {
		t.Helper()
		s.Keep, s.Workers = keep, 1
		res := must.Get(Raise(context.Background(), c, photos, &s))
		must.Do(res.Cascade.Check())
		return res
	}
	want, got := raise(c, Settings{}), raise(&high, Settings{Lower: lower})
	if !reflect.DeepEqual(got, want) || len(got.Cascade.Weak) != keep {
		t.Errorf("%d weak classifiers and %d objects, want %d and %d, with the same thresholds", len(got.Cascade.Weak), got.Objects, keep, want.Objects)
	}
	if _, err := Raise(context.Background(), &high, photos, &Settings{Keep: keep}); !errors.Is(err, ErrData) {
		t.Errorf("with high thresholds %v, want ErrData, since none is found", err)
	}
}
