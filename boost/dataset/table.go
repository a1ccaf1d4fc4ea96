package dataset

import (
	"errors"
	"fmt"
	"math"
)

// ErrInvalid is wrapped by every error of [Table.Check].
var ErrInvalid = errors.New("invalid table")

// Column is one attribute over all rows.
type Column struct {
	// Name is unique in its table and not empty.
	Name string

	// Values holds a number per row. NaN means that the value is missing. In a
	// nominal column a number is an index into Levels.
	Values []float64

	// Levels are the names of a nominal column's values. nil means that the
	// column is numeric.
	Levels []string
}

// Nominal reports whether the column's values are names.
func (c *Column) Nominal() bool { return c.Levels != nil }

// Table is columns, labels and weights, all of one length: a problem of two
// classes. Files may also contain regression targets, several classes, or only
// attributes; see [Options.Target].
type Table struct {
	// Name is for people: a file's relation or a recipe.
	Name string

	// Columns are the attributes, without the class.
	Columns []Column

	// Labels holds -1 or +1 per row. nil in a table with other targets.
	Labels []int8

	// Targets, in place of Labels, holds regression targets, or classes as
	// indices into Several if that is not nil.
	Targets []float64

	// Several are the names of the classes if they are not two labels.
	Several []string

	// Weights holds a positive number per row. nil means equal weights.
	Weights []float64

	// Classes are the names of the labels -1 and +1, in this order.
	Classes [2]string
}

// Rows is the number of examples.
func (t *Table) Rows() int {
	switch {
	case t.Labels != nil:
		return len(t.Labels)
	case t.Targets != nil:
		return len(t.Targets)
	case len(t.Columns) > 0:
		return len(t.Columns[0].Values)
	}
	return 0
}

// Positives is the number of examples with the label +1.
func (t *Table) Positives() int {
	n := 0
	for _, y := range t.Labels {
		if y > 0 {
			n++
		}
	}
	return n
}

// Missing is the number of cells without a value.
func (t *Table) Missing() int {
	n := 0
	for i := range t.Columns {
		for _, v := range t.Columns[i].Values {
			if math.IsNaN(v) {
				n++
			}
		}
	}
	return n
}

// Matrix returns the columns' values, column by column. The slices are the
// table's own.
func (t *Table) Matrix() [][]float64 {
	m := make([][]float64, len(t.Columns))
	for i := range t.Columns {
		m[i] = t.Columns[i].Values
	}
	return m
}

// Check reports an error in a table that was made by hand. Tables from the
// readers and recipes of this package are valid.
func (t *Table) Check() error {
	rows := t.Rows()
	if rows == 0 || !t.hasTarget() && t.Classes != [2]string{} {
		return fmt.Errorf("dataset: %w: no rows", ErrInvalid)
	}
	if err := t.checkTargets(); err != nil {
		return err
	}
	for i, y := range t.Labels {
		if y != -1 && y != 1 {
			return fmt.Errorf("dataset: %w: label of row %d is %d, want -1 or +1", ErrInvalid, i, y)
		}
	}
	if t.Weights != nil && len(t.Weights) != rows {
		return fmt.Errorf("dataset: %w: %d weights for %d rows", ErrInvalid, len(t.Weights), rows)
	}
	for i, w := range t.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("dataset: %w: weight of row %d is %v, want a positive number", ErrInvalid, i, w)
		}
	}
	if t.Labels != nil && t.Classes[0] == t.Classes[1] {
		return fmt.Errorf("dataset: %w: both classes are called %q", ErrInvalid, t.Classes[0])
	}
	if len(t.Columns) == 0 {
		return fmt.Errorf("dataset: %w: no columns", ErrInvalid)
	}
	names := make(map[string]bool, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Name == "" || names[c.Name] {
			return fmt.Errorf("dataset: %w: the name %q of column %d is empty or taken", ErrInvalid, c.Name, i)
		}
		names[c.Name] = true
		if err := c.check(rows); err != nil {
			return fmt.Errorf("dataset: %w: column %q: %v", ErrInvalid, c.Name, err)
		}
	}
	return nil
}

// checkTargets reports an error in targets that are not labels.
func (t *Table) checkTargets() error {
	if t.Labels != nil && (t.Targets != nil || t.Several != nil) {
		return fmt.Errorf("dataset: %w: labels beside other targets", ErrInvalid)
	}
	for i, y := range t.Targets {
		switch {
		case math.IsNaN(y) || math.IsInf(y, 0):
			return fmt.Errorf("dataset: %w: target of row %d is %v, want a finite number", ErrInvalid, i, y)
		case t.Several != nil && !(y == math.Trunc(y) && y >= 0 && y < float64(len(t.Several))):
			return fmt.Errorf("dataset: %w: class of row %d is %v, want an index below %d", ErrInvalid, i, y, len(t.Several))
		}
	}
	return nil
}

func (c *Column) check(rows int) error {
	if len(c.Values) != rows {
		return fmt.Errorf("%d values for %d rows", len(c.Values), rows)
	}
	if c.Nominal() {
		seen := make(map[string]bool, len(c.Levels))
		for _, l := range c.Levels {
			if seen[l] {
				return fmt.Errorf("two levels are called %q", l)
			}
			seen[l] = true
		}
	}
	for i, v := range c.Values {
		switch {
		case math.IsNaN(v):
		case math.IsInf(v, 0):
			return fmt.Errorf("row %d is infinite", i)
		case c.Nominal() && !(v == math.Trunc(v) && v >= 0 && v < float64(len(c.Levels))):
			return fmt.Errorf("row %d is %v, want an index below %d", i, v, len(c.Levels))
		}
	}
	return nil
}

// Select returns a new table with the listed rows of t, in that order. A row
// may be listed more than once. It panics if a number is out of range.
func (t *Table) Select(rows []int) *Table {
	s := &Table{Name: t.Name, Classes: t.Classes, Several: t.Several}
	s.Labels, s.Targets, s.Weights = pick(t.Labels, rows), pick(t.Targets, rows), pick(t.Weights, rows)
	s.Columns = make([]Column, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		s.Columns[i] = Column{Name: c.Name, Levels: c.Levels, Values: pick(c.Values, rows)}
	}
	return s
}

func pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, r := range rows {
		out[i] = values[r]
	}
	return out
}

// className returns the target of a row as in files.
func (t *Table) className(row int) string {
	switch {
	case t.Several != nil:
		return t.Several[int(t.Targets[row])]
	case t.Targets != nil:
		return formatNumber(t.Targets[row])
	case t.Labels[row] > 0:
		return t.Classes[1]
	}
	return t.Classes[0]
}

// classNames returns the names of all classes.
func (t *Table) classNames() []string {
	switch {
	case t.Labels != nil:
		return t.Classes[:]
	default:
		return t.Several
	}
}

// hasTarget reports whether the table has anything besides attributes.
func (t *Table) hasTarget() bool { return t.Labels != nil || t.Targets != nil }
