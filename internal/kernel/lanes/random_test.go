package lanes

import (
	"math"
	"math/rand/v2"
)

// A randomProgram is a program and what it was made from, from which every
// window's score can be computed independently.
type randomProgram struct {
	Program
	groups []group
	tab    []uint16 // what thresholds were chosen for
	inv    [Width]float32

	unit int32 // of the heights of most Grids' cells; 0 means that rows lie anywhere
}

// A group is what lies between two limits: a run of stumps or histograms, or
// trees in several segments.
type group struct {
	segment int // the first one
	reset   bool
	limit   int32
	add     []func(t []uint16, inv float32) int32
}

// elementsOf returns what reads a table's elements, as numbers whose differences do not wrap.
func elementsOf(t []uint16) func(o int32) int { return func(o int32) int { return int(t[o]) } }

// naiveValue is the formula in the comment of each shape, term by term, from the table's
// elements T.
func naiveValue(shape Shape, r *Record, T func(o int32) int, pieces []Piece) int32 {
	o := r.Off
	mul := int(r.Mul)
	switch shape {
	case Edge:
		t, b := o[0], o[0]+o[3]
		return int32(int16((T(t) + T(t+o[2]) - T(b) - T(b+o[2])) - 2*(T(t+o[1])-T(b+o[1]))))
	case Line:
		t, b := o[0], o[0]+o[4]
		return int32(int16(mul*(T(t+o[1])-T(t+o[2])-T(b+o[1])+T(b+o[2])) - (T(t) - T(t+o[3]) - T(b) + T(b+o[3]))))
	case Pair:
		return int32(int16(mul*(T(o[4])-T(o[5])-T(o[6])+T(o[7])) - (T(o[0]) - T(o[1]) - T(o[2]) + T(o[3]))))
	case Check:
		r, s, t := o[0], o[0]+o[3], o[0]+o[4]
		return int32(int16((T(r) + T(r+o[2]) + T(t) + T(t+o[2])) - 2*(T(r+o[1])+T(s)+T(s+o[2])+T(t+o[1])-2*T(s+o[1]))))
	}
	strip := pieces[r.Aux : r.Aux+int32(r.Count)]
	sum, last := 0, 0
	for _, p := range strip {
		d := T(p.Top) - T(p.Bottom)
		sum += int(p.Mul) * int(uint16(last-d))
		last = d
	}
	return int32(sum)
}

// naiveCode is the local binary pattern of a grid record, from the table's elements T.
func naiveCode(r *Record, T func(o int32) int) uint {
	cell := func(row, column int) uint16 {
		at := func(i, j int) int { return T(r.Off[i] + r.Off[4+j]) }
		return uint16(at(row, column) - at(row, column+1) - at(row+1, column) + at(row+1, column+1))
	}
	code := uint(0)
	for _, c := range [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 1}, {2, 0}, {1, 0}} {
		code <<= 1
		if cell(c[0], c[1]) >= cell(1, 1) {
			code |= 1
		}
	}
	return code
}

// leafValue is mostly small, so that sums stay in the range of the limits.
func leafValue(rng *rand.Rand) int32 {
	if rng.IntN(200) == 0 {
		return int32(rng.Uint32()) // sums may wrap
	}
	return rng.Int32N(2001) - 1000
}

// newRandomProgram makes a program of n groups, none of whose records reads
// further than size elements.
func newRandomProgram(rng *rand.Rand, n int, size int32) *randomProgram {
	return newProgram(rng, size, func(p *randomProgram) {
		for range n {
			p.addGroup(rng, size)
		}
	})
}

// newSoftProgram makes one that begins with n groups that Sweep can evaluate,
// followed by others.
func newSoftProgram(rng *rand.Rand, n int, size int32) *randomProgram {
	return newProgram(rng, size, func(p *randomProgram) {
		for range n {
			p.addSoft(rng, group{limit: -rng.Int32N(1500)}, Shape(rng.IntN(int(Wide))), size)
		}
		for range rng.IntN(3) {
			p.addGroup(rng, size)
		}
	})
}

