package compare

import (
	"math"

	"haarlem/boost"
)

// Indicators returns a table without categorical columns: each becomes one column
// of zeros and ones per level, named "column=level", so that a threshold can test
// for a level. A column with one level is removed; one with two levels becomes one
// column, that of its second level. A missing value is missing in all of them.
//
// Numeric columns, labels and weights are shared with d, not copied. The names of
// new columns are made unique, by primes, if a column has the same name already.
func Indicators(d *boost.Data) *boost.Data {
	out := &boost.Data{Labels: d.Labels, Weights: d.Weights, Targets: d.Targets}
	out.Classes = d.Classes
	taken := map[string]bool{}
	for j, n := range d.Names {
		taken[n] = d.LevelsOf(j) == nil
	}
	for j, c := range d.Columns {
		levels := d.LevelsOf(j)
		if levels == nil {
			out.Names, out.Columns = append(out.Names, d.Names[j]), append(out.Columns, c)
			continue
		}
		first := 0
		if len(levels) <= 2 {
			first = 1
		}
		for level := first; level < len(levels); level++ {
			name := d.Names[j] + "=" + levels[level]
			for taken[name] {
				name += "'"
			}
			taken[name] = true
			out.Names, out.Columns = append(out.Names, name), append(out.Columns, indicator(c, float64(level)))
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
