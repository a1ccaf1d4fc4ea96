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
	f := &vectorTrees{engine: &engine{cols: p.columns, sets: p.columns.sets, workers: p.settings.Workers}, width: width, leaves: 2, depth: 1}
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

// A vectorLeaf is a leaf that may yet be split.
type vectorLeaf struct {
	rows  []int32
	sums  []float64
	depth int
	up    int // node above, -1 for the root
	right bool
	best  split
	gain  float64
}

// find grows a tree on the listed rows and columns, and returns its nodes and
// its leaves.
func (f *vectorTrees) find(ctx context.Context, rows, columns []int32) ([]Node, []vectorLeaf, error) {
	leaves := []vectorLeaf{{rows: orAll(rows, f.cols.Rows()), up: -1}}
	var nodes []Node
	if err := f.look(ctx, &leaves[0], columns); err != nil {
		return nil, nil, err
	}
	for len(leaves) < f.leaves {
		k := -1
		for i := range leaves {
			if leaves[i].best.column >= 0 && (k < 0 || leaves[i].gain > leaves[k].gain) {
				k = i
			}
		}
		if k < 0 {
			break
		}
		l := leaves[k]
		cuts := f.cols.Cuts(l.best.column)
		codes := f.cols.Codes(l.best.column, make([]byte, f.cols.Rows()))
		var left, right []int32
		for _, r := range l.rows {
			if l.best.left(codes[r], len(cuts)) {
				left = append(left, r)
			} else {
				right = append(right, r)
			}
		}
		node := len(nodes)
		nodes = append(nodes, l.best.node(cuts, int32(-k), int32(-len(leaves))))
		if l.up >= 0 && l.right {
			nodes[l.up].Right = int32(node)
		} else if l.up >= 0 {
			nodes[l.up].Left = int32(node)
		}
		leaves[k] = vectorLeaf{rows: left, depth: l.depth + 1, up: node}
		leaves = append(leaves, vectorLeaf{rows: right, depth: l.depth + 1, up: node, right: true})
		for _, i := range []int{k, len(leaves) - 1} {
			if err := f.look(ctx, &leaves[i], columns); err != nil {
				return nil, nil, err
			}
		}
	}
	return nodes, leaves, nil
}

// look adds up a leaf and finds its best split.
func (f *vectorTrees) look(ctx context.Context, l *vectorLeaf, columns []int32) error {
	l.sums, l.best = make([]float64, f.width), noSplit
	for _, r := range l.rows {
		f.add(l.sums, r)
	}
	if l.depth >= f.depth {
		return nil
	}
	n := listed(columns, f.cols.Len())
	found := make([]split, n)
	err := f.parallel(ctx, n, 1, n*len(l.rows), func(_, c, _ int) {
		found[c] = f.split(l, column(columns, c))
	})
	if err != nil {
		return err
	}
	for _, s := range found {
		if s.before(l.best) {
			l.best = s
		}
	}
	l.gain = f.loss(l.sums) - l.best.loss
	if !(l.gain > tiny) {
		l.best = noSplit
	}
	return nil
}

// split returns the best split of a leaf by one column, the first of
// equals. For a categorical column it is one level against the rest.
func (f *vectorTrees) split(l *vectorLeaf, column int) split {
	cuts := len(f.cols.Cuts(column))
	codes := f.cols.Codes(column, make([]byte, f.cols.Rows()))
	bins := cuts + 2
	sums := make([]float64, bins*f.width)
	var rows [maxBins + 1]int
	for _, r := range l.rows {
		c := int(codes[r])
		rows[c]++
		f.add(sums[c*f.width:(c+1)*f.width], r)
	}
	bin := func(b int) []float64 { return sums[b*f.width : (b+1)*f.width] }
	best := noSplit
	left, right := make([]float64, f.width), make([]float64, f.width)
	try := func(s split) {
		for v := range right {
			right[v] = l.sums[v] - left[v]
		}
		if s.loss = f.loss(left) + f.loss(right); s.loss < best.loss {
			best = s
		}
	}
	missing, n := rows[cuts+1], len(l.rows)
	if f.categorical(column) {
		for b := range bins {
			if rows[b] > 0 && rows[b] < n {
				copy(left, bin(b))
				in := &block{}
				in.add(b)
				try(split{column: column, in: in})
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
			left[v] = l.sums[v] - w
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
