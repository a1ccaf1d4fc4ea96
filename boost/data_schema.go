package boost

import (
	"fmt"
	"haarlem/internal/quote"
	"math"
	"slices"
)

// A Schema describes the columns and the labels of a table. All of it is
// optional. A model keeps the schema of its training data, and refuses to score
// data of another.
type Schema struct {
	// Names name the columns, each once; nil if they have none.
	Names []string

	// Levels[j], if not nil, says that column j is categorical: its values are
	// indices into this list of names. nil means that no column is.
	Levels [][]string

	// Classes name the labels -1 and +1, in this order, or all classes where there
	// are more; nil if they have no names.
	Classes []string
}

// LevelsOf returns the levels of column j, nil if it is numeric.
func (s *Schema) LevelsOf(j int) []string {
	if s.Levels == nil {
		return nil
	}
	return s.Levels[j]
}

// ForgetUnknown makes the levels of d that s does not know missing values, in the
// columns of the same name, and returns how many values that are. It changes d's
// columns.
func (s *Schema) ForgetUnknown(d *Data) int {
	n := 0
	for j, name := range s.Names {
		k := slices.Index(d.Names, name)
		if k < 0 || s.LevelsOf(j) == nil || d.LevelsOf(k) == nil {
			continue
		}
		known := make([]bool, len(d.LevelsOf(k)))
		for l, level := range d.LevelsOf(k) {
			known[l] = slices.Contains(s.LevelsOf(j), level) || slices.Contains(s.LevelsOf(j), RareLevel)
		}
		for i, v := range d.Columns[k] {
			if v == v && !known[int(v)] {
				d.Columns[k][i] = math.NaN()
				n++
			}
		}
	}
	return n
}

// column returns the name of column j in messages.
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

// check reports an error in the schema of a table with that many columns.
func (s *Schema) check(columns int) error {
	if s.Names != nil && len(s.Names) != columns {
		return fmt.Errorf("%w: %d names for %d columns", ErrData, len(s.Names), columns)
	}
	if n := repeated(s.Names); n != nil {
		return fmt.Errorf("%w: two columns are called %q", ErrData, *n)
	}
	if s.Levels != nil && len(s.Levels) != columns {
		return fmt.Errorf("%w: levels of %d columns for %d columns", ErrData, len(s.Levels), columns)
	}
	for j, levels := range s.Levels {
		if l := repeated(levels); l != nil {
			return fmt.Errorf("%w: %s: two levels are called %q", ErrData, s.column(j), *l)
		}
	}
	if c := repeated(s.Classes); c != nil {
		return fmt.Errorf("%w: two classes are called %q", ErrData, *c)
	}
	if len(s.Classes) == 1 {
		return fmt.Errorf("%w: one class, want at least two names", ErrData)
	}
	return nil
}

// repeated returns the first name that came before, or nil.
func repeated(names []string) *string {
	seen := make(map[string]bool, len(names))
	for i, n := range names {
		if seen[n] {
			return &names[i]
		}
		seen[n] = true
	}
	return nil
}

// isLevel reports whether a value is missing or one of that many levels.
func isLevel(v float64, levels int) bool {
	return v != v || v >= 0 && v < float64(levels) && v == math.Trunc(v)
}

// checkLevels reports the first value of a categorical column that is no level.
func (s *Schema) checkLevels(j int, values []float64) error {
	levels := s.LevelsOf(j)
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

// differs reports how a table of schema got, with gotColumns columns, differs
// from one of schema s, or nil if rows of the one are valid for the other.
// Unspecified parts are not compared.
func (s *Schema) differs(columns int, got *Schema, gotColumns int) error {
	if s.Names != nil && got.Names != nil && !slices.Equal(s.Names, got.Names) {
		return fmt.Errorf("%w: %s", ErrSchema, namesDiffer(s.Names, got.Names))
	}
	if columns != gotColumns {
		return fmt.Errorf("%w: %d columns, want %d", ErrSchema, gotColumns, columns)
	}
	for j := range columns {
		want, has := s.LevelsOf(j), got.LevelsOf(j)
		switch {
		case want == nil && has == nil:
		case want == nil && s.Levels == nil && s.Names == nil: // the model knows nothing
		case want == nil:
			return fmt.Errorf("%w: %s is categorical, want numbers", ErrSchema, s.column(j))
		case got.Levels == nil: // bare codes
		case has == nil:
			return fmt.Errorf("%w: %s is numeric, want levels %s", ErrSchema, s.column(j), quote.Some(want))
		default:
			for k, l := range has {
				if !slices.Contains(want, l) {
					return fmt.Errorf("%w: %s has the level %q, want one of %s", ErrSchema, s.column(j), l, quote.Some(want))
				}
				if want[k] != l {
					return fmt.Errorf("%w: %s has the levels %s in another order than %s: Model.Align mends that", ErrSchema, s.column(j), quote.Some(has), quote.Some(want))
				}
			}
		}
	}
	return nil
}

// namesDiffer describes the difference of two lists of names.
func namesDiffer(want, got []string) string {
	missing, extra := without(want, got), without(got, want)
	switch {
	case len(missing) > 0 && len(extra) > 0:
		return fmt.Sprintf("no column is called %s, and no model column %s", quote.Some(missing), quote.Some(extra))
	case len(missing) > 0:
		return fmt.Sprintf("no column is called %s", quote.Some(missing))
	case len(extra) > 0:
		return fmt.Sprintf("the model has no column called %s", quote.Some(extra))
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
