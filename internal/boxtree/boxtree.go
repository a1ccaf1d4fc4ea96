// Package boxtree finds boxes near others without visiting all of them, and
// removes what it finds. Finding and removing the neighbours of every box takes
// nearly linear time.
//
// It is a bounding volume hierarchy over boxes sorted along a Z-order curve
// through their positions and sizes (Morton, "A Computer Oriented Geodetic Data
// Base", 1966), with a few in each leaf, and for each node the bounds of all
// below.
package boxtree

import (
	"cmp"
	"context"
	"image"
	"math"
	"math/bits"
	"slices"

	"haarlem/internal/longsort"
)

// leaf is the number of boxes in a leaf.
const leaf = 8

// A Bounds holds the ranges of all boxes of a node.
type Bounds struct {
	Low, High    image.Rectangle // of each of the four coordinates
	Small, Large image.Point     // of widths and heights
}

// All returns the bounds of all boxes.
func All() Bounds {
	low, high := image.Pt(math.MinInt, math.MinInt), image.Pt(math.MaxInt, math.MaxInt)
	return Bounds{image.Rectangle{low, low}, image.Rectangle{high, high}, low, high}
}

// meet reports whether a box can be within both bounds.
func (b *Bounds) meet(c *Bounds) bool {
	return b.Low.Min.X <= c.High.Min.X && c.Low.Min.X <= b.High.Min.X &&
		b.Low.Min.Y <= c.High.Min.Y && c.Low.Min.Y <= b.High.Min.Y &&
		b.Low.Max.X <= c.High.Max.X && c.Low.Max.X <= b.High.Max.X &&
		b.Low.Max.Y <= c.High.Max.Y && c.Low.Max.Y <= b.High.Max.Y &&
		b.Small.X <= c.Large.X && c.Small.X <= b.Large.X &&
		b.Small.Y <= c.Large.Y && c.Small.Y <= b.Large.Y
}

// has reports whether a box is within the bounds.
func (b *Bounds) has(r image.Rectangle) bool {
	return b.Low.Min.X <= r.Min.X && r.Min.X <= b.High.Min.X &&
		b.Low.Min.Y <= r.Min.Y && r.Min.Y <= b.High.Min.Y &&
		b.Low.Max.X <= r.Max.X && r.Max.X <= b.High.Max.X &&
		b.Low.Max.Y <= r.Max.Y && r.Max.Y <= b.High.Max.Y &&
		b.Small.X <= r.Dx() && r.Dx() <= b.Large.X &&
		b.Small.Y <= r.Dy() && r.Dy() <= b.Large.Y
}

// A Query selects boxes.
type Query interface {
	// Is reports whether box number i, which is within the bounds of the search, matches.
	Is(i int32, box image.Rectangle) bool
}

// A Tree is a set of numbered boxes. The zero value is empty.
type Tree struct {
	order []int32           // numbers of boxes, by leaf
	boxes []image.Rectangle // in that order
	place []int32           // index of each box in order
	nodes []node            // node 1 is the root; below k are 2k and 2k+1, and last come the leaves
	first int               // leaf

	keys, buf []key

	// Work counts visits of boxes and nodes. Callers check their context as it
	// grows, and may reset it.
	Work int
}

type node struct {
	Bounds
	left uint8 // which boxes of a leaf, or which children, are not removed
}

type key struct {
	z uint64
	i int32
}

// Set makes t hold boxes 0 to n-1. If ctx ends, its error is returned, and t
// must be set again before use.
func (t *Tree) Set(ctx context.Context, n int, box func(i int) image.Rectangle) error {
	if err := t.sort(ctx, n, box); err != nil {
		return err
	}
	leaves := (n + leaf - 1) / leaf
	t.first = 1 << bits.Len(uint(max(leaves, 1)-1))
	t.nodes = slices.Grow(t.nodes[:0], t.first+leaves)[:t.first+leaves]
	t.order = slices.Grow(t.order[:0], n)[:n]
	t.boxes = slices.Grow(t.boxes[:0], n)[:n]
	t.place = slices.Grow(t.place[:0], n)[:n]
	for l := range leaves {
		if l&4095 == 4095 && ctx.Err() != nil {
			return ctx.Err()
		}
		nd := &t.nodes[t.first+l]
		*nd = node{}
		for p := l * leaf; p < min((l+1)*leaf, n); p++ {
			i := t.keys[p].i
			b := box(int(i))
			t.order[p], t.boxes[p], t.place[i] = i, b, int32(p)
			one := Bounds{b, b, b.Size(), b.Size()}
			if nd.left == 0 {
				nd.Bounds = one
			} else {
				nd.include(&one)
			}
			nd.left |= 1 << (p % leaf)
		}
	}
	for k := t.first - 1; k > 0; k-- {
		if k&4095 == 4095 && ctx.Err() != nil {
			return ctx.Err()
		}
		nd := &t.nodes[k]
		nd.left = 0
		for side := range 2 {
			if c := 2*k + side; c < len(t.nodes) && t.nodes[c].left != 0 {
				if nd.left == 0 {
					nd.Bounds = t.nodes[c].Bounds
				} else {
					nd.include(&t.nodes[c].Bounds)
				}
				nd.left |= 1 << side
			}
		}
	}
	if n == 0 {
		t.nodes = t.nodes[:0]
	}
	return nil
}

