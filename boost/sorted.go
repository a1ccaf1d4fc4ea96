package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// SortedStumps are stumps whose thresholds lie between any two neighbouring
// values of a column: nothing is quantised. The columns are sorted once. On
// columns of at most 256 values [Stumps] finds the same, faster.
type SortedStumps struct{}

// Name returns "sortedstumps".
func (SortedStumps) Name() string { return "sortedstumps" }

// Prepare sorts the columns.
func (SortedStumps) Prepare(p *Problem, s *Settings) (Search, error) {
	if len(p.Data.Columns) == 0 {
		return nil, fmt.Errorf("%w: SortedStumps need Data.Columns", ErrSettings)
	}
	f := &sortedSearch{data: p.Data}
	f.engine.workers = s.Workers
	f.order = make([][]int32, len(p.Data.Columns))
	f.missing = make([][]int32, len(p.Data.Columns))
	for j, c := range p.Data.Columns {
		for i, v := range c {
			if v == v {
				f.order[j] = append(f.order[j], int32(i))
			} else {
				f.missing[j] = append(f.missing[j], int32(i))
			}
		}
		slices.SortStableFunc(f.order[j], func(a, b int32) int { return cmp.Compare(c[a], c[b]) })
	}
	return f, nil
}

type sortedSearch struct {
	data    *Data
	order   [][]int32 // rows of each column, by ascending value
	missing [][]int32
	engine  engine // weights and workers
	active  []bool
}

func (f *sortedSearch) Find(ctx context.Context, q *Query) (Weak, error) {
	e := &f.engine
	e.weights.set(q.Weights, q.Targets)
	f.active = nil
	if q.Rows != nil {
		f.active = make([]bool, len(q.Weights))
		for _, r := range q.Rows {
			f.active[r] = true
		}
	}
	n := len(f.order)
	if q.Columns != nil {
		n = len(q.Columns)
	}
	best := e.noSplits()
	err := e.parallel(ctx, n, 1, n*len(q.Weights), func(worker, k, _ int) {
		best.offer(worker, f.columnSplit(q.Criterion, column(q.Columns, k)))
	})
	if err != nil {
		return nil, err
	}
	s := best.best()
	if s.column < 0 {
		return &Tree{Leaves: []float64{q.Leaf.Value(leafSums(q, q.Rows))}}, nil
	}
	t := &Tree{Nodes: []Node{{Column: s.column, Threshold: s.value, MissingLeft: s.missingLeft, Left: 0, Right: -1}}}
	var s0, s1 [2]float64
	for i, v := range f.data.Columns[s.column] {
		if f.active != nil && !f.active[i] {
			continue
		}
		side := 1
		if v < s.value || (v != v && s.missingLeft) {
			side = 0
		}
		s0[side] += q.Weights[i]
		s1[side] += float64(q.Weights[i] * q.Targets[i])
	}
	t.Leaves = []float64{q.Leaf.Value(s0[0], s1[0]), q.Leaf.Value(s0[1], s1[1])}
	return t, nil
}

// columnSplit returns the best split of one column, as engine.columnSplit does
// for a quantised one.
func (f *sortedSearch) columnSplit(c Criterion, column int) split {
	w := &f.engine.weights
	values := f.data.Columns[column]
	sum := func(rows []int32) (a, b int64) {
		for _, r := range rows {
			if f.active == nil || f.active[r] {
				x, y := w.at(int(r))
				a += x
				b += y
			}
		}
		return a, b
	}
	ta, tb := sum(f.order[column])
	ma, mb := sum(f.missing[column])
	best := split{loss: math.Inf(1), column: -1}
	t0, _ := w.floats(ta+ma, 0)
	step := settling(t0)
	try := func(value float64, la, lb, ra, rb int64, left bool) {
		if la <= 0 || ra <= 0 {
			return
		}
		l0, l1 := w.floats(la, lb)
		r0, r1 := w.floats(ra, rb)
		loss := c.Split(l0, l1, r0, r1)
		if loss = float64(loss+step) - step; loss < best.loss {
			best = split{loss: loss, column: column, value: value, missingLeft: left}
		}
	}
	var la, lb, added int64
	order := f.order[column]
	for k, r := range order {
		if f.active == nil || f.active[r] {
			a, b := w.at(int(r))
			la += a
			lb += b
			added += a
		}
		value := math.Inf(1)
		if k+1 < len(order) {
			next := values[order[k+1]]
			if next == values[r] || added == 0 {
				continue
			}
			value = between(values[r], next)
		}
		added = 0
		if la == ta {
			if ma > 0 {
				try(math.Inf(1), la, lb, ma, mb, false)
			}
			break
		}
		if ma == 0 {
			try(value, la, lb, ta-la, tb-lb, heavier(la, ta-la))
			continue
		}
		try(value, la, lb, ta-la+ma, tb-lb+mb, false)
		try(value, la+ma, lb+mb, ta-la, tb-lb, true)
	}
	return best
}

// Outputs implements [Search].
func (f *sortedSearch) Outputs(w Weak, out []float64) error {
	outputs(w, f.data, out)
	return nil
}
