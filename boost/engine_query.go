package boost

// A Query is what a booster wants of its next weak learner.
type Query struct {
	// Weights are not negative and sum to about 1; Targets are the labels, or
	// what else the weak learner shall come close to.
	Weights, Targets []float64

	// Real says that Targets are not labels: only least squares makes sense,
	// and a learner with a criterion of its own lays it aside.
	Real bool

	// Criterion says which of two partitions of the rows is better, and Leaf
	// what the weak learner answers in a block of the partition.
	Criterion Criterion
	Leaf      Leaf

	// Newton, if not nil, asks for a tree of regularised Newton steps. Weights then
	// are curvatures, and Targets are gradients with the opposite sign; both have
	// the weights of the rows in them. Criterion and Leaf are not used.
	Newton *NewtonStep

	// Rows are the rows to look at, ascending; nil means all.
	Rows []int32

	// Columns are the columns to choose from; nil means all.
	Columns []int32

	// Seed is there for a learner that samples at random. It differs from round to round.
	Seed uint64
}

// A NewtonStep says how trees are regularised that are fitted by Newton's method.
// Sums of curvatures are those of a Query: over all rows, 1.
type NewtonStep struct {
	L2        float64 // added to the sum of curvatures of a leaf
	MinWeight float64 // the smallest sum of curvatures of a leaf
	MinGain   float64 // what a split must lower the loss by

	// Monotone says of each column whether the score must not fall with it, +1,
	// must not rise, -1, or is free, 0. nil means that all are free.
	Monotone []int8
}

// monotone returns the direction of column j.
func (n *NewtonStep) monotone(j int) int8 {
	if n.Monotone == nil {
		return 0
	}
	return n.Monotone[j]
}
