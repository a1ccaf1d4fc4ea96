package facemodel

import (
	"math"

	"haarlem/internal/samples"
)

// A warp moves points so that some marks come to given positions and points far
// from all of them stay. Between them it interpolates with a radial function of
// bounded support that needs only multiplications: Wendland, "Piecewise
// polynomial, positive definite and compactly supported radial functions of
// minimal degree" (1995), phi(3,1).
//
// float64(...) around products keeps Go from fusing them with additions, which
// would change bits between architectures.
type warp struct {
	from   [NumMarks]samples.Point
	weight [NumMarks]samples.Point
}

// reach is the support of a mark, in windows.
const reach = 1.0

func wendland(dx, dy float64) float64 {
	r := math.Sqrt(float64(dx*dx)+float64(dy*dy)) / reach
	if r >= 1 {
		return 0
	}
	a := 1 - r
	a2 := float64(a * a)
	return float64(float64(a2*a2) * (float64(4*r) + 1))
}

// newWarp returns the warp that takes the marks from to the marks to.
func newWarp(from, to [NumMarks]samples.Point) warp {
	w := warp{from: from}
	// The equations are positive definite as long as marks are distinct; the
	// ridge keeps them solvable otherwise.
	var a [NumMarks][NumMarks + 2]float64
	for i := range a {
		for j := range NumMarks {
			a[i][j] = wendland(from[i].X-from[j].X, from[i].Y-from[j].Y)
		}
		a[i][i] += 1.0 / 256
		a[i][NumMarks], a[i][NumMarks+1] = to[i].X-from[i].X, to[i].Y-from[i].Y
	}
	for i := range a { // Gaussian elimination, which needs no pivots here
		for k := range a {
			if k == i {
				continue
			}
			f := a[k][i] / a[i][i]
			for j := i; j < len(a[k]); j++ {
				a[k][j] -= float64(f * a[i][j])
			}
		}
	}
	for i := range a {
		w.weight[i] = samples.Point{X: a[i][NumMarks] / a[i][i], Y: a[i][NumMarks+1] / a[i][i]}
	}
	return w
}

// at returns where p moves.
func (w *warp) at(p samples.Point) samples.Point {
	out := p
	for i, f := range w.from {
		if k := wendland(p.X-f.X, p.Y-f.Y); k != 0 {
			out.X += float64(k * w.weight[i].X)
			out.Y += float64(k * w.weight[i].Y)
		}
	}
	return out
}
