package boost

import (
	"cmp"
	"context"
	"fmt"
)

// Boosted are weak learners that are boosted themselves: votes of an inner run
// with its own booster, with outputs -1 or +1. Boosting them is recursive
// boosting: few inner and few outer rounds make a model that is no longer one
// sum.
//
// An inner run knows the labels and the weights, and samples nothing of its
// own.
type Boosted struct {
	// Booster and Learner are those of the inner runs. nil means [Discrete] and
	// [Stumps].
	Booster Booster
	Learner Learner
	// Rounds of an inner run. 0 means 5.
	Rounds int
}

// Name returns "boosted".
func (*Boosted) Name() string { return "boosted" }

func (l *Boosted) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &boostedSearch{problem: p, booster: cmp.Or[Booster](l.Booster, &Discrete{}), settings: Settings{Rounds: cmp.Or(l.Rounds, 5), Workers: s.Workers}}
	if l.Rounds < 0 || p.Data.Labels == nil {
		return nil, fmt.Errorf("%w: Boosted learns two classes, in %d rounds, want 0 or more", ErrSettings, l.Rounds)
	}
	var err error
	f.learner, err = shared(cmp.Or[Learner](l.Learner, &Stumps{}), p, s)
	return f, err
}

type boostedSearch struct {
	problem  *Problem
	booster  Booster
	learner  *prepared
	settings Settings
}

func (f *boostedSearch) Find(ctx context.Context, q *query) (Weak, error) {
	if q.Real || q.Newton != nil {
		return nil, fmt.Errorf("%w: Boosted weak learners say -1 or +1: they fit no numbers", ErrSettings)
	}
	m, err := inner(ctx, f.problem, f.booster, f.learner, &f.settings, q, q.Rows)
	if err != nil {
		return nil, err
	}
	if len(m.Terms) == 0 {
		return nil, nil
	}
	return &vote{Terms: m.Terms, Bias: m.Bias, Damping: m.Damping}, nil
}

func (f *boostedSearch) Outputs(w Weak, out []float64) error {
	v, ok := w.(*vote)
	if !ok {
		return f.learner.search.Outputs(w, out)
	}
	if err := voteScores(f.learner.search, v, out); err != nil {
		return err
	}
	for i, s := range out {
		out[i] = float64(classOf(s))
	}
	return nil
}

// inner makes a run within a round: on the weights of a query for the listed
// rows, nil meaning all, and with its targets as labels.
func inner(ctx context.Context, p *Problem, b Booster, l Learner, s *Settings, q *query, rows []int32) (*Model, error) {
	d := *p.Data
	d.Weights = q.Weights
	if rows != nil { // the others have no weight
		d.Weights = make([]float64, len(q.Weights))
		for _, r := range rows {
			d.Weights[r] = q.Weights[r]
		}
	}
	d.Labels = make([]int8, len(q.Targets))
	for i, y := range q.Targets {
		d.Labels[i] = classOf(y)
	}
	within := *p
	within.Data, within.Scores = &d, nil
	run, err := Start(&within, b, l, s)
	if err != nil {
		return nil, err
	}
	for run.Status() == Going {
		if _, err := run.next(ctx, false); err != nil {
			return nil, err
		}
	}
	return run.st.Model, nil
}

// voteScores sets out to the sums of a vote for all rows of a search.
func voteScores(search searcher, v *vote, out []float64) error {
	scores := make([]float64, len(out))
	for i := range scores {
		scores[i] = v.Bias
	}
	for _, t := range v.Terms {
		if err := search.Outputs(t.Weak, out); err != nil {
			return err
		}
		for i, h := range out {
			scores[i] = damped(v.Damping, scores[i], t.Coef, h)
		}
	}
	copy(out, scores)
	return nil
}
