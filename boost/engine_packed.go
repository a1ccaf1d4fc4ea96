package boost

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"haarlem/internal/kernel/histogram"
)

// packed are the codes of a table row by row, eight columns to a word. The rows of
// a leaf are far apart: here the codes of a row share a cache line.
type packed struct {
	codes   []uint64
	words   int     // of a row
	columns []int32 // of the words, nil for all
}

const (
	// maxPacked bounds the columns, and so the memory of a worker.
	maxPacked = 1024
	// packedRows is the number of rows that are added to the bins of eight columns
	// before those of the next eight: their pairs stay in the cache.
	packedRows = 1024
	// sharedJob is the number of values from which workers share the rows of a leaf.
	sharedJob = 1 << 18
)

// packedWords is the number of words of a row of n columns.
func packedWords(n int) int { return (n + histogram.Columns - 1) / histogram.Columns }

// pack packs the codes of columns, nil meaning all, if the engine has them in memory.
// Those of all columns are packed once. Of a choice of columns a tree's rows are
// added up so often that they are packed for it, if that makes fewer words.
func (e *engine) pack(columns []int32) {
	q, ok := e.cols.(*byteColumns)
	if !ok || q.Len() > maxPacked || columns != nil && 2*len(columns) < q.Len() {
		return
	}
	p, n := &e.packed, q.Len()
	if columns != nil && packedWords(len(columns)) < packedWords(n) {
		p, n = &e.drawn, len(columns)
		p.columns = append(p.columns[:0], columns...)
	} else if columns = nil; p.codes != nil {
		return
	}
	p.words = packedWords(n)
	p.codes = grow(p.codes, p.words*e.rows)
	codes, words := p.codes, p.words
	none := make([]byte, partRows)
	inParts(e.workers, e.rows, func(_, from, to int) {
		for k := range words {
			var c [histogram.Columns][]byte
			for i := range c {
				c[i] = none[:to-from]
				if j := k*histogram.Columns + i; j < n {
					c[i] = q.codes[column(columns, j)][from:to]
				}
			}
			at := from*words + k
			for i := range to - from {
				codes[at] = uint64(c[0][i]) | uint64(c[1][i])<<8 | uint64(c[2][i])<<16 | uint64(c[3][i])<<24 |
					uint64(c[4][i])<<32 | uint64(c[5][i])<<40 | uint64(c[6][i])<<48 | uint64(c[7][i])<<56
				at += words
			}
		}
	})
}

// packs returns the packed codes that bins are to be made of, nil for none.
func (e *engine) packs(columns []int32) *packed {
	switch {
	case len(e.weights.one) > 0 || columns != nil && 2*len(columns) < e.cols.Len():
	case columns != nil && slices.Equal(columns, e.drawn.columns):
		return &e.drawn
	case e.packed.codes != nil:
		return &e.packed
	}
	return nil
}

// eachPacked is each by packed codes.
func (e *engine) eachPacked(ctx context.Context, p *packed, columns, rows []int32, f func(worker, column int, b bins)) error {
	n, words, width := e.rows, p.words, listed(p.columns, e.cols.Len())
	if rows != nil {
		n = len(rows)
	}
	workers := 1
	if n*e.cols.Len() >= sharedJob {
		workers = e.workers
	}
	var next atomic.Int64 // which worker adds which rows does not matter to integers
	add := func(worker int) {
		s := e.scratch[worker]
		s.packed = grow(s.packed, words)
		for k := range width { // not all of maxBins: of few rows that would take longest
			clear(s.packed[k/histogram.Columns][k%histogram.Columns][:e.binsOf(column(p.columns, k))])
		}
		for ctx.Err() == nil {
			end := int(next.Add(packedRows))
			from := end - packedRows
			if from >= n {
				return
			}
			end = min(end, n)
			if rows == nil {
				for k := range words {
					histogram.Add(&s.packed[k], p.codes[from*words+k:], words, width-k*histogram.Columns, e.weights.two[from:end])
				}
				continue
			}
			for i, r := range rows[from:end] {
				s.pairs[i] = e.weights.two[r]
			}
			for k := range words {
				histogram.AddRows(&s.packed[k], p.codes[k:], words, width-k*histogram.Columns, rows[from:end], s.pairs[:end-from])
			}
		}
	}
	if workers == 1 {
		add(0)
	} else {
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() { add(w) })
		}
		wg.Wait()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wanted := listed(columns, e.cols.Len())
	return e.parallel(ctx, wanted, batch, wanted*maxBins, func(worker, lo, hi int) {
		for k := lo; k < hi; k++ {
			j := column(columns, k)
			size := e.binsOf(j)
			b := e.room(worker, j, size)
			at := j
			if p.columns != nil {
				at = k
			}
			for w, s := range e.scratch[:workers] {
				sums := s.packed[at/histogram.Columns][at%histogram.Columns][:size]
				if w == 0 {
					for i := range sums {
						b.a[i], b.b[i] = sums[i][0], sums[i][1]
					}
					continue
				}
				for i := range sums {
					b.a[i] += sums[i][0]
					b.b[i] += sums[i][1]
				}
			}
			f(worker, j, b)
		}
	})
}
