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
//
// The search first uses the sums of up to 256 bins of each column, as Stumps
// do. As criteria are concave functions of the sums, these bound the quality of
// thresholds inside a bin, and only the bins that may contain a better one than
// the best so far are searched row by row.
type SortedStumps struct{}

// Name returns "sortedstumps".
func (SortedStumps) Name() string { return "sortedstumps" }

func (SortedStumps) prepare(p *Problem, s *Settings) (searcher, error) {
	if len(p.Data.Columns) == 0 {
		return nil, fmt.Errorf("%w: SortedStumps need Data.Columns", ErrSettings)
	}
	n := len(p.Data.Columns)
	f := &sortedSearch{
		data: p.Data, sorted: make([]sortedColumn, n), bound: make([]float64, n),
	}
	q := &byteColumns{rows: p.Data.Rows(), codes: make([][]byte, n), cuts: make([][]float64, n)}
	f.engine = newEngine(q, s.Workers)
	err := f.engine.parallel(context.Background(), n, 1, n*p.Data.Rows(), func(_, j, _ int) {
		f.sorted[j], q.codes[j], q.cuts[j] = sortColumn(p.Data.Columns[j])
	})
	return f, err
}

// sortedColumn is the rows of a column by ascending value.
type sortedColumn struct {
	order   []uint32 // rows; tied is set if the next row has the same value
	missing []int32
	starts  []int32 // of each bin in order, and its length
	mixed   []bool  // of each bin: it has more than one value
	coarse  bool    // some bin has
}

const tied = 1 << 31

// sortColumn sorts a column and divides it into bins of about equally many
// rows.
func sortColumn(values []float64) (s sortedColumn, codes []byte, cuts []float64) {
	type entry struct {
		value float64
		row   int32
	}
	list := make([]entry, 0, len(values))
	for i, v := range values {
		if v == v {
			list = append(list, entry{v, int32(i)})
		} else {
			s.missing = append(s.missing, int32(i))
		}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.row, b.row))
	})
	n, distinct := len(list), 0
	s.order = make([]uint32, n)
	for k, e := range list {
		s.order[k] = uint32(e.row)
		if k+1 < n && list[k+1].value == e.value {
			s.order[k] |= tied
		} else {
			distinct++
		}
	}
	bins := maxBins
	if len(s.missing) > 0 {
		bins--
	}
	codes = make([]byte, len(values))
	s.starts = []int32{0}
	for k, e := range list {
		codes[e.row] = byte(len(cuts))
		full := distinct <= bins || (k+1)*bins >= (len(cuts)+1)*n // at most bins-1 times before the end
		if k+1 < n && s.order[k]&tied == 0 && full {
			cuts = append(cuts, between(e.value, list[k+1].value))
			s.starts = append(s.starts, int32(k+1))
		}
	}
	s.starts = append(s.starts, int32(n))
	for b := range len(s.starts) - 1 {
		mixed := slices.ContainsFunc(s.order[s.starts[b]:max(s.starts[b], s.starts[b+1]-1)], func(r uint32) bool { return r&tied == 0 })
		s.mixed = append(s.mixed, mixed)
		s.coarse = s.coarse || mixed
	}
	for _, r := range s.missing {
		codes[r] = byte(len(cuts) + 1)
	}
	return s, codes, cuts
}

type sortedSearch struct {
	data   *Data
	sorted []sortedColumn
	engine *engine
	bound  []float64 // of each column: no split within a bin has a smaller loss
}

func (f *sortedSearch) Find(ctx context.Context, q *query) (Weak, error) {
	e := f.engine
	rows := e.weigh(q)
	if rows != nil { // weigh has left the weights of the other rows alone
		e.weights.keep(rows, e.rows)
	}
	z := largest(q.Targets)
	edges := e.noSplits()
	err := e.each(ctx, q.Columns, rows, func(worker, column int, b bins) {
		edges.offer(worker, e.columnSplit(q.Criterion, column, b))
		f.bound[column] = math.Inf(1)
		f.within(q.Criterion, column, b, z, func(_ int, bound float64, _, _ int64) {
			f.bound[column] = min(f.bound[column], bound)
		})
	})
	if err != nil {
		return nil, err
	}
	best := edges.best()
	// The margin is far larger than the rounding of bounds.
	margin := 1e-9 * max(1, float64(z*z))
	var hopeful []int32
	eachOf(q.Columns, len(f.sorted), func(j int) {
		if f.bound[j] <= best.loss+margin {
			hopeful = append(hopeful, int32(j))
		}
	})
	if len(hopeful) > 0 {
		found := e.noSplits()
		for w := range found {
			found[w] = best
		}
		err := e.each(ctx, hopeful, rows, func(worker, column int, b bins) {
			f.within(q.Criterion, column, b, z, func(bin int, bound float64, la, lb int64) {
				if bound <= found[worker].loss+margin {
					found.offer(worker, f.binSplit(q.Criterion, column, bin, b, la, lb))
				}
			})
		})
		if err != nil {
			return nil, err
		}
		best = found.best()
	}
	if best.column < 0 {
		return oneLeaf(q), nil
	}
	_, n := f.columnSplit(q.Criterion, best.column)
	values := f.data.Columns[n.Column]
	return &Tree{Nodes: []Node{n}, Leaves: leafPair(q, func(i int) bool {
		v := values[i]
		return v < n.Threshold || (v != v && n.MissingLeft)
	})}, nil
}

