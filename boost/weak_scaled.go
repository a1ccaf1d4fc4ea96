package boost

// A Scaled is another weak learner times a factor.
type Scaled struct {
	Factor float64
	Of     Weak
}

// Value returns Factor times the value of Of.
func (s *Scaled) Value(x []float64) float64 { return s.Factor * s.Of.Value(x) }

// Columns returns the columns of Of.
func (s *Scaled) Columns() []int { return s.Of.Columns() }
