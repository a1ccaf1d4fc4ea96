package label

import (
	"image"
	"image/color"
	"testing"
)

// Averages are those of blocks, wherever the part begins, and white shows through.
func TestScaled(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	for y := range 20 {
		for x := range 30 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x * 8), uint8(y * 12), 40, 255})
		}
	}
	m.SetNRGBA(10, 10, color.NRGBA{})
	got := scaled(m, image.Rect(4, 4, 24, 20), 10, 4) // blocks of 2 by 4
	want := func(x, y int) color.RGBA {
		var s [3]int
		for v := range 4 {
			for u := range 2 {
				c := color.RGBAModel.Convert(m.At(4+2*x+u, 4+4*y+v)).(color.RGBA)
				for i, v := range []uint8{c.R, c.G, c.B} {
					s[i] += int(v) + 255 - int(c.A)
				}
			}
		}
		return color.RGBA{uint8((s[0] + 4) / 8), uint8((s[1] + 4) / 8), uint8((s[2] + 4) / 8), 255}
	}
	for y := range 4 {
		for x := range 10 {
			if got.RGBAAt(x, y) != want(x, y) {
				t.Fatalf("at %d,%d there is %v, want %v", x, y, got.RGBAAt(x, y), want(x, y))
			}
		}
	}
	// Sizes that do not divide, and enlargement.
	for _, size := range []image.Point{{7, 3}, {1, 1}, {29, 19}, {60, 45}} {
		g := scaled(m, m.Rect, size.X, size.Y)
		if g.Rect.Size() != size || g.RGBAAt(0, 0).A != 255 || g.RGBAAt(size.X-1, size.Y-1).A != 255 {
			t.Errorf("%v: %v, %v", size, g.Rect, g.RGBAAt(0, 0))
		}
	}
}
