package boost

import (
	"math"
	"slices"
)

// A Tree is a decision tree: a threshold a node, a value a leaf. With one node
// it is a stump, with none a constant.
type Tree struct {
	Nodes  []Node    // the root first
	Leaves []float64 // one more than nodes
}

// A Node asks whether the value of a column is below a threshold, and goes
// left if it is. The infinite threshold tells present values from missing ones.
// Of a categorical column it asks whether the level is one of a set.
//
// A child c > 0 is Nodes[c] of the same tree; c <= 0 is Leaves[-c].
type Node struct {
	Column      int
	Threshold   float64
	MissingLeft bool // where NaN goes
	Left, Right int32

	// In, if not nil, are the levels that go left, in place of Threshold: level c
	// does if bit c%32 of In[c/32] is set, as in [Subset].
	In *[8]uint32
}

// Next returns the child that row x goes to.
func (n *Node) Next(x []float64) int32 {
	v := x[n.Column]
	if n.In != nil {
		if v != v && n.MissingLeft || v == v && inSet(n.In, v) {
			return n.Left
		}
		return n.Right
	}
	if v < n.Threshold || (v != v && n.MissingLeft) {
		return n.Left
	}
	return n.Right
}

// Value returns the value of the leaf that x falls into.
func (t *Tree) Value(x []float64) float64 { return t.Leaves[t.leaf(x)] }

func (t *Tree) leaf(x []float64) int {
	if len(t.Nodes) == 0 {
		return 0
	}
	c := t.Nodes[0].Next(x)
	for c > 0 {
		c = t.Nodes[c].Next(x)
	}
	return int(-c)
}

// Columns returns the columns that the nodes ask for.
func (t *Tree) Columns() []int {
	cols := []int{}
	for i := range t.Nodes {
		if j := t.Nodes[i].Column; !slices.Contains(cols, j) {
			cols = append(cols, j)
		}
	}
	return cols
}

func (t *Tree) bound() float64 { return largest(t.Leaves) }

// largest returns the largest magnitude in v.
func largest(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// threshold returns the value below which a cut's left side lies.
func threshold(cuts []float64, cut int) float64 {
	if cut < len(cuts) {
		return cuts[cut]
	}
	return math.Inf(1)
}

func (t *Tree) mapLeaves(f func(float64) float64) Weak {
	leaves := make([]float64, len(t.Leaves))
	for i, v := range t.Leaves {
		leaves[i] = f(v)
	}
	return &Tree{Nodes: t.Nodes, Leaves: leaves}
}
