package boosting

import (
	"bufio"
	"context"
	"fmt"
	"math"

	"haarlem/boost"
	"haarlem/boost/interop"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/compare"
)

// fit fits a model to a table, and describes the result.
func (v *fitFlags) fit(ctx context.Context, arg string) (*model, string, error) {
	d, err := v.read(arg)
	if err != nil {
		return nil, "", err
	}
	s, err := v.settings(d)
	if err != nil {
		return nil, "", err
	}
	s.Progress = progress(v.err, "round")
	held := (*boost.Data)(nil)
	if v.holdOut > 0 {
		if d, held, err = boost.SplitData(d, v.holdOut, v.seed); err != nil {
			return nil, "", err
		}
		s.Validation = held
	}
	if v.target == "several" && (v.calibrate != "none" || v.rule != "" || v.seeds != 1) {
		return nil, "", cli.Usagef("-calibrate, -threshold and -seeds are not for several classes")
	}
	m, err := v.choose(d)
	if err != nil {
		return nil, "", err
	}
	repeat, err := v.tune(ctx, d, m, s)
	if err != nil {
		return nil, "", err
	}
	if v.target == "several" {
		res, err := boost.FitMulti(ctx, d, m.Multi, m.Learner, s)
		if err != nil {
			return nil, "", settingsAreUsage(err)
		}
		if err := res.Model.Cover(d); err != nil {
			return nil, "", err
		}
		return &model{&interop.Model{Several: res.Model}}, fmt.Sprintf("%s: %d rounds, %v%s", m.Multi.Name(), res.Rounds, res.Status, repeat), nil
	}
	res, err := v.fitSeeds(ctx, d, m, s)
	if err != nil {
		return nil, "", settingsAreUsage(err)
	}
	one := res.Model
	if kind := map[string]func(*boost.Predictions) (*boost.Calibration, error){"platt": boost.Platt, "isotonic": boost.Isotonic}[v.calibrate]; kind != nil {
		if d.Labels == nil {
			return nil, "", cli.Usagef("-calibrate is for two classes")
		}
		if one, err = one.Calibrated(held, kind); err != nil {
			return nil, "", err
		}
	}
	if err := one.Cover(d); err != nil {
		return nil, "", err
	}
	said := described(m, res) + repeat
	if v.rule != "" {
		if one.Threshold, err = v.threshold(ctx, one, d, held, m, s); err != nil {
			return nil, "", err
		}
		said += fmt.Sprintf(", threshold %.4f", one.Threshold)
	}
	return &model{&interop.Model{One: one}}, said, nil
}

// fitSeeds fits a model, or the mean of several that start from other seeds.
func (v *fitFlags) fitSeeds(ctx context.Context, d *boost.Data, by compare.Method, s *boost.Settings) (*boost.Result, error) {
	if v.seeds < 1 {
		return nil, cli.Usagef("-seeds is %d, want 1 or more", v.seeds)
	}
	first, err := boost.Fit(ctx, d, by.Booster, by.Learner, s)
	if err != nil || v.seeds == 1 {
		return first, err
	}
	m, mine := first.Model, *s
	if m.Damping != 0 {
		return nil, cli.Usagef("-seeds is for boosters whose scores are sums")
	}
	mine.Rounds, mine.Patience = first.Rounds, 0
	for k := 1; k < v.seeds; k++ {
		mine.Seed++
		next, err := boost.Fit(ctx, d, by.Booster, by.Learner, &mine)
		if err != nil {
			return nil, err
		}
		m.Bias += next.Model.Bias
		m.Terms = append(m.Terms, next.Model.Terms...)
	}
	m.Bias /= float64(v.seeds)
	for k := range m.Terms {
		m.Terms[k].Coef /= float64(v.seeds)
	}
	return first, nil
}

// threshold returns the model's threshold by the rule that is given, of rows that it has
// not seen: those held out, or all by cross-validation.
func (v *fitFlags) threshold(ctx context.Context, m *boost.Model, d, held *boost.Data, by compare.Method, s *boost.Settings) (float64, error) {
	if d.Labels == nil {
		return 0, cli.Usagef("-threshold is for two classes")
	}
	s.Progress = progress(v.err, "fold")
	var p *boost.Predictions
	if held != nil {
		var err error
		if p, err = m.Predict(held); err != nil {
			return 0, err
		}
	} else {
		cv, err := boost.CrossValidate(ctx, d, by.Booster, by.Learner, s, &boost.CrossValidation{Folds: 5, Seed: v.seed, Workers: v.workers})
		if err != nil {
			return 0, settingsAreUsage(err)
		}
		p = cv.Predictions
	}
	at, err := threshold(v.rule, p)
	return max(at, math.SmallestNonzeroFloat64), err
}

