package boost

import (
	"context"

	"haarlem/internal/kernel/histogram"
	"haarlem/internal/par"
)

// An engine is the search over quantised columns that all learners share. It
// adds up the bins of one column after another, in parallel over columns, and
// passes each column's sums to a function.
type engine struct {
	cols    Columns
	rows    int
	workers int
	weights fixed
	some    [][2]int64 // weights.two of the active rows
	scratch []*scratch // one per worker
	sets    []bool     // which columns are categorical; nil if none
	packed  packed     // the codes once more, where trees of pairs are grown
	drawn   packed     // those of the columns drawn for a tree
	kept    bins       // where the bins of all columns go, if they are to stay
	starts  []int      // of each column there
	sparse  bins       // of all columns of sparse rows
	phi     func(s0, s1 float64) float64
}

// categorical reports whether the codes of a column have no order.
func (e *engine) categorical(column int) bool { return e.sets != nil && e.sets[column] }

// scratch is the memory of one worker.
type scratch struct {
	codes [4][]byte
	label [4][512]uint64
	pair  [4][256][2]int64
	bins  bins
	empty bins // all zero

	// Of packed codes: the sums of all columns, and the pairs of some rows.
	packed []histogram.Sums
	pairs  [packedRows][2]int64
}

// bins are the integer sums of the bins of one column, the bin of missing
// values last.
type bins struct {
	a, b []int64
}

func newBins(n int) bins { return bins{make([]int64, n), make([]int64, n)} }

func newEngine(cols Columns, workers int) *engine {
	e := &engine{cols: cols, rows: cols.Rows(), workers: max(1, workers)}
	if s, ok := cols.(interface{ categorical() []bool }); ok {
		e.sets = s.categorical()
	}
	for range e.workers {
		s := &scratch{bins: newBins(maxBins), empty: newBins(maxBins)}
		for k := range s.codes {
			s.codes[k] = make([]byte, e.rows)
		}
		e.scratch = append(e.scratch, s)
	}
	return e
}

// weigh sets the weights for a search, and returns the rows to add up, nil
// meaning all: where most rows are active it is faster to add up all, the
// others with weight zero, than to select them.
func (e *engine) weigh(q *query) []int32 {
	e.weights.set(q.Weights, q.Targets)
	if q.Rows == nil || 10*len(q.Rows) < 6*e.rows {
		return q.Rows
	}
	e.weights.keep(q.Rows, e.rows)
	return nil
}

// batch is the number of columns that share one pass over the weights.
const batch = 4

// parallel calls f for the numbers from 0 to n-1, at most step at a time, with
// as many workers as a job of that many values is worth. The assignment of
// numbers to workers is arbitrary.
func (e *engine) parallel(ctx context.Context, n, step, values int, f func(worker, lo, hi int)) error {
	tasks := (n + step - 1) / step
	workers := min(e.workers, tasks)
	if values < smallJob {
		workers = min(workers, 1)
	}
	var g par.Group
	_ = g.Run(ctx, tasks, workers, func(ctx context.Context, worker, k int) error {
		if ctx.Err() == nil {
			f(worker, k*step, min(n, (k+1)*step))
		}
		return ctx.Err()
	})
	return ctx.Err()
}

// each calls f with the bins of each of the listed columns, nil meaning all,
// over the listed rows, nil meaning all. One worker adds up each column and
// calls f; worker is below e.workers. f must not keep its argument.
func (e *engine) each(ctx context.Context, columns, rows []int32, f func(worker, column int, b bins)) error {
	if p := e.packs(columns); p != nil {
		return e.eachPacked(ctx, p, columns, rows, f)
	}
	if s, ok := e.cols.(*sparseColumns); ok {
		return e.eachSparse(ctx, s, columns, rows, f)
	}
	n := listed(columns, e.cols.Len())
	active := e.rows
	if rows != nil {
		active = len(rows)
		if two := e.weights.two; len(two) > 0 {
			// Rows are far apart, and columns are many: gather their pairs
			// once.
			e.some = grow(e.some, active)
			for i, r := range rows {
				e.some[i] = two[r]
			}
		}
	}
	return e.parallel(ctx, n, batch, n*active, func(worker, lo, hi int) {
		var js [batch]int
		for k := range hi - lo {
			js[k] = column(columns, lo+k)
		}
		e.add(worker, js[:hi-lo], rows, f)
	})
}

// column returns the k-th of the listed columns, nil meaning all.
func column(columns []int32, k int) int {
	if columns == nil {
		return k
	}
	return int(columns[k])
}

// listed returns how many columns are listed, nil meaning all.
func listed(columns []int32, all int) int {
	if columns == nil {
		return all
	}
	return len(columns)
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
		n[k] = e.binsOf(j)
		if labelled {
			clear(s.label[k][:n[k]])
			clear(s.label[k][maxBins : maxBins+n[k]])
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
	case !labelled && len(js) == batch:
		pairBinsOf4(&s.pair, c[0], c[1], c[2], c[3], e.some, rows)
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
				pairBinsOf(&s.pair[k], c[k], e.some, rows)
			}
		}
	}
	for k, j := range js {
		b := e.room(worker, j, n[k])
		for i := range n[k] {
			if labelled {
				neg, pos := int64(s.label[k][i]), int64(s.label[k][maxBins+i]&^positive)
				b.a[i], b.b[i] = pos+neg, pos-neg
			} else {
				b.a[i], b.b[i] = s.pair[k][i][0], s.pair[k][i][1]
			}
		}
		f(worker, j, b)
	}
}

// binsOf is the number of bins of column j, that of missing values included.
func (e *engine) binsOf(j int) int { return min(len(e.cols.Cuts(j))+2, maxBins) }

// room returns memory for n bins of column j.
func (e *engine) room(worker, j, n int) bins {
	b, from := e.kept, 0
	if b.a == nil {
		b = e.scratch[worker].bins
	} else {
		from = e.starts[j]
	}
	return bins{b.a[from:][:n], b.b[from:][:n]}
}