func (b *Bounds) include(c *Bounds) {
	b.Low.Min.X, b.Low.Min.Y = min(b.Low.Min.X, c.Low.Min.X), min(b.Low.Min.Y, c.Low.Min.Y)
	b.Low.Max.X, b.Low.Max.Y = min(b.Low.Max.X, c.Low.Max.X), min(b.Low.Max.Y, c.Low.Max.Y)
	b.High.Min.X, b.High.Min.Y = max(b.High.Min.X, c.High.Min.X), max(b.High.Min.Y, c.High.Min.Y)
	b.High.Max.X, b.High.Max.Y = max(b.High.Max.X, c.High.Max.X), max(b.High.Max.Y, c.High.Max.Y)
	b.Small.X, b.Small.Y = min(b.Small.X, c.Small.X), min(b.Small.Y, c.Small.Y)
	b.Large.X, b.Large.Y = max(b.Large.X, c.Large.X), max(b.Large.Y, c.Large.Y)
}

// sort sorts the boxes' numbers along the curve.
func (t *Tree) sort(ctx context.Context, n int, box func(i int) image.Rectangle) error {
	t.keys = slices.Grow(t.keys[:0], n)[:n]
	if n == 0 {
		return nil
	}
	all := Bounds{box(0), box(0), box(0).Size(), box(0).Size()}
	for i := range n {
		if i&0xffff == 0xffff && ctx.Err() != nil {
			return ctx.Err()
		}
		b := box(i)
		all.include(&Bounds{b, b, b.Size(), b.Size()})
	}
	span := uint(max(all.High.Min.X-all.Low.Min.X, all.High.Min.Y-all.Low.Min.Y, all.Large.X-all.Small.X, all.Large.Y-all.Small.Y))
	shift := max(bits.Len(span)-16, 0)
	for i := range n {
		if i&0xffff == 0xffff && ctx.Err() != nil {
			return ctx.Err()
		}
		b := box(i)
		z := spread(uint(b.Min.X-all.Low.Min.X)>>shift) | spread(uint(b.Min.Y-all.Low.Min.Y)>>shift)<<1 |
			spread(uint(b.Dx()-all.Small.X)>>shift)<<2 | spread(uint(b.Dy()-all.Small.Y)>>shift)<<3
		t.keys[i] = key{z, int32(i)}
	}
	var err error
	t.buf, err = longsort.Stable(ctx, t.keys, t.buf, func(a, b key) int { return cmp.Compare(a.z, b.z) })
	return err
}

// spread inserts three zeros between the lower 16 bits of v.
func spread(v uint) uint64 {
	z := uint64(v & 0xffff)
	z = (z | z<<24) & 0x000000ff000000ff
	z = (z | z<<12) & 0x000f000f000f000f
	z = (z | z<<6) & 0x0303030303030303
	return (z | z<<3) & 0x1111111111111111
}

// Remove removes box number i, if it is there.
func (t *Tree) Remove(i int32) {
	p := int(t.place[i])
	k := t.first + p/leaf
	t.nodes[k].left &^= 1 << (p % leaf)
	for ; t.nodes[k].left == 0 && k > 1; k /= 2 {
		t.nodes[k/2].left &^= 1 << (k % 2)
	}
}

// Take removes all boxes within the bounds that match q, and appends their numbers to dst.
func (t *Tree) Take(dst []int32, within *Bounds, q Query) []int32 {
	if len(t.nodes) > 0 {
		dst, _ = t.take(dst, within, q, 1)
	}
	return dst
}

// take is Take below node k; it reports whether any box is left there.
func (t *Tree) take(dst []int32, within *Bounds, q Query, k int) ([]int32, bool) {
	nd := &t.nodes[k]
	t.Work++
	if nd.left == 0 || !within.meet(&nd.Bounds) {
		return dst, nd.left != 0
	}
	if k < t.first {
		var any bool
		for side := range 2 {
			if nd.left>>side&1 == 0 {
				continue
			}
			if dst, any = t.take(dst, within, q, 2*k+side); !any {
				nd.left &^= 1 << side
			}
		}
		return dst, nd.left != 0
	}
	t.Work += leaf
	for m := nd.left; m != 0; m &= m - 1 {
		bit := bits.TrailingZeros8(m)
		p := (k-t.first)*leaf + bit
		if i := t.order[p]; within.has(t.boxes[p]) && q.Is(i, t.boxes[p]) {
			nd.left &^= 1 << bit
			dst = append(dst, i)
		}
	}
	return dst, nd.left != 0
}

// Any reports whether any box of t within the bounds matches q.
func (t *Tree) Any(within *Bounds, q Query) bool {
	return len(t.nodes) > 0 && t.any(within, q, 1)
}

func (t *Tree) any(within *Bounds, q Query, k int) bool {
	nd := &t.nodes[k]
	t.Work++
	if nd.left == 0 || !within.meet(&nd.Bounds) {
		return false
	}
	if k < t.first {
		return t.any(within, q, 2*k) || 2*k+1 < len(t.nodes) && t.any(within, q, 2*k+1)
	}
	t.Work += leaf
	for m := nd.left; m != 0; m &= m - 1 {
		p := (k-t.first)*leaf + bits.TrailingZeros8(m)
		if within.has(t.boxes[p]) && q.Is(t.order[p], t.boxes[p]) {
			return true
		}
	}
	return false
}
