package boost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Run is a run that proceeds round by round, for callers with their own goal.
// [Fit] is a loop over one.
type Run struct {
	booster Booster
	st      *state
	status  Status
	bound   float64

	valid  []float64 // scores of the validation rows
	metric *Metric
	best   best
}

// best is the best round so far, by a metric of rows that are not fitted.
type best struct {
	value  float64
	at     int     // 0 for none
	models []Model // as they were then
}

// newBest is before the first round.
func newBest(m *Metric) best {
	if m.Higher {
		return best{value: math.Inf(-1)}
	}
	return best{value: math.Inf(1)}
}

// offer takes a round if it is better.
func (b *best) offer(m *Metric, value float64, round int, models ...*Model) {
	if !m.better(value, b.value) {
		return
	}
	b.value, b.at, b.models = value, round, nil
	for _, one := range models {
		b.models = append(b.models, *one.Truncate(len(one.Terms)))
	}
}

// Start prepares a run. The problem's data must not change while it lasts.
func Start(p *Problem, b Booster, l Learner, s *Settings) (*Run, error) {
	settings, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	if p == nil || p.Data == nil {
		return nil, fmt.Errorf("%w: no data", ErrData)
	}
	columns, err := p.check(b, &settings)
	if err != nil {
		return nil, err
	}
	if settings.finds() {
		return nil, fmt.Errorf("%w: Patience of a Run needs Validation", ErrSettings)
	}
	d := p.Data
	n := d.Rows()
	st := &state{
		Labels:   make([]float64, n),
		Scores:   make([]float64, n),
		Out:      make([]float64, n),
		Model:    &Model{Booster: b.Name(), Columns: columns, Schema: d.Schema.clone()},
		Z:        math.NaN(),
		problem:  p,
		settings: settings,
	}
	for i := range st.Labels {
		st.Labels[i] = d.target(i)
	}
	st.Base = baseWeights(d, &settings)
	st.Weights = slices.Clone(st.Base)
	if st.search, err = l.prepare(p, &settings); err != nil {
		return nil, err
	}
	for i := range st.Scores {
		st.Scores[i] = st.start(i)
	}
	st.loss = 1
	if p.Scores != nil {
		st.loss = st.reweigh() // as the exponential loss has it, unless begin knows better
	}
	if err := b.begin(st); err != nil {
		return nil, err
	}
	r := &Run{booster: b, st: st, bound: st.loss, metric: settings.Metric}
	if reg, ok := b.(regressor); ok {
		m := reg.defaultMetric(st)
		if d.Labels == nil {
			st.metric = &m
		}
		r.metric = cmp.Or(r.metric, &m)
	}
	r.metric = cmp.Or(r.metric, &ErrorRate)
	r.best = newBest(r.metric)
	if v := settings.Validation; v != nil {
		r.valid = make([]float64, v.Rows())
		for i := range r.valid {
			r.valid[i] = st.Model.Bias
		}
	}
	return r, nil
}

// check reports why a booster cannot learn from a problem with these settings, or
// returns the number of columns.
func (p *Problem) check(b Booster, settings *Settings) (columns int, err error) {
	d := p.Data
	if p.Columns != nil {
		if err := d.checkTargets(); err != nil {
			return 0, err
		}
		if p.Columns.Rows() != d.Rows() {
			return 0, fmt.Errorf("%w: columns have %d rows, want %d, one a label", ErrData, p.Columns.Rows(), d.Rows())
		}
		if p.Columns.Len() == 0 {
			return 0, fmt.Errorf("%w: no columns", ErrData)
		}
	}
	if p.Columns == nil || len(d.Columns) > 0 {
		if err := d.Check(); err != nil {
			return 0, err
		}
	}
	if p.Scores != nil && len(p.Scores) != d.Rows() {
		return 0, fmt.Errorf("%w: %d scores for %d rows", ErrData, len(p.Scores), d.Rows())
	}
	columns = len(d.Columns)
	if p.Columns != nil {
		columns = p.Columns.Len()
	}
	if err := d.Schema.check(columns); err != nil {
		return 0, err
	}
	if d.Targets != nil && d.Classes != nil {
		return 0, fmt.Errorf("%w: Targets are one of %d classes: a run learns two classes or numbers, FitMulti learns more", ErrData, len(d.Classes))
	}
	if v := settings.Validation; v != nil {
		if (v.Labels == nil) != (d.Labels == nil) {
			return 0, fmt.Errorf("%w: one of data and Validation has Labels, the other Targets", ErrSettings)
		}
		if err := (&Model{Schema: d.Schema, Columns: columns}).checkLabelled(v); err != nil {
			return 0, fmt.Errorf("%w: Validation: %w", ErrSettings, err)
		}
	}
	if _, ok := b.(regressor); !ok && d.Labels == nil {
		return 0, fmt.Errorf("%w: booster %s learns one of two classes, and there are no Labels", ErrData, b.Name())
	}
	if _, ok := b.(*AFT); !ok && d.Upper != nil {
		return 0, fmt.Errorf("%w: booster %s knows no Upper", ErrData, b.Name())
	}
	return columns, nil
}

// baseWeights returns the data's weights after Prior and Cost, with sum 1.
func baseWeights(d *Data, s *Settings) []float64 {
	w := make([]float64, d.Rows())
	heaviest := 1.0
	if d.Weights != nil {
		heaviest = slices.Max(d.Weights)
	}
	class := [2]float64{}
	for i := range w {
		w[i] = 1
		if d.Weights != nil {
			w[i] = d.Weights[i] / heaviest
		}
	}
	for i, y := range d.Labels {
		class[(y+1)/2] += w[i]
	}
	factor := [2]float64{1, 1}
	if s.Prior > 0 && class[0] > 0 && class[1] > 0 {
		factor = [2]float64{(1 - s.Prior) / class[0], s.Prior / class[1]}
	}
	factor[1] *= s.Cost
	for i, y := range d.Labels {
		w[i] *= factor[(y+1)/2]
	}
	normalise(w)
	return w
}

