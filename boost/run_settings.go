package boost

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
)

// Settings are the settings of the loop, for any booster. A nil *Settings and
// the zero value mean the same: every field's default.
type Settings struct {
	// Rounds is the largest number of rounds. 0 means 100.
	Rounds int

	// Shrinkage multiplies every coefficient, in (0, 1]. 0 means 1.
	Shrinkage float64

	// Trim is weight trimming: the fraction of the weight, in [0, 1), that a
	// search may leave out. The rows of the smallest weights are ignored,
	// unless a round would find no edge without them. 0 means none.
	Trim float64

	// ColumnShare is the fraction of the columns, in (0, 1], sampled for each
	// round. 0 means all. Functions and Coordinates are always all.
	ColumnShare float64

	// RowShare is the fraction of the rows, in (0, 1], sampled for each round.
	// 0 means all.
	RowShare float64

	// Prior is the initial weight of the positive rows, in (0, 1). 0 means that
	// of the data.
	Prior float64

	// Cost is the cost of a missed positive in false positives: it multiplies
	// the weight of positive rows, after Prior. 0 means 1.
	Cost float64

	// Validation, if not nil, is a table for measuring each round.
	Validation *Data

	// Metric evaluates the scores of Validation. nil means the loss that the
	// booster minimises; the error, if that is the exponential loss or none.
	Metric *Metric

	// Patience is for early stopping: the run ends after this number of rounds
	// without a better Metric on Validation, and the model returns to its best
	// round. 0 means no early stopping.
	//
	// Without Validation, [Fit] and [FitMulti] first find the number of rounds:
	// rows are held out, of a small table each row once in a cross-validation,
	// and the round with the best Metric is the last one of a run on all rows. Of more
	// than 20,000 rows [Newton] without Monotone, Drop and samples of rows keeps the
	// [Trees] that it grew on nine tenths of them, and fits their leaves to all.
	Patience int

	// Workers is the number of goroutines of a search. 0 means GOMAXPROCS. The
	// result does not depend on it.
	Workers int

	// Seed is for random sampling: columns, bootstrap samples.
	Seed uint64

	// Recorder, if not nil, receives every round. An error ends the run.
	Recorder func(*Round) error

	// Progress, if not nil, is called after each round, also of those that only find
	// the number of rounds, of at most so many; in a cross-validation after each fold.
	Progress func(done, total int)
}

// checkFinite refuses a setting that is negative or not finite.
func checkFinite(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%w: %s %v, want a finite number, 0 or more", ErrSettings, name, v)
	}
	return nil
}

// withDefaults returns a checked copy in which no field means "default".
func (s *Settings) withDefaults() (Settings, error) {
	var v Settings
	if s != nil {
		v = *s
	}
	v.Rounds, v.Workers = cmp.Or(v.Rounds, 100), cmp.Or(v.Workers, runtime.GOMAXPROCS(0))
	for _, f := range []*float64{&v.Shrinkage, &v.ColumnShare, &v.RowShare, &v.Cost} {
		*f = cmp.Or(*f, 1)
	}
	bad := func(format string, args ...any) (Settings, error) {
		return Settings{}, fmt.Errorf("%w: %s", ErrSettings, fmt.Sprintf(format, args...))
	}
	switch {
	case v.Rounds < 0:
		return bad("Rounds %d is negative", v.Rounds)
	case !(v.Shrinkage > 0 && v.Shrinkage <= 1):
		return bad("Shrinkage %v, want more than 0, at most 1", v.Shrinkage)
	case !(v.Trim >= 0 && v.Trim < 1):
		return bad("Trim %v, want 0 or more, less than 1", v.Trim)
	case !(v.ColumnShare > 0 && v.ColumnShare <= 1):
		return bad("ColumnShare %v, want more than 0, at most 1", v.ColumnShare)
	case !(v.RowShare > 0 && v.RowShare <= 1):
		return bad("RowShare %v, want more than 0, at most 1", v.RowShare)
	case v.Metric != nil && v.Metric.Value == nil:
		return bad("Metric %q has no Value", v.Metric.Name)
	case !(v.Prior >= 0 && v.Prior < 1):
		return bad("Prior %v, want 0 or more, less than 1", v.Prior)
	case !(v.Cost > 0) || math.IsInf(v.Cost, 0):
		return bad("Cost %v, want a finite number, more than 0", v.Cost)
	case v.Patience < 0:
		return bad("Patience %d is negative", v.Patience)
	case v.Workers < 0:
		return bad("Workers %d is negative", v.Workers)
	}
	if v.Validation != nil {
		if err := v.Validation.Check(); err != nil {
			return Settings{}, fmt.Errorf("%w: Validation: %w", ErrSettings, err)
		}
	}
	return v, nil
}