// newProgram makes a program of what add appends.
func newProgram(rng *rand.Rand, size int32, add func(p *randomProgram)) *randomProgram {
	p := &randomProgram{tab: make([]uint16, int(size)+1+Width)}
	fillTable(p.tab, rng)
	for i := range p.inv {
		p.inv[i] = rng.Float32() / 1000
	}
	add(p)
	reach := func(o int32) int {
		p.Reach = max(p.Reach, int(o))
		return 0
	}
	for _, s := range p.Segments {
		shape, _ := Parts(s.Op)
		for i := range s.N {
			if r := &p.Records[s.First+i]; shape == Grid {
				naiveCode(r, reach)
			} else {
				naiveValue(shape, r, reach, p.Pieces)
			}
		}
	}
	return p
}

// fillTable fills a table with noise, sometimes of few bits, so that values are
// equal and thresholds are met exactly.
func fillTable(tab []uint16, rng *rand.Rand) {
	mask := uint16(0xffff)
	switch rng.IntN(4) {
	case 0:
		mask = 3
	case 1:
		mask = 0x8001
	}
	for i := range tab {
		tab[i] = uint16(rng.Uint32()) & mask
	}
}

// addSoft adds a group of one soft segment.
func (p *randomProgram) addSoft(rng *rand.Rand, g group, shape Shape, size int32) {
	g.segment = len(p.Segments)
	p.Segments = append(p.Segments, Segment{First: int32(len(p.Records)), N: 1, Op: Op(shape, Soft), Limit: g.limit})
	p.addBins(rng, &g, shape, size)
	p.groups = append(p.groups, g)
}

func (p *randomProgram) addGroup(rng *rand.Rand, size int32) {
	g := group{segment: len(p.Segments), reset: rng.IntN(8) == 0, limit: math.MinInt32}
	switch rng.IntN(4) {
	case 0:
		g.limit = rng.Int32N(4000) - 3000
	case 1:
		g.limit = -rng.Int32N(10000)
	}
	switch rng.IntN(4) {
	case 0:
		p.addTrees(rng, &g, size)
	case 1:
		// Most shapes should occur several in a row.
		g.reset = false
		shape := Shape(rng.IntN(int(Grid)))
		if n := len(p.Segments); n > 0 && rng.IntN(3) > 0 {
			if s, action := Parts(p.Segments[n-1].Op); action == Soft {
				shape = s
			}
		}
		p.addSoft(rng, g, shape, size)
		return
	default:
		action, shape := Stump, Shape(rng.IntN(int(shapes)))
		if rng.IntN(4) == 0 && shape != Grid {
			action = Bins
		}
		first, count := len(p.Records), rng.IntN(10)
		for range count {
			if action == Bins {
				p.addBins(rng, &g, shape, size)
			} else {
				p.addStump(rng, &g, shape, size)
			}
		}
		p.Segments = append(p.Segments, Segment{First: int32(first), N: int32(count), Op: Op(shape, action)})
	}
	p.Segments[len(p.Segments)-1].Limit = g.limit
	if g.reset {
		p.Segments[g.segment].Reset = 1
	}
	p.groups = append(p.groups, g)
}

