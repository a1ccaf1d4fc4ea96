package par

import "context"

// Chunks calls f for ranges of at most step of the numbers below n. workers below 1
// mean GOMAXPROCS. The error is ctx's.
func Chunks(ctx context.Context, n, step, workers int, f func(lo, hi int)) error {
	var g Group
	chunks := (n + step - 1) / step
	_ = g.Run(ctx, chunks, min(crew(workers), chunks), func(ctx context.Context, _, k int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		f(k*step, min(n, (k+1)*step))
		return nil
	})
	return ctx.Err()
}
