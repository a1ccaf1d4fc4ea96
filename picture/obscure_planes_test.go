package picture

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"
)

// Planes are obscured as red, green and blue are: outside the boxes nothing changes, and
// inside a box few colours are left, none of which depends on a single pixel.
func TestObscurePlanes(t *testing.T) {
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
			ObscurePlanes(m, []image.Rectangle{box}, 0, false)
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
				ObscurePlanes(again, []image.Rectangle{box}, 0, false)
				n := 0
				for i := range m.Y {
					if m.Y[i] != again.Y[i] {
						n++
					}
				}
				if side := max(leastCell, (max(r.Dx(), r.Dy())+coarse-1)/coarse); n > 4*side*side {
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
	ObscurePlanes(m, []image.Rectangle{m.Rect}, 0, true)
	for i := range m.Cb {
		if m.Cb[i] != 128 || m.Cr[i] != 128 {
			t.Fatal("grey becomes a colour")
		}
	}
}

// Drawing on planes sets the pixels that it would set elsewhere.
func TestPlanes(t *testing.T) {
	m := image.NewYCbCr(image.Rect(0, 0, 90, 70), image.YCbCrSubsampleRatio420)
	rgba := image.NewRGBA(m.Rect)
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = 128, 128
	}
	for i := 3; i < len(rgba.Pix); i += 4 {
		rgba.Pix[i] = 255
	}
	marks := []Mark{{image.Rect(20, 20, 60, 60), "7: 0.9"}}
	AnnotateInPlace(Planes{m}, marks)
	AnnotateInPlace(rgba, marks)
	for y := range 70 {
		for x := range 90 {
			want := color.YCbCrModel.Convert(rgba.At(x, y)).(color.YCbCr).Y
			if d := int(m.Y[m.YOffset(x, y)]) - int(want); d < -2 || d > 2 {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, m.Y[m.YOffset(x, y)], want)
			}
		}
	}
	Planes{m}.Set(-1, 200, color.White) // nothing happens
	Cover(Planes{m}, []image.Rectangle{image.Rect(10, 10, 50, 50)}, 0)
	first := m.YCbCrAt(10, 10)
	for y := 10; y < 50; y++ {
		for x := 10; x < 50; x++ {
			if m.YCbCrAt(x, y) != first {
				t.Fatalf("pixel %d,%d is not covered", x, y)
			}
		}
	}
}
