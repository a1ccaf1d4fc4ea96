package landmarks

// A Program is a level prepared to run. Four components of a leaf are packed
// into a word of 64 bits, each with bias added so that it is never negative,
// and the leaves of all trees are added word by word: maxTrees times 255 is
// less than 1<<16.
type Program struct {
	l       *Level
	trees   int
	words   int    // per leaf
	nodes   []byte // A, B, Above and 0 of each, and 4 bytes at the end of each tree
	leaves  []uint64
	basis   []four // of each point, x<<32 + y for each component
	largest []four // the largest number of each component in the basis
}

const bias = 128

// A four is a number for each of four components.
type four [4]int64

// NewProgram prepares a level of a checked model.
func NewProgram(l *Level) *Program {
	p := &Program{l: l, trees: l.Trees(), words: (l.Components + 3) / 4}
	p.nodes = make([]byte, 4*p.trees<<l.Depth)
	inner := 1<<l.Depth - 1
	for i, n := range l.Nodes {
		at := p.nodes[4*(i+i/inner):]
		at[0], at[1], at[2] = n.A, n.B, uint8(n.Above)
	}
	p.leaves = make([]uint64, len(l.Leaves)/l.Components*p.words)
	for i := range len(l.Leaves) / l.Components {
		for k, v := range l.Leaves[i*l.Components:][:l.Components] {
			p.leaves[i*p.words+k/4] |= uint64(int64(v)+bias) << (k % 4 * 16)
		}
	}
	points := len(l.Basis) / (2 * l.Components)
	p.basis = make([]four, points*p.words)
	p.largest = make([]four, p.words)
	for k := range l.Components {
		row := l.Basis[k*2*points:][:2*points]
		for i := range points {
			x, y := row[2*i], row[2*i+1]
			p.basis[i*p.words+k/4][k%4] = int64(x)<<32 + int64(y)
			p.largest[k/4][k%4] = max(p.largest[k/4][k%4], int64(abs32(x)), int64(abs32(y)))
		}
	}
	return p
}

// Move applies a level to the shape.
func (w *Work) Move(p *Program) {
	w.Values(p.l.Features)
	var sums [maxComponents / 4]four
	p.sum(&w.values, &sums)
	w.move(p, sums[:p.words])
}

// sum adds up the trees' leaves for the values.
func (p *Program) sum(values *[maxFeatures]uint8, sums *[maxComponents / 4]four) {
	var buffer [maxTrees]uint32
	leaves := buffer[:p.trees]
	switch p.l.Depth {
	case 3:
		p.depth3(values, leaves)
	case 4:
		p.depth4(values, leaves)
	default:
		p.walk(values, leaves)
	}
	var words [maxComponents / 4]uint64
	p.add(leaves, &words)
	for k := range p.l.Components {
		sums[k/4][k%4] = int64(words[k/4]>>(k%4*16)&0xffff) - int64(bias*p.trees)
	}
}

// walk finds the leaf of each tree: its first word in leaves. n is the place of a node in
// its tree, 4 for each node before it.
func (p *Program) walk(values *[maxFeatures]uint8, leaves []uint32) {
	nodes, size := p.nodes, 4<<p.l.Depth
	at := uint32(0) // the tree's first leaf
	for i := range leaves {
		tree, n := nodes[:size], 0
		for n < len(tree)-4 {
			node := tree[n:][:3]
			n = 2*n + 4 + int(side(values, node[0], node[1], node[2]))
		}
		leaves[i] = (at + uint32(n-len(tree)+4)/4) * uint32(p.words)
		nodes, at = nodes[size:], at+uint32(size/4)
	}
}

// side returns 4 if value a is larger than value b by more than above, and otherwise 0.
func side(values *[maxFeatures]uint8, a, b, above byte) uint {
	d := int32(int8(above)) - int32(values[a]) + int32(values[b])
	return uint(uint32(d) >> 29 & 4)
}

// depth3 is walk for trees of depth 3, twice as fast: processors work on several trees at a
// time if there is little to do for each.
func (p *Program) depth3(values *[maxFeatures]uint8, leaves []uint32) {
	nodes, words, at := p.nodes, uint32(p.words), uint32(0)
	for i := range leaves {
		if len(nodes) < 4<<3 {
			break // never: for the compiler
		}
		t := (*[4 << 3]byte)(nodes)
		n := side(values, t[0], t[1], t[2])
		n = 2*n + side(values, t[4+n], t[4+n+1], t[4+n+2])
		n = 2*n + side(values, t[12+n], t[12+n+1], t[12+n+2])
		leaves[i] = (at + uint32(n/4)) * words
		nodes, at = nodes[4<<3:], at+1<<3
	}
}

// depth4 is walk for trees of depth 4.
func (p *Program) depth4(values *[maxFeatures]uint8, leaves []uint32) {
	nodes, words, at := p.nodes, uint32(p.words), uint32(0)
	for i := range leaves {
		if len(nodes) < 4<<4 {
			break // never: for the compiler
		}
		t := (*[4 << 4]byte)(nodes)
		n := side(values, t[0], t[1], t[2])
		n = 2*n + side(values, t[4+n], t[4+n+1], t[4+n+2])
		n = 2*n + side(values, t[12+n], t[12+n+1], t[12+n+2])
		n = 2*n + side(values, t[28+n], t[28+n+1], t[28+n+2])
		leaves[i] = (at + uint32(n/4)) * words
		nodes, at = nodes[4<<4:], at+1<<4
	}
}

// add adds up leaves, three words at a time.
func (p *Program) add(leaves []uint32, words *[maxComponents / 4]uint64) {
	k := 0
	for ; k+3 <= p.words; k += 3 {
		var a, b, c uint64
		from := p.leaves[k:]
		for _, at := range leaves {
			leaf := from[at:]
			if len(leaf) < 3 {
				break // never: for the compiler
			}
			a, b, c = a+leaf[0], b+leaf[1], c+leaf[2]
		}
		words[k], words[k+1], words[k+2] = a, b, c
	}
	for ; k < p.words; k++ {
		var a uint64
		from := p.leaves[k:]
		for _, at := range leaves {
			a += from[at]
		}
		words[k] = a
	}
}

// move moves the shape by the leaves' sums. Both coordinates of a point are added up in one
// number where they fit.
func (w *Work) move(p *Program, sums []four) {
	largest := int64(0)
	for i := range sums {
		for k, s := range sums[i] {
			largest += max(s, -s) * p.largest[i][k]
		}
	}
	// Points stay near the patch, so that sums do not overflow.
	far := int64(w.patch.side) << unitBits
	basis := p.basis
	for i := range w.Shape {
		var x, y int64
		if largest < 1<<31 {
			both := int64(0)
			for k := range sums {
				s, b := &sums[k], &basis[k]
				both += s[0]*b[0] + s[1]*b[1] + (s[2]*b[2] + s[3]*b[3])
			}
			y = int64(int32(both))
			x = (both - y) >> 32
		} else {
			for k := range sums {
				for c, b := range basis[k] {
					v := int64(int32(b))
					x += sums[k][c] * ((b - v) >> 32)
					y += sums[k][c] * v
				}
			}
		}
		basis = basis[len(sums):]
		x, y = (x+1<<15)>>16, (y+1<<15)>>16
		x, y = min(max(x, -far), far), min(max(y, -far), far)
		q := &w.Shape[i]
		q.X = int32(min(max(int64(q.X)+(w.a*x-w.b*y+1<<13)>>14, -far), far))
		q.Y = int32(min(max(int64(q.Y)+(w.b*x+w.a*y+1<<13)>>14, -far), far))
	}
	w.turn()
}
