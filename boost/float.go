package boost

import (
	"context"
	"math"
)

// Float is FloatBoost: after every round it looks whether the model without
// one of its terms is better than the best model of that many terms has been,
// and if so takes out the term that is missed least, and looks again.
//
// The paper then learns the terms behind the one removed afresh; here they
// stay, and the weights follow from the scores that are left.
//
// Li and Zhang, FloatBoost learning and statistical face detection, PAMI 26 (2004).
type Float struct {
	// Real adds terms as [Real] does, in place of [Discrete].
	Real bool
	// ByLoss compares models by their exponential loss, in place of the
	// weighted training error.
	ByLoss bool
}

// Name returns "float".
func (*Float) Name() string { return "float" }

// Init implements [Booster].
func (b *Float) Init(st *State) error {
	st.Model.Link = DoubleLogisticLink
	st.Memory = []float64{st.loss} // the mean loss, and what is best for 0, 1, ... terms
	st.Memory = append(st.Memory, b.worth(st, st.Scores))
	return nil
}

// worth is what models are compared by: less is better.
func (b *Float) worth(st *State, scores []float64) float64 {
	sum := 0.0
	for i, s := range scores {
		if b.ByLoss {
			sum += float64(st.Base[i] * exp(-st.Labels[i]*s))
		} else if (s < 0) != (st.Labels[i] < 0) {
			sum += st.Base[i]
		}
	}
	return sum
}

// Round implements [Booster].
func (b *Float) Round(ctx context.Context, st *State) (Status, error) {
	q := Query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}}
	if b.Real {
		q = Query{Criterion: Exponential, Leaf: Leaf{Kind: Logit, Smooth: defaultSmooth}}
	}
	w, err := st.Find(ctx, q)
	if err != nil || w == nil {
		return NoEdge, err
	}
	coef := 1.0
	if !b.Real {
		if err := st.mustBeSigns(b.Name()); err != nil {
			return Stopped, err
		}
		edge, _ := st.edge()
		coef = coefficient(edge)
	}
	status, err := st.exponentialStep(w, coef)
	if status == NoEdge || err != nil {
		return status, err
	}
	best := st.Memory[1:]
	m := len(st.Model.Terms)
	for len(best) <= m {
		st.Memory = append(st.Memory, math.Inf(1))
		best = st.Memory[1:]
	}
	best[m] = min(best[m], b.worth(st, st.Scores))
	without := make([]float64, len(st.Scores))
	out := make([]float64, len(st.Scores))
	for m = len(st.Model.Terms); m > 1; m-- {
		least, worth := -1, best[m-1]
		for k, t := range st.Model.Terms {
			if err := st.Outputs(t.Weak, out); err != nil {
				return Stopped, err
			}
			for i, h := range out {
				without[i] = st.Scores[i] - float64(t.Coef*h)
			}
			// The smallest steps lie within rounding of no gain at all.
			if v := b.worth(st, without); v < worth-tiny {
				least, worth = k, v
			}
		}
		if least < 0 {
			break
		}
		best[m-1] = worth
		st.Model.Terms = append(st.Model.Terms[:least:least], st.Model.Terms[least+1:]...)
		if err := st.Rescore(); err != nil {
			return Stopped, err
		}
	}
	loss := st.reweigh()
	st.Z = loss / st.Memory[0]
	st.Memory[0] = loss
	return status, nil
}
