package boosting

import (
	"bufio"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"haarlem/boost"
	"haarlem/boost/dataset"
	"haarlem/internal/app/cli"
)

func predictCommand() *cli.Command {
	return &cli.Command{
		Name: "predict", Summary: "apply a model to the rows of a table", Args: "TABLE",
		Text: "Writes a line of CSV a row: the class and its probability, or the number, and the\nscore. The table need not have the column that is predicted. Columns are found by\ntheir names, in any order; a column that is missing is an error, and so is a\nlevel that the model does not know, without -unknown-missing.\n\n" + tableText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			var v tableFlags
			var path, out string
			var workers int
			var sparse bool
			threshold := -1.0
			f.Group("Input and output")
			f.String(&path, "model", "`MODEL` that fit wrote")
			f.String(&out, "out", "`FILE` for the predictions; standard output if none is given")
			f.Also("out", "o")
			f.Int(&workers, "workers", "`N` goroutines; as many as there are cores if none is given")
			f.Bool(&sparse, "sparse", "keep only what is not zero of a LIBSVM file")
			f.Float(&threshold, "threshold", "`PROBABILITY` from which a row is of the positive class, such as evaluate -threshold f1 prints (the model's, or that of a score of 0)")
			v.declare(f, s)
			return func(_ context.Context, args []string) error {
				if len(args) != 1 || path == "" {
					return cli.Usagef("want -model MODEL and one table")
				}
				m, err := loadModel(path)
				if err != nil {
					return err
				}
				if f.Given("threshold") {
					if m.target() != dataset.TwoClasses || !(threshold >= 0 && threshold <= 1) || m.One.Means([]float64{0})[0] != m.One.Means([]float64{0})[0] {
						return cli.Usagef("-threshold is %v, want a number from 0 to 1, and a model of two classes with probabilities", threshold)
					}
					m.One.Threshold = max(threshold, math.SmallestNonzeroFloat64)
				}
				if sparse {
					if !isSparse(args[0]) {
						return cli.Usagef("-sparse is for .libsvm and .svm")
					}
					scores, err := m.scoreSparse(&v, args[0])
					if err != nil {
						return err
					}
					return create(out, s, func(w *bufio.Writer) error { return m.writeScores(w, scores) })
				}
				d, extra, err := v.readFor(m, args[0], false)
				if err != nil {
					return err
				}
				if len(extra) > 0 {
					fmt.Fprintf(s.Err, "note: not the model's, and not looked at: %s\n", strings.Join(extra, ", "))
				}
				return create(out, s, func(w *bufio.Writer) error { return m.predict(w, d, workers) })
			}
		},
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// predict writes a line per row.
func (m *model) predict(w *bufio.Writer, d *boost.Data, workers int) error {
	if m.Several != nil {
		p, err := m.Several.Predict(d)
		if err != nil {
			return err
		}
		head := []string{"class"}
		for _, n := range m.Several.Classes {
			head = append(head, "p("+n+")")
		}
		return writeLines(w, head, len(p.Predicted), func(i int) []string {
			line := []string{m.Several.Classes[p.Predicted[i]]}
			for _, q := range p.Probabilities {
				line = append(line, number(q[i]))
			}
			return line
		})
	}
	scores, err := m.One.Predictor().Scores(d, workers)
	if err != nil {
		return err
	}
	return m.writeScores(w, scores)
}

// writeLines writes a head and n lines as CSV.
func writeLines(w io.Writer, head []string, n int, line func(i int) []string) error {
	c := csv.NewWriter(w)
	c.Write(head)
	for i := range n {
		c.Write(line(i))
	}
	c.Flush()
	return c.Error()
}

// writeScores writes a line per row for a model of one score.
func (m *model) writeScores(w *bufio.Writer, scores []float64) error {
	p := m.One.Means(scores)
	if m.target() == dataset.Numbers {
		return writeLines(w, []string{"prediction"}, len(p), func(i int) []string { return []string{number(p[i])} })
	}
	names := m.One.Classes
	if names == nil {
		names = []string{"-1", "1"}
	}
	return writeLines(w, []string{"class", "p(" + names[1] + ")", "score"}, len(scores), func(i int) []string {
		k := 0
		if m.One.Threshold == 0 && scores[i] >= 0 || m.One.Threshold != 0 && p[i] >= m.One.Threshold {
			k = 1
		}
		probability := "" // some losses have none
		if p[i] == p[i] {
			probability = number(p[i])
		}
		return []string{names[k], probability, number(scores[i])}
	})
}
