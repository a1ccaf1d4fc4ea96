package boost

// An obliqueTree is a decision tree whose nodes are votes: sums over many
// columns. Of votes of [coordinate] they are hyperplanes.
type obliqueTree struct {
	Nodes  []obliqueNode // the root first
	Leaves []float64     // one more than nodes
}

// An obliqueNode goes left where its vote says -1, right otherwise. Children are
// as of a [Node].
type obliqueNode struct {
	vote        *vote
	Left, Right int32
}

// Value returns the value of x's leaf.
func (t *obliqueTree) Value(x []float64) float64 {
	if len(t.Nodes) == 0 {
		return t.Leaves[0]
	}
	for c := int32(0); ; {
		n := &t.Nodes[c]
		if c = n.child(n.vote.sum(x)); c <= 0 {
			return t.Leaves[-c]
		}
	}
}

// child returns the child for a sum of the vote.
func (n *obliqueNode) child(sum float64) int32 {
	if sum < 0 {
		return n.Left
	}
	return n.Right
}

// Columns returns the columns of all nodes, or nil if one may use all.
func (t *obliqueTree) Columns() []int {
	return columnsOf(len(t.Nodes), func(i int) []int { return t.Nodes[i].vote.Columns() })
}

func (t *obliqueTree) mapLeaves(f func(float64) float64) Weak {
	return &obliqueTree{Nodes: t.Nodes, Leaves: mapped(t.Leaves, f)}
}
