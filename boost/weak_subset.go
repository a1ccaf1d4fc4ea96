package boost

import "math"

// A Subset divides the categories of one column into two blocks.
//
// A value v stands for the nearest category: 0 for v < 0.5, 1 for v < 1.5, and
// so on up to 255. Category c is in the left block if bit c%32 of In[c/32] is
// set, as in OpenCV's cascades of local binary patterns.
type Subset struct {
	Column      int
	In          [8]uint32 // the categories of the left block
	MissingLeft bool      // where NaN goes
	Left, Right float64
}

// Value returns the output of the block of x's category.
func (s *Subset) Value(x []float64) float64 {
	v := x[s.Column]
	if v != v {
		if s.MissingLeft {
			return s.Left
		}
		return s.Right
	}
	if inSet(&s.In, v) {
		return s.Left
	}
	return s.Right
}

// inSet reports whether the category nearest to v is in a set.
func inSet(set *[8]uint32, v float64) bool {
	c := int(math.Floor(min(255, max(0, v+0.5))))
	return set[c/32]>>(c%32)&1 != 0
}

// Columns returns the column of the categories.
func (s *Subset) Columns() []int { return []int{s.Column} }

func (s *Subset) mapLeaves(f func(float64) float64) Weak {
	c := *s
	c.Left, c.Right = f(s.Left), f(s.Right)
	return &c
}
