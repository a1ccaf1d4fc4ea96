package landmarks

import (
	"image"
	"math"

	"haarlem/internal/luma"
)

// A Work is the memory for one prediction at a time, and its steps: Begin,
// Settle, then for each level Values and Move, then Points. It is for trainers,
// which intervene between the steps; others use a [Predictor].
type Work struct {
	Shape []Vec // the points, in Unit from the centre of the patch

	m      *Model
	spread int64 // of the mean shape
	middle Vec   // of the mean shape
	frame  Frame
	patch  patch
	a, b   int64 // rotation and scale of the shape against the mean, in 1<<14
	values [maxFeatures]uint8
	before []Vec // an earlier shape
}

// NewWork requires only a model's points, not its levels.
func NewWork(m *Model) *Work {
	return &Work{
		m: m, Shape: make([]Vec, len(m.Mean)), before: make([]Vec, len(m.Mean)),
		middle: middle(m.Mean), spread: spread(m.Mean),
	}
}

// spread is the sum of squares of a shape around its centre.
func spread(shape []Vec) int64 {
	c, sum := middle(shape), int64(0)
	for _, v := range shape {
		x, y := int64(v.X-c.X), int64(v.Y-c.Y)
		sum += x*x + y*y
	}
	return sum
}

func middle(shape []Vec) Vec {
	var x, y int64
	for _, v := range shape {
		x += int64(v.X)
		y += int64(v.Y)
	}
	n := int64(len(shape))
	return Vec{int32(x / n), int32(y / n)}
}

// Begin samples the patch at a frame, and puts the mean shape into it. Coordinates count
// from the upper left pixel of img.
func (w *Work) Begin(img *image.Gray, f Frame) {
	w.begin(&luma.Plane{Pix: img.Pix, Stride: img.Stride, Width: img.Rect.Dx(), Height: img.Rect.Dy()}, f)
}

func (w *Work) begin(g *luma.Plane, f Frame) {
	w.frame = f
	w.patch.set(g, f, w.m.Side, w.m.Reach)
	copy(w.Shape, w.m.Mean)
	w.a, w.b = 1<<14, 0
}

// put puts points of the image into the patch.
func (w *Work) put(points []Point) {
	far := float64(int(w.patch.side) << unitBits)
	unit := float64(w.m.Side*Unit) / w.m.Reach
	for i, p := range points {
		x, y := w.frame.Of(p)
		w.Shape[i] = Vec{
			X: int32(math.Floor(min(max(float64(x*unit), -far), far) + 0.5)),
			Y: int32(math.Floor(min(max(float64(y*unit), -far), far) + 0.5)),
		}
	}
	w.turn()
}

// Patch returns the pixels of the patch, row by row, which may be changed
// before Settle is called.
func (w *Work) Patch() []byte { return w.patch.pix }

// Settle normalises the patch.
func (w *Work) Settle() { w.patch.normalise() }

// Turn returns the rotation and scale of the shape: it is the mean shape times
// a + bi, by least squares, in parts of 1<<14.
func (w *Work) Turn() (a, b int64) { return w.a, w.b }

// Values returns the values of features. They are valid until the next call.
func (w *Work) Values(features []Feature) []uint8 {
	side := uint64(w.patch.side)
	half, end := int64(side<<(unitBits-1)), side<<unitBits
	pix, level, shape := w.patch.pix, &w.patch.level, w.Shape
	a, b := w.a, w.b
	out := w.values[:len(features)]
	for i := range features {
		f := &features[i]
		p := shape[f.Point]
		dx, dy := int64(f.Offset.X), int64(f.Offset.Y)
		x := uint64(int64(p.X) + (a*dx-b*dy)>>14 + half)
		y := uint64(int64(p.Y) + (b*dx+a*dy)>>14 + half)
		if x >= end || y >= end { // outside the patch, on either side
			x, y = uint64(min(max(int64(x), 0), int64(end)-1)), uint64(min(max(int64(y), 0), int64(end)-1))
		}
		out[i] = level[pix[(y>>unitBits)*side+x>>unitBits]]
	}
	return out
}

// turn computes a and b.
func (w *Work) turn() {
	c := middle(w.Shape)
	var a, b int64
	for i, v := range w.m.Mean {
		mx, my := int64(v.X-w.middle.X), int64(v.Y-w.middle.Y)
		x, y := int64(w.Shape[i].X-c.X), int64(w.Shape[i].Y-c.Y)
		a += mx*x + my*y
		b += mx*y - my*x
	}
	w.a, w.b = (a<<10)/(w.spread>>4), (b<<10)/(w.spread>>4)
}

// Points appends the points of the shape, in the image.
func (w *Work) Points(dst []Point) []Point {
	scale := float64(w.m.Reach / float64(w.m.Side*Unit))
	for _, v := range w.Shape {
		dst = append(dst, w.frame.At(float64(float64(v.X)*scale), float64(float64(v.Y)*scale)))
	}
	return dst
}
