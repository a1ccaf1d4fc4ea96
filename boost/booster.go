package boost

import "context"

// A Booster is one boosting algorithm: it defines the weights, what the search
// for a weak learner minimises, and how scores are updated.
//
// A Booster is a set of settings without state, so that one value may serve
// many runs at once; a run's memory is in its [State].
type Booster interface {
	// Name is a short word for files and tables.
	Name() string

	// Init prepares st for the first round.
	Init(st *State) error

	// Round makes one round: it finds a weak learner with st, and appends it.
	// It returns Going, or the reason to stop.
	Round(ctx context.Context, st *State) (Status, error)
}

// A regressor is a booster for regression as well as classification.
type regressor interface {
	// defaultMetric returns the default metric.
	defaultMetric(st *State) Metric
}
