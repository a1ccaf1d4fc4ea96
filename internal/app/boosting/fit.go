package boosting

import (
	"bufio"
	"context"
	"fmt"

	"haarlem/boost"
	"haarlem/internal/app/cli"
)

// fit fits a model, and describes the result.
func (v *fitFlags) fit(ctx context.Context, d *boost.Data) (*model, string, error) {
	s, err := v.settings(d)
	if err != nil {
		return nil, "", err
	}
	held := (*boost.Data)(nil)
	if v.holdOut > 0 {
		if d, held, err = boost.SplitData(d, v.holdOut, v.seed); err != nil {
			return nil, "", err
		}
		s.Validation = held
	}
	if v.target == "several" {
		if v.calibrate != "none" {
			return nil, "", cli.Usagef("-calibrate is for two classes")
		}
		b, l, err := v.several(d)
		if err != nil {
			return nil, "", err
		}
		res, err := boost.FitMulti(ctx, d, b, l, s)
		if err != nil {
			return nil, "", settingsAreUsage(err)
		}
		return &model{several: res.Model}, fmt.Sprintf("%s: %d rounds, %v", b.Name(), res.Rounds, res.Status), nil
	}
	b, l, err := v.two(d)
	if err != nil {
		return nil, "", err
	}
	res, err := boost.Fit(ctx, d, b, l, s)
	if err != nil {
		return nil, "", settingsAreUsage(err)
	}
	m := res.Model
	if kind := map[string]func(*boost.Predictions) (*boost.Calibration, error){"platt": boost.Platt, "isotonic": boost.Isotonic}[v.calibrate]; kind != nil {
		if d.Labels == nil {
			return nil, "", cli.Usagef("-calibrate is for two classes")
		}
		if m, err = m.Calibrated(held, kind); err != nil {
			return nil, "", err
		}
	}
	return &model{one: m}, described(b, l, res), nil
}

func described(b boost.Booster, l boost.Learner, res *boost.Result) string {
	return fmt.Sprintf("%s+%s: %d terms after %d rounds, %v", b.Name(), l.Name(), len(res.Model.Terms), res.Rounds, res.Status)
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
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d tables given, want one", len(args))
				}
				if sparse {
					if !isSparse(args[0]) {
						return cli.Usagef("-sparse is for .libsvm and .svm")
					}
					m, said, err := v.fitSparse(ctx, args[0])
					if err != nil {
						return err
					}
					fmt.Fprintln(s.Err, said)
					return create(out, s, func(w *bufio.Writer) error { return m.save(w) })
				}
				d, err := v.read(args[0])
				if err != nil {
					return err
				}
				m, said, err := v.fit(ctx, d)
				if err != nil {
					return err
				}
				fmt.Fprintln(s.Err, said)
				return create(out, s, func(w *bufio.Writer) error { return m.save(w) })
			}
		},
	}
}
