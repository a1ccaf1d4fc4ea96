package points

import (
	"sync"
	"sync/atomic"

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
	if t.s.Workers == 1 {
		for i := range n {
			f(0, i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range t.s.Workers {
		wg.Go(func() {
			const some = 8
			for {
				from := int(next.Add(some)) - some
				if from >= n {
					return
				}
				for i := from; i < min(from+some, n); i++ {
					f(w, i)
				}
			}
		})
	}
	wg.Wait()
}
