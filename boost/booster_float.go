package boost

import (
	"context"
	"math"
	"slices"
)

// Float is FloatBoost: after every round it removes the term that is missed
// least if the model is then better than the best one of that size so far, and
// repeats this.
//
// The paper starts with the same weight for each class, which Settings.Prior of
// 0.5 does, and relearns the terms after the removed one, which Relearn does.
// By default they stay, and the weights follow from the remaining scores: a
// model that was found better is not replaced by one that may be worse.
//
// Li and Zhang, FloatBoost learning and statistical face detection, PAMI 26 (2004).
type Float struct {
	// Real adds terms as [Real] does, in place of [Discrete].
	Real bool
	// ByLoss compares models by their exponential loss, in place of the
	// weighted training error.
	ByLoss bool
	// Relearn relearns the terms after a removed one.
	Relearn bool
}

// Name returns "float".
func (*Float) Name() string { return "float" }

func (b *Float) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	st.Memory = []float64{st.loss} // the mean loss, and what is best for 0, 1, ... terms
	st.Memory = append(st.Memory, b.worth(st, st.Scores))
	return nil
}

// worth is the measure of models; less is better.
func (b *Float) worth(st *state, scores []float64) float64 {
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

// include adds the best weak learner for the weights.
func (b *Float) include(ctx context.Context, st *state) (Status, error) {
	q := query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}}
	if b.Real {
		q = query{Criterion: Exponential, Leaf: Leaf{Kind: Logit, Smooth: defaultSmooth}}
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
	return st.exponentialStep(w, coef)
}

func (b *Float) advance(ctx context.Context, st *state) (Status, error) {
	if !b.Relearn {
		return b.round(ctx, st)
	}
	// A search that is interrupted when others have been made must leave
	// everything as it was.
	terms, memory := slices.Clone(st.Model.Terms), slices.Clone(st.Memory)
	weights, scores := slices.Clone(st.Weights), slices.Clone(st.Scores)
	status, err := b.round(ctx, st)
	if err != nil {
		st.Model.Terms, st.Memory = terms, memory
		copy(st.Weights, weights)
		copy(st.Scores, scores)
	}
	return status, err
}

func (b *Float) round(ctx context.Context, st *state) (Status, error) {
	status, err := b.include(ctx, st)
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
		drop, worth := -1, best[m-1]
		for k, t := range st.Model.Terms {
			if err := st.Outputs(t.Weak, out); err != nil {
				return Stopped, err
			}
			for i, h := range out {
				without[i] = st.Scores[i] - float64(t.Coef*h)
			}
			// The smallest steps lie within rounding of no gain at all.
			if v := b.worth(st, without); v < worth-tiny {
				drop, worth = k, v
			}
		}
		if drop < 0 {
			break
		}
		best[m-1] = worth
		st.Model.Terms = append(st.Model.Terms[:drop:drop], st.Model.Terms[drop+1:]...)
		following := len(st.Model.Terms) - drop
		if b.Relearn {
			st.Model.Terms = st.Model.Terms[:drop:drop]
		}
		if err := st.Rescore(); err != nil {
			return Stopped, err
		}
		if b.Relearn {
			edge := st.Edge
			for ; following > 0; following-- {
				st.reweigh()
				if status, err := b.include(ctx, st); err != nil {
					return status, err
				} else if status == NoEdge {
					break
				}
			}
			st.Edge = edge // the round's is that of its own weak learner
			m = len(st.Model.Terms) + 1
			best[m-1] = min(best[m-1], b.worth(st, st.Scores))
		}
	}
	loss := st.reweigh()
	st.Z = loss / st.Memory[0]
	st.Memory[0] = loss
	return status, nil
}
