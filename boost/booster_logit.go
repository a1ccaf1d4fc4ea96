package boost

import (
	"cmp"
	"context"
)

// LogitBoost makes Newton steps on the logistic loss: a weak learner is a
// weighted least-squares fit of the working responses (y* - p)/(p(1-p)) with
// weights p(1-p), where y* is 0 or 1.
//
// Friedman, Hastie and Tibshirani, Additive logistic regression: a statistical
// view of boosting, Annals of Statistics 28 (2000), Algorithm 3.
type LogitBoost struct {
	// Clip bounds the working responses. 0 means 4.
	Clip float64
}

// Name returns "logit".
func (*LogitBoost) Name() string { return "logit" }

func (b *LogitBoost) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return checkFinite("Clip", b.Clip)
}

func (b *LogitBoost) advance(ctx context.Context, st *state) (Status, error) {
	clip := cmp.Or(b.Clip, 4)
	st.targets = grow(st.targets, len(st.Labels))
	left := 0.0
	for i, y := range st.Labels {
		// With m = y F the probability of the row's own class is
		// 1/(1+exp(-2m)) and its response y (1 + exp(-2m)).
		t := exp(-2 * y * st.Scores[i])
		p := 1 / (1 + t)
		w := float64(st.Base[i] * p * (1 - p))
		if t > 1 {
			w = float64(st.Base[i] * (p / (1 + 1/t)))
		}
		// p(1-p) vanishes in the far wrong as in the far right; there the
		// response is at its clip and a weight keeps the row in view.
		w = max(w, float64(st.Base[i]*0x1p-50))
		st.Weights[i] = w
		st.targets[i] = y * min(clip, 1+t)
		left += float64(st.Base[i] * (1 - p))
	}
	if left < tiny {
		return GoalMet, nil
	}
	normalise(st.Weights)
	w, err := st.Find(ctx, query{Targets: st.targets, Real: true, Criterion: LeastSquares, Leaf: Leaf{Kind: Mean}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	st.Edge, _ = st.edge()
	gain := 0.0
	for i, h := range st.Out {
		gain += float64(st.Weights[i] * h * h)
	}
	if gain < tiny {
		return NoEdge, nil
	}
	st.Append(w, 0.5)
	return Going, nil
}
