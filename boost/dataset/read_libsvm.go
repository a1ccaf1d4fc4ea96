package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// ReadLIBSVM reads the sparse format of LIBSVM: a line is a label and pairs
// INDEX:VALUE whose indices count from 1 and ascend; an omitted value is zero;
// a comment begins with #. Labels are numbers. The columns are named after
// their indices, and their number is the largest index.
func ReadLIBSVM(r io.Reader, o *Options) (*Table, error) {
	s, err := readLIBSVM(r, o, false)
	if err != nil {
		return nil, err
	}
	return s.table()
}

// SparseTable is a table most of whose values are zero. Row i has the values
// Value[Starts[i]:Starts[i+1]] in the columns Index[Starts[i]:Starts[i+1]].
type SparseTable struct {
	Starts  []int
	Index   []int32
	Value   []float64
	Columns int

	// Labels and the other fields are those of a [Table].
	Labels  []int8
	Targets []float64
	Several []string
	Classes [2]string
}

// ReadSparse reads the input of [ReadLIBSVM] without making it a full table.
// Limits.Cells then bounds the values in the file.
func ReadSparse(r io.Reader, o *Options) (*SparseTable, error) {
	s, err := readLIBSVM(r, o, true)
	if err != nil {
		return nil, err
	}
	var t Table
	if err := s.classes.finish(&t); err != nil {
		return nil, err
	}
	if s.columns == 0 || len(s.classes.rows) == 0 {
		return nil, fmt.Errorf("dataset: LIBSVM: %w: no values", ErrInvalid)
	}
	out := &SparseTable{Starts: []int{0}, Columns: s.columns, Labels: t.Labels, Targets: t.Targets, Several: t.Several, Classes: t.Classes}
	for _, c := range s.cells {
		for len(out.Starts) <= int(c.row) {
			out.Starts = append(out.Starts, len(out.Index))
		}
		out.Index, out.Value = append(out.Index, c.column), append(out.Value, c.value)
	}
	for len(out.Starts) <= len(s.classes.rows) {
		out.Starts = append(out.Starts, len(out.Index))
	}
	return out, nil
}

func readLIBSVM(r io.Reader, o *Options, sparse bool) (*libsvmReader, error) {
	opt := o.orDefault()
	in := bufio.NewReader(opt.Limits.bound(r))
	s := &libsvmReader{limits: opt.Limits, classes: newClasses(&opt), sparse: sparse}
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("dataset: LIBSVM: %w", err)
		}
		if bad := s.add(text); bad != nil {
			return nil, &LineError{"LIBSVM", line, bad}
		}
		if err == io.EOF {
			return s, nil
		}
	}
}

// libsvmReader keeps the sparse cells until the size of the table is known.
type libsvmReader struct {
	limits  Limits
	classes *classes
	columns int
	cells   []sparseCell
	sparse  bool // cells in the file are counted, not those of the full table
}

// across is the number of columns for the limit of cells.
func (s *libsvmReader) across() int {
	if s.sparse {
		return 0
	}
	return s.columns
}

type sparseCell struct {
	row, column int32
	value       float64
}

func (s *libsvmReader) add(line string) error {
	line, _, _ = strings.Cut(line, "#")
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return nil
	}
	row := len(s.classes.rows)
	if err := s.limits.checkRows(row+1, s.across()); err != nil {
		return err
	}
	label, ok := parseNumber(fields[0])
	if !ok {
		return syntax("label %q, want a number", fields[0])
	}
	// "+1" and "1" are one class, and so are "-0" and "0".
	if err := s.classes.add(formatNumber(label + 0)); err != nil {
		return err
	}
	last := 0
	for _, f := range fields[1:] {
		left, right, found := strings.Cut(f, ":")
		if !found {
			return syntax("%q, want INDEX:VALUE", f)
		}
		i, ok := parseIndex(left)
		if !ok || i == 0 {
			return syntax("index %q, want a number from 1", left)
		}
		if i <= last {
			return syntax("index %d stands behind index %d, want them to ascend", i, last)
		}
		last = i
		v, ok := parseNumber(right)
		if !ok {
			return syntax("value %q of index %d is no finite number", right, i)
		}
		if i > s.columns {
			if err := s.limits.checkColumns(i); err != nil {
				return err
			}
			s.columns = i
			if err := s.limits.checkRows(row+1, s.across()); err != nil {
				return err
			}
		}
		if s.sparse && len(s.cells) == s.limits.Cells {
			return fmt.Errorf("%d values that are not zero, %w", len(s.cells)+1, ErrLimit)
		}
		s.cells = append(s.cells, sparseCell{int32(row), int32(i - 1), v})
	}
	return nil
}

func (s *libsvmReader) table() (*Table, error) {
	t := &Table{Name: "LIBSVM"}
	if err := s.classes.finish(t); err != nil {
		return nil, err
	}
	rows := len(s.classes.rows)
	t.Columns = make([]Column, s.columns)
	for i := range t.Columns {
		t.Columns[i] = Column{Name: fmt.Sprint(i + 1), Values: make([]float64, rows)}
	}
	for _, c := range s.cells {
		t.Columns[c.column].Values[c.row] = c.value
	}
	return t, t.Check()
}

// errNotLIBSVM is wrapped by the errors about tables that the format cannot
// express.
var errNotLIBSVM = errors.New("LIBSVM cannot hold")

// WriteLIBSVM writes a table with the labels -1 and +1, or with its targets. A
// nominal column is written by its indices. The format has neither missing
// values nor weights; a table with either is an error. A last column of zeros
// is written out, so that the number of columns is kept.
func WriteLIBSVM(w io.Writer, t *Table) error {
	if err := t.Check(); err != nil {
		return err
	}
	if t.Weights != nil {
		return fmt.Errorf("dataset: %w weights", errNotLIBSVM)
	}
	if !t.hasTarget() {
		return fmt.Errorf("dataset: %w rows without a target", errNotLIBSVM)
	}
	if n := t.Missing(); n > 0 {
		return fmt.Errorf("dataset: %w missing values, and %d are missing", errNotLIBSVM, n)
	}
	out := bufio.NewWriter(w)
	for row := range t.Rows() {
		if t.Labels != nil {
			fmt.Fprintf(out, "%+d", t.Labels[row])
		} else {
			out.WriteString(formatNumber(t.Targets[row]))
		}
		for i := range t.Columns {
			v := t.Columns[i].Values[row]
			if v != 0 || math.Signbit(v) || row == 0 && i == len(t.Columns)-1 {
				fmt.Fprintf(out, " %d:%s", i+1, formatNumber(v))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}
