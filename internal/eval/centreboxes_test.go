package eval

import (
	"context"
	"errors"
	"image"
	"math"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
)

// boxed returns a cascade whose verifier corrects no box, with trees that could.
func boxed(t *testing.T) (*cascade.Cascade, []Photo) {
	c, photos := hundred(t)
	same := func(v float32) []cascade.Weak {
		return []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{v, v}}}
	}
	c.Verifier = &cascade.Verifier{Sides: 1.4, Weight: 1, Trees: same(0), Boxes: &cascade.Boxes{Left: same(0), Top: same(0), Right: same(0), Bottom: same(0)}}
	return c, photos
}

// CentreBoxes moves each edge by the mean error of true positives, and leaves the model
// that came as it was.
func TestCentreBoxes(t *testing.T) {
	c, photos := boxed(t)
	for i := range photos { // labels that are wider than the boxes, and lower
		for j := range photos[i].Objects {
			b := &photos[i].Objects[j].Box
			w, h := b.Dx()/10, b.Dy()/10
			*b = image.Rect(b.Min.X-w, b.Min.Y+h, b.Max.X+w, b.Max.Y+h)
		}
	}
	k := must.Get(Calibrate(context.Background(), c, photos, &CalibrateOptions{CentreBoxes: true}))
	var moved [4]float64
	for i, trees := range [...][]cascade.Weak{k.Cascade.Verifier.Boxes.Left, k.Cascade.Verifier.Boxes.Top, k.Cascade.Verifier.Boxes.Right, k.Cascade.Verifier.Boxes.Bottom} {
		moved[i] = float64(trees[0].Leaves[0])
		if trees[0].Leaves[1] != trees[0].Leaves[0] || math.Trunc(moved[i]*4096) != moved[i]*4096 {
			t.Errorf("edge %d: leaves %v, want two equal multiples of 2^-12", i, trees[0].Leaves)
		}
	}
	if moved[0] >= 0 || moved[1] <= 0 || moved[2] <= 0 || moved[3] <= 0 {
		t.Errorf("edges moved by %v, want left to the left, right to the right, and both others down", moved)
	}
	if c.Verifier.Boxes.Left[0].Leaves[0] != 0 {
		t.Error("the model that came was changed")
	}
	// Now the edges are right, to the pixel to which they are rounded.
	again := must.Get(Calibrate(context.Background(), k.Cascade, photos, &CalibrateOptions{CentreBoxes: true}))
	for i, trees := range [...][]cascade.Weak{again.Cascade.Verifier.Boxes.Left, again.Cascade.Verifier.Boxes.Top, again.Cascade.Verifier.Boxes.Right, again.Cascade.Verifier.Boxes.Bottom} {
		if by := float64(trees[0].Leaves[0]) - moved[i]; math.Abs(by) > 0.02 {
			t.Errorf("edge %d moved by %.4f, and once more by %.4f", i, moved[i], by)
		}
	}
}

func TestCentreBoxesErrors(t *testing.T) {
	c, photos := boxed(t)
	c.Verifier.Boxes = nil
	if _, err := Calibrate(context.Background(), c, photos, &CalibrateOptions{CentreBoxes: true}); !errors.Is(err, ErrCalibration) {
		t.Errorf("without trees for boxes: %v", err)
	}
}
