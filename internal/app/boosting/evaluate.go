package boosting

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"haarlem/boost"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/plot"
)

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name: "evaluate", Summary: "evaluate a model on a table, or a method by cross-validation", Args: "TABLE",
		Text: "With -model it evaluates that model on the table, which should not be the one that it\nwas fitted on. Without, it cross-validates what fit would do: each row is scored\nby a model that has not seen it.\n\n" + tableText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			var v fitFlags
			var path, roc, bins string
			var draw []string
			folds := 10
			f.Group("What is evaluated")
			f.String(&path, "model", "`MODEL` that fit wrote")
			f.Int(&folds, "folds", "`N` folds of the cross-validation (10)")
			f.Group("Output")
			f.String(&roc, "roc", "`FILE` for the ROC curve, as CSV")
			f.String(&bins, "calibration", "`FILE` for the calibration curve, as CSV")
			f.Strings(&draw, "plot", "`FILE` for the ROC curve, .png or .svg; may be repeated")
			v.declare(f, s)
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d tables given, want one", len(args))
				}
				name := args[0]
				if path != "" {
					m, err := loadModel(path)
					if err != nil {
						return err
					}
					d, _, err := v.readFor(m, args[0], true)
					if err != nil {
						return err
					}
					if m.several != nil {
						return m.evaluateMulti(s.Out, d)
					}
					p, err := m.one.Predict(d)
					if err != nil {
						return err
					}
					return report(s, name, p, nil, d.Labels != nil, roc, bins, draw)
				}
				d, err := v.read(args[0])
				if err != nil {
					return err
				}
				settings, err := v.settings()
				if err != nil {
					return err
				}
				if v.target == "several" {
					b, l, err := v.several()
					if err != nil {
						return err
					}
					cv, err := boost.CrossValidateMulti(ctx, d, b, l, settings, &boost.CrossValidation{Folds: folds, Seed: v.seed, HoldOut: v.holdOut, Workers: v.workers})
					if err != nil {
						return settingsAreUsage(err)
					}
					w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
					fmt.Fprintf(w, "rows\t%d\nfolds\t%d\nerror\t%.4f\tstandard deviation of folds %.4f\nlogloss\t%.4f\tstandard deviation of folds %.4f\n",
						d.Rows(), folds, cv.Error, deviation(cv.Errors), cv.LogLoss, deviation(cv.LogLosses))
					return w.Flush()
				}
				b, l, err := v.two()
				if err != nil {
					return err
				}
				cv, err := boost.CrossValidate(ctx, d, b, l, settings, &boost.CrossValidation{Folds: folds, Seed: v.seed, HoldOut: v.holdOut, Workers: v.workers})
				if err != nil {
					return settingsAreUsage(err)
				}
				return report(s, name, cv.Predictions, cv.ByFold, d.Labels != nil, roc, bins, draw)
			}
		},
	}
}

func deviation(values []float64) float64 {
	mean, sum := 0.0, 0.0
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		sum += (v - mean) * (v - mean)
	}
	return math.Sqrt(sum / float64(max(1, len(values)-1)))
}

// report writes metrics, and curves to the given files.
func report(s *cli.Streams, name string, p *boost.Predictions, byFold func(boost.Metric) []float64, classes bool, roc, bins string, draw []string) error {
	metrics := []boost.Metric{boost.RMSE, boost.MAE}
	if classes {
		metrics = []boost.Metric{boost.ErrorRate, boost.AUC, boost.LogLoss, boost.Brier}
	} else if roc != "" || bins != "" || len(draw) > 0 {
		return cli.Usagef("-roc, -calibration and -plot are for two classes")
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d\n", len(p.Scores))
	for _, m := range metrics {
		v := m.Value(p)
		switch {
		case v != v:
			fmt.Fprintf(w, "%s\tnone\n", m.Name) // no probabilities, or one class
		case byFold != nil:
			fmt.Fprintf(w, "%s\t%.4f\tstandard deviation of folds %.4f\n", m.Name, v, deviation(byFold(m)))
		default:
			fmt.Fprintf(w, "%s\t%.4f\n", m.Name, v)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !classes {
		return nil
	}
	points := p.ROC()
	if roc != "" {
		err := create(roc, s, func(w *bufio.Writer) error {
			c := csv.NewWriter(w)
			c.Write([]string{"threshold", "fpr", "tpr"})
			for _, q := range points {
				c.Write([]string{number(q.Threshold), number(q.FalsePositiveRate), number(q.TruePositiveRate)})
			}
			c.Flush()
			return c.Error()
		})
		if err != nil {
			return err
		}
	}
	if bins != "" {
		err := create(bins, s, func(w *bufio.Writer) error {
			c := csv.NewWriter(w)
			c.Write([]string{"rows", "probability", "share"})
			for _, b := range p.CalibrationCurve(10) {
				c.Write([]string{fmt.Sprint(b.Rows), number(b.Mean), number(b.Share)})
			}
			c.Flush()
			return c.Error()
		})
		if err != nil {
			return err
		}
	}
	if len(draw) == 0 {
		return nil
	}
	line := plot.Line{Name: fmt.Sprintf("AUC %.3f", boost.AUC.Value(p))}
	for _, q := range points {
		line.X, line.Y = append(line.X, q.FalsePositiveRate), append(line.Y, q.TruePositiveRate)
	}
	return plot.ROC(name, []plot.Line{line}, draw...)
}

func (m *model) evaluateMulti(out io.Writer, d *boost.Data) error {
	e, err := m.several.Error(d)
	if err != nil {
		return err
	}
	l, err := m.several.LogLoss(d)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d\nerror\t%.4f\nlogloss\t%.4f\n", d.Rows(), e, l)
	return w.Flush()
}
