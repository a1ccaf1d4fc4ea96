package boost

import "fmt"

// A Func is any function as a weak learner. It cannot be saved.
type Func struct {
	Name string
	F    func(x []float64) float64
}

// Value returns F(x).
func (f *Func) Value(x []float64) float64 { return f.F(x) }

// Columns returns nil: a Func may use all.
func (*Func) Columns() []int { return nil }

// Functions are given functions. A function with a negative edge gets a
// negative coefficient; for a booster that fits by least squares, the factor
// that fits best.
type Functions struct {
	List []*Func
}

// Name returns "functions".
func (*Functions) Name() string { return "functions" }

// Prepare evaluates the functions on all rows.
func (l *Functions) Prepare(p *Problem, s *Settings) (Search, error) {
	if len(l.List) == 0 {
		return nil, fmt.Errorf("%w: Functions has none", ErrSettings)
	}
	weak := make([]Weak, len(l.List))
	for k, f := range l.List {
		weak[k] = f
	}
	return preparePool(weak, p, s)
}
