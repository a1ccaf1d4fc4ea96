package boost

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"haarlem/internal/par"
)

// A Predictor is a model prepared for scoring many rows. Its scores are exactly
// the model's. It may be used by many goroutines at once.
//
// In its trees a row finds its leaf without data-dependent branches: trees of
// at most three nodes on a path are complete, child i having the children 2i+1
// and 2i+2, and in others a leaf leads to itself, so that every row takes as
// many steps as the tree is deep. Other weak learners are evaluated directly.
type Predictor struct {
	model *Model
	parts []segment  // in the order of the terms
	used  []int      // columns of the trees
	row   []flatNode // nodes over rows of the model
	pack  []flatNode // the same over rows of the used columns alone
	side  []flatNode // the same over eight such rows, column by column
	left  []bool     // of each node: missing values go left
	leaf  []float64  // of complete trees by leaf, of others by node
	roots []root     // of trees that are not complete, in the order of the terms
}

// A segment is consecutive terms of one kind.
type segment struct {
	kind       int // depth of complete trees, looped or whole
	from, to   int // terms
	node, leaf int // where the first complete tree begins
	root       int // of the first looped tree
}

const (
	complete = 3 // the largest depth of complete trees
	looped   = -1
	whole    = -2 // terms evaluated directly
)

// flatNode is a node of a tree laid out for prediction.
type flatNode struct {
	threshold float64
	column    uint32
	child     uint32 // of looped trees: the left child, and the right one after it
}

// root is the start of a looped tree.
type root struct{ node, leaf, depth int }

// maxLooped is the largest depth of looped trees: in deeper ones most steps
// would be wasted.
const maxLooped = 24

// Predictor returns a predictor for the model's present terms.
func (m *Model) Predictor() *Predictor {
	p := &Predictor{model: m}
	for i := range m.Terms {
		t, _ := m.Terms[i].Weak.(*Tree)
		kind, depth := whole, 0
		if t != nil && m.Damping == 0 {
			switch depth = t.plainDepth(); {
			case depth == 0:
			case depth <= complete:
				kind = depth
			case depth <= maxLooped:
				kind = looped
			}
		}
		if n := len(p.parts); n == 0 || p.parts[n-1].kind != kind {
			p.parts = append(p.parts, segment{kind: kind, from: i, node: len(p.row), leaf: len(p.leaf), root: len(p.roots)})
		}
		p.parts[len(p.parts)-1].to = i + 1
		switch {
		case kind == looped:
			p.roots = append(p.roots, root{len(p.row), len(p.leaf), depth})
			p.addLooped(t, m.Terms[i].Coef)
		case kind > 0:
			p.addComplete(t, depth, m.Terms[i].Coef)
		}
	}
	index := map[uint32]uint32{}
	p.pack = make([]flatNode, len(p.row))
	if len(p.roots) > 0 {
		p.side = make([]flatNode, len(p.row))
	}
	for k, a := range p.row {
		j, ok := index[a.column]
		if !ok {
			j = uint32(len(p.used))
			index[a.column] = j
			p.used = append(p.used, int(a.column))
		}
		p.pack[k] = flatNode{a.threshold, j, a.child}
		if p.side != nil {
			p.side[k] = flatNode{a.threshold, 8 * j, a.child}
		}
	}
	return p
}

// addComplete adds a tree of the given depth: where a path is shorter, both
// branches lead to its leaf.
func (p *Predictor) addComplete(t *Tree, depth int, coef float64) {
	node, leaf := len(p.row), len(p.leaf)
	p.row = append(p.row, make([]flatNode, 1<<depth-1)...)
	p.left = append(p.left, make([]bool, 1<<depth-1)...)
	p.leaf = append(p.leaf, make([]float64, 1<<depth)...)
	var fill func(c int32, at, height int)
	fill = func(c int32, at, height int) {
		switch {
		case height == 0:
			p.leaf[leaf+at-(1<<depth-1)] = float64(coef * t.Leaves[-c])
		case c <= 0 && at > 0:
			p.row[node+at] = flatNode{threshold: math.Inf(1), column: uint32(t.Nodes[0].Column)}
			fill(c, 2*at+1, height-1)
			fill(c, 2*at+2, height-1)
		default:
			n := &t.Nodes[c]
			p.row[node+at] = flatNode{threshold: n.Threshold, column: uint32(n.Column)}
			p.left[node+at] = n.MissingLeft
			fill(n.Left, 2*at+1, height-1)
			fill(n.Right, 2*at+2, height-1)
		}
	}
	fill(0, 0, depth)
}

