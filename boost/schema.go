package boost

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Schema says what the columns and the labels of a table mean. All of it may
// be left out. A model keeps the schema of the data that it was fitted on, and
// refuses to score data of another.
type Schema struct {
	// Names name the columns, each once; nil if they have none.
	Names []string

	// Levels[j], if not nil, says that column j is categorical: its values are
	// indices into this list of names. nil means that no column is.
	Levels [][]string

	// Classes name the labels -1 and +1, in this order; nil if they have no names.
	Classes []string
}

// levels returns the levels of column j, nil if it is numeric.
func (s *Schema) levels(j int) []string {
	if s.Levels == nil {
		return nil
	}
	return s.Levels[j]
}

// column returns how messages call column j.
func (s *Schema) column(j int) string {
	if s.Names != nil {
		return fmt.Sprintf("column %q", s.Names[j])
	}
	return fmt.Sprintf("column %d", j)
}

// clone returns a copy that shares only the lists of levels.
func (s *Schema) clone() Schema {
	return Schema{slices.Clone(s.Names), slices.Clone(s.Levels), slices.Clone(s.Classes)}
}

// check reports what is wrong with the schema of a table of so many columns.
func (s *Schema) check(columns int) error {
	if s.Names != nil && len(s.Names) != columns {
		return fmt.Errorf("%w: %d names for %d columns", ErrData, len(s.Names), columns)
	}
	seen := map[string]bool{}
	for _, n := range s.Names {
		if seen[n] {
			return fmt.Errorf("%w: two columns are called %q", ErrData, n)
		}
		seen[n] = true
	}
	if s.Levels != nil && len(s.Levels) != columns {
		return fmt.Errorf("%w: levels of %d columns for %d columns", ErrData, len(s.Levels), columns)
	}
	for j, levels := range s.Levels {
		clear(seen)
		for _, l := range levels {
			if seen[l] {
				return fmt.Errorf("%w: %s: two levels are called %q", ErrData, s.column(j), l)
			}
			seen[l] = true
		}
	}
	if s.Classes != nil && (len(s.Classes) != 2 || s.Classes[0] == s.Classes[1]) {
		return fmt.Errorf("%w: classes %q, want two names", ErrData, s.Classes)
	}
	return nil
}

// isLevel reports whether a value is missing or one of so many levels.
func isLevel(v float64, levels int) bool {
	return v != v || v >= 0 && v < float64(levels) && v == math.Trunc(v)
}

// checkLevels reports the first value of a categorical column that is no level.
func (s *Schema) checkLevels(j int, values []float64) error {
	levels := s.levels(j)
	if levels == nil {
		return nil
	}
	for i, v := range values {
		if !isLevel(v, len(levels)) {
			return fmt.Errorf("%w: %s, row %d is %v, want the index of one of %d levels", ErrData, s.column(j), i, v, len(levels))
		}
	}
	return nil
}

// differs reports how a table of schema got, with so many columns, differs from
// one of schema s, or nil if rows of the one may be taken for rows of the other.
// What either leaves open is not compared.
func (s *Schema) differs(columns int, got *Schema, gotColumns int) error {
	if s.Names != nil && got.Names != nil && !slices.Equal(s.Names, got.Names) {
		return fmt.Errorf("%w: %s", ErrSchema, namesDiffer(s.Names, got.Names))
	}
	if columns != gotColumns {
		return fmt.Errorf("%w: %d columns, want %d", ErrSchema, gotColumns, columns)
	}
	for j := range columns {
		want, has := s.levels(j), got.levels(j)
		switch {
		case want == nil && has == nil:
		case want == nil && s.Levels == nil && s.Names == nil: // the model knows nothing
		case want == nil:
			return fmt.Errorf("%w: %s is categorical, want numbers", ErrSchema, s.column(j))
		case got.Levels == nil: // bare codes
		case has == nil:
			return fmt.Errorf("%w: %s is numeric, want levels %s", ErrSchema, s.column(j), list(want))
		default:
			for k, l := range has {
				if !slices.Contains(want, l) {
					return fmt.Errorf("%w: %s has the level %q, want one of %s", ErrSchema, s.column(j), l, list(want))
				}
				if want[k] != l {
					return fmt.Errorf("%w: %s has the levels %s in another order than %s: Model.Align mends that", ErrSchema, s.column(j), list(has), list(want))
				}
			}
		}
	}
	return nil
}

// namesDiffer says how two lists of names differ.
func namesDiffer(want, got []string) string {
	missing, extra := without(want, got), without(got, want)
	switch {
	case len(missing) > 0 && len(extra) > 0:
		return fmt.Sprintf("no column is called %s, and no model column %s", list(missing), list(extra))
	case len(missing) > 0:
		return fmt.Sprintf("no column is called %s", list(missing))
	case len(extra) > 0:
		return fmt.Sprintf("the model has no column called %s", list(extra))
	}
	for j := range want {
		if got[j] != want[j] {
			return fmt.Sprintf("column %d is %q, want %q: the columns are in another order, Model.Align mends that", j, got[j], want[j])
		}
	}
	return ""
}