// feature returns a record that reads elements within 0 to size.
func (p *randomProgram) feature(rng *rand.Rand, shape Shape, size int32) Record {
	aux := len(p.Pieces)
	if shape == Grid {
		aux = len(p.Subsets)
		p.Subsets = append(p.Subsets, [8]uint32{})
		for i := range p.Subsets[aux] {
			p.Subsets[aux][i] = rng.Uint32()
		}
	}
	r := Record{Mul: rng.Int32N(7) - 3, Aux: int32(aux)}
	if rng.IntN(10) == 0 {
		r.Mul = int32(rng.Uint32())
	}
	// Rows and columns may lie anywhere, but inside once added up; relative to
	// the first row and column, others may be negative.
	limit := rng.Int32N(size + 1)
	height := int32(0)
	if shape == Grid && p.unit > 0 && 3*p.unit <= size && rng.IntN(50) > 0 {
		height = p.unit * (1 + rng.Int32N(min(7, size/3/p.unit)))
		limit = 3*height + rng.Int32N(size-3*height+1)
	}
	var y, x [4]int32
	for i := range y {
		y[i], x[i] = rng.Int32N(limit+1), rng.Int32N(size-limit+1)
	}
	if height > 0 {
		y[0] = rng.Int32N(limit - 3*height + 1)
		for i := range y {
			y[i] = y[0] + int32(i)*height
		}
	}
	first := y[0] + x[0]
	switch shape {
	case Edge:
		r.Off = [9]int32{first, x[1] - x[0], x[2] - x[0], y[1] - y[0]}
	case Line:
		r.Off = [9]int32{first, x[1] - x[0], x[2] - x[0], x[3] - x[0], y[1] - y[0]}
	case Check:
		r.Off = [9]int32{first, x[1] - x[0], x[2] - x[0], y[1] - y[0], y[2] - y[0]}
	case Pair:
		for i := range r.Off {
			r.Off[i] = rng.Int32N(size + 1)
		}
	case Grid:
		shift := rng.Int32N(100) - 50
		for i := range y {
			r.Off[i], r.Off[4+i] = y[i]+shift, x[i]-shift
		}
	case Wide:
		r.Count = uint8(1 + rng.IntN(6))
		for i := range r.Count {
			q := Piece{Top: rng.Int32N(size + 1), Bottom: rng.Int32N(size + 1)}
			if i > 0 {
				q.Mul = rng.Int32N(9) - 4
				if rng.IntN(10) == 0 {
					q.Mul = int32(rng.Uint32())
				}
			}
			p.Pieces = append(p.Pieces, q)
		}
	}
	return r
}

// value returns a feature's value for a window, as a float.
func (p *randomProgram) value(shape Shape, r *Record, t []uint16, inv float32) float32 {
	return float32(naiveValue(shape, r, elementsOf(t), p.Pieces)) * inv
}

// question gives a record a test that some windows pass, and returns which.
func (p *randomProgram) question(rng *rand.Rand, shape Shape, size int32) (Record, func(t []uint16, inv float32) bool) {
	r := p.feature(rng, shape, size)
	if shape == Grid {
		// All-ones and all-zero words beside random ones.
		sub := &p.Subsets[r.Aux]
		for i := range sub {
			if rng.IntN(3) == 0 {
				sub[i] = -uint32(rng.IntN(2))
			}
		}
		q := r
		return r, func(t []uint16, _ float32) bool {
			c := naiveCode(&q, elementsOf(t))
			return p.Subsets[q.Aux][c/32]&(1<<(c%32)) != 0
		}
	}
	// The value of one of the windows, which is then not below it.
	lane := rng.IntN(Width)
	r.Threshold = p.value(shape, &r, p.tab[lane:], p.inv[lane])
	if rng.IntN(10) == 0 {
		r.Threshold = float32(rng.NormFloat64())
	}
	q := r
	return r, func(t []uint16, inv float32) bool { return p.value(shape, &q, t, inv) < q.Threshold }
}

func (p *randomProgram) addStump(rng *rand.Rand, g *group, shape Shape, size int32) {
	r, ask := p.question(rng, shape, size)
	left := leafValue(rng)
	r.Left = left
	p.Records = append(p.Records, r)
	g.add = append(g.add, func(t []uint16, inv float32) int32 {
		if ask(t, inv) {
			return left
		}
		return 0
	})
}

