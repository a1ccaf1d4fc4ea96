package boost

import (
	"cmp"
	"context"
)

// OneVsRest learns each class against all others, each by its own run of a
// two-class booster. Probabilities are those of the runs, divided by their sum.
type OneVsRest struct {
	// Booster learns each class. nil means [Newton].
	Booster Booster
}

// Name returns "onevsrest-" and the booster's name.
func (b *OneVsRest) Name() string { return "onevsrest-" + b.booster().Name() }

func (b *OneVsRest) booster() Booster { return cmp.Or[Booster](b.Booster, &Newton{}) }

func (b *OneVsRest) begin(p *multiProblem) (multiRun, error) {
	r := &restRun{m: p.empty(b.Name())}
	settings := p.inner()
	for k := range p.k {
		run, err := Start(&Problem{Data: p.binary(k)}, b.booster(), p.learner, &settings)
		if err != nil {
			return nil, err
		}
		r.runs = append(r.runs, run)
		r.m.Models[k] = run.st.Model
	}
	return r, nil
}

type restRun struct {
	m    *MultiModel
	runs []*Run
}

func (r *restRun) model() *MultiModel { return r.m }

func (r *restRun) scores() [][]float64 {
	scores := make([][]float64, len(r.runs))
	for k, run := range r.runs {
		scores[k] = run.st.Scores
	}
	return scores
}

// round makes a round of each class that has not ended.
func (r *restRun) round(ctx context.Context) (Status, error) {
	status := NoEdge
	for _, run := range r.runs {
		if run.Status() != Going {
			continue
		}
		if _, err := run.next(ctx, false); err != nil {
			return Stopped, err
		}
		if run.Status() == Going {
			status = Going
		} else if status != Going {
			status = run.Status()
		}
	}
	return status, nil
}