// addLooped adds a tree of any depth, level by level.
func (p *Predictor) addLooped(t *Tree, coef float64) {
	node, leaf := len(p.row), len(p.leaf)
	size := len(t.Nodes) + len(t.Leaves)
	p.row = append(p.row, make([]flatNode, size)...)
	p.left = append(p.left, make([]bool, size)...)
	p.leaf = append(p.leaf, make([]float64, size)...)
	type open struct {
		c  int32
		at int
	}
	next := 1
	for level := []open{{0, 0}}; len(level) > 0; {
		var below []open
		for _, o := range level {
			if o.c <= 0 && o.at > 0 {
				// Every number is below infinity, so this leads back here.
				p.row[node+o.at] = flatNode{threshold: math.Inf(1), column: uint32(t.Nodes[0].Column), child: uint32(o.at)}
				p.left[node+o.at] = true
				p.leaf[leaf+o.at] = float64(coef * t.Leaves[-o.c])
				continue
			}
			n := &t.Nodes[o.c]
			p.row[node+o.at] = flatNode{threshold: n.Threshold, column: uint32(n.Column), child: uint32(next)}
			p.left[node+o.at] = n.MissingLeft
			below = append(below, open{n.Left, next}, open{n.Right, next + 1})
			next += 2
		}
		level = below
	}
}

// trees reports whether all terms are trees for batches of rows.
func (p *Predictor) trees() bool {
	for _, q := range p.parts {
		if q.kind == whole {
			return false
		}
	}
	return true
}

// plainDepth returns the depth of a tree, 0 if it has nodes of levels.
func (t *Tree) plainDepth() int {
	if len(t.Nodes) == 0 {
		return 0
	}
	depth := make([]int, len(t.Nodes))
	deepest := 0
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if n.In != nil {
			return 0
		}
		deepest = max(deepest, depth[k]+1)
		for _, c := range [2]int32{n.Left, n.Right} {
			if c > 0 {
				depth[c] = depth[k] + 1
			}
		}
	}
	return deepest
}

// Score returns the score of row x. It panics unless x has as many values as
// the model has columns.
func (p *Predictor) Score(x []float64) float64 {
	if len(x) != p.model.Columns {
		return p.model.Score(x) // which panics
	}
	odd := false
	for _, j := range p.used {
		v := x[j]
		odd = odd || v-v != 0
	}
	s := p.model.Bias
	for k := range p.parts {
		s = p.part(&p.parts[k], p.row, x, x, odd, s)
	}
	return s
}

// part returns the score of a row after a segment, given the score before it:
// packed are the values for nodes, and all those for other weak learners. A row
// is odd if it has missing or infinite values.
func (p *Predictor) part(q *segment, nodes []flatNode, packed, all []float64, odd bool, s float64) float64 {
	switch {
	case q.kind == whole:
		for i := q.from; i < q.to; i++ {
			t := &p.model.Terms[i]
			s = p.model.add(s, t.Coef, t.Weak.Value(all))
		}
	case odd:
		s = p.withOdd(q, nodes, packed, s)
	case q.kind == looped:
		for _, r := range p.roots[q.root : q.root+q.to-q.from] {
			n := nodes[r.node:]
			i := 0
			for range r.depth {
				a := &n[i]
				i = int(a.child) + right(packed[a.column], a.threshold)
			}
			s += p.leaf[r.leaf+i]
		}
	case q.kind == 1:
		s = stumps(nodes[q.node:][:q.to-q.from], p.leaf[q.leaf:], packed, s)
	case q.kind == 2:
		n, l := nodes[q.node:], p.leaf[q.leaf:]
		for range q.to - q.from {
			t := (*[3]flatNode)(n)
			i := right(packed[t[0].column], t[0].threshold)
			a := &t[1+i]
			s += l[2*i+right(packed[a.column], a.threshold)]
			n, l = n[3:], l[4:]
		}
	default:
		n, l := nodes[q.node:], p.leaf[q.leaf:]
		for range q.to - q.from {
			t := (*[7]flatNode)(n)
			i := right(packed[t[0].column], t[0].threshold)
			a := &t[1+i]
			i = 2*i + right(packed[a.column], a.threshold)
			a = &t[3+i]
			s += l[2*i+right(packed[a.column], a.threshold)]
			n, l = n[7:], l[8:]
		}
	}
	return s
}

// stumps adds the outputs of stumps to a score.
func stumps(nodes []flatNode, leaves, packed []float64, s float64) float64 {
	leaves = leaves[:2*len(nodes)]
	for i := range nodes {
		a := &nodes[i]
		s += leaves[2*i+right(packed[a.column], a.threshold)]
	}
	return s
}

// right is 0 if v is below the threshold, and 1 otherwise, without a branch.
func right(v, threshold float64) int {
	n := 1
	if v < threshold {
		n = 0
	}
	return n
}

// withOdd is part of trees for a row with missing or infinite values.
func (p *Predictor) withOdd(q *segment, nodes []flatNode, x []float64, s float64) float64 {
	goes := func(k int) int { // 0 for left
		a := &nodes[k]
		if v := x[a.column]; v < a.threshold || v != v && p.left[k] {
			return 0
		}
		return 1
	}
	if q.kind == looped {
		for _, r := range p.roots[q.root : q.root+q.to-q.from] {
			i := 0
			for int(nodes[r.node+i].child) != i {
				i = int(nodes[r.node+i].child) + goes(r.node+i)
			}
			s += p.leaf[r.leaf+i]
		}
		return s
	}
	size := 1<<q.kind - 1
	for k := range q.to - q.from {
		from, i := q.node+k*size, 0
		for range q.kind {
			i = 2*i + 1 + goes(from+i)
		}
		s += p.leaf[q.leaf+k*(size+1)+i-size]
	}
	return s
}

