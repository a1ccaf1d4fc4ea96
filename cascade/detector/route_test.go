package detector_test

import (
	"image"
	"math"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/models/face"
	"haarlem/models/facefast"
)

// faceAndRouter are the model face and the router for it.
func faceAndRouter(t *testing.T) (c, router *cascade.Cascade) {
	t.Helper()
	c = must.Get(face.Cascade())
	router = must.Get(facefast.Router())
	return c, router
}

// TestRouter: with a router the faces of a turned picture are found at about their angle,
// whatever the number of workers.
func TestRouter(t *testing.T) {
	grey := greyCopy(groupPicture(t))
	c, router := faceAndRouter(t)
	large := detector.Options{MinSize: image.Pt(40, 40), MinScore: 0.6}
	upright := detectIn(t, newDetectorOf(t, c, &large), grey)
	if len(upright) < 9 {
		t.Fatalf("%d upright faces, want at least 9", len(upright))
	}
	for _, degrees := range []float64{-110, 135} {
		m, gone := turned(grey, degrees)
		o := large
		o.Angles, o.Router, o.Workers = detector.AllAngles(), router, 1
		found := detectIn(t, newDetectorOf(t, c, &o), m)
		right := 0
		for _, f := range upright {
			x, y := gone(float64(f.Box.Min.X+f.Box.Max.X)/2, float64(f.Box.Min.Y+f.Box.Max.Y)/2)
			if slices.ContainsFunc(found, func(d detector.Detection) bool {
				off := math.Abs(math.Remainder(d.Angle-degrees, 360))
				return image.Pt(int(x), int(y)).In(d.Box.Inset(d.Box.Dx()/4)) && off <= 25
			}) {
				right++
			}
		}
		if right < len(upright)-1 || len(found) > len(upright)+1 {
			t.Errorf("%v degrees: %d of %d faces found at their angle, among %d", degrees, right, len(upright), len(found))
		}
		o.Workers = 3
		if again := detectIn(t, newDetectorOf(t, c, &o), m); !slices.EqualFunc(again, found, detector.Detection.Equal) {
			t.Errorf("%v degrees: 3 workers find others", degrees)
		}
	}
}

// TestRouted: with a router no candidate is found that is not found without, and no face
// goes without one.
func TestRouted(t *testing.T) {
	grey := greyCopy(groupPicture(t))
	c, router := faceAndRouter(t)
	o := &detector.Options{MinSize: image.Pt(40, 40), Ungrouped: true, Overlapping: true, Angles: []float64{0, 90}}
	c.Verifier, c.Network = nil, nil
	all := detectIn(t, newDetectorOf(t, c, o), grey)
	o.Router = router
	some := detectIn(t, newDetectorOf(t, c, o), grey)
	type key struct {
		box   image.Rectangle
		angle float64
	}
	known := map[key]float64{}
	for _, d := range all {
		known[key{d.Box, d.Angle}] = d.Score
	}
	for _, d := range some {
		if score, ok := known[key{d.Box, d.Angle}]; !ok || score != d.Score {
			t.Fatalf("%v is not found without a router", d)
		}
	}
	if len(some) < len(all)/4 || len(some) >= len(all) {
		t.Errorf("%d of %d candidates", len(some), len(all))
	}
	flat := image.NewGray(image.Rect(0, 0, 200, 100))
	if found := detectIn(t, newDetectorOf(t, c, o), flat); len(found) > 0 {
		t.Errorf("%d candidates where the router finds nothing", len(found))
	}
}
