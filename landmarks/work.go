package landmarks

import "haarlem/integral"

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
	values [MaxFeatures]uint8
	moves  []int64
}

// NewWork requires only a model's points, not its levels.
func NewWork(m *Model) *Work {
	return &Work{
		m: m, Shape: make([]Vec, len(m.Mean)), moves: make([]int64, 2*len(m.Mean)),
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

// Begin samples the patch at a frame, and puts the mean shape into it.
func (w *Work) Begin(g *integral.Grey, f Frame) {
	w.frame = f
	w.patch.set(g, f, w.m.Side, w.m.Reach)
	copy(w.Shape, w.m.Mean)
	w.a, w.b = 1<<14, 0
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
	side := int64(w.patch.side)
	last := side<<unitBits - 1
	pix := w.patch.pix
	out := w.values[:len(features)]
	for i := range features {
		f := &features[i]
		p := w.Shape[f.Point]
		dx, dy := int64(f.Offset.X), int64(f.Offset.Y)
		x := int64(p.X) + (w.a*dx-w.b*dy)>>14 + side<<(unitBits-1)
		y := int64(p.Y) + (w.b*dx+w.a*dy)>>14 + side<<(unitBits-1)
		x, y = min(max(x, 0), last), min(max(y, 0), last)
		out[i] = w.patch.level[pix[(y>>unitBits)*side+x>>unitBits]]
	}
	return out
}

// move moves the shape by the leaves' sums.
func (w *Work) move(l *Level, sums []int32) {
	n := len(w.moves)
	clear(w.moves)
	for k, s := range sums {
		if s == 0 {
			continue
		}
		for i, v := range l.Basis[k*n:][:n] {
			w.moves[i] += int64(s) * int64(v)
		}
	}
	// Points stay near the patch, so that sums do not overflow.
	far := int64(w.patch.side) << unitBits
	for i := range w.Shape {
		p := &w.Shape[i]
		x := (w.moves[2*i] + 1<<15) >> 16
		y := (w.moves[2*i+1] + 1<<15) >> 16
		x, y = min(max(x, -far), far), min(max(y, -far), far)
		p.X = int32(min(max(int64(p.X)+(w.a*x-w.b*y+1<<13)>>14, -far), far))
		p.Y = int32(min(max(int64(p.Y)+(w.b*x+w.a*y+1<<13)>>14, -far), far))
	}
	w.turn()
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
