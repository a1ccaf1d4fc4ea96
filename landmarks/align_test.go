package landmarks

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// In the frame of Upright the eyes are level, and their midpoint is where it is
// in the box.
func TestUpright(t *testing.T) {
	box := image.Rect(10, 20, 110, 120)
	for _, degrees := range []float64{0, 20, -35, 100} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		l, r := Point{X: 55 - 20*cos, Y: 60 - 20*sin}, Point{X: 55 + 20*cos, Y: 60 + 20*sin}
		f := Upright(box, l, r)
		near(t, "side", f.Side(), 100, 1e-9)
		lx, ly := f.Of(l)
		rx, ry := f.Of(r)
		near(t, "left x", lx, -0.25, 1e-9)
		near(t, "right x", rx, 0.15, 1e-9)
		near(t, "left y", ly, -0.1, 1e-9)
		near(t, "right y", ry, -0.1, 1e-9)
	}
	if f := Upright(box, Point{X: 50, Y: 50}, Point{X: 50, Y: 50}); f != (Frame{X: 60, Y: 70, A: 100}) {
		t.Errorf("eyes at one place turn the box: %v", f)
	}
}

// A crop at the size of the box is the box, and a rotated or smaller one has
// the right colours in the right positions.
func TestCrop(t *testing.T) {
	img := image.NewNRGBA(image.Rect(5, 7, 65, 67))
	for y := 7; y < 67; y++ {
		for x := 5; x < 65; x++ {
			img.SetNRGBA(x, y, color.NRGBA{uint8(4 * (x - 5)), uint8(4 * (y - 7)), 9, 255})
		}
	}
	out := Crop(img, Upright(image.Rect(10, 10, 30, 30), Point{}, Point{}), 20)
	for y := range 20 {
		for x := range 20 {
			// Frames are relative to the image's own upper left corner.
			if got, want := out.RGBAAt(x, y), (color.RGBA{uint8(4 * (x + 10)), uint8(4 * (y + 10)), 9, 255}); got != want {
				t.Fatalf("pixel %d, %d is %v, want %v", x, y, got, want)
			}
		}
	}
	for _, degrees := range []float64{15, -90} {
		f := Frame{X: 30, Y: 28, A: 30}.Turned(degrees)
		out := Crop(img, f, 10)
		for y := range 10 {
			for x := range 10 {
				at := f.At((float64(x)+0.5)/10-0.5, (float64(y)+0.5)/10-0.5)
				got := out.RGBAAt(x, y)
				near(t, "red", float64(got.R), 4*(at.X-0.5), 1)
				near(t, "green", float64(got.G), 4*(at.Y-0.5), 1)
			}
		}
	}
	// Far outside, the corner is repeated.
	if got := Crop(img, Frame{X: -500, Y: -500, A: 10}, 2).RGBAAt(1, 1); got != (color.RGBA{0, 0, 9, 255}) {
		t.Errorf("outside is %v", got)
	}
}

func TestDraw(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	Draw(img, []Point{{X: 10.5, Y: 10.5}, {X: 39.9, Y: 0.1}, {X: -100, Y: 5}, {X: math.NaN(), Y: 3}}, 60)
	if got := img.RGBAAt(10, 10); got != dotColour {
		t.Errorf("the middle of a dot is %v", got)
	}
	if got := img.RGBAAt(12, 10); got != rimColour && got != (color.RGBA{}) {
		t.Errorf("beside a dot is %v", got)
	}
	if got := img.RGBAAt(11, 11); got != rimColour {
		t.Errorf("the rim of a dot is %v", got)
	}
	if got := img.RGBAAt(20, 20); got != (color.RGBA{}) {
		t.Errorf("far from all dots is %v", got)
	}
	if got := img.RGBAAt(39, 0); got != dotColour {
		t.Errorf("a dot in the corner is %v", got)
	}
}
