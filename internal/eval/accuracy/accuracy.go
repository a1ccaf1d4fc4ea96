// Package accuracy measures the errors of a landmark model.
package accuracy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"haarlem/internal/luma"
	"haarlem/landmarks"
)

// An Object is one whose points are known.
type Object struct {
	Plane  luma.Plane
	Points []landmarks.Point
	Frame  landmarks.Frame // of its box, by the model's convention
}

// Failure is the mean error from which on an object counts as a failure.
const Failure = 0.1

// ErrNothing is wrapped by Run's error when there are no objects.
var ErrNothing = errors.New("internal/eval/accuracy: no objects")

// A Result holds the errors of a model. All are distances from the true points,
// divided by the distance of the object's eyes.
type Result struct {
	// Off is the error of each point of each object, right and down.
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
			return nil, fmt.Errorf("internal/eval/accuracy: object %d has %d points, and the model %d", i, len(o.Points), len(m.Mean))
		}
		left, right := o.Points[m.Eyes[0]], o.Points[m.Eyes[1]]
		d := math.Hypot(left.X-right.X, left.Y-right.Y)
		if d == 0 {
			return nil, fmt.Errorf("internal/eval/accuracy: object %d has both eyes at one place", i)
		}
		found = p.Points(found[:0], o.Plane.Gray(), o.Frame)
		off := make([][2]float64, len(found))
		for k, f := range found {
			off[k] = [2]float64{(f.X - o.Points[k].X) / d, (f.Y - o.Points[k].Y) / d}
		}
		r.Off = append(r.Off, off)
	}
	return r, nil
}

// Of returns the results for some objects.
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

// Bias is the mean error of points, right and down. Besides a model's own it
// reveals labels with another origin of pixels.
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

// WithoutBias returns the result with the bias subtracted.
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

// Failures is the fraction of objects whose error is at least Failure.
func (r *Result) Failures() float64 { return 1 - r.Below(Failure) }

// Below is the fraction of objects whose error is less than e: the cumulative
// error curve.
func (r *Result) Below(e float64) float64 {
	n := 0
	for _, v := range r.Objects() {
		if v < e {
			n++
		}
	}
	return float64(n) / float64(len(r.Off))
}

// Quantile is the error that the given fraction of objects does not exceed.
func (r *Result) Quantile(share float64) float64 {
	all := r.Objects()
	slices.Sort(all)
	return all[min(int(share*float64(len(all))), len(all)-1)]
}
