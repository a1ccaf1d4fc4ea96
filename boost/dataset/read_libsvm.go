package dataset

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"haarlem/boost"
)

// ReadLIBSVM reads the sparse format of LIBSVM: a line is a label and pairs
// INDEX:VALUE whose indices count from 1 and ascend; an omitted value is zero;
// a comment begins with #. Labels are numbers. The columns are named after
// their indices, and their number is the largest index.
func ReadLIBSVM(r io.Reader, o *Options) (*boost.Data, error) {
	s, err := readLIBSVM(r, o, false)
	if err != nil {
		return nil, err
	}
	return s.table()
}

// ReadSparse reads the input of [ReadLIBSVM] without making it a full table: the
// values, and names and targets in data without columns. Limits.Cells then bounds
// the values in the file.
func ReadSparse(r io.Reader, o *Options) (*boost.Sparse, *boost.Data, error) {
	s, err := readLIBSVM(r, o, true)
	if err != nil {
		return nil, nil, err
	}
	d := &boost.Data{}
	if err := s.classes.finish(d); err != nil {
		return nil, nil, err
	}
	if s.Columns == 0 || s.rows() == 0 {
		return nil, nil, fmt.Errorf("dataset: LIBSVM: %w: no values", boost.ErrData)
	}
	for j := range s.Columns {
		d.Names = append(d.Names, strconv.Itoa(j+1))
	}
	return &s.Sparse, d, nil
}

func readLIBSVM(r io.Reader, o *Options, sparse bool) (*libsvmReader, error) {
	opt := o.orDefault()
	in, err := opt.Limits.open(r)
	if err != nil {
		return nil, err
	}
	s := &libsvmReader{Sparse: boost.Sparse{Starts: []int{0}}, limits: opt.Limits, classes: newClasses(&opt), sparse: sparse}
	for line := 1; ; line++ {
		text, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("dataset: LIBSVM: %w", err)
		}
		if bad := s.add(text); bad != nil {
			return nil, lineError("LIBSVM", line, bad)
		}
		if err == io.EOF {
			return s, nil
		}
	}
}

// libsvmReader keeps what is in the file until the size of the table is known.
type libsvmReader struct {
	boost.Sparse
	limits  Limits
	classes *classes
	sparse  bool // cells in the file are counted, not those of the full table
}

func (s *libsvmReader) rows() int { return len(s.Starts) - 1 }

// checkRows checks a row with its columns.
func (s *libsvmReader) checkRows() error {
	if s.sparse {
		return s.limits.checkRows(s.rows()+1, 0)
	}
	return s.limits.checkRows(s.rows()+1, s.Columns)
}

func (s *libsvmReader) add(line string) error {
	line, _, _ = strings.Cut(line, "#")
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return nil
	}
	if err := s.checkRows(); err != nil {
		return err
	}
	label, ok := parseNumber(fields[0])
	if !ok {
		return syntax("label %q, want a number", fields[0])
	}
	// "+1" and "1" are one class, and so are "-0" and "0".
	if err := s.classes.row(formatNumber(label + 0)); err != nil {
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
			return syntax("index %d follows index %d, want them to ascend", i, last)
		}
		last = i
		v, ok := parseNumber(right)
		if !ok {
			return syntax("value %q of index %d is no finite number", right, i)
		}
		if i > s.Columns {
			if err := s.limits.checkColumns(i); err != nil {
				return err
			}
			s.Columns = i
			if err := s.checkRows(); err != nil {
				return err
			}
		}
		if s.sparse && len(s.Value) == s.limits.Cells {
			return fmt.Errorf("%d values that are not zero, %w", len(s.Value)+1, ErrLimit)
		}
		s.Index, s.Value = append(s.Index, int32(i-1)), append(s.Value, v)
	}
	s.Starts = append(s.Starts, len(s.Value))
	return nil
}

func (s *libsvmReader) table() (*boost.Data, error) {
	d := &boost.Data{}
	if err := s.classes.finish(d); err != nil {
		return nil, err
	}
	for j := range s.Columns {
		addColumn(d, strconv.Itoa(j+1), make([]float64, s.rows()), nil)
	}
	for i := range s.rows() {
		for k := s.Starts[i]; k < s.Starts[i+1]; k++ {
			d.Columns[s.Index[k]][i] = s.Value[k]
		}
	}
	return d, check(d)
}
