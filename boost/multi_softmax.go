package boost

import (
	"cmp"
	"context"
)

// Softmax is Newton boosting of the multinomial logistic loss: a tree per class
// and round, fitted to the gradients p - y and curvatures p (1-p) K/(K-1) of
// all scores at the start of the round. Newton is how steps are made, and has no
// Loss.
//
// Friedman, Greedy function approximation, Annals of Statistics 29 (2001), section 4.6.
type Softmax struct {
	Newton
}

// Name returns "softmax".
func (*Softmax) Name() string { return "softmax" }

func (b *Softmax) begin(p *multiProblem) (multiRun, error) {
	return p.coupled(b.Name(), func(c *coupledClass) Booster {
		return &softmaxClass{coupledClass: c, newton: b.Newton}
	})
}

// LogitBoostK is LogitBoost for several classes: weighted least-squares fits of
// the working responses (y* - p)/(p (1-p)), a tree per class and round.
//
// Scores start at the logarithms of the priors, the paper's at 0. The paper subtracts the
// mean over the classes from a round's fits, which changes no probability; here it stays.
//
// Friedman, Hastie and Tibshirani, Additive logistic regression, Annals of
// Statistics 28 (2000), Algorithm 6.
type LogitBoostK struct {
	// Clip bounds the working responses. 0 means 4.
	Clip float64
}

// Name returns "logit-k".
func (*LogitBoostK) Name() string { return "logit-k" }

func (b *LogitBoostK) begin(p *multiProblem) (multiRun, error) {
	if err := checkFinite("Clip", b.Clip); err != nil {
		return nil, err
	}
	return p.coupled(b.Name(), func(c *coupledClass) Booster { return &logitClass{c, cmp.Or(b.Clip, 4)} })
}

// A coupledRun is a run per class, all with the probabilities of the scores at
// the start of a round.
type coupledRun struct {
	restRun
	prob [][]float64 // by class and row
}

// A coupledClass is the booster of one class and its view of the others.
type coupledClass struct {
	run  *coupledRun
	k    int
	all  int     // classes
	bias float64 // where its score starts: the logarithm of its prior
}

func (p *multiProblem) coupled(name string, booster func(*coupledClass) Booster) (multiRun, error) {
	r := &coupledRun{restRun: restRun{m: p.empty(name)}}
	r.m.Softmax = true
	settings := p.inner()
	share := make([]float64, p.k)
	for i, c := range p.classes {
		share[c] += p.weights[i]
	}
	var learner *prepared
	for k := range p.k {
		problem := &Problem{Data: p.binary(k), Columns: p.columns}
		if learner == nil {
			var err error
			if learner, err = shared(p.learner, problem, &settings); err != nil {
				return nil, err
			}
		}
		c := &coupledClass{run: r, k: k, all: p.k, bias: log(max(share[k], 1e-6))}
		run, err := Start(problem, booster(c), learner, &settings)
		if err != nil {
			return nil, err
		}
		r.runs = append(r.runs, run)
		r.m.Models[k] = run.st.Model
		r.prob = append(r.prob, make([]float64, len(p.classes)))
	}
	return r, nil
}

func (r *coupledRun) round(ctx context.Context) (Status, error) {
	row := make([]float64, len(r.runs))
	for i := range r.prob[0] {
		for k, run := range r.runs {
			row[k] = run.st.Scores[i]
		}
		softmax(row)
		for k, v := range row {
			r.prob[k][i] = v
		}
	}
	status := NoEdge
	for _, run := range r.runs {
		if run.Status() != Going {
			// A class without progress in a round may make some once others
			// have moved.
			run.status = Going
		}
		if _, err := run.next(ctx, false); err != nil {
			return Stopped, err
		}
		if s := run.Status(); s == Going || s == RoundsDone {
			status = Going
		}
	}
	return status, nil
}

// softmaxClass is the booster of one class of [Softmax].
type softmaxClass struct {
	*coupledClass
	newton Newton
}

func (*softmaxClass) Name() string { return "softmax" }

func (b *softmaxClass) begin(st *state) error { return b.newton.beginAt(st, b.bias, NoLink) }

func (b *softmaxClass) advance(ctx context.Context, st *state) (Status, error) {
	p := b.run.prob[b.k]
	factor := float64(b.all) / float64(b.all-1)
	of := func(from, to int, g, h []float64) {
		for i, p := range p[from:to] {
			y := (1 + st.Labels[from+i]) / 2
			g[i], h[i] = p-y, float64(max(1e-16, p*(1-p))*factor)
		}
	}
	return b.newton.step(ctx, st, nil, slopes{of, st.settings.Workers}, nil)
}

// logitClass is the booster of one class of [LogitBoostK].
type logitClass struct {
	*coupledClass
	clip float64
}

func (*logitClass) Name() string { return "logit-k" }

func (b *logitClass) begin(st *state) error {
	st.Model.Bias, st.Model.Link = b.bias, NoLink
	return st.Rescore()
}

func (b *logitClass) advance(ctx context.Context, st *state) (Status, error) {
	st.targets = grow(st.targets, len(st.Labels))
	left := 0.0
	for i, q := range b.run.prob[b.k] {
		// The weight keeps a row in the fit whose response is clipped.
		w := max(float64(q*(1-q)), 0x1p-50)
		st.Weights[i] = float64(st.Base[i] * w)
		if st.Labels[i] > 0 {
			st.targets[i] = min(b.clip, 1/max(q, tiny))
			left += float64(st.Base[i] * (1 - q))
		} else {
			st.targets[i] = -min(b.clip, 1/max(1-q, tiny))
			left += float64(st.Base[i] * q)
		}
	}
	if left < tiny {
		return GoalMet, nil
	}
	normalise(st.Weights)
	w, err := st.Find(ctx, query{Targets: st.targets, Real: true, Criterion: LeastSquares, Leaf: Leaf{Kind: Mean}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	st.Append(w, float64(b.all-1)/float64(b.all))
	return Going, nil
}
