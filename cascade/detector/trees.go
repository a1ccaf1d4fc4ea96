package detector

import (
	"math"

	"haarlem/cascade"
)

// A verifierTree is a tree with all nodes of its levels: the children of node i are 2i+1
// and 2i+2, and the leaves come behind the last nodes. Deeper trees continue in below.
type verifierTree struct {
	nodes  []verifierNode
	leaves []float32
	below  []*verifierTree // trees in place of leaves; nil means none
}

// maxLevels is the largest number of levels before a tree continues in another one.
const maxLevels = 6

// A verifierNode branches by whether the column is below the threshold.
type verifierNode struct{ column, below int32 }

// treeOf returns the tree of w below node root.
func treeOf(w *cascade.Weak, root int32) *verifierTree {
	n := 1<<levels(w, root, maxLevels) - 1
	t := &verifierTree{nodes: make([]verifierNode, n), leaves: make([]float32, n+1)}
	var put func(at int, child int32)
	put = func(at int, child int32) {
		leaf := at - n
		switch {
		case leaf >= 0 && child <= 0:
			t.leaves[leaf] = w.Leaves[-child]
		case leaf >= 0:
			if t.below == nil {
				t.below = make([]*verifierTree, n+1)
			}
			t.below[leaf] = treeOf(w, child)
		case child <= 0 && at > 0: // both branches are the same
			put(2*at+1, child)
			put(2*at+2, child)
		default:
			n := &w.Nodes[child]
			// Columns are integers of less than 24 bits, so this equals the model's
			// comparison in float32.
			t.nodes[at] = verifierNode{n.Feature, int32(min(max(math.Ceil(float64(n.Threshold)), math.MinInt32), math.MaxInt32))}
			put(2*at+1, n.Right)
			put(2*at+2, n.Left)
		}
	}
	put(0, root)
	return t
}

// levels returns how many levels of nodes w has from node root on, but no more than most.
func levels(w *cascade.Weak, root int32, upper int) int {
	n := &w.Nodes[root]
	deepest := 0
	for _, child := range [...]int32{n.Left, n.Right} {
		if child > 0 && upper > 1 {
			deepest = max(deepest, levels(w, child, upper-1))
		}
	}
	return 1 + deepest
}

// leaf returns the leaf of t for columns.
func (t *verifierTree) leaf(columns []int32) float32 {
	for {
		i := 0
		for i < len(t.nodes) { // without branches that could not be predicted
			i = 2*i + 1 + t.nodes[i].way(columns)
		}
		i -= len(t.nodes)
		if t.below == nil || t.below[i] == nil {
			return t.leaves[i]
		}
		t = t.below[i]
	}
}

func (n *verifierNode) way(columns []int32) int {
	if columns[n.column] < n.below {
		return 1
	}
	return 0
}

func compileTrees(trees []cascade.Weak) []verifierTree {
	out := make([]verifierTree, len(trees))
	for i := range trees {
		out[i] = *treeOf(&trees[i], 0)
	}
	return out
}

// sumTrees returns the sum of the trees' outputs for columns.
func sumTrees(trees []verifierTree, columns []int32) float64 {
	sum := 0.0
	for i := range trees {
		sum += float64(trees[i].leaf(columns))
	}
	return sum
}
