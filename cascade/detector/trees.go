package detector

import (
	"math"

	"haarlem/cascade"
)

// A verifierTree is a tree of three levels: the children of node i are 2i+1 and 2i+2,
// and the last nodes have leaves. Deeper trees continue in below.
type verifierTree struct {
	nodes  [7]verifierNode
	leaves [8]float32
	below  *[8]*verifierTree // trees in place of leaves; nil means none
}

// A verifierNode branches by whether the column is below the threshold.
type verifierNode struct{ column, below int32 }

// set makes t of w below node root.
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
}

// leaf returns the leaf of t for columns.
func (t *verifierTree) leaf(columns []int32) float32 {
	for {
		// Without branches, which could not be predicted.
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

// An appearance is what a verifier sees of an object.
type appearance struct{ columns, mirrored []int32 } // mirrored is nil: without the mirror image

// sumTrees returns the sum of the trees' outputs, and that for the mirror image.
func (a *appearance) sumTrees(trees []verifierTree) (sum, mirrored float64) {
	if a.mirrored == nil {
		for i := range trees {
			sum += float64(trees[i].leaf(a.columns))
		}
		return sum, 0
	}
	for i := range trees {
		sum += float64(trees[i].leaf(a.columns))
		mirrored += float64(trees[i].leaf(a.mirrored))
	}
	return sum, mirrored
}

// mean returns a sum, or its mean with what the mirror image says, if that counts.
func (a *appearance) mean(sum, mirrored float64) float64 {
	if a.mirrored == nil {
		return sum
	}
	return (sum + mirrored) / 2
}