// Status returns the status of the run.
func (r *Run) Status() Status { return r.status }

// Scores returns the model's scores of the rows, which the caller must not change.
func (r *Run) Scores() []float64 { return r.st.Scores }

// Result returns the model so far; after Patience ended the run, the model of
// the best round.
func (r *Run) Result() *Result {
	m := r.st.Model
	if r.status == Patience {
		m = &r.best.models[0]
	}
	return &Result{Model: m.Truncate(len(m.Terms)), Status: r.status, Rounds: r.st.Rounds, Bound: r.bound}
}

// errEnded is a caller's error instead of a panic: a loop may easily call once
// too often.
var errEnded = errors.New("boost: the run has ended")

// Next makes one round. After an error the run cannot continue, unless the
// context ended: then nothing has changed, and Next may be called again.
func (r *Run) Next(ctx context.Context) (*Round, error) { return r.next(ctx, true) }

// next is Next, with the training error in the Round only if it is wanted.
func (r *Run) next(ctx context.Context, wanted bool) (*Round, error) {
	if r.status != Going {
		return nil, errEnded
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := r.st
	terms := len(st.Model.Terms)
	st.rewrote, st.restarted, st.Edge, st.Z = false, false, math.NaN(), math.NaN()
	status, err := r.booster.advance(ctx, st)
	if status == NoEdge && err == nil && st.settings.Trim > 0 {
		// The rest may be learned from the rows that were left out.
		st.whole = true
		status, err = r.booster.advance(ctx, st)
		st.whole = false
	}
	if err != nil {
		if ctx.Err() == nil {
			r.status = Stopped
		}
		return nil, err
	}
	st.Rounds++
	if st.restarted {
		r.bound = st.loss
	}
	if len(st.Model.Terms) > terms || st.rewrote {
		r.bound *= st.Z
	}
	info := &Round{
		Number: st.Rounds, Edge: st.Edge, z: st.Z, Bound: r.bound,
		TrainError: math.NaN(), ValidError: math.NaN(),
	}
	if wanted {
		info.TrainError = st.trainError()
	}
	if len(st.Model.Terms) > terms {
		last := st.Model.Terms[len(st.Model.Terms)-1]
		info.Weak, info.Coef = last.Weak, last.Coef
	}
	if r.valid != nil {
		info.ValidError = r.follow(terms)
		if info.ValidError != info.ValidError && st.settings.Patience > 0 {
			r.status = Stopped
			return nil, fmt.Errorf("%w: %s of Validation is no number, and Patience waits for it", ErrSettings, r.metric.Name)
		}
		if status == Going && st.settings.Patience > 0 && st.Rounds-r.best.at >= st.settings.Patience {
			status = Patience
		}
	}
	if status == Going && st.Rounds >= st.settings.Rounds {
		status = RoundsDone
	}
	r.status, info.Status = status, status
	if rec := st.settings.Recorder; rec != nil {
		if err := rec(info); err != nil {
			r.status = Stopped
			return info, err
		}
	}
	return info, nil
}

// follow updates the scores of the validation rows, keeps the best round, and
// returns the error. before is the number of terms before the round.
func (r *Run) follow(before int) float64 {
	m, v := r.st.Model, r.st.settings.Validation
	m.follow(v, r.valid, before, r.st.rewrote)
	e := r.metric.Value(m.predictions(v, r.valid))
	r.best.offer(r.metric, e, r.st.Rounds, m)
	return e
}

// A Result is a fitted model and how its run ended.
type Result struct {
	Model  *Model
	Status Status
	Rounds int     // completed
	Bound  float64 // on the training error; NaN where the booster has none
}

// Fit makes a run of b with weak learners of l on d, up to its end. If the
// context ends, the result so far comes with the context's error.
func Fit(ctx context.Context, d *Data, b Booster, l Learner, s *Settings) (*Result, error) {
	return FitProblem(ctx, &Problem{Data: d}, b, l, s)
}

// FitProblem is [Fit] for a problem.
func FitProblem(ctx context.Context, p *Problem, b Booster, l Learner, s *Settings) (*Result, error) {
	settings, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	if settings.finds() {
		if p, err = p.quantized(l); err != nil {
			return nil, err
		}
		var trials []trial
		if settings.Rounds, _, trials, err = p.findRounds(ctx, b, l, &settings); err != nil {
			return nil, err
		}
		settings.Patience, l = 0, kept(trials, settings.Rounds, b, l)
	}
	run, err := Start(p, b, l, &settings)
	if err != nil {
		return nil, err
	}
	for run.Status() == Going {
		if _, err := run.next(ctx, run.st.settings.Recorder != nil); err != nil {
			return run.Result(), err
		}
		settings.progress(run.st.Rounds, settings.Rounds)
	}
	return run.Result(), nil
}

// quantized returns p with the columns that runs with a learner may share.
func (p *Problem) quantized(l Learner) (*Problem, error) {
	switch l.(type) {
	case *Stumps, *Trees, *Histograms:
		if p.Columns == nil && p.Data != nil {
			q := *p
			var err error
			bins, rule := binsOf(l)
			q.Columns, err = Quantize(p.Data, bins, rule)
			return &q, err
		}
	}
	return p, nil
}
