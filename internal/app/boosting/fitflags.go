package boosting

import (
	"errors"
	"haarlem/boost"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/compare"
	"slices"
	"strings"
	"time"
)

// fitFlags are the flags of a fit.
type fitFlags struct {
	tableFlags
	method, calibrate, metric   string
	rising, falling, groups     []string
	rounds, patience, workers   int
	seeds                       int
	shrinkage, rowShare, colsIn float64
	holdOut, l1                 float64
	seed                        uint64
	budget                      time.Duration
	rule                        string // for the model's threshold
	given                       func(string) bool
}

func (v *fitFlags) declare(f *cli.Flags, s *cli.Streams) {
	f.Group("Model")
	f.String(&v.method, "method", "`BOOSTER+LEARNER`, as list lists them, such as \"gentle+stumps\" or \"newton(loss=huber)+trees(depth=3)\"; newton, or softmax of several classes, with trees by the size of the table if none is given")
	f.Int(&v.rounds, "rounds", "`N` rounds, or at most N with -patience (found on rows held out if no method is given, else 100)")
	f.Float(&v.shrinkage, "shrinkage", "`FACTOR` of every step (0.05 to 0.18 by the size of the table if no method is given, else 1)")
	f.Float(&v.rowShare, "rows", "`SHARE` of the rows that each round draws (0.5 of a small table if no method is given, else 1)")
	f.Float(&v.colsIn, "columns", "`SHARE` of the columns that each round draws (0.5 to 1 by their number if no method is given, else 1)")
	f.Uint64(&v.seed, "seed", "`SEED` of what is sampled at random (1)")
	f.Int(&v.workers, "workers", "`N` goroutines; as many as there are cores if none is given. The model does not depend on it")
	f.Float(&v.l1, "l1", "`PENALTY` of newton and softmax: the sum of gradients of a leaf shrinks by it (0)")
	f.Strings(&v.rising, "increasing", "`NAME` of a column with which the score of newton must not fall; may be repeated")
	f.Strings(&v.falling, "decreasing", "`NAME` of a column with which the score of newton must not rise; may be repeated")
	f.Strings(&v.groups, "interact", "`NAME,NAME` of columns that may interact: those of a path of newton's trees are all of one such group, or one column; may be repeated")
	f.Group("Early stopping and calibration")
	f.Float(&v.holdOut, "hold-out", "`SHARE` of the rows that are not fitted, for -patience and -calibrate (0.2 with -calibrate)")
	f.Int(&v.patience, "patience", "end after `N` rounds without a better metric on rows held out. Without -hold-out that only finds the number of rounds, by cross-validation of a small table, and then all rows are fitted (20 if neither -method nor -rounds is given)")
	f.Choice(&v.metric, "metric", []string{"error", "accuracy", "auc", "ap", "logloss", "brier", "rmse", "mae", "ndcg@10"}, "`METRIC` that -patience goes by (the loss that is minimised, or the error)")
	f.Choice(&v.calibrate, "calibrate", []string{"none", "platt", "isotonic"}, "learn `KIND` of probabilities of two classes from the rows held out (none)")
	v.tableFlags.declare(f, s)
	v.given = f.Given
	v.rounds, v.seed, v.calibrate = 100, 1, "none"
}

