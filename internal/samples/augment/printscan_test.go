package augment

import (
	"hash/fnv"
	"image"
	"math/rand/v2"
	"testing"
)

func ramp(w, h int) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			g.Pix[y*g.Stride+x] = byte(3*x + 2*y)
		}
	}
	return g
}

// The bytes are the same on every machine and from version to version.
func TestPrintedBytes(t *testing.T) {
	h := fnv.New64a()
	for seed := range uint64(20) {
		g := ramp(61, 43)
		printed(g, rand.New(rand.NewPCG(seed, 2)))
		h.Write(g.Pix)
	}
	if got, want := h.Sum64(), uint64(0x9ef335208871d30c); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestPrintAndScanKeepsPictures(t *testing.T) {
	g := ramp(70, 50)
	for seed := range uint64(40) {
		s := image.NewGray(g.Rect)
		copy(s.Pix, g.Pix)
		PrintAndScan(s, rand.New(rand.NewPCG(seed, 2)))
		// The gradient remains: the bottom right is brighter than the top left.
		mean := func(r image.Rectangle) int {
			sum := 0
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					sum += int(s.GrayAt(x, y).Y)
				}
			}
			return sum / (r.Dx() * r.Dy())
		}
		if a, b := mean(image.Rect(0, 0, 20, 20)), mean(image.Rect(50, 30, 70, 50)); b < a+10 {
			t.Errorf("seed %d: from %d to %d", seed, a, b)
		}
	}
}
