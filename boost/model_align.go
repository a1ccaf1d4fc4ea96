package boost

import (
	"fmt"
	"haarlem/internal/quote"
	"slices"
)

// Align returns a table with the model's columns of d, by name, in the model's
// order and with the model's numbers for levels. A column that is missing or of
// another kind, and an unknown level, is an error. Other columns are left out.
// If either has no names the columns must be in order. d is not changed;
// unchanged columns are shared with it.
func (m *Model) Align(d *Data) (*Data, error) {
	if err := d.Schema.check(len(d.Columns)); err != nil {
		return nil, err
	}
	a := &Data{Schema: m.Schema.clone(), Labels: d.Labels, Targets: d.Targets, Upper: d.Upper, Weights: d.Weights, Groups: d.Groups}
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
				return nil, fmt.Errorf("%w: no column is called %s", ErrSchema, quote.Some(without(m.Names, d.Names)))
			}
		} else if len(d.Columns) != m.Columns {
			return nil, fmt.Errorf("%w: %d columns, want %d", ErrSchema, len(d.Columns), m.Columns)
		}
		values, has := d.Columns[k], d.LevelsOf(k)
		if has != nil && m.LevelsOf(j) != nil {
			var err error
			if values, err = recode(values, has, m.LevelsOf(j)); err != nil {
				return nil, fmt.Errorf("%w: %s %w", ErrSchema, m.column(j), err)
			}
			has = m.LevelsOf(j)
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

// recode translates the values of a categorical column to another list of
// levels. A level without rows may be missing there.
func recode(values []float64, has, want []string) ([]float64, error) {
	if len(has) <= len(want) && slices.Equal(has, want[:len(has)]) {
		return values, nil
	}
	to := make([]float64, len(has))
	for k, l := range has {
		n := slices.Index(want, l)
		if n < 0 {
			n = slices.Index(want, RareLevel)
		}
		to[k] = float64(n)
	}
	out := make([]float64, len(values))
	for i, v := range values {
		switch {
		case v != v:
			out[i] = v
		case !isLevel(v, len(has)):
			return nil, fmt.Errorf("is %v in row %d, want the index of one of %d levels", v, i, len(has))
		case to[int(v)] < 0:
			return nil, fmt.Errorf("has the level %q in row %d, want one of %s", has[int(v)], i, quote.Some(want))
		default:
			out[i] = to[int(v)]
		}
	}
	return out, nil
}
