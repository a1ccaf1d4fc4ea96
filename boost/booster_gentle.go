package boost

import "context"

// Gentle is GentleBoost: Newton steps on the exponential loss. A weak learner
// is a weighted least-squares fit of the labels, and its outputs, within -1 and
// +1, are added without a coefficient.
//
// Friedman, Hastie and Tibshirani, Additive logistic regression: a statistical
// view of boosting, Annals of Statistics 28 (2000), Algorithm 4.
type Gentle struct{}

// Name returns "gentle".
func (*Gentle) Name() string { return "gentle" }

func (*Gentle) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return nil
}

func (*Gentle) advance(ctx context.Context, st *state) (Status, error) {
	w, err := st.Find(ctx, query{Criterion: LeastSquares, Leaf: Leaf{Kind: Mean}})
	if err != nil {
		return Stopped, err
	}
	status, err := st.exponentialStep(w, 1)
	if status == Separated && !st.exact() {
		status = Going // a small step in the right direction is not yet the end
	}
	return status, err
}

// exact reports whether the weak learner found last is the label, for every
// row that has weight.
func (st *state) exact() bool {
	for i, h := range st.Out {
		if st.Base[i] > 0 && !(h*st.Labels[i] > 1-tiny) {
			return false
		}
	}
	return true
}
