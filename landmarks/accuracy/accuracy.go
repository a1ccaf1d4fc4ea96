// Package accuracy says how far the points that a landmark model finds are from
// where they should be.
package accuracy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"haarlem/integral"
	"haarlem/landmarks"
)

// An Object is one whose points are known.
type Object struct {
	Plane  integral.Grey
	Points []landmarks.Point
	Frame  landmarks.Frame // of its box, as the model's convention has it
}

// Failure is the error from which on the points of an object count as not found.
const Failure = 0.1

// ErrNothing is what Run's error wraps when there is nothing to measure on.
var ErrNothing = errors.New("landmarks/accuracy: no objects")

// A Result is where a model puts points. All errors are distances of points
// from where they should be, in distances of the eyes of that object.
type Result struct {
	// Off says for each object how far each point is off, right and down.
	Off [][][2]float64
}

// Run measures a model on objects with its points.
func Run(p *landmarks.Predictor, objects []Object) (*Result, error) {
	if len(objects) == 0 {
		return nil, ErrNothing
	}
	m := p.Model()
	r := &Result{}
	var found []landmarks.Point
	for i := range objects {
		o := &objects[i]
		if len(o.Points) != len(m.Mean) {
			return nil, fmt.Errorf("landmarks/accuracy: object %d has %d points, and the model %d", i, len(o.Points), len(m.Mean))
		}
		left, right := o.Points[m.Eyes[0]], o.Points[m.Eyes[1]]
		d := math.Hypot(left.X-right.X, left.Y-right.Y)
		if d == 0 {
			return nil, fmt.Errorf("landmarks/accuracy: object %d has both eyes at one place", i)
		}
		found = p.Points(found[:0], &o.Plane, o.Frame)
		off := make([][2]float64, len(found))
		for k, f := range found {
			off[k] = [2]float64{(f.X - o.Points[k].X) / d, (f.Y - o.Points[k].Y) / d}
		}
		r.Off = append(r.Off, off)
	}
	return r, nil
}

// Of returns the results of some objects.
func (r *Result) Of(objects []int) *Result {
	some := &Result{}
	for _, i := range objects {
		some.Off = append(some.Off, r.Off[i])
	}
	return some
}

// Objects returns the mean error of each object.
func (r *Result) Objects() []float64 {
	all := make([]float64, len(r.Off))
	for i, off := range r.Off {
		for _, v := range off {
			all[i] += math.Hypot(v[0], v[1]) / float64(len(off))
		}
	}
	return all
}

// Points returns the mean error of each point.
func (r *Result) Points() []float64 {
	all := make([]float64, len(r.Off[0]))
	for _, off := range r.Off {
		for k, v := range off {
			all[k] += math.Hypot(v[0], v[1]) / float64(len(r.Off))
		}
	}
	return all
}

// Mean is the normalised mean error.
func (r *Result) Mean() float64 {
	var sum float64
	for _, e := range r.Objects() {
		sum += e
	}
	return sum / float64(len(r.Off))
}

// Bias is how far to the right and down of where they should be points are in
// the mean. Beside a model's own it shows labels that count pixels in another
// way.
func (r *Result) Bias() (x, y float64) {
	n := float64(len(r.Off) * len(r.Off[0]))
	for _, off := range r.Off {
		for _, v := range off {
			x += v[0] / n
			y += v[1] / n
		}
	}
	return x, y
}

// WithoutBias returns the result with all points moved by what the bias is.
func (r *Result) WithoutBias() *Result {
	x, y := r.Bias()
	moved := &Result{}
	for _, off := range r.Off {
		off = slices.Clone(off)
		for k := range off {
			off[k][0] -= x
			off[k][1] -= y
		}
		moved.Off = append(moved.Off, off)
	}
	return moved
}

// Failures is the share of objects whose error is Failure or more.
func (r *Result) Failures() float64 { return 1 - r.Below(Failure) }

// Below is the share of objects whose error is less: the cumulative error curve.
func (r *Result) Below(e float64) float64 {
	n := 0
	for _, v := range r.Objects() {
		if v < e {
			n++
		}
	}
	return float64(n) / float64(len(r.Off))
}

// Quantile is the error that the given share of objects, from 0 to 1, does not
// exceed.
func (r *Result) Quantile(share float64) float64 {
	all := r.Objects()
	slices.Sort(all)
	return all[min(int(share*float64(len(all))), len(all)-1)]
}
