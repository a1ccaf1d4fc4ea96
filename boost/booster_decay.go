package boost

import (
	"cmp"
	"context"
	"math"
)

// Decay is AdaBoost with weight decay: a row with large weights for many rounds
// loses influence. Weights are
//
//	exp(-y s - C A z),  z = (sum_t a_t d_t / A)^2,  A = sum_t |a_t|,
//
// where d_t is the row's weight in round t over its weight at the start, at most
// 1e9. In the paper d_t is the weight itself, so that its C for n rows of equal
// weight is n^2 times this one; and its coefficient minimises the sum of these
// weights by a line search, in which z moves too. Here it is AdaBoost's, the
// minimum with z held where it is.
//
// Rätsch, Onoda and Müller, Soft margins for AdaBoost, Machine Learning 42
// (2001), with the power 2.
type Decay struct {
	// C is the strength of the decay. 0 means 0.01.
	C float64
}

// Name returns "decay".
func (*Decay) Name() string { return "decay" }

func (b *Decay) begin(st *state) error {
	st.Memory = make([]float64, len(st.Labels)+1) // sum a d of each row, and A
	return checkFinite("C", b.C)
}

func (b *Decay) advance(ctx context.Context, st *state) (Status, error) {
	c := cmp.Or(b.C, 0.01)
	terms := len(st.Model.Terms)
	status, err := st.signStep(ctx, b.Name(), coefficient)
	if err != nil || len(st.Model.Terms) == terms {
		return status, err
	}
	a := math.Abs(st.Model.Terms[terms].Coef)
	influence, total := st.Memory[:len(st.Labels)], &st.Memory[len(st.Labels)]
	*total += a
	for i, w := range st.Weights {
		if st.Base[i] > 0 {
			influence[i] += float64(a * min(w/st.Base[i], 1e9))
		}
	}
	st.exponents(func(i int) float64 {
		z := influence[i] / *total
		return -float64(st.Labels[i]*st.Scores[i]) - float64(c**total*z*z)
	})
	return status, nil
}
