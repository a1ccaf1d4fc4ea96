package detector

import (
	"math"

	"haarlem/cascade"
)

// A verifierTree is a tree of three levels: node i asks before nodes 2i+1 and
// 2i+2, and these before the leaves. A tree with more levels goes on where it
// would end.
type verifierTree struct {
	nodes  [7]verifierNode
	leaves [8]float32
	below  *[8]*verifierTree // what stands in place of leaves, if anything does
}

// A verifierNode goes the second way if the column is below the threshold.
type verifierNode struct{ column, below int32 }

// set makes t of w from node root on.
func (t *verifierTree) set(w *cascade.Weak, root int32) {
	var put func(at int, child int32)
	put = func(at int, child int32) {
		leaf := at - len(t.nodes)
		switch {
		case leaf >= 0 && child <= 0:
			t.leaves[leaf] = w.Leaves[-child]
		case leaf >= 0:
			if t.below == nil {
				t.below = new([8]*verifierTree)
			}
			t.below[leaf] = new(verifierTree)
			t.below[leaf].set(w, child)
		case child <= 0 && at > 0: // whatever this node asks
			put(2*at+1, child)
			put(2*at+2, child)
		default:
			n := &w.Nodes[child]
			// Columns are integers of less than 24 bits, so this is the
			// comparison as float32 that the model means.
			t.nodes[at] = verifierNode{n.Feature, int32(min(max(math.Ceil(float64(n.Threshold)), math.MinInt32), math.MaxInt32))}
			put(2*at+1, n.Right)
			put(2*at+2, n.Left)
		}
	}
	put(0, root)
}

// leaf returns the leaf that t comes to.
func (t *verifierTree) leaf(columns []int32) float32 {
	for {
		// No branches: which way it goes is anybody's guess.
		a := t.nodes[0].way(columns)
		b := 2*a + t.nodes[1+a].way(columns)
		c := 2*b + t.nodes[3+b].way(columns)
		if t.below == nil || t.below[c] == nil {
			return t.leaves[c]
		}
		t = t.below[c]
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
		out[i].set(&trees[i], 0)
	}
	return out
}

// sumTrees returns what the trees say of the columns of a square.
func sumTrees(trees []verifierTree, columns []int32) float64 {
	sum := 0.0
	for i := range trees {
		sum += float64(trees[i].leaf(columns))
	}
	return sum
}
