// Package par runs work side by side: [Each] item by item with a scratch per
// worker, [Chunks] over ranges of numbers, and [Queue] with results in order.
// Their results do not depend on the number of workers.
package par

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls do for the numbers below n, with several workers that have a
// scratch S each. It returns the error of the lowest number that failed: numbers
// are begun in order, and all that were begun are waited for. progress may be
// nil, and is never called twice at once.
func Each[S any](ctx context.Context, n, workers int, do func(scratch *S, i int) error, progress func(done, n int)) error {
	var next atomic.Int64
	var mu sync.Mutex
	var failed error
	first, done := n, 0
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			s := new(S)
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				err := do(s, i)
				mu.Lock()
				switch {
				case err != nil && i < first:
					first, failed = i, err
				case err == nil && progress != nil:
					done++
					progress(done, n)
				}
				stop := first < n
				mu.Unlock()
				if stop {
					return
				}
			}
		})
	}
	wg.Wait()
	if failed != nil {
		return failed
	}
	return ctx.Err()
}
