package boost

import (
	"fmt"
	"math"
)

// Data is a table of numbers for two-class learning, column by column.
//
// Data is plain: fill the fields and pass it on. Nothing in this package
// changes it, and many runs may share one.
type Data struct {
	// Schema names columns, levels and classes. It may be left empty.
	Schema

	// Columns[j][i] is the value of column j in row i. NaN means missing;
	// infinities are not allowed.
	Columns [][]float64

	// Labels[i] is the class of row i, -1 or +1.
	Labels []int8

	// Weights[i] says how much row i counts; only ratios matter. nil means
	// that all rows count the same. A row of weight zero is ignored.
	Weights []float64
}

// Rows returns the number of rows.
func (d *Data) Rows() int { return len(d.Labels) }

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
	s := &Data{Schema: d.Schema, Columns: make([][]float64, len(d.Columns)), Labels: make([]int8, len(rows))}
	for j, c := range d.Columns {
		s.Columns[j] = make([]float64, len(rows))
		for k, i := range rows {
			s.Columns[j][k] = c[i]
		}
	}
	for k, i := range rows {
		s.Labels[k] = d.Labels[i]
	}
	if d.Weights != nil {
		s.Weights = make([]float64, len(rows))
		for k, i := range rows {
			s.Weights[k] = d.Weights[i]
		}
	}
	return s
}

// Check reports why d cannot be learned from, or nil. Data that has only one
// class passes: it is dull, not broken.
func (d *Data) Check() error {
	if err := checkLabels(d.Labels, d.Weights); err != nil {
		return err
	}
	if len(d.Columns) == 0 {
		return fmt.Errorf("%w: no columns", ErrData)
	}
	if err := d.Schema.check(len(d.Columns)); err != nil {
		return err
	}
	for j, c := range d.Columns {
		if len(c) != len(d.Labels) {
			return fmt.Errorf("%w: column %d has %d values, want %d, one a label", ErrData, j, len(c), len(d.Labels))
		}
		for i, v := range c {
			if math.IsInf(v, 0) {
				return fmt.Errorf("%w: column %d, row %d is infinite; a missing value is NaN", ErrData, j, i)
			}
		}
		if err := d.checkLevels(j, c); err != nil {
			return err
		}
	}
	return nil
}

func checkLabels(labels []int8, weights []float64) error {
	if len(labels) == 0 {
		return fmt.Errorf("%w: no rows", ErrData)
	}
	if int64(len(labels)) > maxRows {
		return fmt.Errorf("%w: %d rows, at most %d", ErrData, len(labels), int64(maxRows))
	}
	for i, y := range labels {
		if y != 1 && y != -1 {
			return fmt.Errorf("%w: label %d of row %d, want -1 or +1", ErrData, y, i)
		}
	}
	if weights == nil {
		return nil
	}
	if len(weights) != len(labels) {
		return fmt.Errorf("%w: %d weights for %d labels", ErrData, len(weights), len(labels))
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
