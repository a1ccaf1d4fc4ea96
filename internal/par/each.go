package par

import (
	"context"
	"sync"
)

// Each calls do for the numbers below n, with several workers that have a
// scratch S each. It returns the error of the lowest number that failed:
// numbers begin in order, and all that began are waited for. workers below 1 mean
// GOMAXPROCS. progress may be nil, and its calls never overlap.
func Each[S any](ctx context.Context, n, workers int, do func(scratch *S, i int) error, progress func(done, n int)) error {
	var g Group
	var mu sync.Mutex
	var failed error
	first, done := n, 0
	workers = min(crew(workers), n)
	scratch := make([]*S, workers)
	_ = g.Run(ctx, n, workers, func(ctx context.Context, worker, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if scratch[worker] == nil {
			scratch[worker] = new(S)
		}
		err := do(scratch[worker], i)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err != nil && i < first:
			first, failed = i, err
		case err == nil && progress != nil:
			done++
			progress(done, n)
		}
		return err
	})
	if failed != nil {
		return failed
	}
	return ctx.Err()
}
