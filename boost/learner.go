package boost

import "context"

// A Learner is a set of weak learners: stumps, trees, histograms. Like a [Booster]
// it is a set of settings, may serve many runs at once, and is sealed.
type Learner interface {
	// Name is a short word for files and tables.
	Name() string

	// prepare prepares a search before the first round.
	prepare(p *Problem, s *Settings) (searcher, error)
}

// A searcher finds the weak learners of one run.
type searcher interface {
	// Find returns the best weak learner for q, or nil if there is none that
	// beats a constant.
	Find(ctx context.Context, q *query) (Weak, error)

	// Outputs sets out[i] to the value of w for row i of the problem.
	Outputs(w Weak, out []float64) error
}

// A Problem is what a run learns from.
type Problem struct {
	// Data is the table.
	Data *Data

	// Columns, if not nil, is used in place of quantising Data's columns. With
	// it Data.Columns may be nil, and then only learners that work on
	// quantised columns can be used.
	Columns Columns

	// Scores are the initial scores, one per row; nil means zero. A stage that
	// inherits the scores of earlier stages passes them here.
	Scores []float64
}

// prepared is a learner whose search is shared: runs take turns.
type prepared struct {
	Learner
	search searcher
}

// shared prepares a learner for runs that take turns.
func shared(l Learner, p *Problem, s *Settings) (*prepared, error) {
	search, err := l.prepare(p, s)
	return &prepared{l, search}, err
}

func (l *prepared) prepare(*Problem, *Settings) (searcher, error) { return l.search, nil }
