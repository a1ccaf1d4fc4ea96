package dataset

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// ReadFile reads a table by the extension of its name: .csv, .tsv (CSV with
// tabs), .arff, .libsvm or .svm. The table is named after the file.
func ReadFile(path string, o *Options) (*Table, error) {
	opt := o.orDefault()
	var read func(io.Reader, *Options) (*Table, error)
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".csv":
		read = ReadCSV
	case ".tsv":
		read, opt.Comma = ReadCSV, '\t'
	case ".arff":
		read = ReadARFF
	case ".libsvm", ".svm":
		read = ReadLIBSVM
	default:
		return nil, fmt.Errorf("dataset: %s: extension %q, want .csv, .tsv, .arff, .libsvm or .svm", path, ext)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: %w", err)
	}
	defer f.Close()
	t, err := read(f, &opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return t, nil
}
