package boost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
)

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

// A Learner is a set of weak learners: stumps, trees, histograms.
//
// Like a Booster it is a set of settings and may serve many runs at once.
type Learner interface {
	// Name is a short word, as a file or a table has it.
	Name() string

	// Prepare looks at the problem once, before the first round.
	Prepare(p *Problem, s *Settings) (Search, error)
}

// A Search finds the weak learners of one run.
type Search interface {
	// Find returns the best weak learner for q, or nil if there is none that
	// beats a constant.
	Find(ctx context.Context, q *Query) (Weak, error)

	// Outputs sets out[i] to the value of w for row i of the problem.
	Outputs(w Weak, out []float64) error
}

// A Query is what a booster wants of its next weak learner.
type Query struct {
	// Weights are not negative and sum to about 1; Targets are the labels, or
	// what else the weak learner shall come close to.
	Weights, Targets []float64

	// Real says that Targets are not labels: only least squares makes sense,
	// and a learner with a criterion of its own lays it aside.
	Real bool

	// Criterion says which of two partitions of the rows is better, and Leaf
	// what the weak learner answers in a block of the partition.
	Criterion Criterion
	Leaf      Leaf

	// Rows are the rows to look at, ascending; nil means all.
	Rows []int32

	// Columns are the columns to choose from; nil means all.
	Columns []int32

	// Seed is there for a learner that draws lots. It differs from round to round.
	Seed uint64
}

// A Problem is what a run learns from.
type Problem struct {
	// Data is the table.
	Data *Data

	// Columns, if not nil, is used in place of quantising Data's columns. With
	// it Data.Columns may be nil, and then only learners that work on
	// quantised columns can be used.
	Columns Columns

	// Scores are where the scores start, one a row; nil means at zero. A stage
	// that inherits the scores of the stages before it has them here.
	Scores []float64
}

// Settings are the options of the loop, whatever the booster. A nil *Settings
// and the zero value mean the same: every field's default.
type Settings struct {
	// Rounds is the largest number of rounds. 0 means 100.
	Rounds int

	// Shrinkage multiplies every coefficient, in (0, 1]. 0 means 1.
	Shrinkage float64

	// Trim is the share of the weight, in [0, 1), that a search may leave out:
	// the rows of the smallest weights are not looked at, but in a round that
	// would find no edge without them. 0 means none.
	Trim float64

	// ColumnShare is the share of the columns, in (0, 1], that each round draws
	// to choose from. 0 means all. Functions and Coordinates are always all.
	ColumnShare float64

	// Prior is the share of the weight that the positive rows start with, in
	// (0, 1). 0 means as in the data.
	Prior float64

	// Cost says how many times worse a missed positive is than a false alarm:
	// positive rows weigh that much more, after Prior. 0 means 1.
	Cost float64

	// SpreadCost gives Cost out in equal factors, one each round, so that it
	// is not spent by the first weak learner (Viola and Jones's AsymBoost).
	SpreadCost bool

	// Validation, if not nil, is a table on which the error is followed.
	Validation *Data

	// Patience is the number of rounds without a smaller error on Validation
	// after which the run ends, and the model goes back to its best round. 0
	// means that Validation is only followed.
	Patience int

	// Workers is how many goroutines search. 0 means GOMAXPROCS. The result
	// does not depend on it.
	Workers int

	// Seed is for what is drawn by lot: columns, bootstrap samples.
	Seed uint64

	// Recorder, if not nil, hears of every round.
	Recorder Recorder
}

// A Recorder hears of a run, round by round. An error ends the run.
type Recorder interface {
	Record(r *Round) error
}

// RecorderFunc is a function as a [Recorder].
type RecorderFunc func(*Round) error

// Record calls f.
func (f RecorderFunc) Record(r *Round) error { return f(r) }

// A Round is what there is to know about one round.
type Round struct {
	Number int  // 1 for the first
	Weak   Weak // the weak learner that came in; nil if none did
	Coef   float64

	// Edge is sum w y h / sum w, with outputs h of magnitude at most 1 after
	// division by the largest; under the booster's weights before the round.
	Edge float64

	// Z is the factor by which the round's bound on the training error
	// shrinks, and Bound the product so far; NaN where the booster has none. A
	// round that drops all terms has Z 1, and the product starts again.
	Z, Bound float64

	// TrainError is the weighted share of wrong rows under the weights that
	// the run started with, ValidError that of Settings.Validation, NaN if
	// there is none. A score of zero counts as +1.
	TrainError, ValidError float64

	Status Status
}

// Status says how a run stands.
type Status uint8

const (
	// Going means that the run has not ended.
	Going Status = iota
	// RoundsDone means that the last of Settings.Rounds was made.
	RoundsDone
	// Separated means that a weak learner without error was found: there is
	// nothing left to learn. With Shrinkage or ColumnShare below 1 a run goes on
	// all the same, but that of a booster for margins, which has the largest.
	Separated
	// NoEdge means that no weak learner is better than chance under the
	// booster's weights. With no terms in the model the problem is hopeless.
	NoEdge
	// Patience means that the error on the validation data stopped falling.
	Patience
	// GoalMet means that the booster's own goal is met: BrownBoost's time has
	// run out, a loss has converged.
	GoalMet
	// Stopped means that the context ended or an error occurred.
	Stopped
)

var statusNames = [...]string{"going", "rounds done", "separated", "no edge", "patience", "goal met", "stopped"}

// String returns s in words.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("Status(%d)", uint8(s))
}

// ErrSettings is what errors about impossible settings wrap.
var ErrSettings = errors.New("boost: bad settings")

// A Result is a fitted model and how its run ended.
type Result struct {
	Model  *Model
	Status Status
	Rounds int     // rounds made
	Bound  float64 // on the training error; NaN where the booster has none
}

// Fit makes a run of b with weak learners of l on d, up to its end. If the
// context ends, the result so far comes with the context's error.
func Fit(ctx context.Context, d *Data, b Booster, l Learner, s *Settings) (*Result, error) {
	run, err := Start(&Problem{Data: d}, b, l, s)
	if err != nil {
		return nil, err
	}
	for run.Status() == Going {
		if _, err := run.Next(ctx); err != nil {
			return run.Result(), err
		}
	}
	return run.Result(), nil
}

// withDefaults returns a checked copy in which no field means "default".
func (s *Settings) withDefaults() (Settings, error) {
	var v Settings
	if s != nil {
		v = *s
	}
	if v.Rounds == 0 {
		v.Rounds = 100
	}
	for _, f := range []*float64{&v.Shrinkage, &v.ColumnShare, &v.Cost} {
		if *f == 0 {
			*f = 1
		}
	}
	if v.Workers == 0 {
		v.Workers = runtime.GOMAXPROCS(0)
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
	case !(v.Prior >= 0 && v.Prior < 1):
		return bad("Prior %v, want 0 or more, less than 1", v.Prior)
	case !(v.Cost > 0) || math.IsInf(v.Cost, 0):
		return bad("Cost %v, want a finite number, more than 0", v.Cost)
	case v.Patience < 0:
		return bad("Patience %d is negative", v.Patience)
	case v.Patience > 0 && v.Validation == nil:
		return bad("Patience needs Validation")
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
