package boost

import (
	"fmt"
	"io"
	"slices"
)

// A Checkpoint is the complete state of a run: with the same problem, booster,
// learner and settings, [Resume] makes exactly the rounds that the run would
// have made.
type Checkpoint struct {
	model   *Model
	rounds  int
	bound   float64
	base    []float64 // as in state
	weights []float64
	scores  []float64
	memory  []float64

	// best is the model of the best round on the validation data, which was
	// round bestAt with error bestError; nil without validation data.
	best      *Model
	bestAt    int
	bestError float64
}

// Checkpoint returns a checkpoint of the run. It shares only the weak learners
// with the run.
func (r *Run) Checkpoint() *Checkpoint {
	st := r.st
	c := &Checkpoint{
		model: st.Model.Truncate(len(st.Model.Terms)), rounds: st.Rounds, bound: r.bound,
		base: slices.Clone(st.Base), weights: slices.Clone(st.Weights), scores: slices.Clone(st.Scores),
		memory: slices.Clone(st.Memory), bestAt: r.best.at, bestError: r.best.value,
	}
	if r.best.at > 0 {
		c.best = r.best.models[0].Truncate(len(r.best.models[0].Terms))
	}
	return c
}

// Resume continues the run of a checkpoint. The booster, the learner, the
// problem and the settings must be those of the run; but Settings.Rounds may be
// larger.
func Resume(p *Problem, b Booster, l Learner, s *Settings, c *Checkpoint) (*Run, error) {
	r, err := Start(p, b, l, s)
	if err != nil {
		return nil, err
	}
	st := r.st
	n := len(st.Labels)
	if len(c.base) != n || len(c.weights) != n || len(c.scores) != n {
		return nil, fmt.Errorf("%w: the checkpoint has %d rows, the data %d", ErrSettings, len(c.scores), n)
	}
	if c.model.Booster != st.Model.Booster || c.model.Columns != st.Model.Columns {
		return nil, fmt.Errorf("%w: the checkpoint is of booster %q with %d columns, not %q with %d",
			ErrSettings, c.model.Booster, c.model.Columns, st.Model.Booster, st.Model.Columns)
	}
	if err := c.model.Schema.differs(c.model.Columns, &st.Model.Schema, st.Model.Columns); err != nil {
		return nil, fmt.Errorf("%w: the checkpoint is of other data: %w", ErrSettings, err)
	}
	if len(c.memory) < len(st.Memory) {
		return nil, fmt.Errorf("%w: the checkpoint remembers %d numbers, booster %q has %d", ErrSettings, len(c.memory), b.Name(), len(st.Memory))
	}
	st.Model = c.model.Truncate(len(c.model.Terms))
	st.Rounds = c.rounds
	st.Base, st.Weights, st.Scores = slices.Clone(c.base), slices.Clone(c.weights), slices.Clone(c.scores)
	st.Memory = slices.Clone(c.memory)
	r.bound = c.bound
	if c.best != nil {
		r.best = best{c.bestError, c.bestAt, []Model{*c.best.Truncate(len(c.best.Terms))}}
	}
	if v := st.settings.Validation; v != nil {
		st.Model.follow(v, r.valid, 0, true)
	}
	if st.Rounds >= st.settings.Rounds {
		r.status = RoundsDone
	}
	return r, nil
}

// Save writes c as text. Its model must not have Inverse: a run goes on with the function
// and not with a table.
func (c *Checkpoint) Save(w io.Writer) error {
	if c.model.Inverse != nil {
		return fmt.Errorf("%w: its inverse link is a function", ErrUnsaved)
	}
	return save(w, func(f *form) { f.checkpoint(c) })
}

// LoadCheckpoint reads a checkpoint that Save wrote.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	c := &Checkpoint{model: &Model{}}
	if err := load(r, func(f *form) { f.checkpoint(c) }); err != nil {
		return nil, err
	}
	return c, nil
}

func (f *form) checkpoint(c *Checkpoint) {
	f.line("haarlem-boost-run", exactly("1"))
	f.line("rounds", upTo{&c.rounds, maxTerms})
	f.line("bound", anyNumber(&c.bound))
	f.line("best", upTo{&c.bestAt, maxTerms}, anyNumber(&c.bestError))
	for _, v := range []*[]float64{&c.base, &c.weights, &c.scores, &c.memory} {
		n := len(*v)
		f.line("vector", upTo{&n, maxRows})
		items(f, v, n, func(_ int, x *float64) { f.bare(finite(x)) })
	}
	if f.model(c.model); c.bestAt > 0 {
		if f.reads() {
			c.best = &Model{}
		}
		f.model(c.best)
	}
}
