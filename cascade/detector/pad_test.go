package detector_test

import (
	"context"
	"image"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
	"haarlem/models/frontalface"
)

// cutFace returns the group image cut through the leftmost face, so that nearly
// a third of it is lost, and where that face is.
func cutFace(t *testing.T) (*image.Gray, image.Rectangle) {
	t.Helper()
	g := greyCopy(groupPicture(t))
	all := detectIn(t, newDetector(t, nil), g)
	face := slices.MinFunc(all, func(a, b detector.Detection) int { return a.Box.Min.X - b.Box.Min.X }).Box
	return g.SubImage(image.Rect(face.Min.X+face.Dx()*3/10, 0, g.Rect.Max.X, g.Rect.Max.Y)).(*image.Gray), face
}

// A face of which nearly a third is cut off is found with Pad only, and the box
// ends at the edge. Options override the cascade's own setting.
func TestPadFace(t *testing.T) {
	g, face := cutFace(t)
	c := must.Get(cascade.Open("../../models/frontalface/frontalface.cascade"))
	for _, test := range []struct {
		model, option float64 // an option below 0 is none
		angles        []float64
		want          bool
	}{
		{0, -1, nil, false},
		{0, 0.35, nil, true},
		{0.35, -1, nil, true},
		{0.35, 0, nil, false},
		{0.05, 0.35, nil, true},
		{0, 0.35, []float64{8}, true},
		{0, 0.35, []float64{0, 8}, true},
	} {
		c.Search.Pad = test.model
		o := &detector.Options{Angles: test.angles}
		if test.option >= 0 {
			o.Search = with(c, func(s *cascade.Search) { s.Pad = test.option })
		}
		found := detectIn(t, newDetectorOf(t, c, o), g)
		atEdge := 0
		for _, d := range found {
			if !d.Box.In(g.Rect) {
				t.Errorf("%+v: %v goes beyond %v", test, d.Box, g.Rect)
			}
			// All of the face's height, and the rest of its width.
			if b := d.Box; b.Min.X == g.Rect.Min.X && b.Overlaps(face.Inset(face.Dx()/4)) && 10*b.Dx() < 9*b.Dy() {
				atEdge++
			}
		}
		if (atEdge == 1) != test.want || atEdge > 1 {
			t.Errorf("%+v: %d faces at the edge in %v", test, atEdge, found)
		}
	}
}

// Pad only adds windows beyond the edge: the grid inside is the same.
func TestPadAdds(t *testing.T) {
	g, _ := cutFace(t)
	for _, stride := range []int{1, 2, 3, 5} {
		windows := func(pad float64) map[engine.Window]bool {
			c := must.Get(frontalface.Cascade())
			c.Search.Stride, c.Search.Pad = stride, pad
			ws := must.Get(newDetectorOf(t, c, nil).Engine().AppendWindows(context.Background(), nil, g))
			all := map[engine.Window]bool{}
			for _, w := range ws {
				all[w] = true
			}
			return all
		}
		plain, padded := windows(0), windows(0.35)
		for w := range plain {
			if !padded[w] {
				t.Errorf("stride %d: with Pad %+v does not pass", stride, w)
			}
		}
		beyond := 0
		for w := range padded {
			lowest, upper := image.Pt(-8, -8), w.Size.Sub(image.Pt(24-8, 24-8))
			if w.At.X < lowest.X || w.At.Y < lowest.Y || w.At.X > upper.X || w.At.Y > upper.Y {
				t.Errorf("stride %d: %+v lies further beyond than 0.35 of it", stride, w)
			}
			if w.At.X < 0 {
				beyond++
			}
		}
		if beyond == 0 || len(plain) == 0 {
			t.Errorf("stride %d: %d windows left of the edge, %d without Pad: that proves nothing", stride, beyond, len(plain))
		}
	}
}

func TestPadAllocates(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	c := must.Get(frontalface.Cascade())
	c.Search.Pad = 0.3
	d := newDetectorOf(t, c, &detector.Options{Workers: 1})
	g, _ := cutFace(t)
	var dst []detector.Detection
	search := func() {
		dst = must.Get(d.AppendDetect(context.Background(), dst[:0], g))
	}
	search()
	if n := testing.AllocsPerRun(3, search); n > 0 {
		t.Errorf("%v allocations a search", n)
	}
}
