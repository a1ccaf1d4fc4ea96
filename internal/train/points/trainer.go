package points

import (
	"context"
	"haarlem/internal/par"
	"haarlem/landmarks"
)

// A trainer is one training.
type trainer struct {
	s        Settings
	examples []Example
	frames   []landmarks.Frame
	weights  []int32
	order    []int // of the examples
	model    *landmarks.Model

	// Of the level in progress.
	positions [][2]float64 // of its features in the mean shape, in pixels
	near      float64      // distance of features that are often compared
}

// unit is the number of parts of a pixel of the patch in a side of the frame.
func (t *trainer) unit() float64 { return float64(t.s.Side*landmarks.Unit) / t.s.Reach }

// each calls f for all numbers below n.
func (t *trainer) each(n int, f func(worker, i int)) {
	const some = 8 // numbers for a worker at once
	var g par.Group
	_ = g.Run(context.Background(), (n+some-1)/some, t.s.Workers, func(_ context.Context, worker, k int) error {
		for i := k * some; i < min((k+1)*some, n); i++ {
			f(worker, i)
		}
		return nil
	})
}