// settings returns the settings of the flags, apart from the method.
func (v *fitFlags) settings(d *boost.Data) (*boost.Settings, error) {
	s := &boost.Settings{}
	if v.method == "" {
		_, _, s = boost.Recommended(d)
	}
	if v.given("rounds") {
		s.Rounds, s.Patience = v.rounds, 0
	}
	if v.given("patience") {
		s.Patience = v.patience
	}
	for _, f := range []struct {
		name  string
		value float64
		to    *float64
	}{{"shrinkage", v.shrinkage, &s.Shrinkage}, {"rows", v.rowShare, &s.RowShare}, {"columns", v.colsIn, &s.ColumnShare}} {
		if v.given(f.name) {
			if !(f.value > 0 && f.value <= 1) {
				return nil, cli.Usagef("-%s is %v, want more than 0, at most 1", f.name, f.value)
			}
			*f.to = f.value
		}
	}
	if v.rounds < 1 || v.patience < 0 {
		return nil, cli.Usagef("-rounds is %d and -patience %d, want at least 1 and 0", v.rounds, v.patience)
	}
	s.Seed, s.Workers = v.seed, v.workers
	if v.metric != "" {
		m, err := boost.MetricByName(v.metric)
		if err != nil {
			return nil, cli.Usage(err)
		}
		s.Metric = &m
	}
	if !v.given("hold-out") && v.calibrate != "none" {
		v.holdOut = 0.2
	}
	if !(v.holdOut >= 0 && v.holdOut < 1) {
		return nil, cli.Usagef("-hold-out is %v, want 0 or more, less than 1", v.holdOut)
	}
	return s, nil
}

// choose returns the method for a table.
func (v *fitFlags) choose(d *boost.Data) (compare.Method, error) {
	var m compare.Method
	if v.method != "" {
		var err error
		if m, err = compare.ParseMethod(v.method, v.target == "several"); err != nil {
			return m, cli.Usage(err)
		}
	} else {
		n, l, _ := boost.Recommended(d)
		switch m.Learner = l; {
		case v.target == "several":
			m.Multi = &boost.Softmax{Newton: *n}
		case d.Groups != nil && d.Targets != nil:
			m.Booster = &boost.LambdaMART{}
		case d.Upper != nil:
			m.Booster = &boost.AFT{}
		default:
			m.Booster = n
		}
	}
	return m, v.constrain(m, d)
}

// constrain gives a booster of Newton steps what the flags say about its trees.
func (v *fitFlags) constrain(m compare.Method, d *boost.Data) error {
	if v.l1 == 0 && len(v.rising)+len(v.falling)+len(v.groups) == 0 {
		return nil
	}
	n := newtonOf(m)
	if n == nil {
		return cli.Usagef("-l1, -increasing, -decreasing and -interact are for newton, cyclic, lambdamart, cox, aft and softmax")
	}
	column := func(name string) (int, error) {
		j := slices.Index(d.Names, strings.TrimSpace(name))
		if j < 0 {
			return 0, cli.Usagef("no column is called %q", name)
		}
		return j, nil
	}
	if v.given("l1") {
		n.L1 = v.l1
	}
	if len(v.rising)+len(v.falling) > 0 {
		n.Monotone = make([]int8, len(d.Names))
	}
	for k, name := range slices.Concat(v.rising, v.falling) {
		j, err := column(name)
		if err != nil {
			return err
		}
		n.Monotone[j] = 1
		if k >= len(v.rising) {
			n.Monotone[j] = -1
		}
	}
	for _, names := range v.groups {
		var group []int
		for _, name := range strings.Split(names, ",") {
			j, err := column(name)
			if err != nil {
				return err
			}
			group = append(group, j)
		}
		n.Interactions = append(n.Interactions, group)
	}
	return nil
}

// newtonOf returns how a method makes Newton steps, nil if it makes none.
func newtonOf(m compare.Method) *boost.Newton {
	if b, ok := m.Multi.(*boost.Softmax); ok {
		return &b.Newton
	}
	switch b := m.Booster.(type) {
	case *boost.Newton:
		return b
	case *boost.Cyclic:
		return &b.Newton
	case *boost.LambdaMART:
		return &b.Newton
	case *boost.AFT:
		return &b.Newton
	case *boost.Cox:
		return &b.Newton
	}
	return nil
}

// settingsAreUsage makes invalid settings an error in the command line.
func settingsAreUsage(err error) error {
	if errors.Is(err, boost.ErrSettings) {
		return cli.Usage(err)
	}
	return err
}
