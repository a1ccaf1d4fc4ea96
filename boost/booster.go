package boost

import "context"

// A Booster is one algorithm of the family: where the weights come from, what
// the search for a weak learner minimises, and how the score moves.
//
// A Booster is a set of settings. It keeps nothing between calls, so that one
// value may serve many runs at once; what a run must remember is in its [State].
type Booster interface {
	// Name is a short word, as a file or a table has it.
	Name() string

	// Init prepares st for the first round.
	Init(st *State) error

	// Round makes one round: it asks st for a weak learner, and appends it. It
	// returns Going, or why there is nothing more to do.
	Round(ctx context.Context, st *State) (Status, error)
}

// A regressor is a booster that can learn numbers as well as classes.
type regressor interface {
	// judge is how rounds are judged by default.
	judge(st *State) Metric
}
