package boost

import (
	"cmp"
	"context"
)

// A Histogram divides the values of one column into bins and has an output for
// each.
type Histogram struct {
	Column  int
	Cuts    []float64 // ascending; bin b holds Cuts[b-1] <= v < Cuts[b]
	Leaves  []float64 // one per bin: one more than cuts
	Missing float64   // the output for NaN
}

// Value returns the output of x's bin.
func (h *Histogram) Value(x []float64) float64 {
	v := x[h.Column]
	if v != v {
		return h.Missing
	}
	return h.Leaves[code(v, h.Cuts)]
}

// Columns returns the histogram's column.
func (h *Histogram) Columns() []int { return []int{h.Column} }

func (h *Histogram) mapLeaves(f func(float64) float64) Weak {
	c := *h
	c.Leaves, c.Missing = mapped(h.Leaves, f), f(h.Missing)
	return &c
}

// Histograms have outputs for each bin of one column: Schapire and Singer's
// domain-partitioning weak learners.
type Histograms struct {
	// Bins is the number of bins of a column, 2 to 256. 0 means 16.
	Bins int
	// Binning is the rule for the bins.
	Binning Binning
}

// Name returns "histograms".
func (*Histograms) Name() string { return "histograms" }

func (l *Histograms) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &histogramSearch{}
	return f, f.prepare(p, cmp.Or(l.Bins, 16), l.Binning, s)
}

type histogramSearch struct {
	quantized
}

func (f *histogramSearch) Find(ctx context.Context, q *query) (Weak, error) {
	e := f.engine
	rows := e.weigh(q)
	best := e.noSplits()
	sums := make([][2][maxBins]float64, e.workers)
	err := e.each(ctx, q.Columns, rows, func(worker, column int, b bins) {
		s := &sums[worker]
		total := int64(0)
		for i := range b.a {
			total += b.a[i]
			s[0][i], s[1][i] = e.weights.floats(b.a[i], b.b[i])
		}
		t0, _ := e.weights.floats(total, 0)
		step := settling(t0)
		loss := q.Criterion.partition(s[0][:len(b.a)], s[1][:len(b.a)])
		best.offer(worker, split{loss: float64(loss+step) - step, column: column})
	})
	if err != nil {
		return nil, err
	}
	j := best.best().column
	if j < 0 {
		return nil, nil // every loss is NaN: there are no weights
	}
	cuts := e.cols.Cuts(j)
	codes := e.cols.Codes(j, e.scratch[0].codes[0])
	var s0, s1 [maxBins + 1]float64
	eachOf(q.Rows, len(codes), func(i int) {
		s0[codes[i]] += q.Weights[i]
		s1[codes[i]] += float64(q.Weights[i] * q.Targets[i])
	})
	h := &Histogram{Column: j, Cuts: cuts, Leaves: make([]float64, len(cuts)+1)}
	for b := range h.Leaves {
		h.Leaves[b] = q.Leaf.value(s0[b], s1[b])
	}
	h.Missing = q.Leaf.value(s0[len(cuts)+1], s1[len(cuts)+1])
	return h, nil
}
