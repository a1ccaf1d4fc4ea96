package landmarks

import (
	"fmt"
	"image"
	"math"

	"haarlem/integral"
	"haarlem/internal/numeric"
)

// A Point is a position in an image, in pixels; pixel (0, 0) covers the square
// from (0, 0) to (1, 1).
type Point = integral.Point

// A Frame is a square in an image, possibly rotated. The point p of its sides
// to the right of its centre and q below is at
//
//	(X + A p - B q, Y + B p + A q)
//
// so that A is its side and B is 0 if it is upright.
type Frame struct{ X, Y, A, B float64 }

// At returns the point of the image that is p sides to the right of the frame's
// centre and q below.
func (f Frame) At(p, q float64) Point {
	return Point{
		X: f.X + (float64(f.A*p) - float64(f.B*q)),
		Y: f.Y + (float64(f.B*p) + float64(f.A*q)),
	}
}

// Of is the inverse of At.
func (f Frame) Of(p Point) (x, y float64) {
	x, y = p.X-f.X, p.Y-f.Y
	s := float64(f.A*f.A) + float64(f.B*f.B)
	return (float64(f.A*x) + float64(f.B*y)) / s, (float64(f.A*y) - float64(f.B*x)) / s
}

// Side returns the length of the frame's side.
func (f Frame) Side() float64 { return math.Sqrt(float64(f.A*f.A) + float64(f.B*f.B)) }

// Turned returns the frame rotated clockwise about its centre.
func (f Frame) Turned(degrees float64) Frame {
	sin, cos := sinCos(degrees)
	f.A, f.B = float64(f.A*cos)-float64(f.B*sin), float64(f.B*cos)+float64(f.A*sin)
	return f
}

// about returns the frame rotated clockwise about the point (x, y).
func (f Frame) about(x, y, degrees float64) Frame {
	sin, cos := sinCos(degrees)
	dx, dy := f.X-x, f.Y-y
	f.X = x + (float64(cos*dx) - float64(sin*dy))
	f.Y = y + (float64(sin*dx) + float64(cos*dy))
	return f.Turned(degrees)
}

// sinCos returns sine and cosine of an angle in degrees.
func sinCos(degrees float64) (sin, cos float64) {
	quarter := math.Floor(float64(degrees/90) + 0.5)
	return numeric.SinCos(quarter, float64((degrees-float64(quarter*90))*(math.Pi/180)))
}

// A Convention is the position of an object's points in a detector's boxes:
// that of the frame of their extent, see [FrameOf]. Its lengths are in sides of
// the box, which need not be a square: its width, its height, and the square
// root of their product.
type Convention struct {
	Name string // of the detector or of the kind of boxes

	// Right and Down are the position of the frame's centre from that of the
	// box, in its widths and heights, and Side is the frame's side.
	Right, Down, Side float64

	// Boxes says how well the boxes fit. Files do not hold it.
	Boxes Boxes
}

// Boxes says how well a detector's boxes fit those that a model has learned from. In
// others the frame is found first, and the points in it; and once more if they say that the
// frame was far off.
type Boxes uint8

const (
	Learned Boxes = iota // the model has learned from them
	Near                 // they fit less well
	Rough                // they fit badly: the model's coarse levels find the frame
)

func (c Convention) check() error {
	switch {
	case len(c.Name) > maxName:
		return fmt.Errorf("a name of a box of %d bytes, want at most %d", len(c.Name), maxName)
	case !(math.Abs(c.Right) <= 5) || !(math.Abs(c.Down) <= 5):
		return fmt.Errorf("the frame is %v widths to the right of the box and %v heights below it, want at most 5", c.Right, c.Down)
	case !(c.Side >= 0.01 && c.Side <= 100):
		return fmt.Errorf("the frame has %v sides of the box, want 0.01 to 100", c.Side)
	}
	return nil
}

// Frame returns the upright frame for a detector's box, which must not be empty.
func (c Convention) Frame(box image.Rectangle) Frame {
	if box.Empty() {
		panic(fmt.Sprintf("landmarks: the box %v is empty", box))
	}
	w, h := float64(box.Dx()), float64(box.Dy())
	return Frame{
		X: float64(box.Min.X) + float64(w*(0.5+c.Right)),
		Y: float64(box.Min.Y) + float64(h*(0.5+c.Down)),
		A: float64(c.Side * math.Sqrt(float64(w*h))),
	}
}

// over returns a frame like f over the points that were found in it.
func (f Frame) over(points []Point) Frame {
	o := FrameOf(points)
	by := o.A / f.Side()
	return Frame{X: o.X, Y: o.Y, A: f.A * by, B: f.B * by}
}

// distance returns how far a frame's centre is from f's, in sides of f, and adds by how much
// its side is larger or smaller.
func (f Frame) distance(o Frame) float64 {
	x, y, side := o.X-f.X, o.Y-f.Y, f.Side()
	return math.Sqrt(float64(x*x)+float64(y*y))/side + math.Abs(o.Side()/side-1)
}

// FrameOf returns the upright frame of an object by its points: its centre is
// their mean, and its side is four times their standard deviation in the
// direction in which that is largest. A face that turns to a profile keeps its
// frame: the eyes come closer to each other, but not to the mouth. The frame of
// coinciding points has no side.
func FrameOf(points []Point) Frame {
	var f Frame
	n := float64(len(points))
	for _, p := range points {
		f.X += p.X
		f.Y += p.Y
	}
	f.X, f.Y = f.X/n, f.Y/n
	var xx, xy, yy float64
	for _, p := range points {
		x, y := p.X-f.X, p.Y-f.Y
		xx += float64(x * x)
		xy += float64(x * y)
		yy += float64(y * y)
	}
	// The larger eigenvalue of the covariance.
	half, between := (xx+yy)/2, (xx-yy)/2
	root := math.Sqrt(float64(between*between) + float64(xy*xy))
	f.A = float64(4 * math.Sqrt((half+root)/n))
	return f
}
