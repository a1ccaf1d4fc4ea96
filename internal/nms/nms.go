// Package nms is greedy non-maximum suppression: a box is kept unless a better
// one that is kept suppresses it. It takes nearly linear time; see package
// [haarlem/internal/boxtree].
package nms

import (
	"context"
	"image"
	"slices"

	"haarlem/internal/boxtree"
)

// A Rule decides which boxes suppress each other. Boxes are well-formed: no Max
// is less than its Min.
type Rule interface {
	// Drops reports whether a, if kept, suppresses b.
	Drops(a, b image.Rectangle) bool

	// May reports whether a can suppress a box within the bounds. False means
	// that it suppresses none of them.
	May(a image.Rectangle, b *boxtree.Bounds) bool
}

// A Suppressor is the memory for one suppression at a time. The zero value is
// ready.
type Suppressor struct {
	trees   []boxtree.Tree
	number  []int32 // of a box in its owner's tree
	members [][]int32
	gone    []bool
	kept    []int32
	counts  []int32
	taken   []int32
	query   query
}

// enough is the work between two checks of the context.
const enough = 1 << 18

// Keep returns the indices of the kept boxes, of boxes sorted best first. They
// are valid until the next call.
func (s *Suppressor) Keep(ctx context.Context, boxes []image.Rectangle, rule Rule) ([]int32, error) {
	return s.keep(ctx, boxes, nil, rule)
}

// Counts returns, for each box that Keep kept, the number of boxes that only then were
// suppressed. It is valid until the next call.
func (s *Suppressor) Counts() []int32 { return s.counts }

// KeepAcross is Keep where boxes suppress only those of other owners. Owners
// are small numbers, one per box.
func (s *Suppressor) KeepAcross(ctx context.Context, boxes []image.Rectangle, owners []int, rule Rule) ([]int32, error) {
	return s.keep(ctx, boxes, owners, rule)
}

func (s *Suppressor) keep(ctx context.Context, boxes []image.Rectangle, owners []int, rule Rule) ([]int32, error) {
	n := len(boxes)
	owner := func(i int) int {
		if owners == nil {
			return 0
		}
		return owners[i]
	}
	all := 1
	for _, o := range owners {
		all = max(all, o+1)
	}
	for len(s.trees) < all {
		s.trees, s.members = append(s.trees, boxtree.Tree{}), append(s.members, nil)
	}
	for o := range all {
		s.members[o] = s.members[o][:0]
	}
	s.number = slices.Grow(s.number[:0], n)[:n]
	s.gone = slices.Grow(s.gone[:0], n)[:n]
	clear(s.gone)
	for i := range n {
		m := &s.members[owner(i)]
		s.number[i] = int32(len(*m))
		*m = append(*m, int32(i))
	}
	for o := range all {
		m := s.members[o]
		if err := s.trees[o].Set(ctx, len(m), func(i int) image.Rectangle { return boxes[m[i]] }); err != nil {
			return nil, err
		}
	}
	s.kept, s.counts = s.kept[:0], s.counts[:0]
	s.query.rule = rule
	work := 0
	for i, b := range boxes {
		if s.gone[i] {
			continue
		}
		s.kept, s.counts = append(s.kept, int32(i)), append(s.counts, 0)
		own := owner(i)
		s.trees[own].Remove(s.number[i])
		s.query.box = b
		for o := range all {
			if o == own && owners != nil {
				continue
			}
			t := &s.trees[o]
			t.Work = 0
			s.taken = t.Take(s.taken[:0], &s.query)
			work += t.Work
			for _, k := range s.taken {
				s.gone[s.members[o][k]] = true
			}
			s.counts[len(s.counts)-1] += int32(len(s.taken))
		}
		if work > enough {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			work = 0
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.kept, nil
}

type query struct {
	rule Rule
	box  image.Rectangle
}

func (q *query) Near(b *boxtree.Bounds) bool        { return q.rule.May(q.box, b) }
func (q *query) Is(_ int32, b image.Rectangle) bool { return q.rule.Drops(q.box, b) }
