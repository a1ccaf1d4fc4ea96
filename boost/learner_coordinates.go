package boost

import "math"

// A Coordinate is a column times a factor; 0 for missing values.
type Coordinate struct {
	Column int
	Factor float64
}

// Value returns Factor times the column's value.
func (c *Coordinate) Value(x []float64) float64 {
	if v := x[c.Column]; v == v {
		return c.Factor * v
	}
	return 0
}

// Columns returns the coordinate's column.
func (c *Coordinate) Columns() []int { return []int{c.Column} }

// Coordinates are the columns themselves, each divided by its largest
// magnitude among rows of weight, and the constant 1: the weak learners of a
// linear model.
type Coordinates struct{}

// Name returns "coordinates".
func (Coordinates) Name() string { return "coordinates" }

// Prepare finds the largest magnitudes.
func (Coordinates) Prepare(p *Problem, s *Settings) (Search, error) {
	var weak []Weak
	for j, c := range p.Data.Columns {
		top := 0.0
		for i, v := range c {
			if v == v && p.Data.weighs(i) {
				top = max(top, math.Abs(v))
			}
		}
		if top > 0 {
			weak = append(weak, &Coordinate{Column: j, Factor: 1 / top})
		}
	}
	weak = append(weak, &Tree{Leaves: []float64{1}})
	return preparePool(weak, p, s)
}
