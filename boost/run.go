package boost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A State is what a run has come to. A [Booster] reads and changes it.
type State struct {
	// Labels are the classes of the rows, -1 and +1, as numbers.
	Labels []float64

	// Base says what each row counts: the data's weights after Prior and Cost.
	// It sums to 1. With SpreadCost it changes from round to round.
	Base []float64

	// Weights are the booster's weights. A run starts with a copy of Base.
	Weights []float64

	// Scores are the model's scores of the rows.
	Scores []float64

	// Memory is whatever else the booster must remember from round to round.
	Memory []float64

	// Model is the model so far.
	Model *Model

	// Rounds is the number of rounds made before this one.
	Rounds int

	// Edge and Z are what the booster says about the round; see [Round].
	Edge, Z float64

	// Out are the outputs for the rows of the weak learner that Find found last.
	Out []float64

	problem  *Problem
	settings Settings
	search   Search
	initial  []float64 // weights of the training error
	loss     float64   // mean loss at the start: where the bound starts
	scratch  []float64
	targets  []float64

	rewrote   bool // the round changed old terms
	restarted bool // the round dropped all terms that there were
	whole     bool // this round does without trimming
}

// Settings returns the settings of the run.
func (st *State) Settings() *Settings { return &st.settings }

// Find asks for a weak learner that is best for st.Weights, and puts its
// outputs into st.Out. The query's Weights are filled in, and Targets, if nil,
// are the labels; Rows, Columns and Seed are filled in as the settings say.
// It returns nil if there is none.
func (st *State) Find(ctx context.Context, q Query) (Weak, error) {
	if q.Weights == nil {
		q.Weights = st.Weights
	}
	if q.Targets == nil {
		q.Targets = st.Labels
	}
	q.Seed = st.lot(0)
	if st.settings.ColumnShare < 1 && q.Columns == nil {
		q.Columns = st.drawColumns()
	}
	if st.settings.Trim > 0 && q.Rows == nil && !st.whole {
		q.Rows = st.trim(q.Weights, st.settings.Trim)
	}
	w, err := st.search.Find(ctx, &q)
	if err != nil || w == nil {
		return nil, err
	}
	return w, st.Outputs(w, st.Out)
}

// Outputs sets out to the values of w for the rows.
func (st *State) Outputs(w Weak, out []float64) error {
	if err := st.search.Outputs(w, out); err != nil {
		return err
	}
	for i, h := range out {
		if h != h {
			return fmt.Errorf("boost: weak learner says NaN for row %d", i)
		}
	}
	return nil
}

// Append adds w, whose outputs are in st.Out, to the model, with the
// coefficient coef times the settings' shrinkage, and moves the scores. It
// returns the coefficient that the term got.
func (st *State) Append(w Weak, coef float64) float64 {
	coef *= st.settings.Shrinkage
	st.Model.Terms = append(st.Model.Terms, Term{coef, w})
	for i, h := range st.Out {
		st.Scores[i] = st.Model.add(st.Scores[i], coef, h)
	}
	return coef
}

// Rescore computes the scores afresh; a booster calls it when it has changed
// terms other than by Append.
func (st *State) Rescore() error {
	st.rewrote = true
	for i := range st.Scores {
		st.Scores[i] = st.start(i)
	}
	st.scratch = grow(st.scratch, len(st.Scores))
	for _, t := range st.Model.Terms {
		if err := st.Outputs(t.Weak, st.scratch); err != nil {
			return err
		}
		for i, h := range st.scratch {
			st.Scores[i] = st.Model.add(st.Scores[i], t.Coef, h)
		}
	}
	return nil
}

// restart drops all terms: weights, scores and bound are those of the start.
func (st *State) restart() error {
	st.Model.Terms = nil
	st.restarted, st.Z = true, 1
	if err := st.Rescore(); err != nil {
		return err
	}
	copy(st.Weights, st.Base)
	if st.problem.Scores != nil {
		st.reweigh()
	}
	return nil
}

// start returns the score that row i starts with.
func (st *State) start(i int) float64 {
	s := st.Model.Bias
	if st.problem.Scores != nil {
		s += st.problem.Scores[i]
	}
	return s
}

// Lot returns a source of random numbers for this round; each stream is
// independent of the others. What is drawn depends on the seed, the round and
// the stream alone, so that a run that is resumed draws the same.
func (st *State) Lot(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(st.lot(stream), st.settings.Seed))
}

func (st *State) lot(stream uint64) uint64 {
	return uint64(st.Rounds+1)*0x9e3779b97f4a7c15 ^ (stream+1)*0xd1342543de82ef95
}

