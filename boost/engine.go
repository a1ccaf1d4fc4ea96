package boost

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
)

// An engine is the one search over quantised columns that all learners share.
// It adds up the bins of one column after another, in parallel over columns,
// and hands each column's sums to whoever asked.
type engine struct {
	cols    Columns
	rows    int
	workers int
	weights fixed
	scratch []*scratch // one a worker
}

// scratch is what one worker needs.
type scratch struct {
	codes [4][]byte
	label [4][512]uint64
	pair  [4][256][2]int64
	bins  bins
}

// bins are the integer sums of the bins of one column, the bin of the missing
// values last.
type bins struct {
	a, b []int64
}

func newEngine(cols Columns, workers int) *engine {
	e := &engine{cols: cols, rows: cols.Rows(), workers: max(1, workers)}
	for range e.workers {
		s := &scratch{bins: bins{make([]int64, maxBins), make([]int64, maxBins)}}
		for k := range s.codes {
			s.codes[k] = make([]byte, e.rows)
		}
		e.scratch = append(e.scratch, s)
	}
	return e
}

// batch is how many columns share one pass over the weights.
const batch = 4

// parallel calls f for the numbers from 0 to n-1, at most step at a time, from
// as many workers as the job of so many values is worth. Which worker gets
// which numbers is left to chance.
func (e *engine) parallel(ctx context.Context, n, step, values int, f func(worker, lo, hi int)) error {
	workers := min(e.workers, (n+step-1)/step)
	if values < smallJob {
		workers = min(workers, 1)
	}
	var next atomic.Int64
	work := func(worker int) {
		for {
			lo := int(next.Add(int64(step))) - step
			if lo >= n || ctx.Err() != nil {
				return
			}
			f(worker, lo, min(n, lo+step))
		}
	}
	if workers <= 1 {
		work(0)
		return ctx.Err()
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() { work(w) })
	}
	wg.Wait()
	return ctx.Err()
}

// each calls f with the bins of each of the columns named, nil meaning all,
// over the rows named, nil meaning all. Each column is added up by one worker
// and f is called by that worker; worker is below e.workers. f must not keep
// what it gets.
func (e *engine) each(ctx context.Context, columns, rows []int32, f func(worker, column int, b bins)) error {
	n := e.cols.Len()
	if columns != nil {
		n = len(columns)
	}
	active := e.rows
	if rows != nil {
		active = len(rows)
	}
	return e.parallel(ctx, n, batch, n*active, func(worker, lo, hi int) {
		var js [batch]int
		for k := range hi - lo {
			js[k] = column(columns, lo+k)
		}
		e.add(worker, js[:hi-lo], rows, f)
	})
}

// column returns the k-th of the columns named, nil meaning all.
func column(columns []int32, k int) int {
	if columns == nil {
		return k
	}
	return int(columns[k])
}

// smallJob is the number of values below which a second goroutine costs more
// than it saves.
const smallJob = 1 << 14

// add adds up the bins of up to four columns and calls f for each.
func (e *engine) add(worker int, js []int, rows []int32, f func(worker, column int, b bins)) {
	s := e.scratch[worker]
	var c [batch][]byte
	var n [batch]int
	labelled := len(e.weights.one) > 0
	for k, j := range js {
		c[k] = e.cols.Codes(j, s.codes[k])
		n[k] = min(len(e.cols.Cuts(j))+2, maxBins)
		if labelled {
			clear(s.label[k][:n[k]])
			clear(s.label[k][labels : labels+n[k]])
		} else {
			clear(s.pair[k][:n[k]])
		}
	}
	switch {
	case labelled && rows == nil && len(js) == batch:
		labelBins4(&s.label, c[0], c[1], c[2], c[3], e.weights.one)
	case labelled && len(js) == batch:
		labelBinsOf4(&s.label, c[0], c[1], c[2], c[3], e.weights.one, rows)
	case !labelled && rows == nil && len(js) == batch:
		pairBins4(&s.pair, c[0], c[1], c[2], c[3], e.weights.two)
	default:
		for k := range js {
			switch {
			case labelled && rows == nil:
				labelBins(&s.label[k], c[k], e.weights.one)
			case labelled:
				labelBinsOf(&s.label[k], c[k], e.weights.one, rows)
			case rows == nil:
				pairBins(&s.pair[k], c[k], e.weights.two)
			default:
				pairBinsOf(&s.pair[k], c[k], e.weights.two, rows)
			}
		}
	}
	for k, j := range js {
		b := bins{s.bins.a[:n[k]], s.bins.b[:n[k]]}
		for i := range n[k] {
			if labelled {
				neg, pos := int64(s.label[k][i]), int64(s.label[k][labels+i])
				b.a[i], b.b[i] = pos+neg, pos-neg
			} else {
				b.a[i], b.b[i] = s.pair[k][i][0], s.pair[k][i][1]
			}
		}
		f(worker, j, b)
	}
}

// A split is a question to one column.
type split struct {
	loss        float64
	column      int // -1: there is none
	cut         int // left are the codes of at most cut
	missingLeft bool
	above       bool    // Monomials: the literal is the right side
	value       float64 // SortedStumps: the threshold itself
}

