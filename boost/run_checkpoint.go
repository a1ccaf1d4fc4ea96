package boost

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// A Checkpoint is the complete state of a run: with the same problem, booster,
// learner and settings, [Resume] makes exactly the rounds that the run would
// have made.
type Checkpoint struct {
	Model   *Model
	Rounds  int
	Bound   float64
	Base    []float64 // as in State
	Weights []float64
	Scores  []float64
	Memory  []float64

	// Best is the model of the best round on the validation data, which was
	// round BestAt with error BestError; nil without validation data.
	Best      *Model
	BestAt    int
	BestError float64

	spread int
}

// Checkpoint returns a checkpoint of the run. It shares only the weak learners
// with the run.
func (r *Run) Checkpoint() *Checkpoint {
	st := r.st
	c := &Checkpoint{
		Model: st.Model.Truncate(len(st.Model.Terms)), Rounds: st.Rounds, Bound: r.bound,
		Base: slices.Clone(st.Base), Weights: slices.Clone(st.Weights), Scores: slices.Clone(st.Scores),
		Memory: slices.Clone(st.Memory), BestAt: r.bestAt, BestError: r.bestError, spread: r.spread,
	}
	if r.bestAt > 0 {
		best := *st.Model
		best.Terms, best.Bias = slices.Clone(r.bestTerms), r.bestBias
		c.Best = &best
	}
	return c
}

// Resume continues the run of a checkpoint. The booster, the learner, the
// problem and the settings must be those of the run; but Settings.Rounds may be
// larger, unless SpreadCost depends on it.
func Resume(p *Problem, b Booster, l Learner, s *Settings, c *Checkpoint) (*Run, error) {
	r, err := Start(p, b, l, s)
	if err != nil {
		return nil, err
	}
	st := r.st
	n := len(st.Labels)
	if len(c.Base) != n || len(c.Weights) != n || len(c.Scores) != n {
		return nil, fmt.Errorf("%w: the checkpoint has %d rows, the data %d", ErrSettings, len(c.Scores), n)
	}
	if c.Model.Booster != st.Model.Booster || c.Model.Columns != st.Model.Columns {
		return nil, fmt.Errorf("%w: the checkpoint is of booster %q with %d columns, not %q with %d",
			ErrSettings, c.Model.Booster, c.Model.Columns, st.Model.Booster, st.Model.Columns)
	}
	if err := c.Model.Schema.differs(c.Model.Columns, &st.Model.Schema, st.Model.Columns); err != nil {
		return nil, fmt.Errorf("%w: the checkpoint is of other data: %w", ErrSettings, err)
	}
	if len(c.Memory) < len(st.Memory) {
		return nil, fmt.Errorf("%w: the checkpoint remembers %d numbers, booster %q has %d", ErrSettings, len(c.Memory), b.Name(), len(st.Memory))
	}
	st.Model = c.Model.Truncate(len(c.Model.Terms))
	st.Rounds = c.Rounds
	st.Base, st.Weights, st.Scores = slices.Clone(c.Base), slices.Clone(c.Weights), slices.Clone(c.Scores)
	st.Memory = slices.Clone(c.Memory)
	r.bound, r.spread = c.Bound, c.spread
	if c.Best != nil {
		r.bestTerms, r.bestBias = slices.Clone(c.Best.Terms), c.Best.Bias
		r.bestAt, r.bestError = c.BestAt, c.BestError
	}
	if v := st.settings.Validation; v != nil {
		for i := range r.valid {
			r.valid[i] = st.Model.Bias
		}
		for _, t := range st.Model.Terms {
			outputs(t.Weak, v, r.validOut)
			for i, h := range r.validOut {
				r.valid[i] = st.Model.add(r.valid[i], t.Coef, h)
			}
		}
	}
	if st.Rounds >= st.settings.Rounds {
		r.status = RoundsDone
	}
	return r, nil
}

const checkpointMagic = "haarlem-boost-run 1"

// Save writes c as text.
func (c *Checkpoint) Save(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "%s\nrounds %d\nspread %d\nbound %s\nbest %d %s\n", checkpointMagic, c.Rounds, c.spread, number(c.Bound), c.BestAt, number(c.BestError))
	for _, v := range [][]float64{c.Base, c.Weights, c.Scores, c.Memory} {
		fmt.Fprintf(b, "vector %d\n", len(v))
		for _, x := range v {
			fmt.Fprintln(b, number(x))
		}
	}
	if err := c.Model.save(b); err != nil {
		return err
	}
	if c.BestAt > 0 {
		if err := c.Best.save(b); err != nil {
			return err
		}
	}
	return b.Flush()
}

// LoadCheckpoint reads a checkpoint that Save wrote.
func LoadCheckpoint(r io.Reader) (*Checkpoint, error) {
	l := newLines(r)
	c := &Checkpoint{}
	l.literal(checkpointMagic)
	c.Rounds = l.count(l.fields("rounds", 1)[0], maxTerms)
	c.spread = l.count(l.fields("spread", 1)[0], maxTerms)
	c.Bound = l.any(l.fields("bound", 1)[0])
	f := l.fields("best", 2)
	c.BestAt, c.BestError = l.count(f[0], maxTerms), l.any(f[1])
	for _, v := range []*[]float64{&c.Base, &c.Weights, &c.Scores, &c.Memory} {
		n := l.count(l.fields("vector", 1)[0], maxRows)
		for i := 0; i < n && l.ok(); i++ {
			*v = append(*v, l.finite(l.line()))
		}
	}
	var err error
	if c.Model, err = loadModel(l); err != nil {
		return nil, err
	}
	if c.BestAt > 0 {
		if c.Best, err = loadModel(l); err != nil {
			return nil, err
		}
	}
	if l.scan() {
		return nil, l.bad("text behind the end")
	}
	return c, l.err()
}

// any is a number, which may be NaN or infinite.
func (l *lines) any(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		l.fail("%q, want a number", clip(s))
		return 0
	}
	return v
}