// drawColumns draws the round's columns, in ascending order.
func (st *State) drawColumns() []int32 {
	n := st.Model.Columns
	k := max(1, int(math.Round(float64(n)*st.settings.ColumnShare)))
	r := st.Lot(1)
	drawn := make([]int32, 0, k)
	for j := range n { // selection sampling: each subset of k is as likely
		if r.IntN(n-j) < k-len(drawn) {
			drawn = append(drawn, int32(j))
		}
	}
	return drawn
}

// trim returns the rows but those of the smallest weights, whose sum is at
// most the given share of all. Rows of equal weight stay or go together.
func (st *State) trim(weights []float64, share float64) []int32 {
	sorted := append(st.scratch[:0], weights...)
	st.scratch = sorted
	slices.Sort(sorted)
	total := 0.0
	for _, w := range sorted {
		total += w
	}
	below, sum := 0.0, 0.0
	for _, w := range sorted {
		sum += w
		if sum > share*total {
			below = w
			break
		}
	}
	rows := make([]int32, 0, len(weights))
	for i, w := range weights {
		if w >= below && w > 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// A Run is a run that goes round by round, for callers that have a goal of
// their own. [Fit] is a loop over one.
type Run struct {
	booster Booster
	st      *State
	status  Status
	bound   float64
	spread  int // rounds whose share of the cost was given out

	valid     []float64 // scores of the validation rows
	validOut  []float64
	bestError float64
	bestTerms []Term
	bestBias  float64
	bestAt    int
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
	d := p.Data
	if p.Columns != nil {
		if err := checkLabels(d.Labels, d.Weights); err != nil {
			return nil, err
		}
		if p.Columns.Rows() != d.Rows() {
			return nil, fmt.Errorf("%w: columns have %d rows, want %d, one a label", ErrData, p.Columns.Rows(), d.Rows())
		}
		if p.Columns.Len() == 0 {
			return nil, fmt.Errorf("%w: no columns", ErrData)
		}
	}
	if p.Columns == nil || len(d.Columns) > 0 {
		if err := d.Check(); err != nil {
			return nil, err
		}
	}
	if p.Scores != nil && len(p.Scores) != d.Rows() {
		return nil, fmt.Errorf("%w: %d scores for %d rows", ErrData, len(p.Scores), d.Rows())
	}
	columns := len(d.Columns)
	if p.Columns != nil {
		columns = p.Columns.Len()
	}
	if err := d.Schema.check(columns); err != nil {
		return nil, err
	}
	if v := settings.Validation; v != nil {
		if err := (&Model{Schema: d.Schema, Columns: columns}).checkLabelled(v); err != nil {
			return nil, fmt.Errorf("%w: Validation: %w", ErrSettings, err)
		}
	}
	n := d.Rows()
	st := &State{
		Labels:   make([]float64, n),
		Scores:   make([]float64, n),
		Out:      make([]float64, n),
		Model:    &Model{Booster: b.Name(), Columns: columns, Schema: d.Schema.clone()},
		Z:        math.NaN(),
		problem:  p,
		settings: settings,
	}
	for i, y := range d.Labels {
		st.Labels[i] = float64(y)
	}
	st.Base = baseWeights(d, &settings)
	st.initial = slices.Clone(st.Base)
	st.Weights = slices.Clone(st.Base)
	if st.search, err = l.Prepare(p, &settings); err != nil {
		return nil, err
	}
	for i := range st.Scores {
		st.Scores[i] = st.start(i)
	}
	st.loss = 1
	if p.Scores != nil {
		st.loss = st.reweigh() // as the exponential loss has it, unless Init knows better
	}
	if err := b.Init(st); err != nil {
		return nil, err
	}
	r := &Run{booster: b, st: st, bound: st.loss, bestError: math.Inf(1)}
	if v := settings.Validation; v != nil {
		r.valid = make([]float64, v.Rows())
		r.validOut = make([]float64, v.Rows())
		for i := range r.valid {
			r.valid[i] = st.Model.Bias
		}
	}
	return r, nil
}

// baseWeights returns the data's weights after Prior and Cost, with sum 1.
func baseWeights(d *Data, s *Settings) []float64 {
	w := make([]float64, d.Rows())
	heaviest := 1.0
	if d.Weights != nil {
		heaviest = slices.Max(d.Weights)
	}
	class := [2]float64{}
	for i, y := range d.Labels {
		w[i] = 1
		if d.Weights != nil {
			w[i] = d.Weights[i] / heaviest
		}
		class[(y+1)/2] += w[i]
	}
	factor := [2]float64{1, 1}
	if s.Prior > 0 && class[0] > 0 && class[1] > 0 {
		factor = [2]float64{(1 - s.Prior) / class[0], s.Prior / class[1]}
	}
	if !s.SpreadCost {
		factor[1] *= s.Cost
	}
	for i, y := range d.Labels {
		w[i] *= factor[(y+1)/2]
	}
	normalise(w)
	return w
}

// normalise divides w by its sum and returns the sum. A sum of zero, or one
// that is no number, leaves w as it is.
func normalise(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	if sum > 0 && !math.IsInf(sum, 0) {
		for i := range w {
			w[i] /= sum
		}
	}
	return sum
}

// Status says how the run stands.
func (r *Run) Status() Status { return r.status }

// State returns the run's state, to look at.
func (r *Run) State() *State { return r.st }

// Result returns the model so far; after Patience ended the run, the model of
// the best round.
func (r *Run) Result() *Result {
	m := *r.st.Model
	m.Terms = slices.Clone(m.Terms)
	if r.status == Patience {
		m.Terms, m.Bias = slices.Clone(r.bestTerms), r.bestBias
	}
	return &Result{Model: &m, Status: r.status, Rounds: r.st.Rounds, Bound: r.bound}
}

// errEnded is a caller's error, not a panic: a loop may well ask once too often.
var errEnded = errors.New("boost: the run has ended")

// Next makes one round. After an error the run cannot go on, but that the
// context ended: then nothing has changed, and Next may be called again.
func (r *Run) Next(ctx context.Context) (*Round, error) {
	if r.status != Going {
		return nil, errEnded
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	st := r.st
	r.spreadCost()
	terms := len(st.Model.Terms)
	st.rewrote, st.restarted, st.Edge, st.Z = false, false, math.NaN(), math.NaN()
	status, err := r.booster.Round(ctx, st)
	if status == NoEdge && err == nil && st.settings.Trim > 0 {
		// What is left to learn may be in the rows that were left out.
		st.whole = true
		status, err = r.booster.Round(ctx, st)
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
		Number: st.Rounds, Edge: st.Edge, Z: st.Z, Bound: r.bound,
		TrainError: st.trainError(), ValidError: math.NaN(),
	}
	if len(st.Model.Terms) > terms {
		last := st.Model.Terms[len(st.Model.Terms)-1]
		info.Weak, info.Coef = last.Weak, last.Coef
	}
	if r.valid != nil {
		info.ValidError = r.follow(terms)
		if status == Going && st.settings.Patience > 0 && st.Rounds-r.bestAt >= st.settings.Patience {
			status = Patience
		}
	}
	if status == Going && st.Rounds >= st.settings.Rounds {
		status = RoundsDone
	}
	r.status, info.Status = status, status
	if rec := st.settings.Recorder; rec != nil {
		if err := rec.Record(info); err != nil {
			r.status = Stopped
			return info, err
		}
	}
	return info, nil
}

// spreadCost gives out this round's share of the cost.
func (r *Run) spreadCost() {
	st := r.st
	if !st.settings.SpreadCost || st.settings.Cost == 1 || r.spread > st.Rounds {
		return // a round that was interrupted has had its share
	}
	r.spread++
	// Half the factor goes up for positives and half down for negatives.
	f := exp(log(st.settings.Cost) / float64(2*st.settings.Rounds))
	for i, y := range st.Labels {
		g := f
		if y < 0 {
			g = 1 / f
		}
		st.Base[i] *= g
		st.Weights[i] *= g
	}
	normalise(st.Base)
	normalise(st.Weights)
}

// trainError returns the weighted share of wrong rows under the first weights.
func (st *State) trainError() float64 {
	wrong := 0.0
	for i, s := range st.Scores {
		if (s < 0) != (st.Labels[i] < 0) {
			wrong += st.initial[i]
		}
	}
	return wrong
}

// follow brings the scores of the validation rows up to date, keeps the best
// round, and returns the error. There were before terms when the round began.
func (r *Run) follow(before int) float64 {
	m, v := r.st.Model, r.st.settings.Validation
	if r.st.rewrote {
		before = 0
		for i := range r.valid {
			r.valid[i] = m.Bias
		}
	}
	for _, t := range m.Terms[before:] {
		outputs(t.Weak, v, r.validOut)
		for i, h := range r.validOut {
			r.valid[i] = m.add(r.valid[i], t.Coef, h)
		}
	}
	e := weightedError(r.valid, v.Labels, v.Weights)
	if e < r.bestError {
		r.bestError, r.bestAt = e, r.st.Rounds
		r.bestTerms, r.bestBias = slices.Clone(m.Terms), m.Bias
	}
	return e
}