var noSplit = split{loss: math.Inf(1), column: -1}

// before reports whether s is to be preferred to t: the smaller loss, then the
// earlier column. Splits of one column are compared in the order of cuts.
func (s split) before(t split) bool {
	if s.loss != t.loss {
		return s.loss < t.loss
	}
	return s.column >= 0 && (t.column < 0 || s.column < t.column)
}

// bestSplit returns the split of the rows with the smallest loss.
func (e *engine) bestSplit(ctx context.Context, c Criterion, columns, rows []int32) (split, error) {
	if c == GainRatio {
		return e.bestRatio(ctx, columns, rows)
	}
	best := e.noSplits()
	err := e.each(ctx, columns, rows, func(worker, column int, b bins) {
		best.offer(worker, e.columnSplit(c, column, b))
	})
	return best.best(), err
}

// bestRatio is bestSplit in the way of C4.5: in each column the split with the
// largest gain of entropy; among columns whose gain is at least the average
// over those that gain anything, the one with the largest gain ratio.
//
// Quinlan, C4.5: Programs for Machine Learning (1993), section 2.2.
func (e *engine) bestRatio(ctx context.Context, columns, rows []int32) (split, error) {
	found := make([]candidate, e.cols.Len())
	for j := range found {
		found[j].split = noSplit
	}
	err := e.each(ctx, columns, rows, func(_, column int, b bins) {
		found[column] = e.entropySplit(column, b)
	})
	if err != nil {
		return noSplit, err
	}
	sum, n := 0.0, 0
	for _, f := range found {
		if f.gain > tiny {
			sum += f.gain
			n++
		}
	}
	best := noSplit
	for _, f := range found {
		// Average and sum are rounded: a gain that is the average must pass.
		if n > 0 && f.gain*float64(n) < sum*(1-1e-9) {
			continue
		}
		if f.split.before(best) {
			best = f.split
		}
	}
	return best, nil
}

// candidate is a column's best split by entropy, with minus the gain ratio as
// its loss, and its gain.
type candidate struct {
	split split
	gain  float64
}

func (e *engine) entropySplit(column int, b bins) candidate {
	s := e.columnSplit(Entropy, column, b)
	if s.column < 0 {
		return candidate{split: noSplit}
	}
	cuts := len(e.cols.Cuts(column))
	var a, z [2]int64
	for i := range b.a {
		side := 1
		if s.left(byte(i), cuts) {
			side = 0
		}
		a[side] += b.a[i]
		z[side] += b.b[i]
	}
	l0, l1 := e.weights.floats(a[0], z[0])
	r0, r1 := e.weights.floats(a[1], z[1])
	total := l0 + r0
	gain := (Entropy.Block(e.weights.floats(a[0]+a[1], z[0]+z[1])) - s.loss) / total
	s.loss = GainRatio.Split(l0, l1, r0, r1)
	return candidate{s, max(0, gain)}
}

// splits holds the best split that each worker has seen. The best of all does
// not depend on who saw what.
type splits []split

func (e *engine) noSplits() splits {
	s := make(splits, e.workers)
	for w := range s {
		s[w] = noSplit
	}
	return s
}

func (s splits) offer(worker int, t split) {
	if t.before(s[worker]) {
		s[worker] = t
	}
}

func (s splits) best() split {
	best := noSplit
	for _, t := range s {
		if t.before(best) {
			best = t
		}
	}
	return best
}

// columnSplit returns the best split of one column, the first of equals. Both
// sides of a split have weight. Missing values are tried on both sides; if
// there are none, a missing value will go with the heavier side.
func (e *engine) columnSplit(c Criterion, column int, b bins) split {
	cuts := len(e.cols.Cuts(column))
	var ta, tb, ma, mb int64
	for i := range cuts + 1 {
		ta += b.a[i]
		tb += b.b[i]
	}
	if cuts+1 < len(b.a) {
		ma, mb = b.a[cuts+1], b.b[cuts+1]
	}
	best := split{loss: math.Inf(1), column: -1}
	var la, lb int64
	for i := range cuts + 1 {
		if b.a[i] == 0 && i < cuts {
			continue // the same partition as with the cut before
		}
		la += b.a[i]
		lb += b.b[i]
		if la == 0 {
			continue
		}
		if la == ta {
			if ma == 0 {
				break
			}
			i = cuts // all present values left, the missing right
		}
		try := func(la, lb, ra, rb int64, left bool) {
			if la <= 0 || ra <= 0 {
				return
			}
			l0, l1 := e.weights.floats(la, lb)
			r0, r1 := e.weights.floats(ra, rb)
			if loss := c.Split(l0, l1, r0, r1); loss < best.loss {
				best = split{loss: loss, column: column, cut: i, missingLeft: left}
			}
		}
		ra, rb := ta-la, tb-lb
		if ma == 0 {
			try(la, lb, ra, rb, la > ra)
			continue
		}
		try(la, lb, ra+ma, rb+mb, false)
		try(la+ma, lb+mb, ra, rb, true)
		if la == ta {
			break
		}
	}
	return best
}
