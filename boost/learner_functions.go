package boost

import "fmt"

// Functions are weak learners that you give. A function with a negative edge gets a
// negative coefficient; for a booster that fits by least squares, the factor that
// fits best. A model of them cannot be saved.
type Functions []func(x []float64) float64

// Name returns "functions".
func (Functions) Name() string { return "functions" }

func (l Functions) prepare(p *Problem, s *Settings) (searcher, error) {
	if len(l) == 0 {
		return nil, fmt.Errorf("%w: Functions has none", ErrSettings)
	}
	weak := make([]Weak, len(l))
	for k, f := range l {
		weak[k] = &function{f}
	}
	return preparePool(weak, p, s)
}

// A function is any function as a weak learner.
type function struct{ f func(x []float64) float64 }

func (f *function) Value(x []float64) float64 { return f.f(x) }

// Columns returns nil: a function may use all.
func (*function) Columns() []int { return nil }
