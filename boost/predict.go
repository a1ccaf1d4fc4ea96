package boost

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// A Predictor is a model made ready to score many rows. Its scores are the
// model's, to the last bit. It may be used by many goroutines at once.
//
// Trees of small depth become complete ones, in which a row finds its leaf
// without a branch: child i has the children 2i+1 and 2i+2. Other weak learners
// are asked as they are.
type Predictor struct {
	model *Model
	parts []segment // in the order of the terms
	used  []int     // columns that the complete trees ask for
	row   []asked   // nodes of the complete trees over rows of the model
	pack  []asked   // the same over rows of the used columns alone
	left  []bool    // of each node: missing values go left
	leaf  []float64
}

// A segment is terms one after another that are of one kind.
type segment struct {
	depth      int // of complete trees; 0 means terms as they are
	from, to   int // terms
	node, leaf int // where the first tree begins
}

// asked is a node of a complete tree.
type asked struct {
	threshold float64
	column    uint32
}

// maxComplete is the largest depth of a complete tree: a deeper one costs more
// memory than it saves time.
const maxComplete = 8

// Predictor returns a predictor for the model as it is now.
func (m *Model) Predictor() *Predictor {
	p := &Predictor{model: m}
	index := map[int]uint32{}
	for i := range m.Terms {
		t, _ := m.Terms[i].Weak.(*Tree)
		depth := 0
		if t != nil && m.Damping == 0 {
			depth = t.completeDepth()
		}
		if n := len(p.parts); n == 0 || p.parts[n-1].depth != depth {
			p.parts = append(p.parts, segment{depth: depth, from: i, to: i, node: len(p.row), leaf: len(p.leaf)})
		}
		p.parts[len(p.parts)-1].to = i + 1
		if depth == 0 {
			continue
		}
		node, leaf := len(p.row), len(p.leaf)
		for range 1<<depth - 1 {
			p.row = append(p.row, asked{})
			p.left = append(p.left, false)
		}
		p.leaf = append(p.leaf, make([]float64, 1<<depth)...)
		var fill func(c int32, at, height int)
		fill = func(c int32, at, height int) {
			if height == 0 {
				p.leaf[leaf+at-(1<<depth-1)] = float64(m.Terms[i].Coef * t.Leaves[-c])
				return
			}
			if c <= 0 && !(at == 0 && len(t.Nodes) > 0) { // a leaf above the ground: both ways lead to it
				p.row[node+at] = asked{threshold: math.Inf(1), column: uint32(t.Nodes[0].Column)}
				fill(c, 2*at+1, height-1)
				fill(c, 2*at+2, height-1)
				return
			}
			n := &t.Nodes[c]
			p.row[node+at] = asked{threshold: n.Threshold, column: uint32(n.Column)}
			p.left[node+at] = n.MissingLeft
			fill(n.Left, 2*at+1, height-1)
			fill(n.Right, 2*at+2, height-1)
		}
		fill(0, 0, depth)
	}
	p.pack = make([]asked, len(p.row))
	for k, a := range p.row {
		j, ok := index[int(a.column)]
		if !ok {
			j = uint32(len(p.used))
			index[int(a.column)] = j
			p.used = append(p.used, int(a.column))
		}
		p.pack[k] = asked{a.threshold, j}
	}
	return p
}

// complete reports whether all terms are complete trees.
func (p *Predictor) complete() bool {
	for _, q := range p.parts {
		if q.depth == 0 {
			return false
		}
	}
	return true
}

// completeDepth returns the depth of a tree if it can be a complete one, else 0.
func (t *Tree) completeDepth() int {
	if len(t.Nodes) == 0 {
		return 0
	}
	depth := make([]int, len(t.Nodes))
	most := 0
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if n.In != nil || depth[k] >= maxComplete {
			return 0
		}
		most = max(most, depth[k]+1)
		for _, c := range [2]int32{n.Left, n.Right} {
			if c > 0 {
				depth[c] = depth[k] + 1
			}
		}
	}
	return most
}

// Score returns the score of row x. It panics if x has not as many values as the
// model has columns.
func (p *Predictor) Score(x []float64) float64 {
	if len(x) != p.model.Columns {
		return p.model.Score(x) // which says so
	}
	missing := false
	for _, j := range p.used {
		v := x[j]
		missing = missing || v != v
	}
	return p.score(p.row, x, x, missing)
}