// within calls visit for each bin of a column that has more than one value,
// with a bound on the losses of the splits inside it that are better than those
// at its ends, and the sums of the bins before it. Targets are at most z in
// magnitude.
//
// From one end of the bin to the other z S0 + S1 and z S0 - S1 never fall, so
// inside they lie in a rectangle, and a concave function is smallest at one of
// its corners. Two of them are the ends.
func (f *sortedSearch) within(c Criterion, column int, b bins, z float64, visit func(bin int, bound float64, la, lb int64)) {
	s := &f.sorted[column]
	if !s.coarse {
		return
	}
	w := &f.engine.weights
	n := len(s.starts) - 1
	ta, tb, ma, mb := b.totals(n - 1)
	t0, t1 := w.floats(ta+ma, tb+mb)
	corners := func(la, lb, ra, rb int64) float64 {
		l0, l1 := w.floats(la, lb)
		r0, r1 := w.floats(ra, rb)
		loss := math.Inf(1)
		for _, corner := range [2][2]float64{
			{float64(z*l0) + l1, float64(z*r0) - r1}, {float64(z*r0) + r1, float64(z*l0) - l1},
		} {
			s0, s1 := (corner[0]+corner[1])/(2*z), (corner[0]-corner[1])/2
			loss = min(loss, c.split(s0, s1, t0-s0, t1-s1))
		}
		return loss
	}
	var la, lb int64
	for i, mixed := range s.mixed {
		ra, rb := la+b.a[i], lb+b.b[i]
		if mixed && b.a[i] > 0 {
			bound := math.Inf(-1)
			if c != GainRatio && c != Divergence { // not concave, and not quite
				bound = corners(la, lb, ra, rb)
				if ma > 0 {
					bound = min(bound, corners(la+ma, lb+mb, ra+ma, rb+mb))
				}
			}
			visit(i, bound, la, lb)
		}
		la, lb = ra, rb
	}
}

// binSplit returns the smallest loss of the splits within a bin, of which la
// and lb are the sums before it.
func (f *sortedSearch) binSplit(c Criterion, column, bin int, b bins, la, lb int64) split {
	w := &f.engine.weights
	s := &f.sorted[column]
	ta, tb, ma, mb := b.totals(len(s.starts) - 2)
	ta, tb = ta+ma, tb+mb
	t0, _ := w.floats(ta, 0)
	step := settling(t0)
	smallest := math.Inf(1)
	try := func(la, lb int64) {
		if la <= 0 || la >= ta {
			return
		}
		l0, l1 := w.floats(la, lb)
		r0, r1 := w.floats(ta-la, tb-lb)
		loss := c.split(l0, l1, r0, r1)
		smallest = min(smallest, float64(loss+step)-step)
	}
	for _, r := range s.order[s.starts[bin]:s.starts[bin+1]] {
		x, y := w.at(int(r &^ tied))
		la += x
		lb += y
		if r&tied != 0 {
			continue
		}
		try(la, lb)
		if ma > 0 {
			try(la+ma, lb+mb)
		}
	}
	if math.IsInf(smallest, 1) {
		return noSplit
	}
	return split{loss: smallest, column: column}
}

// columnSplit returns the loss and the node of the best split of one column: that of
// engine.cutsWithMissing with a bin for each value.
func (f *sortedSearch) columnSplit(c Criterion, column int) (float64, Node) {
	values, s := f.data.Columns[column], &f.sorted[column]
	b := newBins(len(s.order) + 1)
	ends := make([]int, 0, len(s.order)) // place of the last row of each bin
	add := func(r uint32) {
		x, y := f.engine.weights.at(int(r &^ tied))
		b.a[len(ends)] += x
		b.b[len(ends)] += y
	}
	for k, r := range s.order {
		add(r)
		if r&tied == 0 {
			ends = append(ends, k)
		}
	}
	for _, r := range s.missing {
		add(uint32(r))
	}
	best := f.engine.cutsWithMissing(c, column, b, len(ends)-1)
	n := Node{Column: column, Threshold: math.Inf(1), MissingLeft: best.missingLeft, Left: 0, Right: -1}
	if best.cut < len(ends)-1 {
		at := ends[best.cut]
		n.Threshold = between(values[s.order[at]&^tied], values[s.order[at+1]&^tied])
	}
	return best.loss, n
}

func (f *sortedSearch) Outputs(w Weak, out []float64) error {
	outputs(w, f.data, out)
	return nil
}
