package compare

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"haarlem/boost"
)

// ErrExperiment is wrapped by the errors of experiments that cannot be run.
var ErrExperiment = errors.New("compare: bad experiment")

// Method is a booster with weak learners.
type Method struct {
	// Name is the name in reports, unique in its experiment.
	Name string

	// Booster, or Multi where tables are of several classes, and Learner may serve
	// many runs at once.
	Booster boost.Booster
	Multi   boost.MultiBooster
	Learner boost.Learner

	// Settings are those of each run. Rounds, Validation, Workers, Seed and
	// Recorder are overwritten by the experiment.
	Settings boost.Settings
}

// Table is a table with a name for reports, unique in its experiment.
type Table struct {
	Name string
	*boost.Data
}

// Experiment is tables by methods.
type Experiment struct {
	// Tables are the data, all of two classes, of several or of numbers. What is
	// measured is the error, of numbers the root of the mean squared error. Categorical
	// columns become indicators.
	Tables []Table

	// Methods are the methods to compare.
	Methods []Method

	// Rounds are the numbers of rounds after which the error is measured, in
	// ascending order. One run goes to the last of them. A run that ends early,
	// because there is nothing left to learn, keeps its last error. Empty means
	// 100.
	Rounds []int

	// Folds is the number of folds of the cross-validation. 0 means 10.
	Folds int

	// Repeats is the number of cross-validations, each with other folds. 0
	// means once.
	Repeats int

	// TrainRows, if above 0, replaces the cross-validation: the first TrainRows
	// rows of each table are for training and the others for testing. Repeats
	// must then not be above 1.
	TrainRows int

	// Seed selects the folds, and a booster's random samples.
	Seed uint64

	// Curves records the errors after every round. The time then includes
	// evaluating the test rows.
	Curves bool

	// Margins are numbers of rounds, at most the last of Rounds, after which
	// the margins of all rows are kept. Empty means none.
	Margins []int

	// Workers is the number of simultaneous runs. 0 means GOMAXPROCS.
	Workers int

	// Progress, if not nil, is called after each run, one call at a time.
	Progress func(done, total int)
}

// withDefaults returns a checked copy.
func (e *Experiment) withDefaults() (*Experiment, error) {
	v := *e
	if len(v.Rounds) == 0 {
		v.Rounds = []int{100}
	}
	v.Folds, v.Repeats, v.Workers = cmp.Or(v.Folds, 10), cmp.Or(v.Repeats, 1), cmp.Or(v.Workers, runtime.GOMAXPROCS(0))
	bad := func(format string, args ...any) (*Experiment, error) {
		return nil, fmt.Errorf("%w: %s", ErrExperiment, fmt.Sprintf(format, args...))
	}
	last := v.Rounds[len(v.Rounds)-1]
	switch {
	case len(v.Tables) == 0:
		return bad("no tables")
	case len(v.Methods) == 0:
		return bad("no methods")
	case v.Rounds[0] < 1 || !ascending(v.Rounds):
		return bad("rounds are %v, want ascending numbers from 1", v.Rounds)
	case v.Folds < 2:
		return bad("%d folds, want at least 2", v.Folds)
	case v.Repeats < 1:
		return bad("%d repeats, want at least 1", v.Repeats)
	case v.TrainRows < 0:
		return bad("TrainRows is %d", v.TrainRows)
	case v.TrainRows > 0 && v.Repeats > 1:
		return bad("%d repeats of one split into training and test rows", v.Repeats)
	case v.Workers < 1:
		return bad("%d workers", v.Workers)
	case len(v.Margins) > 0 && (v.Margins[0] < 1 || !ascending(v.Margins) || v.Margins[len(v.Margins)-1] > last):
		return bad("margins are wanted after %v rounds, want ascending numbers from 1 to %d", v.Margins, last)
	}
	names := map[string]bool{}
	for _, m := range v.Methods {
		if m.Name == "" || names[m.Name] {
			return bad("the method name %q is empty or taken", m.Name)
		}
		if (m.Booster == nil && m.Multi == nil) || m.Learner == nil {
			return bad("method %q lacks a booster or a learner", m.Name)
		}
		names[m.Name] = true
	}
	tables := map[string]bool{}
	for _, t := range v.Tables {
		if err := t.Check(); err != nil {
			return bad("table %q: %v", t.Name, err)
		}
		if kindOf(t.Data) != kindOf(v.Tables[0].Data) {
			return bad("tables %q and %q are of another kind of target", v.Tables[0].Name, t.Name)
		}
		for _, m := range v.Methods {
			if (kindOf(t.Data) == "several") != (m.Multi != nil) {
				return bad("method %q is not for the target of table %q", m.Name, t.Name)
			}
		}
		if t.Labels == nil && (v.Curves || len(v.Margins) > 0) {
			return bad("curves and margins are of two classes, table %q is not", t.Name)
		}
		if tables[t.Name] {
			return bad("two tables are called %q", t.Name)
		}
		tables[t.Name] = true
		if v.TrainRows >= t.Rows() {
			return bad("%d training rows leave none of table %q's %d for the test", v.TrainRows, t.Name, t.Rows())
		}
	}
	return &v, nil
}

// kindOf returns what a table's target is.
func kindOf(d *boost.Data) string {
	switch {
	case d.Labels != nil:
		return "two"
	case d.Classes != nil:
		return "several"
	}
	return "numbers"
}

func ascending(v []int) bool {
	return slices.IsSorted(v) && len(slices.Compact(slices.Clone(v))) == len(v)
}

// job is one run: a method on the training rows of one split of one table.
type job struct {
	table, method int
	train, test   *boost.Data
	seed          uint64
}
