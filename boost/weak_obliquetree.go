package boost

// An ObliqueTree is a decision tree whose nodes are votes: sums over many
// columns. Of votes of [Coordinate] they are hyperplanes.
type ObliqueTree struct {
	Nodes  []ObliqueNode // the root first
	Leaves []float64     // one more than nodes
}

// An ObliqueNode goes left where its vote says -1, right otherwise. Children are
// as of a [Node].
type ObliqueNode struct {
	Vote        *Vote
	Left, Right int32
}

// Value returns the value of x's leaf.
func (t *ObliqueTree) Value(x []float64) float64 {
	if len(t.Nodes) == 0 {
		return t.Leaves[0]
	}
	for c := int32(0); ; {
		n := &t.Nodes[c]
		if c = n.child(n.Vote.sum(x)); c <= 0 {
			return t.Leaves[-c]
		}
	}
}

// child returns the child for a sum of the vote.
func (n *ObliqueNode) child(sum float64) int32 {
	if sum < 0 {
		return n.Left
	}
	return n.Right
}

// Columns returns the columns of all nodes, or nil if one may use all.
func (t *ObliqueTree) Columns() []int {
	return columnsOf(len(t.Nodes), func(i int) []int { return t.Nodes[i].Vote.Columns() })
}

func (t *ObliqueTree) bound() float64 { return largest(t.Leaves) }

func (t *ObliqueTree) mapLeaves(f func(float64) float64) Weak {
	leaves := make([]float64, len(t.Leaves))
	for i, v := range t.Leaves {
		leaves[i] = f(v)
	}
	return &ObliqueTree{Nodes: t.Nodes, Leaves: leaves}
}
