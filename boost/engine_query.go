package boost

import "slices"

// A query is a booster's request for a weak learner.
type query struct {
	// Weights are not negative and sum to about 1, but for Newton; Targets are the
	// labels, or other values to approximate.
	Weights, Targets []float64

	// Real says that Targets are not labels: only least squares makes sense,
	// and a learner ignores its own criterion.
	Real bool

	// Criterion compares partitions of the rows, and Leaf defines the output of
	// the weak learner in a block of the partition.
	Criterion Criterion
	Leaf      Leaf

	// Newton, if not nil, requests a tree of regularised Newton steps. Weights
	// are then curvatures, and Targets are negative gradients; both include the
	// weights of the rows. Criterion and Leaf are not used.
	Newton *newtonStep

	// Rows are the rows to use, ascending; nil means all.
	Rows []int32

	// Columns are the columns to choose from; nil means all.
	Columns []int32

	// Seed is for a learner that samples at random. It differs from round to
	// round.
	Seed uint64
}

// A newtonStep is the regularisation of trees fitted by Newton's method.
type newtonStep struct {
	// Weight and Slope are the sums over all rows of the query's Weights, and of
	// the magnitudes of its Targets.
	Weight, Slope float64

	L1        float64 // by which a leaf's sum of gradients shrinks
	L2        float64 // added to the sum of curvatures of a leaf
	MinWeight float64 // the smallest sum of curvatures of a leaf
	MinGain   float64 // the smallest decrease of the loss by a split

	// Monotone constrains each column: the score must not fall with it, +1,
	// must not rise, -1, or is free, 0. nil means that all are free.
	Monotone []int8

	// Interactions are groups of columns that may be on one path; nil means all.
	Interactions [][]int
}

// reaches reports whether column j may be on a path of the given columns.
func (n *newtonStep) reaches(path []int, j int) bool {
	if n.Interactions == nil || len(path) == 0 || len(path) == 1 && path[0] == j {
		return true
	}
	return slices.ContainsFunc(n.Interactions, func(group []int) bool {
		return slices.Contains(group, j) && !slices.ContainsFunc(path, func(p int) bool { return !slices.Contains(group, p) })
	})
}

// monotone returns the direction of column j.
func (n *newtonStep) monotone(j int) int8 {
	if n.Monotone == nil {
		return 0
	}
	return n.Monotone[j]
}