// Mean returns what Model.Mean returns.
func (p *Predictor) Mean(x []float64) float64 { return p.model.mean(p.Score(x)) }

// score returns the score of a row: packed is what nodes ask, and whole what
// other weak learners do.
func (p *Predictor) score(nodes []asked, packed, whole []float64, missing bool) float64 {
	s := p.model.Bias
	for k := range p.parts {
		q := &p.parts[k]
		switch {
		case q.depth == 0:
			for i := q.from; i < q.to; i++ {
				t := &p.model.Terms[i]
				s = p.model.add(s, t.Coef, t.Weak.Value(whole))
			}
		case missing:
			s = p.withMissing(q, nodes, packed, s)
		case q.depth == 1:
			n, l := nodes[q.node:], p.leaf[q.leaf:]
			for i := range q.to - q.from {
				a := &n[i]
				s += l[2*i+right(packed[a.column], a.threshold)]
			}
		case q.depth == 2:
			n, l := nodes[q.node:], p.leaf[q.leaf:]
			for range q.to - q.from {
				t := (*[3]asked)(n)
				i := right(packed[t[0].column], t[0].threshold)
				a := &t[1+i]
				s += l[2*i+right(packed[a.column], a.threshold)]
				n, l = n[3:], l[4:]
			}
		case q.depth == 3:
			n, l := nodes[q.node:], p.leaf[q.leaf:]
			for range q.to - q.from {
				t := (*[7]asked)(n)
				i := right(packed[t[0].column], t[0].threshold)
				a := &t[1+i]
				i = 2*i + right(packed[a.column], a.threshold)
				a = &t[3+i]
				s += l[2*i+right(packed[a.column], a.threshold)]
				n, l = n[7:], l[8:]
			}
		default:
			n, l := nodes[q.node:], p.leaf[q.leaf:]
			size := 1<<q.depth - 1
			for range q.to - q.from {
				i := 0
				for range q.depth {
					a := &n[i]
					i = 2*i + 1 + right(packed[a.column], a.threshold)
				}
				s += l[i-size]
				n, l = n[size:], l[size+1:]
			}
		}
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

// withMissing is score of some complete trees for a row with missing values.
func (p *Predictor) withMissing(q *segment, nodes []asked, x []float64, s float64) float64 {
	size := 1<<q.depth - 1
	for k := range q.to - q.from {
		from, i := q.node+k*size, 0
		for range q.depth {
			a := &nodes[from+i]
			v := x[a.column]
			i = 2*i + 1
			if !(v < a.threshold || v != v && p.left[from+(i-1)/2]) {
				i++
			}
		}
		s += p.leaf[q.leaf+k*(size+1)+i-size]
	}
	return s
}

// batchRows is how many rows are scored together.
const batchRows = 256

// Scores returns the scores of all rows of d, by as many goroutines as workers
// says, 0 meaning GOMAXPROCS. Data that [Model.Check] refuses is an error.
func (p *Predictor) Scores(d *Data, workers int) ([]float64, error) {
	if err := p.model.Check(d); err != nil {
		return nil, err
	}
	scores := make([]float64, d.Rows())
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	blocks := (len(scores) + batchRows - 1) / batchRows
	whole := false
	for _, q := range p.parts {
		whole = whole || q.depth == 0
	}
	var next atomic.Int64
	work := func() {
		k := len(p.used)
		packed := make([]float64, k*batchRows)
		missing := make([]bool, batchRows)
		var row []float64
		for {
			b := int(next.Add(1)) - 1
			if b >= blocks {
				return
			}
			from, to := b*batchRows, min(len(scores), (b+1)*batchRows)
			clear(missing)
			for u, j := range p.used {
				for i, v := range d.Columns[j][from:to] {
					packed[i*k+u] = v
					if v != v {
						missing[i] = true
					}
				}
			}
			for i := range to - from {
				if whole {
					row = d.Row(row, from+i)
				}
				scores[from+i] = p.score(p.pack, packed[i*k:(i+1)*k], row, missing[i])
			}
		}
	}
	if workers = min(workers, blocks); workers <= 1 {
		work()
		return scores, nil
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
	return scores, nil
}
