package boost

import (
	"cmp"
	"context"
	"math"
)

// Epsilon is epsilon-boosting: every coefficient is the same small number, so
// that the model follows the path of the L1-regularised exponential loss. A
// step ends at the minimum along its weak learner, which is not in the papers
// and keeps the loss from rising.
//
// Friedman, Greedy function approximation, Annals of Statistics 29 (2001);
// Rosset, Zhu and Hastie, Boosting as a regularized path, JMLR 5 (2004).
type Epsilon struct {
	// Step is the coefficient. 0 means 0.1.
	Step float64
}

// Name returns "epsilon".
func (*Epsilon) Name() string { return "epsilon" }

func (b *Epsilon) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return checkFinite("Step", b.Step)
}

func (b *Epsilon) advance(ctx context.Context, st *state) (Status, error) {
	step, terms := cmp.Or(b.Step, 0.1), len(st.Model.Terms)
	// A step must not go beyond the minimum along the weak learner.
	status, err := st.signStep(ctx, b.Name(), func(edge float64) float64 {
		return math.Copysign(min(step, math.Abs(coefficient(edge))), edge)
	})
	if err == nil && len(st.Model.Terms) > terms {
		st.Z = st.shift(st.Model.Terms[terms].Coef)
		st.reweigh()
	}
	return status, err
}
