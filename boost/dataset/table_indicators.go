package dataset

import "math"

// Indicators returns a table without nominal columns: each becomes one column
// of zeros and ones per level, named "column=level", so that a threshold can
// test for a level. A nominal column with one level is removed; one with two
// levels becomes one column, that of its second level. A missing value is
// missing in all of them.
//
// Numeric columns, labels and weights are shared with t, not copied. The names
// of new columns are made unique, by primes, if a column has the same name
// already.
func (t *Table) Indicators() *Table {
	out := &Table{Name: t.Name, Labels: t.Labels, Weights: t.Weights, Classes: t.Classes, Targets: t.Targets, Several: t.Several}
	taken := make(map[string]bool, len(t.Columns))
	for i := range t.Columns {
		if !t.Columns[i].Nominal() {
			taken[t.Columns[i].Name] = true
		}
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !c.Nominal() {
			out.Columns = append(out.Columns, *c)
			continue
		}
		first := 0
		if len(c.Levels) <= 2 {
			first = 1
		}
		for level := first; level < len(c.Levels); level++ {
			name := c.Name + "=" + c.Levels[level]
			for taken[name] {
				name += "'"
			}
			taken[name] = true
			out.Columns = append(out.Columns, Column{Name: name, Values: indicator(c.Values, float64(level))})
		}
	}
	return out
}

func indicator(values []float64, level float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		switch {
		case math.IsNaN(v):
			out[i] = v
		case v == level:
			out[i] = 1
		}
	}
	return out
}
