package cascade

import (
	"errors"
	"fmt"

	"haarlem/internal/channels/columns"
)

// Boxes corrects the boxes of detections by regression: each group of trees,
// which ask about the same columns as the verifier's, adds up to how far an edge
// of the object is from that edge of the detection, in sides of the detection,
// to the right or downwards. The side of a box that is not square is the mean of
// its width and height. Sums beyond -1 and 1 count as that. A group without trees leaves its edge where it is.
type Boxes struct {
	Left, Top, Right, Bottom []Weak
}

// edges are the groups in the order of files.
func (b *Boxes) edges() [4]*[]Weak { return [4]*[]Weak{&b.Left, &b.Top, &b.Right, &b.Bottom} }

func (b *Boxes) clone() *Boxes {
	if b == nil {
		return nil
	}
	return &Boxes{cloneWeak(b.Left), cloneWeak(b.Top), cloneWeak(b.Right), cloneWeak(b.Bottom)}
}

func (b *Boxes) check(q questions, seen *marks) error {
	n := 0
	for _, trees := range b.edges() {
		for i := range *trees {
			if err := checkTree(&(*trees)[i], q, seen); err != nil {
				return fmt.Errorf("boxes: tree %d: %w", n+i, err)
			}
		}
		n += len(*trees)
	}
	if n == 0 {
		return errors.New("boxes: no trees")
	}
	return nil
}

// mirror returns what corrects in a mirror image as b does.
func (b *Boxes) mirror() *Boxes {
	m := b.clone()
	if m == nil {
		return nil
	}
	m.Left, m.Right = m.Right, m.Left
	for i, trees := range m.edges() {
		mirrorColumns(*trees)
		if i%2 == 0 {
			for k := range *trees {
				for l := range (*trees)[k].Leaves {
					(*trees)[k].Leaves[l] *= -1
				}
			}
		}
	}
	return m
}

// mirrorColumns has trees see in a mirror image what they saw.
func mirrorColumns(trees []Weak) {
	for i := range trees {
		for k := range trees[i].Nodes {
			n := &trees[i].Nodes[k]
			first := n.Feature / columns.Count * columns.Count // of its square
			n.Feature = first + int32(columns.Mirror(int(n.Feature-first)))
		}
	}
}

// checkTree is check of a weak learner that must be a tree.
func checkTree(w *Weak, q questions, seen *marks) error {
	if w.Histogram() {
		return errors.New("a histogram, want trees only")
	}
	return w.check(q, seen)
}
