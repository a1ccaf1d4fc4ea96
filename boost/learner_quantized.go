package boost

import (
	"fmt"
	"math"
)

// codedOutputs is outputs for quantised columns. It evaluates w on one value of
// each bin, so it is right for every weak learner whose thresholds are cuts.
func codedOutputs(w Weak, c Columns, out []float64) error {
	cols := w.Columns()
	x := make([]float64, c.Len())
	if cols == nil {
		return fmt.Errorf("boost: a %T cannot be evaluated on quantised columns", w)
	}
	if t, ok := w.(*Tree); ok {
		codedTree(t, c, out)
		return nil
	}
	codes := make([][]byte, len(cols))
	values := make([][]float64, len(cols))
	for k, j := range cols {
		codes[k] = c.Codes(j, make([]byte, c.Rows()))
		values[k] = binValues(c.Cuts(j))
	}
	if len(cols) == 1 {
		var table [maxBins]float64
		for b, v := range values[0] {
			x[cols[0]] = v
			table[b] = w.Value(x)
		}
		for i, b := range codes[0] {
			out[i] = table[b]
		}
		return nil
	}
	for i := range out {
		for k, j := range cols {
			x[j] = values[k][codes[k][i]]
		}
		out[i] = w.Value(x)
	}
	return nil
}

// binValues returns a value of each bin, the missing one last.
func binValues(cuts []float64) []float64 {
	v := append(make([]float64, 0, len(cuts)+2), math.Inf(-1))
	v = append(v, cuts...)
	if len(v) < maxBins {
		v = append(v, math.NaN())
	}
	return v
}

// quantized is the common part of searches over quantised columns: the engine,
// and the source of the values of weak learners.
type quantized struct {
	engine *engine
}

// prepare takes the problem's columns, or quantises its table, which a run has
// checked.
func (q *quantized) prepare(p *Problem, bins int, rule Binning, s *Settings) error {
	c := p.Columns
	if c == nil {
		var err error
		if c, err = quantize(p.Data, bins, rule); err != nil {
			return err
		}
	}
	q.engine = newEngine(c, s.Workers)
	return nil
}

func (q *quantized) Outputs(w Weak, out []float64) error {
	return codedOutputs(w, q.engine.cols, out)
}

// eachOf calls f for the listed rows, nil meaning all n.
func eachOf(rows []int32, n int, f func(i int)) {
	if rows == nil {
		for i := range n {
			f(i)
		}
	}
	for _, r := range rows {
		f(int(r))
	}
}

// orAll returns the listed rows, nil meaning all n.
func orAll(rows []int32, n int) []int32 {
	if rows == nil {
		rows = make([]int32, n)
		for i := range rows {
			rows[i] = int32(i)
		}
	}
	return rows
}

// leafSums returns S0 and S1 of rows, nil meaning all, in floating point, for a
// leaf's value: these include the smallest weights.
func leafSums(q *query, rows []int32) (s0, s1 float64) {
	if q.Newton != nil {
		return newtonSums(q, rows)
	}
	eachOf(rows, len(q.Weights), func(i int) {
		s0 += q.Weights[i]
		s1 += float64(q.Weights[i] * q.Targets[i])
	})
	return s0, s1
}

// oneLeaf returns the tree of one leaf.
func oneLeaf(q *query) *Tree { return &Tree{Leaves: []float64{q.Leaf.value(leafSums(q, q.Rows))}} }

// leafPair returns the values of the leaves of the rows on the left and of those on the
// right.
func leafPair(q *query, left func(i int) bool) []float64 {
	var s0, s1 [2]float64
	eachOf(q.Rows, len(q.Weights), func(i int) {
		side := 1
		if left(i) {
			side = 0
		}
		s0[side] += q.Weights[i]
		s1[side] += float64(q.Weights[i] * q.Targets[i])
	})
	return []float64{q.Leaf.value(s0[0], s1[0]), q.Leaf.value(s0[1], s1[1])}
}

// newtonSums is leafSums of curvatures and gradients.
func newtonSums(q *query, rows []int32) (h, g float64) {
	eachOf(rows, len(q.Weights), func(i int) {
		h += q.Weights[i]
		g += q.Targets[i]
	})
	return h, g
}
