package boost

import (
	"math"
	"slices"
)

// A Weak is a weak learner: a function of a row.
//
// The kinds of this package can be saved, and yours, as of [Functions], cannot.
// [Tree], [Histogram] and [Scaled] are those that other formats know.
type Weak interface {
	// Value is the output of the weak learner for row x; NaN in x means
	// missing.
	Value(x []float64) float64

	// Columns returns the columns that Value uses, or nil for any.
	Columns() []int
}

// outputs sets out[i] to the value of w for row i of d.
func outputs(w Weak, d *Data, out []float64) {
	cols := w.Columns()
	if cols == nil {
		var x []float64
		for i := range out {
			x = d.Row(x, i)
			out[i] = w.Value(x)
		}
		return
	}
	x := make([]float64, len(d.Columns))
	for i := range out {
		for _, j := range cols {
			x[j] = d.Columns[j][i]
		}
		out[i] = w.Value(x)
	}
}

func classOf(score float64) int8 {
	if score < 0 {
		return -1
	}
	return 1
}

// damped returns the score after a term that is weighted less the larger the
// score before it is; see [Model].
func damped(damping, score, coef, value float64) float64 {
	if damping != 0 {
		coef *= exp(-damping * math.Abs(score))
	}
	return score + float64(coef*value)
}

// columnsOf returns the columns of n parts, each once, or nil if a part may use all.
func columnsOf(n int, part func(i int) []int) []int {
	all := []int{}
	for i := range n {
		columns := part(i)
		if columns == nil {
			return nil
		}
		for _, c := range columns {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}
