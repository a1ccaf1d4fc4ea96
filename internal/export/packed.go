package export

import (
	"fmt"
	"math"

	"haarlem/cascade"
	"haarlem/haar"
)

// A table is an array of whole numbers.
type table struct {
	Name   string
	Type   string // in C
	Bits   int
	About  string
	Values []int64
}

// Bytes returns its size in C.
func (t *table) Bytes() int { return len(t.Values) * t.Bits / 8 }

// A packed is a cascade as tables.
type packed struct {
	kinds, rects, at          table // rectangles: at says where a node's feature begins
	subsets                   table // of LBP
	low, scale                table // of histograms
	thresholds                table // of nodes
	left, right, first        table // of trees with more than one node
	leaves                    table
	after, restart, exitLimit table

	narrow  bool // sides of rectangles have 4 bits
	small   bool // leaves have 8 bits, and other numbers 16
	soft    bool // every weak classifier has an exit, and the score runs on
	stumps  bool
	hist    bool
	tilted  bool
	perWeak int // leaves of a histogram
	unit    int // of leaves
}

// all returns the tables in use.
func (p *packed) all() []*table {
	var ts []*table
	for _, t := range []*table{&p.kinds, &p.rects, &p.at, &p.subsets, &p.low, &p.scale, &p.thresholds, &p.left, &p.right, &p.first, &p.leaves, &p.after, &p.restart, &p.exitLimit} {
		if len(t.Values) > 0 {
			ts = append(ts, t)
		}
	}
	return ts
}

// Bytes returns the size of all tables.
func (p *packed) Bytes() (n int) {
	for _, t := range p.all() {
		n += t.Bytes()
	}
	return n
}

// pack makes the tables of c, whose leaves are multiples of 2^-unit.
func pack(c *cascade.Cascade, small bool, unit int) (*packed, error) {
	p := &packed{small: small, unit: unit, narrow: c.Width <= 16 && c.Height <= 16, hist: c.Weak[0].Histogram()}
	number := func(name, about string) table {
		if small {
			return table{Name: name, Type: "uint16_t", Bits: 16, About: about + ", upper half of a float32"}
		}
		return table{Name: name, Type: "uint32_t", Bits: 32, About: about + ", a float32"}
	}
	p.kinds = table{Name: "kinds", Type: "int8_t", Bits: 8, About: "four numbers a kind of feature: weights of its rectangles, and whether it is tilted"}
	p.rects = table{Name: "rects", Type: "uint8_t", Bits: 8, About: "features: a kind, then x, y, width, height of each rectangle"}
	if p.narrow {
		p.rects.About = "features: a kind, then two bytes a rectangle: x + 16*y and width-1 + 16*(height-1)"
	}
	p.at = table{Name: "at", Type: "uint16_t", Bits: 16, About: "where the feature of a node, or of a histogram, begins in rects"}
	p.subsets = table{Name: "subsets", Type: "uint32_t", Bits: 32, About: "eight words a node: codes that go left"}
	p.low, p.scale = number("low", "where a histogram's first bin begins"), number("scale_of", "bins in 1")
	p.thresholds = number("thresholds", "of nodes: lower values go left")
	p.left = table{Name: "left", Type: "int8_t", Bits: 8, About: "child of a node: a node of the tree, or a leaf 0, -1, ..."}
	p.right = table{Name: "right", Type: "int8_t", Bits: 8, About: "the other child"}
	p.first = table{Name: "first", Type: "uint16_t", Bits: 16, About: "first node of a tree; its first leaf is at this and the number of the tree"}
	p.leaves = table{Name: "leaves", Type: "uint32_t", Bits: 32, About: "outputs, float32"}
	p.exitLimit = table{Name: "limits", Type: "uint32_t", Bits: 32, About: "of exits: a lower score is rejected, float32"}
	if small {
		p.leaves = table{Name: "leaves", Type: "int8_t", Bits: 8, About: fmt.Sprintf("outputs, in units of 2^-%d", unit)}
		p.exitLimit = table{Name: "limits", Type: "int16_t", Bits: 16, About: fmt.Sprintf("of exits: a lower score is rejected, in units of 2^-%d", unit)}
	}
	p.after = table{Name: "after", Type: "uint16_t", Bits: 16, About: "weak classifiers before an exit"}
	p.restart = table{Name: "restart", Type: "uint8_t", Bits: 8, About: "1 if the score is set to 0 after an exit"}

	word := func(v float32) int64 {
		if small {
			return int64(math.Float32bits(v) >> 16)
		}
		return int64(math.Float32bits(v))
	}
	places := make(map[int32]int)
	p.stumps = !p.hist
	for i := range c.Weak {
		w := &c.Weak[i]
		if p.hist {
			p.perWeak = len(w.Leaves)
			p.at.Values = append(p.at.Values, int64(p.place(c, places, w.Feature)))
			p.low.Values, p.scale.Values = append(p.low.Values, word(w.Low)), append(p.scale.Values, word(w.Scale))
		} else if len(w.Nodes) != 1 || w.Nodes[0].Left != 0 || w.Nodes[0].Right != -1 {
			p.stumps = false
		}
	}
	nodes := 0
	for i := range c.Weak {
		w := &c.Weak[i]
		if !p.hist && !p.stumps {
			p.first.Values = append(p.first.Values, int64(nodes))
		}
		nodes += len(w.Nodes)
		for k := range w.Nodes {
			n := &w.Nodes[k]
			p.at.Values = append(p.at.Values, int64(p.place(c, places, n.Feature)))
			if c.Kind == cascade.LBP {
				for _, s := range n.Subset {
					p.subsets.Values = append(p.subsets.Values, int64(s))
				}
			} else {
				p.thresholds.Values = append(p.thresholds.Values, word(n.Threshold))
			}
			if !p.stumps {
				p.left.Values, p.right.Values = append(p.left.Values, int64(n.Left)), append(p.right.Values, int64(n.Right))
			}
		}
		for _, v := range w.Leaves {
			p.leaves.Values = append(p.leaves.Values, p.score(v, unit))
		}
	}
	p.soft = len(c.Exits) == len(c.Weak)
	for e, x := range c.Exits {
		p.soft = p.soft && !(x.Restart && e < len(c.Exits)-1)
	}
	for _, x := range c.Exits {
		p.exitLimit.Values = append(p.exitLimit.Values, p.score(x.Threshold, unit))
		if !p.soft {
			restart := int64(0)
			if x.Restart {
				restart = 1
			}
			p.after.Values, p.restart.Values = append(p.after.Values, int64(x.After)), append(p.restart.Values, restart)
		}
	}
	if n := max(nodes, len(c.Weak)); n > math.MaxUint16 {
		return nil, fmt.Errorf("%w: %d nodes and weak classifiers, want at most %d", ErrExport, n, math.MaxUint16)
	}
	if len(p.rects.Values) > math.MaxUint16 {
		p.at.Type, p.at.Bits = "uint32_t", 32
	}
	return p, nil
}

