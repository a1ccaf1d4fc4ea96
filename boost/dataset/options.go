package dataset

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Options say how a file is read. nil and the zero value mean the same: every
// field's default. Fields that a format has no use for are ignored.
type Options struct {
	// Class is the name of the class column. Empty means the last column. In a
	// LIBSVM file the class always stands first.
	Class string

	// Positive are the class names that become +1; all others become -1. Empty
	// means that the file must have exactly two classes, and that the last one
	// is positive: by number or name in CSV and LIBSVM, by the order of the
	// declaration in ARFF.
	Positive []string

	// Weight is the name of a column with row weights. Empty means none. ARFF
	// has its own way to write weights, which is always understood.
	Weight string

	// Nominal are the names of CSV columns whose values are names although they
	// look like numbers. Columns whose values do not look like numbers need not
	// be named.
	Nominal []string

	// Comma is what separates the fields of a CSV file. 0 means a comma.
	Comma rune

	// NoHeader says that the first line of a CSV file is data. The columns are
	// then called c1, c2 and so on.
	NoHeader bool

	// Limits bound what is read.
	Limits Limits
}

func (o *Options) orDefault() Options {
	var d Options
	if o != nil {
		d = *o
	}
	if d.Comma == 0 {
		d.Comma = ','
	}
	d.Limits = d.Limits.orDefault()
	return d
}

// ErrSyntax is wrapped by the error of a reader that does not understand its
// file.
var ErrSyntax = errors.New("syntax error")

// LineError says where in a file something is wrong.
type LineError struct {
	Format string // CSV, ARFF or LIBSVM
	Line   int    // from 1
	Err    error
}

func (e *LineError) Error() string {
	return fmt.Sprintf("dataset: %s line %d: %v", e.Format, e.Line, e.Err)
}

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }

func syntax(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSyntax, fmt.Sprintf(format, args...))
}

// ReadFile reads a table by the extension of its name: .csv, .tsv (CSV with
// tabs), .arff, .libsvm or .svm. The table is called by the file's name.
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

// parseNumber reads a finite decimal number. It is stricter than strconv, which
// also takes hexadecimal numbers, underscores, and the names of infinity.
func parseNumber(s string) (float64, bool) {
	if s == "" {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < '0' || c > '9') && c != '.' && c != '+' && c != '-' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// parseWeight reads a row's weight.
func parseWeight(s string) (float64, error) {
	w, ok := parseNumber(s)
	if !ok || !(w > 0) {
		return 0, syntax("weight %q, want a positive number", s)
	}
	return w, nil
}
