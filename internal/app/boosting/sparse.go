package boosting

import (
	"context"
	"fmt"
	"os"

	"haarlem/boost"
	"haarlem/boost/dataset"
	"haarlem/boost/interop"
	"haarlem/internal/app/cli"
)

// isSparse reports whether a file is in a format of sparse rows.
func isSparse(arg string) bool {
	ext := extension(arg)
	return ext == ".libsvm" || ext == ".svm"
}

// readSparse reads a LIBSVM file without making it a full table.
func (t *tableFlags) readSparse(arg string, target dataset.Target) (*boost.Sparse, *boost.Data, error) {
	f, err := os.Open(arg)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	o := t.options()
	o.Target = target
	s, d, err := dataset.ReadSparse(f, o)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", arg, err)
	}
	return s, d, nil
}

// fitSparse fits a model to a sparse table.
func (v *fitFlags) fitSparse(ctx context.Context, arg string) (*model, string, error) {
	sparse, d, err := v.readSparse(arg, targets[v.target])
	if err != nil {
		return nil, "", err
	}
	shape := *d
	shape.Columns = make([][]float64, sparse.Columns)
	settings, err := v.settings(&shape)
	if err != nil {
		return nil, "", err
	}
	settings.Progress = progress(v.err, "round")
	if v.holdOut > 0 || v.target == "several" {
		return nil, "", cli.Usagef("-sparse goes with neither -calibrate, -hold-out nor several classes")
	}
	m, err := v.choose(d)
	if err != nil {
		return nil, "", err
	}
	bins := 0
	if trees, ok := m.Learner.(*boost.Trees); ok {
		bins = trees.Bins
	}
	columns, err := sparse.Quantize(bins)
	if err != nil {
		return nil, "", err
	}
	res, err := boost.FitProblem(ctx, &boost.Problem{Data: d, Columns: columns}, m.Booster, m.Learner, settings)
	if err != nil {
		return nil, "", settingsAreUsage(err)
	}
	return &model{&interop.Model{One: res.Model}}, described(m, res), coverSparse(res.Model, sparse)
}

// coverSparse covers a model by as many rows as [boost.Model.Cover] takes, or fewer where
// they would take more than 512 MiB.
func coverSparse(m *boost.Model, s *boost.Sparse) error {
	rows := len(s.Starts) - 1
	n := min(rows, 5000, 64<<20/max(1, s.Columns))
	d := &boost.Data{Schema: m.Schema, Columns: make([][]float64, s.Columns), Labels: make([]int8, n)}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, n)
	}
	for k := range n {
		i := int(int64(k) * int64(rows) / int64(n))
		for e := s.Starts[i]; e < s.Starts[i+1]; e++ {
			d.Columns[s.Index[e]][k] = s.Value[e]
		}
	}
	return m.Cover(d)
}

// scoreSparse returns the scores of a sparse table, which may have fewer
// columns than the model, and more, which are ignored.
func (m *model) scoreSparse(t *tableFlags, arg string) ([]float64, error) {
	if m.Several != nil {
		return nil, cli.Usagef("-sparse goes with models of two classes and of numbers")
	}
	s, _, err := t.readSparse(arg, dataset.Numbers)
	if err != nil {
		return nil, err
	}
	if s.Columns > m.One.Columns {
		return nil, fmt.Errorf("%s: %w: column %d, and the model has %d", arg, boost.ErrSchema, s.Columns, m.One.Columns)
	}
	s.Columns = m.One.Columns
	return m.One.Predictor().ScoresOf(s)
}
