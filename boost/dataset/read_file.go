package dataset

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"haarlem/boost"
)

// ReadFile reads a table by the extension of its name: .csv, .tsv (CSV with
// tabs), .arff, .libsvm or .svm, each also compressed, as .csv.gz.
func ReadFile(path string, o *Options) (*boost.Data, error) {
	opt := o.orDefault()
	var read func(io.Reader, *Options) (*boost.Data, error)
	switch ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz")); ext {
	case ".csv":
		read = ReadCSV
	case ".tsv":
		read, opt.Comma = ReadCSV, '\t'
	case ".arff":
		read = ReadARFF
	case ".libsvm", ".svm":
		read = ReadLIBSVM
	default:
		return nil, fmt.Errorf("dataset: %s: extension %q, want .csv, .tsv, .arff, .libsvm or .svm, or one of these and .gz", path, ext)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	d, err := read(f, &opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return d, nil
}

// addColumn adds a column; levels are nil of a numeric one.
func addColumn(d *boost.Data, name string, values []float64, levels []string) {
	if levels != nil && d.Levels == nil {
		d.Levels = make([][]string, len(d.Columns))
	}
	d.Names, d.Columns = append(d.Names, name), append(d.Columns, values)
	if d.Levels != nil {
		d.Levels = append(d.Levels, levels)
	}
}

// check reports what no reader has refused.
func check(d *boost.Data) error {
	switch {
	case d.Rows() == 0:
		return fmt.Errorf("dataset: %w: no rows", boost.ErrData)
	case len(d.Columns) == 0:
		return fmt.Errorf("dataset: %w: no columns", boost.ErrData)
	case d.Labels == nil && d.Targets == nil:
		return nil
	}
	return d.Check()
}