func (p *randomProgram) addBins(rng *rand.Rand, g *group, shape Shape, size int32) {
	r := p.feature(rng, shape, size)
	bins := 1 + rng.IntN(16)
	low := p.value(shape, &r, p.tab[rng.IntN(Width):], p.inv[rng.IntN(Width)])
	scale := rng.Float32()
	var table [16]int32
	for i := range table {
		if i < bins {
			table[i] = leafValue(rng)
		} else {
			table[i] = table[bins-1]
		}
	}
	r.Threshold, r.Right = low, int32(math.Float32bits(scale))
	r.Left = p.AddTable(table)
	p.Records = append(p.Records, r)
	q := r
	g.add = append(g.add, func(t []uint16, inv float32) int32 {
		b := float32(p.value(shape, &q, t, inv)-low) * scale
		if b != b { // of a window without contrast
			b = 0
		}
		return table[int(math.Floor(float64(min(max(b, 0), float32(bins-1)))))]
	})
}

// A tree is a node or a leaf.
type tree struct {
	leaf  int32
	shape Shape
	ask   func(t []uint16, inv float32) bool
	rec   Record
	yes   *tree // nil in a leaf
	no    *tree
}

// grow returns a random tree of the given number of nodes.
func (p *randomProgram) grow(rng *rand.Rand, nodes int, size int32) *tree {
	if nodes == 0 {
		return &tree{leaf: leafValue(rng)}
	}
	n := &tree{shape: Shape(rng.IntN(int(shapes)))}
	n.rec, n.ask = p.question(rng, n.shape, size)
	left := rng.IntN(nodes)
	n.yes, n.no = p.grow(rng, left, size), p.grow(rng, nodes-1-left, size)
	return n
}

// walk returns the leaf that a window ends in.
func (n *tree) walk(t []uint16, inv float32) int32 {
	for n.yes != nil {
		if n.ask(t, inv) {
			n = n.yes
		} else {
			n = n.no
		}
	}
	return n.leaf
}

// addTrees appends trees level by level, with at most as many slots as there
// are.
func (p *randomProgram) addTrees(rng *rand.Rand, g *group, size int32) {
	type place struct {
		*tree
		slot uint8
	}
	var level []place
	free := Sink - 1
	if rng.IntN(3) > 0 {
		free = rng.IntN(free)
	}
	for {
		nodes := 1 + rng.IntN(6)
		if rng.IntN(6) == 0 {
			nodes = free + 1
		}
		if nodes-1 > free || len(level) == 12 {
			break
		}
		free -= nodes - 1
		root := p.grow(rng, nodes, size)
		level = append(level, place{root, 0})
		constant := int32(0)
		switch yes, no := root.yes.yes != nil, root.no.yes != nil; {
		case yes && !no:
			constant = root.no.leaf
		case no && !yes:
			constant = root.yes.leaf
		}
		g.add = append(g.add, func(t []uint16, inv float32) int32 { return root.walk(t, inv) - constant })
	}
	if len(level) == 0 {
		p.Segments = append(p.Segments, Segment{First: int32(len(p.Records)), Op: Op(Pair, Node)})
		return
	}
	slots := rng.Perm(Sink - 1) // in any order; 0 and Sink are taken
	for len(level) > 0 {
		var below []place
		for _, n := range level {
			r := n.rec
			child := func(c *tree) (leaf int32, slot uint8) {
				if c.yes == nil {
					return c.leaf, Sink
				}
				s := uint8(slots[0] + 1)
				slots = slots[1:]
				below = append(below, place{c, s})
				if c.yes.yes == nil && c.no.yes == nil { // will be Last
					leaf = c.no.leaf
				}
				return leaf, s
			}
			left, yes := child(n.yes)
			right, no := child(n.no)
			action := Node
			switch inner, root := n.yes.yes != nil || n.no.yes != nil, n.slot == 0; {
			case root && yes != Sink && no == Sink:
				action = RootYes
				r.Left, r.YesSlot = left-right, yes
			case root && yes == Sink && no != Sink:
				action = RootNo
				r.Left, r.YesSlot = right-left, no
			case !inner && !root:
				action = Last
				r.Self, r.Left = n.slot, left-right
			default:
				r.Self, r.Left, r.Right, r.YesSlot, r.NoSlot = n.slot, left, right, yes, no
			}
			op := Op(n.shape, action)
			if s := len(p.Segments) - 1; s >= g.segment && p.Segments[s].Op == op {
				p.Segments[s].N++
			} else {
				p.Segments = append(p.Segments, Segment{First: int32(len(p.Records)), N: 1, Op: op, Hold: 1, Limit: math.MaxInt32})
			}
			p.Records = append(p.Records, r)
		}
		level = below
	}
	p.Segments[len(p.Segments)-1].Hold = 0
}