func described(by compare.Method, res *boost.Result) string {
	return fmt.Sprintf("%s+%s: %d terms after %d rounds, %v", by.Booster.Name(), by.Learner.Name(), len(res.Model.Terms), res.Rounds, res.Status)
}

// tune spends the budget, if there is one, on better settings, and returns how they
// are given on the command line.
func (v *fitFlags) tune(ctx context.Context, d *boost.Data, by compare.Method, s *boost.Settings) (string, error) {
	if v.budget == 0 {
		return "", nil
	}
	if _, newton := by.Booster.(*boost.Newton); !newton && by.Multi == nil || v.budget < 0 || v.method != "" || v.given("rounds") || v.holdOut > 0 || s.Patience == 0 {
		return "", cli.Usagef("-budget chooses the settings of newton and softmax, and goes with none of -method, -rounds, -hold-out, -calibrate and rankings")
	}
	n, name, trees := newtonOf(by), "newton", by.Learner.(*boost.Trees)
	if by.Multi != nil {
		name = "softmax"
	}
	shown := s.Progress
	s.Progress = nil
	newton, found, settings, err := boost.Tune(ctx, d, n, trees, s, v.budget)
	if err != nil {
		return "", settingsAreUsage(err)
	}
	*n, *trees, *s = *newton, *found, *settings
	s.Progress = shown
	if name == "newton" && d.Rows() <= 5_000 && !v.given("seeds") {
		v.seeds = 4
	}
	return fmt.Sprintf("\nthe same again, beside the other flags: -method '%s(minweight=%v,l2=%v)+trees(leaves=%d,bins=%d)' -shrinkage %v -rows %v -columns %v -rounds %d -seeds %d",
		name, n.MinWeight, n.L2, trees.Leaves, trees.Bins, s.Shrinkage, s.RowShare, s.ColumnShare, s.Rounds, v.seeds), nil
}

func fitCommand() *cli.Command {
	return &cli.Command{
		Name: "fit", Summary: "fit a model to a table", Args: "TABLE",
		Text: "Fits a model to a table and writes it as text. Columns of names are categorical;\nmissing values need no care. Without -method, leaves, steps and samples are by the\nsize of the table, and the number of rounds is the best on rows held out; then all\nrows are fitted.\n\n" + tableText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			var v fitFlags
			var out string
			var sparse bool
			f.Group("Output")
			f.String(&out, "out", "`FILE` for the model; standard output if none is given")
			f.Also("out", "o")
			f.Bool(&sparse, "sparse", "keep only what is not zero of a LIBSVM file")
			v.declare(f, s)
			f.Group("Model")
			f.String(&v.rule, "threshold", "`RULE` for the probability from which a row is of the positive class, which the model keeps: f1, cost=FP:FN or a number. It goes by rows held out, or by a cross-validation of five folds (that of a score of 0)")
			f.Int(&v.seeds, "seeds", "fit `N` models that differ in what is drawn at random, and keep the mean of their scores (1; 4 with -budget, of at most 5,000 rows that are not of several classes)")
			v.seeds = 1
			f.Duration(&v.budget, "budget", "`TIME`, such as 1m, to spend on better settings, by rows held out. The number of trials depends on the machine, so the command that makes the same model again without a search is printed")
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d tables given, want one", len(args))
				}
				fit := v.fit
				if sparse {
					if fit = v.fitSparse; !isSparse(args[0]) || v.budget != 0 || v.rule != "" {
						return cli.Usagef("-sparse is for .libsvm and .svm, without -budget and -threshold")
					}
				}
				m, said, err := fit(ctx, args[0])
				if err != nil {
					return err
				}
				fmt.Fprintln(s.Err, said)
				return create(out, s, func(w *bufio.Writer) error { return m.Save(w) })
			}
		},
	}
}
