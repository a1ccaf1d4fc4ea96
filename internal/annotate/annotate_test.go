package annotate

import (
	"image"
	"image/color"
	"testing"

	"haarlem/internal/obscure"
)

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
	Draw(Planes{m}, marks)
	Draw(rgba, marks)
	for y := range 70 {
		for x := range 90 {
			want := color.YCbCrModel.Convert(rgba.At(x, y)).(color.YCbCr).Y
			if d := int(m.Y[m.YOffset(x, y)]) - int(want); d < -2 || d > 2 {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, m.Y[m.YOffset(x, y)], want)
			}
		}
	}
	Planes{m}.Set(-1, 200, color.White) // nothing happens
	obscure.Cover(Planes{m}, []image.Rectangle{image.Rect(10, 10, 50, 50)}, 0)
	first := m.YCbCrAt(10, 10)
	for y := 10; y < 50; y++ {
		for x := 10; x < 50; x++ {
			if m.YCbCrAt(x, y) != first {
				t.Fatalf("pixel %d,%d is not covered", x, y)
			}
		}
	}
}

// Caption writes into the upper left corner only.
func TestCaption(t *testing.T) {
	m := image.NewRGBA(image.Rect(10, 10, 330, 250))
	before := string(m.Pix)
	Caption(m)
	if string(m.Pix) != before {
		t.Error("no lines, and something was written")
	}
	Caption(m, "25.0 fps", "detector 12.3 ms and a line that is by far too long for a picture as small as this one is")
	if m.RGBAAt(11, 11) != outerColour || m.RGBAAt(320, 240) != (color.RGBA{}) {
		t.Error("the ground is not in the upper left corner, or is everywhere")
	}
	letters := 0
	for y := 10; y < 60; y++ {
		for x := 10; x < 330; x++ {
			if m.RGBAAt(x, y) == markColour {
				letters++
			}
		}
	}
	if letters < 200 {
		t.Errorf("%d pixels of letters", letters)
	}
	Caption(image.NewRGBA(image.Rect(0, 0, 3, 3)), "x") // must not panic
}

// Letters grow with the picture, and not far beyond small boxes.
func TestLetterSize(t *testing.T) {
	for _, test := range []struct{ shorter, box, want int }{
		{20, 10, 0}, {100, 30, 11}, {500, 34, 11}, {500, 140, 14}, {3000, 60, 37}, {3000, 150, 50}, {3000, 900, 88}, {60000, 50000, 400},
	} {
		if got := letterSize(test.shorter, test.box); got != test.want {
			t.Errorf("picture %d, box %d: %d, want %d", test.shorter, test.box, got, test.want)
		}
	}
}
