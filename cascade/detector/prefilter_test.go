package detector_test

import (
	"bytes"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Pixel noise is weaker in images that are halved before they are scaled, so
// noisy faces look more like those in training.
func TestPrefilter(t *testing.T) {
	c, _ := bareFace(t)
	plain := greyCopy(groupPicture(t))
	const times = 3
	rng := rand.New(rand.NewPCG(1, 1))
	b := plain.Rect
	g := image.NewGray(image.Rect(0, 0, b.Dx()*times, b.Dy()*times))
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			v := int(plain.GrayAt(b.Min.X+x/times, b.Min.Y+y/times).Y) + rng.IntN(121) - 60
			g.Pix[y*g.Stride+x] = uint8(min(max(v, 0), 255))
		}
	}
	if testing.Short() {
		g = g.SubImage(image.Rect(300, 150, 1260, 900)).(*image.Gray)
	}
	found := map[float64]int{}
	for _, c.Search.PrefilterFrom = range []float64{0, 1.5} {
		for _, w := range windowsIn(t, c, g, detector.Options{MinSize: image.Pt(100, 100)}) {
			found[c.Search.PrefilterFrom]++
			if want := c.Search.PrefilterFrom > 0; want != (w.Halved > 0) || want && float64(w.Box.Dx())/float64(c.Width)/math.Exp2(float64(w.Halved)) > 1.6 {
				t.Errorf("%v: halved %d times", w.Box, w.Halved)
			}
		}
	}
	if found[1.5] < 2*found[0] || found[1.5] < 20 {
		t.Errorf("%d windows pass in noise, and %d that is halved: want many more", found[0], found[1.5])
	}
}

// OpenCV does not halve.
func TestPrefilterIsNotOpenCVs(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	c.Search.PrefilterFrom = 2
	if err := c.EncodeOpenCV(new(bytes.Buffer)); !errors.Is(err, cascade.ErrOpenCV) || !strings.Contains(err.Error(), "prefilter-from") {
		t.Errorf("in OpenCV's format: %v", err)
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
}

// The pixels of a window are those that the detector used, also in images with
// an odd width or height.
func TestPrefilteredWindows(t *testing.T) {
	c, _ := bareFace(t)
	c.Search.PrefilterFrom = 1.3
	c.Exits, c.Weak = c.Exits[:30], c.Weak[:c.Exits[29].After]
	g := image.NewGray(image.Rect(3, 5, 3+301, 5+203))
	rng := rand.New(rand.NewPCG(2, 1))
	for i := range g.Pix {
		g.Pix[i] = uint8(rng.Uint32()>>25) + uint8(i%g.Stride/16*16%128)
	}
	windows := windowsIn(t, c, g, detector.Options{Scale: 1.3, Search: with(c, func(s *cascade.Search) { s.Pad = 0.2 })})
	times := map[int]int{}
	weak := outputsOf(t, c)
	pixels := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
	for _, w := range windows {
		times[w.Halved]++
		engine.CutWindow(pixels, g, w)
		outputs, _ := weak.Append(nil, pixels, 0)
		sum := 0.0
		for _, a := range outputs {
			sum += float64(a)
		}
		if margin := sum - float64(c.Exits[29].Threshold); margin != w.Margin {
			t.Fatalf("window %+v: margin %v of its pixels, want %v", w, margin, w.Margin)
		}
	}
	if len(times) < 3 {
		t.Errorf("windows by how often the picture was halved: %v", times)
	}
}
