package landmarks

import (
	"image"
	"image/color"
	"math"
)

var (
	dotColour = color.RGBA{0x2B, 0xE0, 0x6A, 0xFF}
	rimColour = color.RGBA{0x08, 0x20, 0x10, 0xFF} // around it, for bright pictures
)

// Draw marks points, in img's own coordinates. The dots suit an object of the
// given side in pixels.
func Draw(img *image.RGBA, points []Point, side int) {
	radius := max(float64(side)/60, 1)
	rim := max(radius/2, 0.8)
	for _, p := range points {
		dot(img, p, radius+rim, rimColour)
		dot(img, p, radius, dotColour)
	}
}

// dot paints the pixels whose centre is within radius of a point.
func dot(img *image.RGBA, p Point, radius float64, c color.RGBA) {
	b := img.Rect
	if !(math.Abs(p.X) < 1<<30 && math.Abs(p.Y) < 1<<30) {
		return
	}
	for y := max(int(math.Floor(p.Y-radius)), b.Min.Y); y < min(int(math.Ceil(p.Y+radius)), b.Max.Y); y++ {
		for x := max(int(math.Floor(p.X-radius)), b.Min.X); x < min(int(math.Ceil(p.X+radius)), b.Max.X); x++ {
			dx, dy := float64(x)+0.5-p.X, float64(y)+0.5-p.Y
			if float64(dx*dx)+float64(dy*dy) <= float64(radius*radius) {
				img.SetRGBA(x, y, c)
			}
		}
	}
}
