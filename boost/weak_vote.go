package boost

// A vote is the sign of a weighted sum of weak learners, +1 for zero.
type vote struct {
	Terms   []Term
	Bias    float64
	Damping float64 // as in [Model]
}

// Value returns -1 or +1.
func (v *vote) Value(x []float64) float64 { return float64(classOf(v.sum(x))) }

func (v *vote) sum(x []float64) float64 {
	s := v.Bias
	for i := range v.Terms {
		s = damped(v.Damping, s, v.Terms[i].Coef, v.Terms[i].Weak.Value(x))
	}
	return s
}

// Columns returns the columns of all terms, or nil if one may use all.
func (v *vote) Columns() []int {
	return columnsOf(len(v.Terms), func(i int) []int { return v.Terms[i].Weak.Columns() })
}
