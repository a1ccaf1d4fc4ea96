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

	// Within returns bounds of the boxes that a can suppress.
	Within(a image.Rectangle) boxtree.Bounds
}

// A Suppressor is the memory for one suppression at a time. The zero value is
// ready.
type Suppressor struct {
	tree   boxtree.Tree
	gone   []bool
	kept   []int32
	counts []int32
	taken  []int32
	query  query
}

// enough is the work between two checks of the context.
const enough = 1 << 18

// Keep returns the indices of the kept boxes, of boxes sorted best first. They
// are valid until the next call.
func (s *Suppressor) Keep(ctx context.Context, boxes []image.Rectangle, rule Rule) ([]int32, error) {
	s.gone = slices.Grow(s.gone[:0], len(boxes))[:len(boxes)]
	clear(s.gone)
	if err := s.tree.Set(ctx, len(boxes), func(i int) image.Rectangle { return boxes[i] }); err != nil {
		return nil, err
	}
	s.kept, s.counts = s.kept[:0], s.counts[:0]
	s.query.rule = rule
	s.tree.Work = 0
	for i, b := range boxes {
		if s.gone[i] {
			continue
		}
		s.tree.Remove(int32(i))
		s.query.box = b
		within := rule.Within(b)
		s.taken = s.tree.Take(s.taken[:0], &within, &s.query)
		for _, k := range s.taken {
			s.gone[k] = true
		}
		s.kept, s.counts = append(s.kept, int32(i)), append(s.counts, int32(len(s.taken)))
		if s.tree.Work > enough {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			s.tree.Work = 0
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.kept, nil
}

// Counts returns, for each box that Keep kept, the number of boxes that only then were
// suppressed. It is valid until the next call.
func (s *Suppressor) Counts() []int32 { return s.counts }

type query struct {
	rule Rule
	box  image.Rectangle
}

func (q *query) Is(_ int32, b image.Rectangle) bool { return q.rule.Drops(q.box, b) }
