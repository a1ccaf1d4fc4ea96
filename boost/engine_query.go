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

	// Rows are the rows to look at, ascending; nil means all.
	Rows []int32

	// Columns are the columns to choose from; nil means all.
	Columns []int32

	// Seed is there for a learner that samples at random. It differs from round to round.
	Seed uint64
}
