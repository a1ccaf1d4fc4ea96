package boosting

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"haarlem/boost"
	"haarlem/boost/explain"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/compare"
	"haarlem/internal/boost/plot"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name: "explain", Summary: "say what a model does with the columns of a table", Args: "TABLE",
		Text: "Prints how much each column matters on the table: what its splits lower the loss by,\nand how much worse the metric is when the column is shuffled. Of several classes, and\nof rows without the column that is predicted, it is the mean size of their Shapley\nvalues. -rows writes the Shapley values of each row, which are exact; -shapes draws what each column does to the score of an\nadditive model, such as one of stumps, or one fitted with \"cyclic+trees(leaves=4)\".\n\n" + tableText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			var v tableFlags
			var path, rows, shapes, lossText string
			repeats := 5
			var seed uint64 = 1
			f.Group("Input and output")
			f.String(&path, "model", "`MODEL` that fit wrote, or another of trees")
			f.String(&rows, "rows", "`FILE` for the Shapley values of every row, as CSV: a line a row, or a line a row and class")
			f.String(&shapes, "shapes", "`FOLDER` for drawings of what each column does to the score")
			f.String(&lossText, "loss", "`LOSS` whose gain is printed, such as gamma or \"tweedie,power=1.3\"; poisson for counts if none is given, and that of the link otherwise")
			f.Int(&repeats, "repeats", "shuffle each column `N` times (5); 40 or more give intervals too, each shuffle on a bootstrap sample")
			f.Uint64(&seed, "seed", "`SEED` of the shuffles (1)")
			v.declare(f, s)
			return func(_ context.Context, args []string) error {
				if len(args) != 1 || path == "" {
					return cli.Usagef("want -model MODEL and one table")
				}
				m, err := loadModel(path)
				if err != nil {
					return err
				}
				if m.Several != nil && (shapes != "" || lossText != "") {
					return cli.Usagef("-shapes and -loss are not for several classes")
				}
				d, err := v.readToExplain(m, args[0])
				if err != nil {
					return err
				}
				values := m.Several != nil || d.Labels == nil && d.Targets == nil
				if !values {
					if err := importances(s, m.One, d, lossText, repeats, seed); err != nil {
						return err
					}
				}
				if rows != "" || values {
					if err := shapley(s, m, d, rows, values); err != nil {
						return err
					}
				}
				if shapes != "" {
					return drawShapes(m.One, d, shapes)
				}
				return nil
			}
		},
	}
}

func columnName(m *boost.Model, j int) string {
	if m.Names != nil {
		return m.Names[j]
	}
	return fmt.Sprint(j)
}

func importances(s *cli.Streams, m *boost.Model, d *boost.Data, lossText string, repeats int, seed uint64) error {
	metric, loss := boost.ErrorRate, boost.Loss(boost.LogisticLoss)
	switch m.Link {
	case boost.IdentityLink:
		metric, loss = boost.RMSE, boost.LeastSquaresLoss
	case boost.LogLink:
		metric, loss = boost.RMSE, boost.PoissonLoss
	case boost.DoubleLogisticLink:
		loss = boost.ExponentialLoss
	}
	if lossText != "" {
		b, err := compare.ParseBooster("newton(loss=" + lossText + ")")
		if err != nil {
			return cli.Usage(err)
		}
		loss = b.(*boost.Newton).Loss
	}
	goals := goals(m.Booster, d)
	if goals != nil {
		metric = goals[0]
	}
	worse, intervals, err := explain.Permutation(m, d, metric, repeats, seed)
	if err != nil {
		return err
	}
	gain, err := explain.Gain(m, d, loss)
	if err != nil || goals != nil {
		gain = nil // not of trees, or without a loss: permutation importance will do
	}
	total := 0.0
	for _, g := range gain {
		total += math.Max(0, g)
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "column\tgain\t%s when shuffled\n", metric.Name)
	for j := range worse {
		share := "none"
		if gain != nil {
			share = fmt.Sprintf("%.4f", gain[j]/math.Max(total, math.SmallestNonzeroFloat64))
		}
		fmt.Fprintf(w, "%s\t%s\t%+.4f", columnName(m, j), share, worse[j])
		if repeats >= 40 {
			fmt.Fprintf(w, "\t95%% interval %+.4f to %+.4f", intervals[j][0], intervals[j][1])
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// shapley writes a line a row, or a line a row and class: the contributions of the
// columns, which add up to the score together with the mean. With sizes it prints the
// mean size of each column's.
func shapley(s *cli.Streams, m *model, d *boost.Data, path string, sizes bool) error {
	models, classes := []*boost.Model{m.One}, []string{"|value|"}
	if m.Several != nil {
		models, classes = m.Several.Models, m.Several.Classes
	}
	var explainers []*explain.Explainer
	mean := make([][]float64, len(models))
	for k, one := range models {
		e, err := explain.NewExplainer(one, nil)
		if err != nil {
			if k == 0 && d.Rows() < 100 {
				fmt.Fprintln(s.Err, "note: the model holds nothing of its data, so the values are by the rows of this table alone")
			}
			e, err = explain.NewExplainer(one, d)
		}
		if err != nil {
			return err
		}
		explainers, mean[k] = append(explainers, e), make([]float64, one.Columns)
	}
	head := []string{}
	for j := range models[0].Columns {
		head = append(head, columnName(models[0], j))
	}
	explainRows := func(write func([]string)) {
		var x []float64
		for i := range d.Rows() {
			x = d.Row(x, i)
			for k, e := range explainers {
				var line []string
				if m.Several != nil {
					line = []string{classes[k]}
				}
				for j, v := range e.Explain(nil, x) {
					line = append(line, number(v))
					mean[k][j] += math.Abs(v) / float64(d.Rows())
				}
				write(append(line, number(e.Mean), number(models[k].Score(x))))
			}
		}
	}
	if path == "" {
		explainRows(func([]string) {})
	} else if err := create(path, s, func(w *bufio.Writer) error {
		c := csv.NewWriter(w)
		if m.Several != nil {
			head = append([]string{"class"}, head...)
		}
		c.Write(append(head, "mean", "score"))
		explainRows(func(line []string) { c.Write(line) })
		c.Flush()
		return c.Error()
	}); err != nil {
		return err
	}
	if !sizes {
		return nil
	}
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "column\t%s\n", strings.Join(classes, "\t"))
	for j := range mean[0] {
		fmt.Fprint(w, columnName(models[0], j))
		for k := range mean {
			fmt.Fprintf(w, "\t%.4f", mean[k][j])
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// drawShapes draws the curve of every column of an additive model.
func drawShapes(m *boost.Model, d *boost.Data, folder string) error {
	_, shapes, err := explain.Shapes(m, d)
	if err != nil {
		return err
	}
	for k, s := range shapes {
		if len(s.Columns) != 1 || len(s.Cuts[0]) == 0 {
			continue
		}
		name := columnName(m, s.Columns[0])
		safe := strings.Map(func(r rune) rune {
			if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
				return '_'
			}
			return r
		}, name)
		path := filepath.Join(folder, fmt.Sprintf("%02d-%s.png", k+1, safe))
		n := len(s.Cuts[0])
		if err := plot.Shape(name, name, plot.Line{X: s.Cuts[0], Y: s.Values[:n+1]}, path); err != nil {
			return err
		}
	}
	return nil
}