// without returns the names of a that are not in b.
func without(a, b []string) []string {
	in := map[string]bool{}
	for _, n := range b {
		in[n] = true
	}
	var out []string
	for _, n := range a {
		if !in[n] {
			out = append(out, n)
		}
	}
	return out
}

// list quotes names, shortened where there are many.
func list(names []string) string {
	const most = 6
	var b strings.Builder
	for i, n := range names {
		if i == most {
			fmt.Fprintf(&b, " and %d more", len(names)-most)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", n)
	}
	return b.String()
}

// Check reports how d differs from what the model was fitted on, or nil: columns
// that are missing, too many or in another order, another kind of column, levels
// that are unknown or have another number. An error wraps [ErrSchema]. What the
// model or d does not name is not compared.
func (m *Model) Check(d *Data) error {
	if err := d.Schema.check(len(d.Columns)); err != nil {
		return err
	}
	if err := m.Schema.differs(m.Columns, &d.Schema, len(d.Columns)); err != nil {
		return err
	}
	for j, c := range d.Columns {
		if len(c) != d.Rows() {
			return fmt.Errorf("%w: column %d has %d values, want %d, one a label", ErrData, j, len(c), d.Rows())
		}
		if err := m.Schema.checkLevels(j, c); err != nil {
			return err
		}
	}
	return nil
}

// checkLabelled is Check for what compares scores with labels.
func (m *Model) checkLabelled(d *Data) error {
	if m.Classes != nil && d.Classes != nil && !slices.Equal(m.Classes, d.Classes) {
		return fmt.Errorf("%w: the classes -1 and +1 are %s, want %s", ErrSchema, list(d.Classes), list(m.Classes))
	}
	return m.Check(d)
}

// Align returns a table with the columns of d that the model knows, by their
// names, in the model's order and with the model's numbers for levels. A column
// that is missing or of another kind, and a level that the model does not know,
// is an error. Columns that the model does not know are left out. Where either
// has no names the columns must stand in order. d is not changed; columns that
// need no change are shared with it.
func (m *Model) Align(d *Data) (*Data, error) {
	if err := d.Schema.check(len(d.Columns)); err != nil {
		return nil, err
	}
	a := &Data{Schema: m.Schema.clone(), Labels: d.Labels, Weights: d.Weights}
	a.Classes = d.Classes
	from := map[string]int{}
	for j, n := range d.Names {
		from[n] = j
	}
	got := Schema{Names: a.Names, Levels: make([][]string, m.Columns)}
	for j := range m.Columns {
		k := j
		if m.Names != nil && d.Names != nil {
			var found bool
			if k, found = from[m.Names[j]]; !found {
				return nil, fmt.Errorf("%w: no column is called %s", ErrSchema, list(without(m.Names, d.Names)))
			}
		} else if len(d.Columns) != m.Columns {
			return nil, fmt.Errorf("%w: %d columns, want %d", ErrSchema, len(d.Columns), m.Columns)
		}
		values, has := d.Columns[k], d.levels(k)
		if has != nil && m.levels(j) != nil {
			var err error
			if values, err = recode(values, has, m.levels(j)); err != nil {
				return nil, fmt.Errorf("%w: %s %w", ErrSchema, m.column(j), err)
			}
			has = m.levels(j)
		}
		a.Columns = append(a.Columns, values)
		got.Levels[j] = has
	}
	if d.Levels == nil {
		got.Levels = nil
	}
	if err := m.Schema.differs(m.Columns, &got, m.Columns); err != nil {
		return nil, err
	}
	return a, m.Check(a)
}

// recode gives the values of a categorical column the numbers that their names
// have in another list of levels. A level that no row has need not be there.
func recode(values []float64, has, want []string) ([]float64, error) {
	if len(has) <= len(want) && slices.Equal(has, want[:len(has)]) {
		return values, nil
	}
	to := make([]float64, len(has))
	for k, l := range has {
		to[k] = float64(slices.Index(want, l))
	}
	out := make([]float64, len(values))
	for i, v := range values {
		switch {
		case v != v:
			out[i] = v
		case !isLevel(v, len(has)):
			return nil, fmt.Errorf("is %v in row %d, want the index of one of %d levels", v, i, len(has))
		case to[int(v)] < 0:
			return nil, fmt.Errorf("has the level %q in row %d, want one of %s", has[int(v)], i, list(want))
		default:
			out[i] = to[int(v)]
		}
	}
	return out, nil
}
