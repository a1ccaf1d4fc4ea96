package boosting

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/boost"
	"haarlem/boost/dataset"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/boost/catalogue"
)

// tableText describes tables in every command's help.
const tableText = `A TABLE is a file (.csv, .tsv, .arff, .libsvm or .svm, also with .gz), - for CSV from
standard input, or a recipe for a built-in set, such as ringnorm or
"spheres:rows=4000,seed=7,noise=0.1". Noise may be added to files and sets:
noise=P flips labels, onesided=P hides positive rows among the negative ones,
attrnoise=P replaces cells, irrelevant=N adds columns.`

// tableFlags define how tables are read.
type tableFlags struct {
	dataset.Options
	target, exposure, separator string // which [tableFlags.options] adds
	unknown                     bool

	in    io.Reader
	err   io.Writer
	names []string // of the columns that were read last, without the target
}

func (t *tableFlags) declare(f *cli.Flags, s *cli.Streams) {
	t.target, t.separator = "two", "comma"
	t.in, t.err, t.Note = s.In, s.Err, func(text string) { fmt.Fprintln(s.Err, "note:", text) }
	f.Group("Tables")
	f.String(&t.Class, "class", "`NAME` of the column to predict; the last one if none is given")
	f.Choice(&t.target, "target", []string{"two", "several", "numbers"}, "what `KIND` of thing that is: one of two classes, one of several, or a number (two)")
	f.Strings(&t.Positive, "positive", "`NAME` of a positive class, where there are more than two; may be repeated")
	f.String(&t.Weight, "weight", "`NAME` of the column of row weights of a CSV file")
	f.String(&t.exposure, "exposure", "`NAME` of the column of a CSV file by which numbers are divided and with which rows are weighted: of counts, an offset of its logarithm")
	f.String(&t.Upper, "upper", "`NAME` of the column of a CSV file with the upper bounds of times, for aft: nothing or inf means none")
	f.String(&t.Group, "group", "`NAME` of the column of a CSV file that says which rows are a group, such as a query: a group is never divided, and numbers are ranked in it")
	f.Strings(&t.Ignore, "ignore", "`NAME` of a column of a CSV file that is not read; may be repeated")
	f.Strings(&t.Nominal, "nominal", "`NAME` of a column of a CSV file whose numbers are names; may be repeated")
	f.Strings(&t.Missing, "missing", "`WORD` that means a missing value in a CSV file, beside ?, NA, NaN and nothing; may be repeated")
	f.Bool(&t.unknown, "unknown-missing", "a level that the model does not know is a missing value; without this it is an error")
	f.Choice(&t.separator, "separator", []string{"comma", "semicolon", "tab", "blank"}, "what `CHARACTER` separates the fields of a .csv file (comma)")
	f.Bool(&t.DecimalComma, "decimal-comma", "numbers of a CSV file have a comma for a point")
	f.Bool(&t.NoHeader, "no-header", "the first line of a CSV file is data")
}

var targets = map[string]dataset.Target{"two": dataset.TwoClasses, "several": dataset.SeveralClasses, "numbers": dataset.Numbers}

func (t *tableFlags) options() *dataset.Options {
	o := t.Options
	o.Target, o.Weight = targets[t.target], cmp.Or(t.exposure, t.Weight)
	o.Comma = map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "blank": ' '}[t.separator]
	return &o
}

func isFile(arg string) bool {
	return slices.Contains([]string{".csv", ".tsv", ".arff", ".libsvm", ".svm"}, extension(arg))
}

// extension is that of a file's name, without .gz.
func extension(arg string) string {
	return filepath.Ext(strings.TrimSuffix(strings.ToLower(arg), ".gz"))
}

// readFile reads a file, or CSV from standard input for "-".
func (t *tableFlags) readFile(arg string, o *dataset.Options) (*boost.Data, error) {
	if (t.Group != "" || t.Upper != "" || t.exposure != "" || len(t.Ignore) > 0) && arg != "-" && !strings.HasSuffix(extension(arg), "sv") {
		return nil, cli.Usagef("-group, -upper, -exposure and -ignore are for CSV files, not %s", arg)
	}
	if t.exposure != "" && (t.Weight != "" || o.Target == dataset.TwoClasses || o.Target == dataset.SeveralClasses) {
		return nil, cli.Usagef("-exposure is for -target numbers, without -weight")
	}
	var d *boost.Data
	var err error
	if arg == "-" {
		d, err = dataset.ReadCSV(t.in, o)
	} else {
		d, err = dataset.ReadFile(arg, o)
	}
	if err != nil || t.exposure == "" {
		return d, err
	}
	for i, w := range d.Weights {
		if w == 0 {
			return nil, fmt.Errorf("%s: %w: the exposure of row %d is 0", arg, boost.ErrData, i+1)
		}
		if d.Targets != nil {
			d.Targets[i] /= w
		}
	}
	return d, nil
}