// want returns the group that rejects one window, or -1, and its score, for
// groups from to to-1.
func (p *randomProgram) want(tab []uint16, at int, inv float32, from, to int, score int32) (rejectedBy int, scores []int32) {
	t := tab[at:]
	rejectedBy = -1
	for i := from; i < to; i++ {
		g := &p.groups[i]
		if g.reset {
			score = 0
		}
		for _, add := range g.add {
			score += add(t, inv)
		}
		scores = append(scores, score)
		if score < g.limit && rejectedBy < 0 {
			rejectedBy = i
		}
	}
	return rejectedBy, scores
}

// segment returns the first segment of a group, or the end of all.
func (p *randomProgram) segment(group int) int {
	if group == len(p.groups) {
		return len(p.Segments)
	}
	return p.groups[group].segment
}

// newStageProgram makes one of n groups that SweepStage can evaluate.
func newStageProgram(rng *rand.Rand, n int, size int32) *randomProgram {
	return newProgram(rng, size, func(p *randomProgram) {
		for range n {
			g := group{segment: len(p.Segments), limit: -rng.Int32N(2000)}
			if rng.IntN(3) == 0 {
				p.addPairs(rng, &g, size)
			} else {
				shape, first := []Shape{Edge, Line, Check, Pair}[rng.IntN(4)], len(p.Records)
				for range 1 + rng.IntN(5) {
					p.addStump(rng, &g, shape, size)
				}
				p.Segments = append(p.Segments, Segment{First: int32(first), N: int32(len(p.Records) - first), Op: Op(shape, Stump)})
			}
			p.Segments[len(p.Segments)-1].Limit = g.limit
			p.groups = append(p.groups, g)
		}
		if rng.IntN(2) == 0 {
			p.groups[0].reset, p.Segments[0].Reset = true, 1
		}
	})
}

// addPairs appends trees of two nodes.
func (p *randomProgram) addPairs(rng *rand.Rand, g *group, size int32) {
	shapes := []Shape{Edge, Line, Check}
	root, child := shapes[rng.IntN(3)], shapes[rng.IntN(3)]
	n := 1 + rng.IntN(4)
	first := len(p.Records)
	roots := make([]func(t []uint16, inv float32) bool, n)
	for i := range n {
		r, ask := p.question(rng, root, size)
		r.Left, r.YesSlot = leafValue(rng), uint8(1+i*7%Sink)
		p.Records, roots[i] = append(p.Records, r), ask
		g.add = append(g.add, func(t []uint16, inv float32) int32 {
			if ask(t, inv) {
				return r.Left
			}
			return 0
		})
	}
	for i := range n {
		r, ask := p.question(rng, child, size)
		r.Left, r.Self = leafValue(rng), uint8(1+i*7%Sink)
		p.Records = append(p.Records, r)
		g.add = append(g.add, func(t []uint16, inv float32) int32 {
			if roots[i](t, inv) && ask(t, inv) {
				return r.Left
			}
			return 0
		})
	}
	p.Segments = append(p.Segments,
		Segment{First: int32(first), N: int32(n), Op: Op(root, RootYes), Hold: 1, Limit: math.MaxInt32},
		Segment{First: int32(first + n), N: int32(n), Op: Op(child, Last)})
}
