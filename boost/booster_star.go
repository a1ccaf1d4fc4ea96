package boost

import (
	"cmp"
	"context"
)

// Star is AdaBoost*: Discrete AdaBoost that maximises the margin. The
// coefficient is
//
//	alpha = ln((1+g)/(1-g))/2 - ln((1+r)/(1-r))/2
//
// where g is the edge and r, the margin estimate, the smallest edge so far
// less Nu. After 2 ln(rows)/Nu^2 rounds the margin of the model is within Nu of
// the largest that there is. A weak learner without error ends the run and is all
// of the model; its coefficient, which the paper sets to 1, is about 14.
//
// Rätsch and Warmuth, Efficient margin maximizing with boosting, JMLR 6 (2005).
type Star struct {
	// Nu is the largest distance from the maximum margin. 0 means 0.05.
	Nu float64
}

// Name returns "star".
func (*Star) Name() string { return "star" }

func (b *Star) begin(st *state) error {
	if err := checkNu(b.Nu); err != nil {
		return err
	}
	st.Memory = []float64{1} // the smallest edge so far
	return nil
}

func (b *Star) advance(ctx context.Context, st *state) (Status, error) {
	w, edge, err := st.signed(ctx)
	if err != nil || w == nil {
		return NoEdge, err
	}
	if edge < tiny {
		return NoEdge, nil
	}
	st.Memory[0] = min(st.Memory[0], edge)
	return st.marginStep(w, edge, st.Memory[0]-cmp.Or(b.Nu, 0.05))
}
