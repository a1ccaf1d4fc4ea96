package cascade

import (
	"errors"
	"fmt"
	"image"

	"haarlem/internal/channels"
)

// Boxes corrects the boxes of detections by regression: each group of trees,
// which ask about the same columns as the verifier's, adds up to how far an edge
// of the object is from that edge of the detection, in sides of the detection,
// to the right or downwards. The side of a box that is not square is the mean of
// its width and height. A group without trees leaves its edge where it is.
type Boxes struct {
	Left, Top, Right, Bottom []Weak
}

// mostMoved is how far an edge may move, in sides; what trees say beyond that
// does not count.
const mostMoved = 1

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
			n.Feature = n.Feature/channels.Count*channels.Count + int32(channels.Mirror(int(n.Feature%channels.Count)))
		}
	}
}

// A boxFit is Boxes compiled.
type boxFit [4][]secondTree

func (b *Boxes) compile() *boxFit {
	if b == nil {
		return nil
	}
	f := new(boxFit)
	for i, trees := range b.edges() {
		f[i] = compileTrees(*trees)
	}
	return f
}

// apply returns the corrected box, or the box itself if nothing would be left of
// it.
func (f *boxFit) apply(box image.Rectangle, columns []int32) image.Rectangle {
	side := float64(box.Dx()+box.Dy()) / 2
	moved := func(edge int, trees []secondTree) int {
		by := min(max(sumTrees(trees, columns), -mostMoved), mostMoved)
		return edge + round(float64(side*by))
	}
	r := image.Rectangle{
		Min: image.Pt(moved(box.Min.X, f[0]), moved(box.Min.Y, f[1])),
		Max: image.Pt(moved(box.Max.X, f[2]), moved(box.Max.Y, f[3])),
	}
	if r.Empty() {
		return box
	}
	return r
}

func compileTrees(trees []Weak) []secondTree {
	out := make([]secondTree, len(trees))
	for i := range trees {
		out[i].set(&trees[i], 0)
	}
	return out
}

// sumTrees returns what the trees say of the columns of a square.
func sumTrees(trees []secondTree, columns []int32) float64 {
	sum := 0.0
	for i := range trees {
		sum += float64(trees[i].leaf(columns))
	}
	return sum
}

// checkTree is check of a weak learner that must be a tree.
func checkTree(w *Weak, q questions, seen *marks) error {
	if w.Histogram() {
		return errors.New("a histogram, want trees only")
	}
	return w.check(q, seen)
}
