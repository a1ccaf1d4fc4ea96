package boosting

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"haarlem/boost"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/compare"
	"haarlem/internal/boost/plot"
)

func evaluateCommand() *cli.Command {
	return &cli.Command{
		Name: "evaluate", Summary: "evaluate a model on a table, or a method by cross-validation", Args: "TABLE",
		Text: "With -model it evaluates that model on the table, which should not be the one that it\nwas fitted on. Without, it cross-validates what fit would do: each row is scored\nby a model that has not seen it.\n\n" + tableText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			var v fitFlags
			var path string
			var o output
			folds := 10
			f.Group("What is evaluated")
			f.String(&path, "model", "`MODEL` that fit wrote")
			f.Int(&folds, "folds", "`N` folds of the cross-validation (10)")
			f.Int(&o.samples, "bootstrap", "print intervals that hold 95 of 100 bootstrap samples, of `N` samples such as 1000. They do not depend on the run, only on -seed")
			f.String(&o.rule, "threshold", "`RULE` for a second confusion matrix: f1 and cost=FP:FN choose the probability from which a row is positive, a number gives it")
			f.Group("Output")
			f.String(&o.roc, "roc", "`FILE` for the ROC curve, as CSV")
			f.String(&o.pr, "pr", "`FILE` for the curve of precision and recall, as CSV; the area is ap")
			f.String(&o.bins, "calibration", "`FILE` for the calibration curve, as CSV")
			f.Strings(&o.draw, "plot", "`FILE` for the ROC curve, .png or .svg; may be repeated")
			v.declare(f, s)
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d tables given, want one", len(args))
				}
				if o.samples != 0 && o.samples < 2 {
					return cli.Usagef("-bootstrap is %d, want at least 2", o.samples)
				}
				o.name, o.seed = args[0], v.seed
				if path != "" {
					m, err := loadModel(path)
					if err != nil {
						return err
					}
					d, _, err := v.readFor(m, args[0], true)
					if err != nil {
						return err
					}
					if m.Several != nil {
						if o.twoOnly() {
							return errTwoOnly
						}
						p, err := m.Several.Predict(d)
						if err != nil {
							return err
						}
						return o.reportSeveral(s.Out, p, d.Classes, nil)
					}
					o.own = m.One.Threshold
					p, err := m.One.Predict(d)
					if err != nil {
						return err
					}
					o.goals = goals(m.One.Booster, d)
					return o.report(s, p, nil, d)
				}
				d, err := v.read(args[0])
				if err != nil {
					return err
				}
				settings, err := v.settings(d)
				if err != nil {
					return err
				}
				settings.Progress = progress(s.Err, "fold")
				m, err := v.choose(d)
				if err != nil {
					return err
				}
				by := &boost.CrossValidation{Folds: folds, Seed: v.seed, HoldOut: v.holdOut, Workers: v.workers}
				if v.target == "several" {
					if o.twoOnly() {
						return errTwoOnly
					}
					cv, err := boost.CrossValidateMulti(ctx, d, m.Multi, m.Learner, settings, by)
					if err != nil {
						return settingsAreUsage(err)
					}
					return o.reportSeveral(s.Out, cv.MultiPredictions, d.Classes, cv.ByFold)
				}
				cv, err := boost.CrossValidate(ctx, d, m.Booster, m.Learner, settings, by)
				if err != nil {
					return settingsAreUsage(err)
				}
				o.goals = goals(m.Booster.Name(), d)
				if b, ok := m.Booster.(*boost.AFT); ok {
					o.goals = append(o.goals, b.Metric())
				}
				return o.report(s, cv.Predictions, cv.ByFold, d)
			}
		},
	}
}

// goals returns the metrics of a booster that learns an order of rows, nil of another.
func goals(booster string, d *boost.Data) []boost.Metric {
	switch {
	case booster == (&boost.Cox{}).Name():
		return []boost.Metric{boost.Concordance, boost.CoxLoss}
	case booster == (&boost.AFT{}).Name():
		return []boost.Metric{boost.TimeConcordance}
	case booster == (&boost.LambdaMART{}).Name() && d.Groups != nil:
		return []boost.Metric{boost.NDCG(10), boost.NDCG(5)}
	}
	return nil
}

