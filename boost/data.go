package boost

import (
	"fmt"
	"math"
	"slices"
)

// Data is a table of numbers, column by column, with the targets of its rows:
// one of two classes, a number, or one of several classes.
//
// Data is plain: fill in the fields and pass it on. Nothing in this package
// changes it, and many runs may share one.
type Data struct {
	// Schema names columns, levels and classes. It may be left empty.
	Schema

	// Columns[j][i] is the value of column j in row i. NaN means missing;
	// infinities are not allowed.
	Columns [][]float64

	// Labels[i] is the class of row i, -1 or +1.
	Labels []int8

	// Targets, in place of Labels, are the numbers to predict in a regression, or
	// the classes where there are more than two: indices into Schema.Classes. A
	// table that is only to be scored needs neither.
	Targets []float64

	// Upper[i], if not nil, says that the target of row i is a number from Targets[i]
	// to Upper[i], which may be infinite. [AFT] learns from it.
	Upper []float64

	// Weights[i] is the weight of row i; only ratios matter. nil means equal
	// weights. A row of weight zero is ignored.
	Weights []float64

	// Groups[i] is the number of the group of row i, such as a query of a ranking. A
	// group is in one fold of a cross-validation. nil means that rows are on their
	// own.
	Groups []int
}

// weighs reports whether a row has weight.
func (d *Data) weighs(row int) bool { return d.Weights == nil || d.Weights[row] > 0 }

// Rows returns the number of rows.
func (d *Data) Rows() int {
	switch {
	case d.Labels != nil:
		return len(d.Labels)
	case d.Targets != nil:
		return len(d.Targets)
	case len(d.Columns) > 0:
		return len(d.Columns[0])
	}
	return 0
}

// Row copies row i into dst, which it grows if need be, and returns it.
func (d *Data) Row(dst []float64, i int) []float64 {
	dst = dst[:0]
	for _, c := range d.Columns {
		dst = append(dst, c[i])
	}
	return dst
}

// Subset returns a new table with the given rows, in the given order; a row
// may come more than once.
func (d *Data) Subset(rows []int) *Data {
	s := &Data{Schema: d.Schema, Columns: make([][]float64, len(d.Columns))}
	for j, c := range d.Columns {
		s.Columns[j] = pick(c, rows)
	}
	s.Labels, s.Targets, s.Weights, s.Groups = pick(d.Labels, rows), pick(d.Targets, rows), pick(d.Weights, rows), pick(d.Groups, rows)
	s.Upper = pick(d.Upper, rows)
	return s
}

// pick returns the values of some rows; nil stays nil.
func pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(rows))
	for k, i := range rows {
		out[k] = values[i]
	}
	return out
}

// Check reports why d cannot be learned from, or nil. Data of only one class is
// valid.
func (d *Data) Check() error {
	if err := d.checkTargets(); err != nil {
		return err
	}
	if len(d.Columns) == 0 {
		return fmt.Errorf("%w: no columns", ErrData)
	}
	if err := d.Schema.check(len(d.Columns)); err != nil {
		return err
	}
	return d.checkColumns(&d.Schema, true)
}

// checkColumns reports columns of other lengths, and values that are no levels, or
// infinite if they must not be.
func (d *Data) checkColumns(s *Schema, finite bool) error {
	for j, c := range d.Columns {
		if len(c) != d.Rows() {
			return fmt.Errorf("%w: column %d has %d values, want %d, one a label", ErrData, j, len(c), d.Rows())
		}
		if i := slices.IndexFunc(c, func(v float64) bool { return finite && v-v != 0 && v == v }); i >= 0 {
			return fmt.Errorf("%w: column %d, row %d is infinite; a missing value is NaN", ErrData, j, i)
		}
		if err := s.checkLevels(j, c); err != nil {
			return err
		}
	}
	return nil
}

// checkTargets reports an error in labels, targets and weights.
func (d *Data) checkTargets() error {
	rows := d.Rows()
	switch {
	case d.Labels == nil && d.Targets == nil || rows == 0:
		return fmt.Errorf("%w: no rows with labels or targets", ErrData)
	case d.Labels != nil && d.Targets != nil:
		return fmt.Errorf("%w: both Labels and Targets", ErrData)
	case int64(rows) > maxRows:
		return fmt.Errorf("%w: %d rows, at most %d", ErrData, rows, int64(maxRows))
	}
	for i, y := range d.Labels {
		if y != 1 && y != -1 {
			return fmt.Errorf("%w: label %d of row %d, want -1 or +1", ErrData, y, i)
		}
	}
	for i, y := range d.Targets {
		if y-y != 0 {
			return fmt.Errorf("%w: target %v of row %d, want a finite number", ErrData, y, i)
		}
		if d.Classes != nil && !(isLevel(y, len(d.Classes)) && y == y) {
			return fmt.Errorf("%w: target %v of row %d, want the index of one of %d classes", ErrData, y, i, len(d.Classes))
		}
	}
	if d.Labels != nil && d.Classes != nil && len(d.Classes) != 2 {
		return fmt.Errorf("%w: %d classes for labels -1 and +1", ErrData, len(d.Classes))
	}
	if d.Upper != nil && (len(d.Upper) != len(d.Targets) || d.Classes != nil) {
		return fmt.Errorf("%w: %d upper bounds of %d numbers", ErrData, len(d.Upper), len(d.Targets))
	}
	for i, v := range d.Upper {
		if !(v >= d.Targets[i]) {
			return fmt.Errorf("%w: upper bound %v of target %v of row %d", ErrData, v, d.Targets[i], i)
		}
	}
	if d.Groups != nil && len(d.Groups) != rows {
		return fmt.Errorf("%w: %d groups for %d rows", ErrData, len(d.Groups), rows)
	}
	return checkWeights(d.Weights, rows)
}

// target returns the target of row i as a number.
func (d *Data) target(i int) float64 {
	if d.Labels != nil {
		return float64(d.Labels[i])
	}
	return d.Targets[i]
}

func checkWeights(weights []float64, rows int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != rows {
		return fmt.Errorf("%w: %d weights for %d labels", ErrData, len(weights), rows)
	}
	heaviest := 0.0
	for i, w := range weights {
		if !(w >= 0) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: weight %v of row %d, want a finite number, 0 or more", ErrData, w, i)
		}
		heaviest = max(heaviest, w)
	}
	if heaviest == 0 {
		return fmt.Errorf("%w: every weight is zero", ErrData)
	}
	return nil
}

// maxRows keeps a row number in an int32.
const maxRows = math.MaxInt32
