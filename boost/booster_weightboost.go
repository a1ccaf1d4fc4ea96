package boost

import (
	"cmp"
	"context"
	"math"
)

// WeightBoost is AdaBoost with an input-dependent regulariser: a term is
// multiplied by exp(-Beta |s|), where s is the score of the terms before it, so
// that later terms only act where the earlier ones are unsure. Weights are
// exp(-y s - Beta |s|), and coefficients AdaBoost's under them (equations 7 and
// 8 of the paper).
//
// Jin, Liu, Si, Carbonell and Hauptmann, A new boosting algorithm using
// input-dependent regularizer, ICML 2003.
type WeightBoost struct {
	// Beta is the strength of the regulariser. 0 means 0.5.
	Beta float64
}

// Name returns "weightboost".
func (*WeightBoost) Name() string { return "weightboost" }

func (b *WeightBoost) begin(st *state) error {
	st.Model.Damping = cmp.Or(b.Beta, 0.5)
	b.reweigh(st)
	return checkFinite("Beta", b.Beta)
}

// reweigh sets the weights for the scores.
func (b *WeightBoost) reweigh(st *state) {
	st.exponents(func(i int) float64 {
		return -float64(st.Labels[i]*st.Scores[i]) - float64(st.Model.Damping*math.Abs(st.Scores[i]))
	})
}

func (b *WeightBoost) advance(ctx context.Context, st *state) (Status, error) {
	status, err := st.signStep(ctx, b.Name(), coefficient)
	if err == nil {
		b.reweigh(st)
	}
	return status, err
}
