package boost

import "math"

// A Tree is a decision tree: a test per node, a value per leaf. With one node
// it is a stump, with none a constant.
type Tree struct {
	Nodes  []Node    // the root first
	Leaves []float64 // one more than nodes
	Covers []float64 // weights of rows that come to the leaves, as [Model.Cover] notes them, or nil
}

// A Node tests whether the value of a column is below a threshold, and goes
// left if it is. An infinite threshold separates present values from missing
// ones. For a categorical column it tests whether the level is in a set.
//
// A child c > 0 is Nodes[c] of the same tree; c <= 0 is Leaves[-c].
type Node struct {
	Column      int
	Threshold   float64
	MissingLeft bool // where NaN goes
	Left, Right int32

	// In, if not nil, is the set of levels that go left, instead of Threshold:
	// level c does if bit c%32 of In[c/32] is set, as in OpenCV's cascades of local
	// binary patterns. A value v stands for the nearest level: 0 for v < 0.5, 1 for
	// v < 1.5, and so on up to 255.
	In *[8]uint32
}

// Next returns the child for row x.
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

// inSet reports whether the level nearest to v is in a set.
func inSet(set *[8]uint32, v float64) bool {
	c := int(math.Floor(min(255, max(0, v+0.5))))
	return set[c/32]>>(c%32)&1 != 0
}

// Value returns the value of x's leaf.
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

// Columns returns the columns of the nodes.
func (t *Tree) Columns() []int {
	return columnsOf(len(t.Nodes), func(i int) []int { return []int{t.Nodes[i].Column} })
}

// largest returns the largest magnitude in v.
func largest(v []float64) float64 {
	m := 0.0
	for _, x := range v {
		m = max(m, math.Abs(x))
	}
	return m
}

// threshold returns the threshold of a cut.
func threshold(cuts []float64, cut int) float64 {
	if cut < len(cuts) {
		return cuts[cut]
	}
	return math.Inf(1)
}

func (t *Tree) mapLeaves(f func(float64) float64) Weak {
	return &Tree{Nodes: t.Nodes, Leaves: mapped(t.Leaves, f), Covers: t.Covers}
}
