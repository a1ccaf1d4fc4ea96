package boost

import (
	"context"
	"fmt"
	"math"
)

// vectorTrees grows trees whose leaves have outputs for all classes, best leaf
// first. Rows add numbers to the sums of their bins, and the loss of a block is
// a function of its sums.
type vectorTrees struct {
	*engine     // its columns, and parallel
	width   int // of the sums of a block

	// add adds row i to a block's sums.
	add func(sums []float64, i int32)
	// loss is the loss of a block.
	loss func(sums []float64) float64

	leaves, depth int
}

// A vectorRun is what runs of vectorTrees share.
type vectorRun struct {
	p     *multiProblem
	m     *MultiModel
	trees *vectorTrees
	draw  *state
	sums  [][]float64 // the scores, by class and row
}

// vectorRun takes the size of trees, of blocks with that many sums, from a learner.
func (p *multiProblem) vectorRun(name string, width int) (*vectorRun, error) {
	f := &vectorTrees{engine: newEngine(p.columns, p.settings.Workers), width: width, leaves: 2, depth: 1}
	switch l := p.learner.(type) {
	case *Stumps:
	case *Trees:
		search, err := l.prepare(&Problem{Data: p.data, Columns: p.columns}, &p.settings)
		if err != nil {
			return nil, err
		}
		s := search.(*treeSearch)
		f.leaves, f.depth = s.leaves, s.depth
	default:
		return nil, fmt.Errorf("%w: %s grows Trees and Stumps", ErrSettings, name)
	}
	if width > maxSums/(maxBins+1) {
		return nil, fmt.Errorf("%w: too many classes", ErrSettings)
	}
	r := &vectorRun{p: p, m: p.empty(name), trees: f, draw: newDraw(p)}
	for range p.k {
		r.sums = append(r.sums, make([]float64, len(p.classes)))
	}
	return r, nil
}

func (r *vectorRun) model() *MultiModel { return r.m }

func (r *vectorRun) scores() [][]float64 { return r.sums }

// find grows a tree on the listed rows and columns, and returns its nodes and the sums of
// its leaves.
func (f *vectorTrees) find(ctx context.Context, rows, columns []int32) ([]Node, [][]float64, error) {
	g := &grower{engine: f.engine, leaves: []growing{{rows: orAll(rows, f.rows), up: -1}}}
	sums := [][]float64{nil}
	for news := []int{0}; ; {
		for _, k := range news {
			var err error
			if sums[k], err = f.look(ctx, &g.leaves[k], columns); err != nil {
				return nil, nil, err
			}
		}
		k := g.next()
		if k < 0 || len(g.leaves) >= f.leaves {
			return g.nodes, sums, nil
		}
		g.part(k)
		news, sums = []int{k, len(sums)}, append(sums, nil)
	}
}

// look adds up a leaf, finds its best split and returns its sums.
func (f *vectorTrees) look(ctx context.Context, l *growing, columns []int32) (sums []float64, err error) {
	sums, l.best, l.size = make([]float64, f.width), noSplit, len(l.rows)
	for _, r := range l.rows {
		f.add(sums, r)
	}
	if l.depth >= f.depth {
		return sums, nil
	}
	n := listed(columns, f.cols.Len())
	found := make([]split, n)
	err = f.parallel(ctx, n, 1, n*len(l.rows), func(_, c, _ int) {
		found[c] = f.split(l.rows, sums, column(columns, c))
	})
	for _, s := range found {
		if s.before(l.best) {
			l.best = s
		}
	}
	l.gain = f.loss(sums) - l.best.loss
	if !(l.gain > tiny) {
		l.best = noSplit
	}
	return sums, err
}

// split returns the best split of rows with these sums by one column, the first of
// equals. For a categorical column it is one level against the rest.
func (f *vectorTrees) split(in []int32, all []float64, column int) split {
	cuts := len(f.cols.Cuts(column))
	codes := f.cols.Codes(column, nil)
	bins := cuts + 2
	sums := make([]float64, bins*f.width)
	var rows [maxBins + 1]int
	for _, r := range in {
		c := int(codes[r])
		rows[c]++
		f.add(sums[c*f.width:(c+1)*f.width], r)
	}
	bin := func(b int) []float64 { return sums[b*f.width : (b+1)*f.width] }
	best := noSplit
	left, right := make([]float64, f.width), make([]float64, f.width)
	try := func(s split) {
		for v := range right {
			right[v] = all[v] - left[v]
		}
		if s.loss = f.loss(left) + f.loss(right); s.loss < best.loss {
			best = s
		}
	}
	missing, n := rows[cuts+1], len(in)
	if f.categorical(column) {
		for b := range bins {
			if rows[b] > 0 && rows[b] < n {
				copy(left, bin(b))
				level := &block{}
				level.add(b)
				try(split{column: column, in: level})
			}
		}
		return best
	}
	seen := 0
	sum := make([]float64, f.width)
	for c := range cuts {
		if rows[c] == 0 {
			continue
		}
		seen += rows[c]
		for v, w := range bin(c) {
			sum[v] += w
		}
		if seen == n-missing {
			break
		}
		copy(left, sum)
		try(split{column: column, cut: c, missingLeft: missing == 0 && 2*seen > n})
		if missing > 0 {
			for v, w := range bin(cuts + 1) {
				left[v] += w
			}
			try(split{column: column, cut: c, missingLeft: true})
		}
	}
	if missing > 0 && missing < n {
		for v, w := range bin(cuts + 1) {
			left[v] = all[v] - w
		}
		try(split{column: column, cut: cuts})
	}
	return best
}

// maxSums bounds the number of sums of a column.
const maxSums = 1 << 24

// giniOf is the weight of a block times the Gini index of its classes.
func giniOf(sums []float64) float64 {
	total, squares := 0.0, 0.0
	for _, s := range sums {
		total += s
		squares += float64(s * s)
	}
	if !(total > 0) {
		return 0
	}
	return total - squares/total
}

// exponentialOf is 2 sum sqrt(W+ W-) over classes, of sums that are W+ and W- of
// one class after the other.
func exponentialOf(sums []float64) float64 {
	z := 0.0
	for k := 0; k < len(sums); k += 2 {
		z += math.Sqrt(max(0, float64(sums[k]*sums[k+1])))
	}
	return 2 * z
}
