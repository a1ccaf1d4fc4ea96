package bloodcells

import (
	"image"
	"image/color"
	"slices"
	"testing"
)

func TestRed(t *testing.T) {
	m := image.NewRGBA(image.Rect(-2, 3, 1, 5))
	m.Set(-2, 3, color.RGBA{R: 200, G: 10, B: 20, A: 255})
	m.Set(0, 4, color.RGBA{R: 7, G: 90, B: 80, A: 255})
	red := Red(m)
	if want := []uint8{200, 0, 0, 0, 0, 7}; red.Rect != m.Rect || !slices.Equal(red.Pix, want) {
		t.Errorf("%v: %d, want %v: %d", red.Rect, red.Pix, m.Rect, want)
	}
}
