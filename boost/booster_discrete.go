package boost

import (
	"cmp"
	"context"
	"math"
)

// Discrete is AdaBoost: weak learners with outputs -1 and +1, each with a
// coefficient, and weights that grow where it was wrong.
//
// Freund and Schapire, A decision-theoretic generalization of on-line learning
// and an application to boosting, JCSS 55 (1997).
type Discrete struct {
	// Friedman selects the second of the two classical formulations. In the first
	// beta = e/(1-e), the weights of right rows shrink by beta, and the coefficient
	// is ln(1/beta)/2. In the second c = ln((1-e)/e), the weights of wrong rows grow
	// by exp(c), and the coefficient is c (Friedman, Hastie and Tibshirani,
	// Algorithm 1). The classes are the same; the scores of the second are twice as
	// large.
	Friedman bool

	// Criterion of the weak learner. The default is ZeroOne.
	Criterion Criterion
}

// Name returns "discrete".
func (*Discrete) Name() string { return "discrete" }

func (b *Discrete) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	if b.Friedman {
		st.Model.Link = LogisticLink
		if st.problem.Scores != nil {
			// These scores are twice as large.
			st.exponents(func(i int) float64 { return -st.Labels[i] * st.Scores[i] / 2 })
			st.loss = 0
			for i, s := range st.Scores {
				st.loss += float64(st.Base[i] * exp(-st.Labels[i]*s/2))
			}
		}
	}
	return nil
}

func (b *Discrete) advance(ctx context.Context, st *state) (Status, error) {
	w, err := st.Find(ctx, query{Criterion: cmp.Or(b.Criterion, ZeroOne), Leaf: Leaf{Kind: Majority}})
	if err != nil {
		return Stopped, err
	}
	if w == nil {
		return NoEdge, nil
	}
	if err := st.mustBeSigns(b.Name()); err != nil {
		return Stopped, err
	}
	wrong, total := 0.0, 0.0
	for i, h := range st.Out {
		total += st.Weights[i]
		if h != st.Labels[i] {
			wrong += st.Weights[i]
		}
	}
	e := wrong / total
	st.Edge = 1 - 2*e
	if math.Abs(st.Edge) < tiny {
		return NoEdge, nil
	}
	separated := e < tiny && st.perfect()
	e = min(1-tiny/2, max(tiny/2, e))
	if b.Friedman {
		c := st.Append(w, log((1-e)/e))
		grow := exp(c)
		for i, h := range st.Out {
			if h != st.Labels[i] {
				st.Weights[i] *= grow
			}
		}
		st.Z = normalise(st.Weights) / total * exp(-c/2)
	} else {
		beta := e / (1 - e)
		c := st.Append(w, log(1/beta)/2)
		shrink := exp(-2 * c) // beta, to the power of the shrinkage
		for i, h := range st.Out {
			if h == st.Labels[i] {
				st.Weights[i] *= shrink
			}
		}
		// The weights' sum is Z exp(-c): both classical texts leave out the
		// factor that the normalisation takes care of.
		st.Z = normalise(st.Weights) / total * exp(c)
	}
	if separated {
		return st.separated(), nil
	}
	return Going, nil
}