// eight adds the outputs of looped trees to the scores of eight rows, whose values
// x holds column by column. Rows go through a tree together, since each step must
// wait for the one before it.
func (p *Predictor) eight(q *segment, x []float64, s *[8]float64) {
	for _, r := range p.roots[q.root : q.root+q.to-q.from] {
		n := p.side[r.node:]
		i0, i1, i2, i3, i4, i5, i6, i7 := 0, 0, 0, 0, 0, 0, 0, 0
		for range r.depth {
			a := &n[i0]
			i0 = int(a.child) + right(x[a.column], a.threshold)
			a = &n[i1]
			i1 = int(a.child) + right(x[a.column+1], a.threshold)
			a = &n[i2]
			i2 = int(a.child) + right(x[a.column+2], a.threshold)
			a = &n[i3]
			i3 = int(a.child) + right(x[a.column+3], a.threshold)
			a = &n[i4]
			i4 = int(a.child) + right(x[a.column+4], a.threshold)
			a = &n[i5]
			i5 = int(a.child) + right(x[a.column+5], a.threshold)
			a = &n[i6]
			i6 = int(a.child) + right(x[a.column+6], a.threshold)
			a = &n[i7]
			i7 = int(a.child) + right(x[a.column+7], a.threshold)
		}
		l := p.leaf[r.leaf:]
		s[0] += l[i0]
		s[1] += l[i1]
		s[2] += l[i2]
		s[3] += l[i3]
		s[4] += l[i4]
		s[5] += l[i5]
		s[6] += l[i6]
		s[7] += l[i7]
	}
}

// stumps adds the outputs of stumps to the scores of rows, stump by stump: in one
// row each addition must wait for the one before it. Rows that are odd are left as
// they are.
func (b *rowBlock) stumps(q *segment, d *Data, from int, s []float64) {
	p := b.p
	copy(b.before[:], s)
	for i := range q.to - q.from {
		a := &p.row[q.node+i]
		l := (*[2]float64)(p.leaf[q.leaf+2*i:])
		for k, v := range d.Columns[a.column][from:][:len(s)] {
			s[k] += l[right(v, a.threshold)]
		}
	}
	for i := range s {
		if b.odd[i] {
			s[i] = b.before[i]
		}
	}
}

// batchRows is the number of rows scored together.
const batchRows = 64

// Scores returns the scores of all rows of d, with a number of goroutines, 0
// meaning GOMAXPROCS. Data that [Model.Check] refuses is an error.
func (p *Predictor) Scores(d *Data, workers int) ([]float64, error) {
	if err := p.model.Check(d); err != nil {
		return nil, err
	}
	scores := make([]float64, d.Rows())
	blocks := (len(scores) + batchRows - 1) / batchRows
	workers = min(cmp.Or(workers, runtime.GOMAXPROCS(0)), blocks)
	memory := make([]rowBlock, workers)
	var g par.Group
	return scores, g.Run(context.Background(), blocks, workers, func(_ context.Context, worker, k int) error {
		b := &memory[worker]
		if b.p == nil {
			b.p, b.packed = p, make([]float64, len(p.used)*batchRows)
			if p.side != nil {
				b.side = make([]float64, len(b.packed))
			}
		}
		b.score(d, scores, k*batchRows, min(len(scores), (k+1)*batchRows))
		return nil
	})
}

// A rowBlock is the memory of one goroutine for scoring rows together.
type rowBlock struct {
	p      *Predictor
	packed []float64 // the used columns, row by row
	side   []float64 // the same, for eight rows after the other, column by column
	odd    [batchRows]bool
	before [batchRows]float64 // scores
	row    []float64
}

// score sets the scores of some rows.
func (b *rowBlock) score(d *Data, scores []float64, from, to int) {
	p, k := b.p, len(b.p.used)
	clear(b.odd[:])
	for u, j := range p.used {
		at := u
		for i, v := range d.Columns[j][from:to] {
			b.packed[at] = v
			at += k
			if v-v != 0 {
				b.odd[i] = true
			}
		}
		if p.side != nil {
			for i := from; i+8 <= to; i += 8 {
				copy(b.side[(i-from)*k+8*u:][:8], d.Columns[j][i:i+8])
			}
		}
	}
	s := scores[from:to]
	for i := range s {
		s[i] = p.model.Bias
	}
	for n := range p.parts {
		q := &p.parts[n]
		if q.kind == 1 {
			b.stumps(q, d, from, s)
		}
		for i := 0; i < len(s); i++ {
			if q.kind == 1 && !b.odd[i] {
				continue
			}
			if q.kind == looped && i%8 == 0 && i+8 <= len(s) && !slices.Contains(b.odd[i:i+8], true) {
				p.eight(q, b.side[i*k:(i+8)*k], (*[8]float64)(s[i:]))
				i += 7
				continue
			}
			if q.kind == whole {
				b.row = d.Row(b.row, from+i)
			}
			s[i] = p.part(q, p.pack, b.packed[i*k:(i+1)*k], b.row, b.odd[i], s[i])
		}
	}
}