// output is what evaluate writes beside metrics.
type output struct {
	name, roc, pr, bins string
	draw                []string
	samples             int // of the bootstrap
	seed                uint64
	rule                string         // for the threshold
	goals               []boost.Metric // of boosters that learn an order, in place of others
	own                 float64        // the model's threshold, 0 without
}

// report writes metrics, and curves to the given files.
func (o *output) report(s *cli.Streams, p *boost.Predictions, byFold func(boost.Metric) []float64, d *boost.Data) error {
	classes, roc, bins, draw := d.Labels != nil, o.roc, o.bins, o.draw
	if o.own > 0 && o.rule == "" {
		o.rule = number(o.own)
	}
	metrics := []boost.Metric{boost.RMSE, boost.MAE}
	if o.goals != nil {
		metrics = o.goals
	} else if d.Groups != nil {
		metrics = append(goals((&boost.LambdaMART{}).Name(), d), metrics...)
	}
	if classes {
		metrics = []boost.Metric{boost.ErrorRate, boost.AUC, boost.AveragePrecision, boost.LogLoss, boost.Brier}
	} else if roc != "" || o.pr != "" || bins != "" || len(draw) > 0 {
		return cli.Usagef("-roc, -pr, -calibration and -plot are for two classes")
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d\n", len(p.Scores))
	for _, m := range metrics {
		if err := o.line(w, p, m, byFold); err != nil {
			return err
		}
	}
	if classes {
		c := p.Confusion(0)
		writeConfusion(w, [][]float64{c[0][:], c[1][:]}, d.Classes)
		if o.rule != "" {
			if err := o.writeThreshold(w, p, d.Classes); err != nil {
				return err
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if !classes {
		return nil
	}
	points := p.ROC()
	line := plot.Line{Name: fmt.Sprintf("AUC %.3f", boost.AUC.Value(p))}
	curve, recall, calibration := [][]string{{"threshold", "fpr", "tpr"}}, [][]string{{"threshold", "recall", "precision"}}, [][]string{{"rows", "probability", "share"}}
	c := p.Confusion(math.Inf(-1)) // all rows as positive
	for k, q := range points {
		line.X, line.Y = append(line.X, q.FalsePositiveRate), append(line.Y, q.TruePositiveRate)
		curve = append(curve, []string{number(q.Threshold), number(q.FalsePositiveRate), number(q.TruePositiveRate)})
		if k > 0 {
			hits, alarms := float64(q.TruePositiveRate*c[1][1]), float64(q.FalsePositiveRate*c[0][1])
			recall = append(recall, []string{number(q.Threshold), number(q.TruePositiveRate), number(hits / (hits + alarms))})
		}
	}
	if bins != "" {
		for _, b := range p.CalibrationCurve(10) {
			calibration = append(calibration, []string{fmt.Sprint(b.Rows), number(b.Mean), number(b.Share)})
		}
	}
	for _, f := range []struct {
		path string
		rows [][]string
	}{{roc, curve}, {o.pr, recall}, {bins, calibration}} {
		if f.path == "" {
			continue
		}
		if err := create(f.path, s, func(w *bufio.Writer) error { return csv.NewWriter(w).WriteAll(f.rows) }); err != nil {
			return err
		}
	}
	if len(draw) == 0 {
		return nil
	}
	return plot.ROC(o.name, []plot.Line{line}, draw...)
}

// line writes the value of a metric, how those of folds deviate if byFold is not nil, and
// its interval if that is wanted.
func (o *output) line(w io.Writer, p *boost.Predictions, m boost.Metric, byFold func(boost.Metric) []float64) error {
	v := m.Value(p)
	if v != v { // no probabilities, or one class
		_, err := fmt.Fprintf(w, "%s\tnone\n", m.Name)
		return err
	}
	fmt.Fprintf(w, "%s\t%.4f", m.Name, v)
	if byFold != nil {
		_, deviation := compare.MeanAndDeviation(byFold(m))
		fmt.Fprintf(w, "\tstandard deviation of folds %.4f", deviation)
	}
	if o.samples > 0 {
		low, high, err := p.Bootstrap(m, o.samples, 0.95, o.seed)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\t95%% interval %.4f to %.4f", low, high)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// twoOnly reports whether something is wanted that several classes do not have.
func (o *output) twoOnly() bool {
	return o.rule != "" || o.roc != "" || o.pr != "" || o.bins != "" || len(o.draw) > 0
}

var errTwoOnly = cli.Usagef("-threshold, -roc, -pr, -calibration and -plot are for two classes")

// reportSeveral writes the metrics of several classes, and how those of folds deviate if
// byFold is not nil.
func (o *output) reportSeveral(out io.Writer, p *boost.MultiPredictions, names []string, byFold func(boost.Metric) []float64) error {
	if p.Targets == nil {
		return fmt.Errorf("%w: no classes to compare with", boost.ErrData)
	}
	for i, y := range p.Targets {
		if !(y >= 0 && int(y) < len(p.Probabilities)) {
			return fmt.Errorf("%w: row %d is of class %v of %d", boost.ErrData, i, y, len(p.Probabilities))
		}
	}
	own := p.Own()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "rows\t%d\n", len(p.Targets))
	for _, m := range []boost.Metric{boost.ErrorRate, boost.LogLoss} {
		if err := o.line(w, own, m, byFold); err != nil {
			return err
		}
	}
	auc := boost.Metric{Name: "auc", Value: func(*boost.Predictions) float64 { return p.AUC() }}
	if err := (&output{}).line(w, own, auc, nil); err != nil {
		return err
	}
	writeConfusion(w, p.Confusion(), names)
	return w.Flush()
}

// writeThreshold writes the threshold of a rule, and what comes of it.
func (o *output) writeThreshold(w io.Writer, p *boost.Predictions, names []string) error {
	at, err := threshold(o.rule, p)
	if err != nil {
		return err
	}
	q := *p
	q.Scores = p.Means
	c := q.Confusion(at)
	fmt.Fprintf(w, "threshold\t%s\nf1\t%.4f\n", number(at), boost.F1(c))
	writeConfusion(w, [][]float64{c[0][:], c[1][:]}, names)
	return nil
}

// threshold returns the probability from which a row is positive by a rule: f1,
// cost=FP:FN or the probability itself.
func threshold(rule string, p *boost.Predictions) (float64, error) {
	q := *p
	q.Scores = p.Means
	if slices.ContainsFunc(q.Scores, func(v float64) bool { return v != v }) {
		return 0, cli.Usagef("-threshold is for models with probabilities: see -calibrate")
	}
	var fp, fn, at float64
	if rule == "f1" {
		at = q.BestThreshold(boost.F1)
	} else if n, _ := fmt.Sscanf(rule+" ", "cost=%g:%g ", &fp, &fn); n == 2 && fp > 0 && fn > 0 {
		at = q.BestThreshold(func(c [2][2]float64) float64 { return -float64(fp*c[0][1]) - float64(fn*c[1][0]) })
	} else if v, err := strconv.ParseFloat(rule, 64); err == nil && v >= 0 && v <= 1 {
		at = v
	} else {
		return 0, cli.Usagef("-threshold is %q, want f1, cost=FP:FN of two numbers above 0, or a number from 0 to 1", rule)
	}
	return min(at, 1), nil // above 1 no row is positive, or only those that are certain
}

// writeConfusion writes a line a class: the weights of its rows by predicted class.
func writeConfusion(w io.Writer, table [][]float64, names []string) {
	if names == nil {
		names = []string{"-1", "1"}
	}
	fmt.Fprintf(w, "class\tpredicted as %s\n", strings.Join(names, "\t"))
	for k, row := range table {
		fmt.Fprint(w, names[k])
		for _, v := range row {
			fmt.Fprintf(w, "\t%g", v)
		}
		fmt.Fprintln(w)
	}
}