// tableName is a table's name in reports: a file's without folder and extensions.
func tableName(arg string) string {
	if name, settings, found := strings.Cut(arg, ":"); isFile(name) {
		name = filepath.Base(name)
		if strings.EqualFold(filepath.Ext(name), ".gz") {
			name = name[:len(name)-len(".gz")]
		}
		name = strings.TrimSuffix(name, filepath.Ext(name))
		if found {
			name += ":" + settings
		}
		return name
	}
	return arg
}

// read reads a table with its target, to be learned from.
func (t *tableFlags) read(arg string) (*boost.Data, error) {
	if isFile(arg) || arg == "-" {
		d, err := t.readFile(arg, t.options())
		if err != nil {
			return nil, err
		}
		for _, name := range d.MergeRare() {
			t.Note(name + " has more than 255 levels: those that are rare become one, and so do others later")
		}
		return d, nil
	}
	if k := strings.LastIndexByte(arg, ':'); k >= 0 && isFile(arg[:k]) {
		table, err := t.readFile(arg[:k], t.options())
		if err != nil {
			return nil, err
		}
		return table, catalogue.Disturb(table, arg[k+1:])
	}
	recipe, err := catalogue.ParseRecipe(arg)
	if err != nil {
		if _, missing := os.Stat(arg); missing == nil {
			return nil, fmt.Errorf("%s: want a name that ends in .csv, .tsv, .arff, .libsvm or .svm, or in one of these and .gz", arg)
		}
		return nil, cli.Usage(err)
	}
	return recipe.Table()
}

// readFor reads a table for a model: with its target if there is one to compare
// with, and always with the model's columns and levels.
func (t *tableFlags) readFor(m *model, arg string, target bool) (*boost.Data, []string, error) {
	o := *t
	schema := m.Shape()
	for j, n := range schema.Names {
		// Names of levels may look like numbers.
		if schema.LevelsOf(j) != nil && !slices.Contains(o.Nominal, n) && (arg == "-" || strings.HasSuffix(extension(arg), "sv")) {
			o.Nominal = append(slices.Clone(o.Nominal), n)
		}
	}
	var d *boost.Data
	var err error
	if isFile(arg) || arg == "-" {
		options := o.options()
		options.Target, options.Classes = m.target(), schema.Classes
		if !target {
			options.Target, options.Positive = dataset.NoTarget, nil
			if isSparse(arg) {
				options.Target = dataset.Numbers // the first number of a line is one
			}
		}
		d, err = t.readFile(arg, options)
	} else {
		d, err = o.read(arg)
	}
	if err != nil {
		return nil, nil, err
	}
	if isSparse(arg) {
		addZeros(d, schema.Names)
	}
	if !target {
		d.Labels, d.Targets, d.Classes = nil, nil, nil
	}
	t.names = d.Names
	if t.unknown {
		if n := schema.ForgetUnknown(d); n > 0 {
			t.Note(fmt.Sprintf("%d values are levels that the model does not know, and count as missing", n))
		}
	}
	var extra []string
	for _, n := range d.Names {
		if schema.Names != nil && !slices.Contains(schema.Names, n) {
			extra = append(extra, n)
		}
	}
	a, err := m.Shape().Align(d)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", arg, err)
	}
	return a, extra, nil
}

// readToExplain is readFor, with the target if the table has one: the class that is
// named, or a last column that is none of the model's. A table with rows that lack it is
// read without.
func (t *tableFlags) readToExplain(m *model, arg string) (*boost.Data, error) {
	names := m.Shape().Names
	if names == nil || isSparse(arg) || !isFile(arg) && arg != "-" {
		d, _, err := t.readFor(m, arg, true)
		return d, err
	}
	var text []byte
	if arg == "-" {
		var err error
		if text, err = io.ReadAll(t.in); err != nil {
			return nil, err
		}
	}
	read := func(target bool) (*boost.Data, error) {
		if text != nil {
			t.in = bytes.NewReader(text)
		}
		d, _, err := t.readFor(m, arg, target)
		return d, err
	}
	d, err := read(false)
	if err != nil || !slices.Contains(t.names, t.Class) && (t.Class != "" || slices.Contains(names, t.names[len(t.names)-1])) {
		return d, err
	}
	last, bare := t.names[len(t.names)-1], d
	if d, err = read(true); errors.Is(err, dataset.ErrNoClass) {
		return bare, nil
	} else if err != nil && t.Class == "" {
		err = fmt.Errorf("%w (if column %q is not what is predicted, -ignore it)", err, last)
	}
	return d, err
}

// addZeros adds the columns that a LIBSVM file does not mention: omitted values
// are zero, and so are columns.
func addZeros(d *boost.Data, names []string) {
	for _, n := range names {
		if !slices.Contains(d.Names, n) {
			d.Names, d.Columns = append(d.Names, n), append(d.Columns, make([]float64, d.Rows()))
		}
	}
}

// create opens a file to write, or standard output for "-".
func create(path string, s *cli.Streams, write func(w *bufio.Writer) error) error {
	whole := func(out io.Writer) error {
		w := bufio.NewWriter(out)
		if err := write(w); err != nil {
			return err
		}
		return w.Flush()
	}
	if path == "" || path == "-" {
		return whole(s.Out)
	}
	return wholefile.Write(path, true, whole)
}
