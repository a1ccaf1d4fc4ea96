package par

import (
	"context"
	"sync"
	"sync/atomic"
)

// Chunks calls f for ranges of at most step of the numbers below n. The error is
// ctx's.
func Chunks(ctx context.Context, n, step, workers int, f func(lo, hi int)) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, (n+step-1)/step) {
		wg.Go(func() {
			for ctx.Err() == nil {
				lo := int(next.Add(int64(step))) - step
				if lo >= n {
					return
				}
				f(lo, min(n, lo+step))
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}
