package verify

import (
	"context"
	"errors"
	"haarlem/cascade"
	"haarlem/internal/must"
	"image"
	"reflect"
	"slices"
	"testing"

	"haarlem/internal/eval"
)

// What is found in a photograph does not depend on its labels, but on those of others,
// and on how many of them; nor does it on the number of workers.
func TestApart(t *testing.T) {
	photos := world(t, 1, 15)
	s := small
	s.Trees, s.Folds = 8, 3
	shares := []float64{0.5, 1}
	before := must.Get(Apart(context.Background(), blobs(), photos, shares, &s))
	if reflect.DeepEqual(before[0], before[1]) {
		t.Error("half of the photographs and all of them are the same")
	}
	changed := slices.Clone(photos)
	of := slices.IndexFunc(photos, func(p eval.Photo) bool { return len(p.Objects) > 0 })
	changed[of].Objects = []eval.Object{{Box: image.Rect(0, 0, 9, 9)}}
	s.Workers = 1
	after := must.Get(Apart(context.Background(), blobs(), changed, shares[1:], &s))
	if len(before[1][of]) == 0 || !reflect.DeepEqual(before[1][of], after[0][of]) {
		t.Errorf("with other labels %d is found in the photograph, before %d", len(after[0][of]), len(before[1][of]))
	}
	if reflect.DeepEqual(before[1], after[0]) {
		t.Error("the labels of a photograph change nothing in others")
	}
	for _, s := range []Settings{{Folds: 1}, {Folds: 3, Second: true}, {Folds: 3, Trees: -1}} {
		if _, err := Apart(context.Background(), blobs(), photos, shares, &s); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v, want ErrSettings", s, err)
		}
	}
	if _, err := Apart(context.Background(), blobs(), photos, []float64{0.001}, &s); !errors.Is(err, ErrData) {
		t.Errorf("of no photograph: error %v, want ErrData", err)
	}
}

// A network of the model has no part in what is cross-validated.
func TestBare(t *testing.T) {
	c := &cascade.Cascade{Network: &cascade.Network{}, Verifier: &cascade.Verifier{}, Calibration: &cascade.Calibration{}}
	if b := bareOf(c); b.Network != nil || b.Verifier != nil || b.Calibration != nil || c.Network == nil {
		t.Errorf("left: %+v", b)
	}
}

// A label of nothing and a moved one frame an object worse than right ones.
// Any number of workers says the same.
func TestFits(t *testing.T) {
	photos := world(t, 1, 14)
	found := make([][]eval.Found, len(photos))
	var labelled []int
	for i := range photos {
		if len(photos[i].Objects) > 0 {
			labelled = append(labelled, i)
		}
	}
	nothing, moved := labelled[1], labelled[4]
	side := photos[nothing].Objects[0].Box.Dx()
	photos[nothing].Objects[0].Box = image.Rect(0, 0, side, side)
	photos[moved].Objects[0].Box = photos[moved].Objects[0].Box.Add(image.Pt(side/2, side/2))
	f := must.Get(Fits(context.Background(), photos, found, nil, &eval.MeasureOptions{Workers: 2}))
	if again := must.Get(Fits(context.Background(), photos, found, nil, &eval.MeasureOptions{Workers: 1})); !reflect.DeepEqual(again, f) {
		t.Error("one worker says something else")
	}
	worse, right := 0, 0
	for _, i := range labelled {
		for k, v := range f.Labels[i] {
			if k > 0 || i != nothing && i != moved {
				right++
				if v <= max(f.Labels[nothing][0], f.Labels[moved][0]) {
					worse++
				}
			}
		}
	}
	if 10*worse > right {
		t.Errorf("%d of %d right labels fit no better than wrong ones: %.2f and %.2f", worse, right, f.Labels[nothing][0], f.Labels[moved][0])
	}
	if f, err := Fits(context.Background(), photos[:1], found[:1], nil, &eval.MeasureOptions{}); f != nil || err != nil {
		t.Errorf("of one photograph: %v, error %v", f, err)
	}
}
