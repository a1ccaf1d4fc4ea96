package boost

import "context"

// A Booster is one boosting algorithm: it defines the weights, what the search
// for a weak learner minimises, and how scores are updated. It is a set of settings
// without state, so that one value may serve many runs at once.
//
// The interface is sealed: its implementations are the types of this package. For a
// loss of your own implement [Loss], or make one of a [Phi]; for columns computed on
// demand implement [Columns]; for weak learners of your own use [Functions].
type Booster interface {
	// Name is a short word for files and tables.
	Name() string

	// begin prepares st for the first round.
	begin(st *state) error

	// advance makes one round: it finds a weak learner with st, and appends it.
	// It returns Going, or the reason to stop.
	advance(ctx context.Context, st *state) (Status, error)
}

// A regressor is a booster for regression as well as classification.
type regressor interface {
	// defaultMetric returns the default metric.
	defaultMetric(st *state) Metric
}
