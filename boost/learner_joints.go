package boost

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A joint is a histogram over several columns: an output for each combination
// of their bins.
type joint struct {
	Over []int       // the columns
	Cuts [][]float64 // of each column, ascending

	// Leaves has an output for each combination. A column with c cuts has c+2
	// bins, the last for missing values; the last column varies fastest.
	Leaves []float64
}

// Value returns the output of x's combination.
func (h *joint) Value(x []float64) float64 {
	cell := 0
	for k, j := range h.Over {
		b := len(h.Cuts[k]) + 1
		if v := x[j]; v == v {
			b = int(code(v, h.Cuts[k]))
		}
		cell = cell*(len(h.Cuts[k])+2) + b
	}
	return h.Leaves[cell]
}

// Columns returns the columns of the histogram.
func (h *joint) Columns() []int { return slices.Clone(h.Over) }

func (h *joint) mapLeaves(f func(float64) float64) Weak {
	return &joint{Over: h.Over, Cuts: h.Cuts, Leaves: mapped(h.Leaves, f)}
}

// Joints are histograms over a small group of columns. The group is found
// greedily: the column that lowers the criterion most, then the column that
// does so together with it, and so on, as long as it helps.
//
// With [Real] this is Schneiderman's boosted classifier of groups of quantised
// coefficients: Learning a restricted Bayesian network for object detection, CVPR
// 2004; Schneiderman and Kanade, Object detection using the statistics of parts,
// IJCV 56 (2004).
type Joints struct {
	// Group is the largest number of columns in a group. 0 means 3.
	Group int
	// Bins is the number of bins of a column, 2 to 64. 0 means 5.
	Bins int
	// Binning is the rule for the bins.
	Binning Binning
	// Criterion is what the search minimises. The default is the booster's.
	Criterion Criterion
}

// Name returns "joints".
func (*Joints) Name() string { return "joints" }

func (l *Joints) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &jointSearch{group: cmp.Or(l.Group, 3), criterion: l.Criterion}
	bins, cells := cmp.Or(l.Bins, 5), 1
	for range min(f.group, 32) {
		if cells <= maxCells {
			cells *= bins + 1
		}
	}
	if f.group < 1 || f.group > 32 || bins < 2 || bins > 64 || cells > maxCells {
		return nil, fmt.Errorf("%w: Joints of Group %d and Bins %d: want 1 to 32 columns, 2 to 64 bins, and (Bins+1)^Group at most %d", ErrSettings, f.group, bins, maxCells)
	}
	if l.Criterion > lastCriterion {
		return nil, fmt.Errorf("%w: %v is unknown", ErrSettings, l.Criterion)
	}
	if err := f.prepare(p, bins, l.Binning, s); err != nil {
		return nil, err
	}
	var widths []int // levels, and columns that are not of our making, may have more bins
	for j := range f.engine.cols.Len() {
		widths = append(widths, len(f.engine.cols.Cuts(j))+2)
	}
	slices.Sort(widths)
	cells = 1
	for _, w := range widths[max(0, len(widths)-f.group):] {
		if cells *= w; cells > maxCells {
			return nil, fmt.Errorf("%w: Joints of Group %d over columns of up to %d bins have more than %d cells", ErrSettings, f.group, widths[len(widths)-1], maxCells)
		}
	}
	for range f.engine.workers {
		f.sums = append(f.sums, make([][2]int64, cells))
		f.floats = append(f.floats, [2][]float64{make([]float64, cells), make([]float64, cells)})
	}
	return f, nil
}

// maxCells bounds joint histograms, here and in files.
const maxCells = 1 << 20

type jointSearch struct {
	quantized
	group     int
	criterion Criterion
	sums      [][][2]int64 // one a worker
	floats    [][2][]float64
}

func (f *jointSearch) Find(ctx context.Context, q *query) (Weak, error) {
	e := f.engine
	e.weights.set(q.Weights, q.Targets)
	c := cmp.Or(f.criterion, q.Criterion)
	if q.Real {
		c = LeastSquares
	}
	n, active := listed(q.Columns, e.cols.Len()), orAll(q.Rows, e.rows)
	cell := make([]int32, e.rows) // of each row, in the group so far
	cells := 1
	var group []int
	loss := 0.0
	t0, _ := e.weights.floats(e.weights.sums(active))
	step := settling(t0)
	for len(group) < f.group {
		best := e.noSplits()
		err := e.parallel(ctx, n, 1, n*len(active), func(worker, k, _ int) {
			j := column(q.Columns, k)
			if slices.Contains(group, j) {
				return
			}
			bins := len(e.cols.Cuts(j)) + 2
			codes := e.cols.Codes(j, e.scratch[worker].codes[0])
			sums := f.sums[worker][:cells*bins]
			clear(sums)
			for _, r := range active {
				a, b := e.weights.at(int(r))
				p := &sums[int(cell[r])*bins+int(codes[r])]
				p[0] += a
				p[1] += b
			}
			s0, s1 := f.floats[worker][0][:len(sums)], f.floats[worker][1][:len(sums)]
			for i, p := range sums {
				s0[i], s1[i] = e.weights.floats(p[0], p[1])
			}
			best.offer(worker, split{loss: float64(c.partition(s0, s1)+step) - step, column: j})
		})
		if err != nil {
			return nil, err
		}
		s := best.best()
		if s.column < 0 || (len(group) > 0 && !(s.loss < loss-tiny)) {
			break
		}
		loss = s.loss
		group = append(group, s.column)
		bins := len(e.cols.Cuts(s.column)) + 2
		for i, b := range e.cols.Codes(s.column, e.scratch[0].codes[0]) {
			cell[i] = cell[i]*int32(bins) + int32(b)
		}
		cells *= bins
	}
	if len(group) == 0 {
		return nil, nil
	}
	h := &joint{Over: group, Leaves: make([]float64, cells)}
	for _, j := range group {
		h.Cuts = append(h.Cuts, e.cols.Cuts(j))
	}
	s0, s1 := make([]float64, cells), make([]float64, cells)
	for _, r := range active {
		s0[cell[r]] += q.Weights[r]
		s1[cell[r]] += float64(q.Weights[r] * q.Targets[r])
	}
	for k := range h.Leaves {
		h.Leaves[k] = q.Leaf.value(s0[k], s1[k])
	}
	return h, nil
}
