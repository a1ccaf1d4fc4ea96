package cascade

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Kind is the kind of a cascade's features.
type Kind uint8

const (
	Haar Kind = iota + 1 // normalised Haar-like features with thresholds
	LBP                  // local binary patterns of 3x3 cells with subsets of the 256 codes
)

// A Weak is a weak classifier: a tree, or a histogram over one feature.
//
// The value of a Haar feature is f32(raw*inv), where raw is the weighted sum
// of its rectangles and inv = 1/sqrt(area*sq - sum*sum) over the window inside
// a border of one pixel; area counts pixels, sum and sq add grey levels and
// their squares. So values are raw sums divided by area and by the standard deviation.
type Weak struct {
	// Nodes are the nodes of a tree, the root first. Empty for a histogram.
	Nodes []Node

	// Leaves are the possible outputs, which are added to the score. A tree has
	// len(Nodes)+1, a histogram 8 or 16, one for each bin.
	Leaves []float32

	// A histogram's feature and bins: value v is in bin
	// min(max((v-Low)*Scale, 0), len(Leaves)-1), rounded down, in float32.
	Feature    int32
	Low, Scale float32
}

// Histogram reports whether w is a histogram.
func (w *Weak) Histogram() bool { return len(w.Nodes) == 0 }

// A Node is one test of a tree. A Haar node goes left if the feature's value is below
// Threshold, an LBP node if the bit of its code is set in Subset.
//
// A child c > 0 is Nodes[c] of the same tree; c <= 0 is Leaves[-c].
type Node struct {
	Feature     int32
	Threshold   float32
	Left, Right int32
	Subset      [8]uint32
}

func cloneWeak(ws []Weak) []Weak {
	ws = slices.Clone(ws)
	for i := range ws {
		ws[i].Nodes = slices.Clone(ws[i].Nodes)
		ws[i].Leaves = slices.Clone(ws[i].Leaves)
	}
	return ws
}

// maxLeaf bounds leaves, so that scores do not overflow in float32.
const maxLeaf = 1 << 30

// questions are the features that weak classifiers may test.
type questions struct {
	kind     Kind // Haar for all that is compared with a threshold
	features int
}

func (w *Weak) check(q questions, seen *marks) error {
	for k, v := range w.Leaves {
		if !(math.Abs(float64(v)) <= maxLeaf) {
			return fmt.Errorf("leaf %d is %v, want a number within %d", k, v, maxLeaf)
		}
	}
	if w.Histogram() {
		return q.checkHistogram(w)
	}
	return q.checkTree(w, seen)
}

func (q questions) checkIndex(f int32) error {
	if f < 0 || int(f) >= q.features {
		return fmt.Errorf("feature %d, want 0 to %d", f, q.features-1)
	}
	return nil
}

func (q questions) checkHistogram(w *Weak) error {
	if q.kind != Haar {
		return errors.New("a histogram, want trees only in an LBP cascade")
	}
	if n := len(w.Leaves); n != 8 && n != 16 {
		return fmt.Errorf("a histogram of %d leaves, want 8 or 16", n)
	}
	if !isFinite(float64(w.Low)) || !isFinite(float64(w.Scale)) || w.Scale <= 0 {
		return fmt.Errorf("histogram with Low %v and Scale %v, want finite numbers and a positive Scale", w.Low, w.Scale)
	}
	return q.checkIndex(w.Feature)
}

// checkTree walks from the root and checks that every node and every leaf is reached
// exactly once. So there is no cycle, and no leaf is shared.
func (q questions) checkTree(w *Weak, seen *marks) error {
	n := len(w.Nodes)
	if len(w.Leaves) != n+1 {
		return fmt.Errorf("%d leaves, want %d for a tree of %d nodes", len(w.Leaves), n+1, n)
	}
	if w.Feature != 0 || w.Low != 0 || w.Scale != 0 {
		return errors.New("a tree with a histogram's Feature, Low or Scale, want them zero")
	}
	seen.reset(n)
	seen.todo = append(seen.todo, 0)
	reached := 0
	for len(seen.todo) > 0 {
		at := seen.todo[len(seen.todo)-1]
		seen.todo = seen.todo[:len(seen.todo)-1]
		reached++
		node := &w.Nodes[at]
		if err := q.checkNode(node); err != nil {
			return fmt.Errorf("node %d: %w", at, err)
		}
		for _, child := range [...]int32{node.Left, node.Right} {
			switch {
			case child >= int32(n) || child < -int32(n):
				return fmt.Errorf("node %d: child %d, want nodes 1 to %d or leaves 0 to -%d", at, child, n-1, n)
			case child > 0 && seen.node[child] || child <= 0 && seen.leaf[-child]:
				return fmt.Errorf("node %d: child %d has another parent, so this is not a tree", at, child)
			case child > 0:
				seen.node[child] = true
				seen.todo = append(seen.todo, child)
			default:
				seen.leaf[-child] = true
			}
		}
	}
	if reached < n {
		return fmt.Errorf("%d of %d nodes cannot be reached from node 0", n-reached, n)
	}
	return nil
}

func (q questions) checkNode(n *Node) error {
	switch {
	case !isFinite(float64(n.Threshold)):
		return fmt.Errorf("threshold %v is not a finite number", n.Threshold)
	case q.kind == Haar && n.Subset != ([8]uint32{}):
		return errors.New("a subset, want none in a Haar cascade")
	case q.kind == LBP && n.Threshold != 0:
		return fmt.Errorf("threshold %v, want none in an LBP cascade", n.Threshold)
	}
	return q.checkIndex(n.Feature)
}

// marks is the memory of checkTree, reused from tree to tree.
type marks struct {
	node, leaf []bool
	todo       []int32
}

func (m *marks) reset(nodes int) {
	if cap(m.leaf) < nodes+1 {
		m.node, m.leaf = make([]bool, nodes+1), make([]bool, nodes+1)
	}
	m.node, m.leaf = m.node[:nodes+1], m.leaf[:nodes+1]
	clear(m.node)
	clear(m.leaf)
	m.todo = m.todo[:0]
}
