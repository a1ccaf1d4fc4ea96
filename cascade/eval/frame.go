package eval

import (
	"errors"
	"fmt"
	"image"
	"math"

	"haarlem/samples"
)

// A Frame says where an object's landmarks stand in its box, in units of the
// box's width, from its top left corner. An object that has landmarks and no
// box gets the box whose landmarks lie nearest to its own: shifted, turned and
// scaled, then set upright about its centre. Landmarks that are not a number
// are missing ones.
type Frame []samples.Point

// FrontalFace is [samples.FrontalFace]: how the project's frontal models frame
// a face.
var FrontalFace = Frame(samples.FrontalFace.Marks)

var errMarks = errors.New("eval: landmarks do not fit the frame")

// Square returns the centre and the side of the box that f makes of landmarks.
func (f Frame) Square(marks []samples.Point) (centre samples.Point, side float64, err error) {
	if len(marks) != len(f) || len(f) < 2 {
		return centre, 0, fmt.Errorf("%w: %d landmarks, want %d", errMarks, len(marks), len(f))
	}
	// The similarity from the marks to the frame with the least sum of squares
	// there. (From the frame to the marks it would make boxes too small for
	// faces seen from the side, whose width is foreshortened.) As complex
	// numbers: frame = k * mark + t.
	there := func(i int) bool { return !math.IsNaN(marks[i].X) && !math.IsNaN(marks[i].Y) }
	n := 0.0
	var mm, ff samples.Point
	for i := range f {
		if there(i) {
			mm.X, mm.Y, ff.X, ff.Y, n = mm.X+marks[i].X, mm.Y+marks[i].Y, ff.X+f[i].X, ff.Y+f[i].Y, n+1
		}
	}
	if n < 2 {
		return centre, 0, fmt.Errorf("%w: %v landmarks are there, want 2 at least", errMarks, n)
	}
	mm.X, mm.Y, ff.X, ff.Y = mm.X/n, mm.Y/n, ff.X/n, ff.Y/n
	var re, im, norm float64
	for i := range f {
		if !there(i) {
			continue
		}
		x, y := marks[i].X-mm.X, marks[i].Y-mm.Y
		u, v := f[i].X-ff.X, f[i].Y-ff.Y
		re += float64(u*x) + float64(v*y)
		im += float64(v*x) - float64(u*y)
		norm += float64(x*x) + float64(y*y)
	}
	k := float64(re*re) + float64(im*im) // squared length, times norm squared
	if !(norm > 0 && k > 0) || math.IsInf(k, 0) {
		return centre, 0, fmt.Errorf("%w: they lie on one point, or as far apart as no landmarks do", errMarks)
	}
	re, im, k = re/norm, im/norm, k/norm/norm
	side = 1 / math.Sqrt(k)
	// The frame's middle, taken back: mark = conj(k) * (frame - t) / |k|^2.
	u, v := 0.5-ff.X, 0.5-ff.Y
	centre.X = mm.X + (float64(re*u)+float64(im*v))/k
	centre.Y = mm.Y + (float64(re*v)-float64(im*u))/k
	return centre, side, nil
}

// Box returns Square's box in whole pixels.
func (f Frame) Box(marks []samples.Point) (image.Rectangle, error) {
	c, side, err := f.Square(marks)
	if err != nil {
		return image.Rectangle{}, err
	}
	return square(c, side), nil
}

// square rounds a box's place and size to pixels.
func square(c samples.Point, side float64) image.Rectangle {
	const most = 1 << 30
	clamp := func(v float64) int { return int(math.Round(min(max(v, -most), most))) }
	s := max(clamp(side), 1)
	x, y := clamp(c.X-side/2), clamp(c.Y-side/2)
	return image.Rect(x, y, x+s, y+s)
}
