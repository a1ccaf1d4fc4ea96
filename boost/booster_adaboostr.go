package boost

import (
	"context"
	"math"
)

// AdaBoostR is the generalisation of Discrete AdaBoost to weak learners with any
// outputs, even infinite ones, and a coefficient in closed form: with h* = max |h|
// and mu = sum w y h / h*,
//
//	alpha = 1/(2 h*) ln((1+mu)/(1-mu)),  w <- w (1 - mu y h/h*) / (1 - mu mu).
//
// The weights need neither exponentials nor coefficients: those can be computed at
// the end. For outputs -1 and +1 it is Discrete AdaBoost. Where h* is infinite, h/h*
// is -1, 0 or +1: only infinite outputs count, and a row that never got one has the
// score 0, which counts as class +1.
//
// The fraction of rows with tanh(y F/2) <= theta is at most
// (1+theta)/(1-theta) exp(-sum mu^2/2) for every theta.
//
// Nock and Nielsen, A real generalization of discrete AdaBoost, Artificial
// Intelligence 171 (2007).
type AdaBoostR struct {
	// Leaf defines the outputs of weak learners. The default is Mean. Logit
	// without Smooth is infinite on pure blocks, as the paper allows, and
	// finite outputs then have no effect: with monomials on the first of the
	// monks problems half the rows get no output.
	Leaf Leaf
}

// Name returns "adaboostr".
func (*AdaBoostR) Name() string { return "adaboostr" }

func (b *AdaBoostR) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return checkLeaf(b.Leaf)
}

func (b *AdaBoostR) advance(ctx context.Context, st *state) (Status, error) {
	w, err := st.Find(ctx, query{Criterion: Exponential, Leaf: orMean(b.Leaf)})
	if err != nil || w == nil {
		return NoEdge, err
	}
	if w, err = st.bounded(w); err != nil {
		return Stopped, err
	}
	mu, top := st.edge()
	st.Edge = mu
	if math.Abs(mu) < tiny {
		return NoEdge, nil
	}
	perfect := mu > 1-tiny && st.perfect()
	mu = min(1-tiny, max(-1+tiny, mu))
	c := st.Append(w, coefficient(mu)/top)
	// What the formula has for mu when the coefficient was shrunk.
	step := tanh(c * top)
	if st.settings.Shrinkage == 1 {
		step = mu
	}
	for i, h := range st.Out {
		st.Weights[i] *= max(0, 1-float64(step*st.Labels[i]*(h/top)))
	}
	normalise(st.Weights)
	st.Z = math.Sqrt((1 - mu) * (1 + mu))
	if st.settings.Shrinkage != 1 {
		// E exp(-c y h) lies below the chord, (cosh c) (1 - mu tanh c).
		st.Z = (exp(c*top) + exp(-c*top)) / 2 * (1 - float64(mu*step))
	}
	if perfect {
		return st.separated(), nil
	}
	return Going, nil
}
