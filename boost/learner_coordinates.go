package boost

import "math"

// A coordinate is a column times a factor; 0 for missing values.
type coordinate struct {
	Column int
	Factor float64
}

// Value returns Factor times the column's value.
func (c *coordinate) Value(x []float64) float64 {
	if v := x[c.Column]; v == v {
		return c.Factor * v
	}
	return 0
}

// Columns returns the coordinate's column.
func (c *coordinate) Columns() []int { return []int{c.Column} }

// Coordinates are the columns themselves, each divided by its largest
// magnitude among rows of weight, and the constant 1: the weak learners of a
// linear model.
type Coordinates struct{}

// Name returns "coordinates".
func (Coordinates) Name() string { return "coordinates" }

func (Coordinates) prepare(p *Problem, s *Settings) (searcher, error) {
	var weak []Weak
	for j, c := range p.Data.Columns {
		top := 0.0
		for i, v := range c {
			if v == v && p.Data.weighs(i) {
				top = max(top, math.Abs(v))
			}
		}
		if top > 0 {
			weak = append(weak, &coordinate{Column: j, Factor: 1 / top})
		}
	}
	weak = append(weak, &Tree{Leaves: []float64{1}})
	return preparePool(weak, p, s)
}