// score returns v as it stands in a table.
func (p *packed) score(v float32, unit int) int64 {
	if p.small {
		return int64(math.Ldexp(float64(v), unit))
	}
	return int64(math.Float32bits(v))
}

// place returns where a feature begins, and packs it the first time.
func (p *packed) place(c *cascade.Cascade, places map[int32]int, number int32) int {
	if at, ok := places[number]; ok {
		return at
	}
	at := len(p.rects.Values)
	places[number] = at
	put := func(x, y, w, h int) {
		if p.narrow {
			p.rects.Values = append(p.rects.Values, int64(x|y<<4), int64(w-1|(h-1)<<4))
		} else {
			p.rects.Values = append(p.rects.Values, int64(x), int64(y), int64(w), int64(h))
		}
	}
	if c.Kind == cascade.LBP {
		r := c.Cells[number]
		put(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		return at
	}
	f := &c.Features[number]
	p.rects.Values = append(p.rects.Values, int64(p.kind(f)))
	for _, r := range f.Rects[:f.Count()] {
		put(int(r.X), int(r.Y), int(r.W), int(r.H))
	}
	return at
}

// kind returns the number of the kind of f.
func (p *packed) kind(f *haar.Feature) int {
	k := [4]int64{int64(f.Rects[0].Weight), int64(f.Rects[1].Weight), int64(f.Rects[2].Weight), 0}
	if f.Tilted {
		k[3], p.tilted = 1, true
	}
	v := p.kinds.Values
	for i := 0; i < len(v); i += 4 {
		if k == [4]int64(v[i:]) {
			return i / 4
		}
	}
	p.kinds.Values = append(v, k[:]...)
	return len(v) / 4
}
