package boost

import (
	"cmp"
	"context"
)

// Real is real AdaBoost with domain-partitioning weak learners: the output of
// each block is half the logarithm of the ratio of its classes' weights, and
// the search minimises Z = 2 sum sqrt(W+ W-).
//
// Schapire and Singer, Improved boosting algorithms using confidence-rated
// predictions, Machine Learning 37 (1999), section 4; with trees of few leaves
// it is the Real AdaBoost of Friedman, Hastie and Tibshirani.
type Real struct {
	// Smooth is added to both weights of a block, so that no output is larger
	// than ln((1+Smooth)/Smooth)/2; the weights sum to 1. 0 means 1e-4.
	Smooth float64

	// Criterion of the weak learner. The default is Exponential.
	Criterion Criterion
}

// Name returns "real".
func (*Real) Name() string { return "real" }

func (b *Real) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return checkSmooth(b.Smooth)
}

func (b *Real) advance(ctx context.Context, st *state) (Status, error) {
	w, err := st.Find(ctx, query{Criterion: cmp.Or(b.Criterion, Exponential), Leaf: Leaf{Kind: Logit, Smooth: cmp.Or(b.Smooth, defaultSmooth)}})
	if err != nil {
		return Stopped, err
	}
	return st.exponentialStep(w, 1)
}

// exponentialStep appends w with the coefficient coef, if it is not 0, and sets
// weights, edge and Z by the exponential loss.
func (st *state) exponentialStep(w Weak, coef float64) (Status, error) {
	if w == nil {
		return NoEdge, nil
	}
	st.Edge, _ = st.edge()
	z := st.shift(coef * st.settings.Shrinkage)
	if !(z < 1-tiny) {
		return NoEdge, nil
	}
	st.Z = z
	perfect := st.perfect()
	st.Append(w, coef)
	st.reweigh()
	if perfect {
		return st.separated(), nil
	}
	return Going, nil
}

// separated is the status of a run that has found a weak learner without error.
// Small steps and sampled columns are meant to spread the work over many weak
// learners: such a run continues.
func (st *state) separated() Status {
	if st.settings.Shrinkage < 1 || st.settings.ColumnShare < 1 || st.settings.RowShare < 1 {
		return Going
	}
	return Separated
}

// perfect reports whether the last weak learner is right, with a nonzero
// output, for every row that has weight.
func (st *state) perfect() bool {
	for i, h := range st.Out {
		if st.Base[i] > 0 && !(h*st.Labels[i] > 0) {
			return false
		}
	}
	return true
}
