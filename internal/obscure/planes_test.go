package obscure

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// Planes are obscured as red, green and blue are: outside the boxes nothing changes, and
// inside a box few colours are left, none of which depends on a single pixel.
func TestPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio411} {
		for range 40 {
			m := image.NewYCbCr(image.Rect(0, 0, 61+rng.IntN(9), 53+rng.IntN(9)), ratio)
			for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
				for i := range plane {
					plane[i] = byte(rng.Uint32())
				}
			}
			box := image.Rect(0, 0, 4+rng.IntN(40), 4+rng.IntN(40)).Add(image.Pt(rng.IntN(60)-10, rng.IntN(60)-10))
			before := &image.YCbCr{Y: append([]byte(nil), m.Y...), Cb: append([]byte(nil), m.Cb...), Cr: append([]byte(nil), m.Cr...), YStride: m.YStride, CStride: m.CStride, SubsampleRatio: ratio, Rect: m.Rect}
			Planes(m, []image.Rectangle{box}, 0, false)
			sx, sy := subsampling(ratio)
			hidden := outward(box, sx, sy)
			colours := map[color.YCbCr]bool{}
			for y := range m.Rect.Dy() {
				for x := range m.Rect.Dx() {
					if !image.Pt(x, y).In(hidden) {
						if m.YCbCrAt(x, y) != before.YCbCrAt(x, y) {
							t.Fatalf("%v, box %v: pixel %d,%d outside it changes", ratio, box, x, y)
						}
						continue
					}
					colours[m.YCbCrAt(x, y)] = true
				}
			}
			// Cells of brightness and of colour may be divided a pixel apart.
			if len(colours) > 4*coarse*coarse {
				t.Fatalf("%v, box %v: %d colours are left", ratio, box, len(colours))
			}
			// One pixel more or less of brightness makes no difference, mostly.
			if r := hidden.Intersect(m.Rect); !r.Empty() {
				again := &image.YCbCr{Y: append([]byte(nil), before.Y...), Cb: append([]byte(nil), before.Cb...), Cr: append([]byte(nil), before.Cr...), YStride: m.YStride, CStride: m.CStride, SubsampleRatio: ratio, Rect: m.Rect}
				again.Y[again.YOffset(r.Min.X, r.Min.Y)] ^= 1
				Planes(again, []image.Rectangle{box}, 0, false)
				n := 0
				for i := range m.Y {
					if m.Y[i] != again.Y[i] {
						n++
					}
				}
				if side := max(minCell, (max(r.Dx(), r.Dy())+coarse-1)/coarse); n > 4*side*side {
					t.Fatalf("a pixel changes %d others", n)
				}
			}
		}
	}
	// Grey stays grey.
	m := image.NewYCbCr(image.Rect(0, 0, 40, 40), image.YCbCrSubsampleRatio420)
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	Planes(m, []image.Rectangle{m.Rect}, 0, true)
	for i := range m.Cb {
		if m.Cb[i] != 128 || m.Cr[i] != 128 {
			t.Fatal("grey becomes a colour")
		}
	}
}
