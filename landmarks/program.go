package landmarks

// A Program is a level prepared to run. Four components of a leaf are packed
// into a word of 64 bits, each with bias added so that it is never negative,
// and the leaves of all trees are added word by word: MaxTrees times 255 is
// less than 1<<16.
type Program struct {
	l      *Level
	trees  int
	words  int // per leaf
	leaves []uint64
}

const bias = 128

// NewProgram prepares a level of a checked model.
func NewProgram(l *Level) *Program {
	p := &Program{l: l, trees: l.Trees(), words: (l.Components + 3) / 4}
	p.leaves = make([]uint64, len(l.Leaves)/l.Components*p.words)
	for i := range len(l.Leaves) / l.Components {
		for k, v := range l.Leaves[i*l.Components:][:l.Components] {
			p.leaves[i*p.words+k/4] |= uint64(int64(v)+bias) << (k % 4 * 16)
		}
	}
	return p
}

// Move applies a level to the shape.
func (w *Work) Move(p *Program) {
	w.Values(p.l.Features)
	var sums [MaxComponents]int32
	p.sum(&w.values, &sums)
	w.move(p.l, sums[:p.l.Components])
}

// sum adds up the trees' leaves for the values.
func (p *Program) sum(values *[MaxFeatures]uint8, sums *[MaxComponents]int32) {
	var words [MaxComponents / 4]uint64
	inner := 1<<p.l.Depth - 1
	nodes, leaves := p.l.Nodes, p.leaves
	for range p.trees {
		tree := nodes[:inner]
		n := 0
		for n < len(tree) {
			node := tree[n]
			d := int32(node.Above) - int32(values[node.A]) + int32(values[node.B])
			n = 2*n + 1 + int(uint32(d)>>31) // below 0: brighter by more than Above
		}
		leaf := leaves[(n-inner)*p.words:][:p.words]
		switch len(leaf) {
		case 3:
			words[0] += leaf[0]
			words[1] += leaf[1]
			words[2] += leaf[2]
		default:
			for i, v := range leaf {
				words[i] += v
			}
		}
		nodes, leaves = nodes[inner:], leaves[(inner+1)*p.words:]
	}
	for k := range p.l.Components {
		sums[k] = int32(words[k/4]>>(k%4*16)&0xffff) - int32(bias*p.trees)
	}
}
