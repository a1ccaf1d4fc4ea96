package cascade

import (
	"errors"
	"fmt"
)

// Boxes corrects the boxes of detections by regression. The sum of each group of trees,
// which test the verifier's columns, is the distance of an edge of the object from that
// edge of the detection, to the right or downwards, in sides of the detection. The side
// of a box that is not square is the mean of its width and height. Sums are clipped to
// -1 and 1. A group without trees leaves its edge in place.
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

// checkTree checks a weak classifier that must be a tree.
func checkTree(w *Weak, q questions, seen *marks) error {
	if w.Histogram() {
		return errors.New("a histogram, want trees only")
	}
	return w.check(q, seen)
}
