//go:build timing

package detector

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// TestGroupTime: eight times the boxes take far less than 64 times as long, and
// the end of a context is noticed at once.
func TestGroupTime(t *testing.T) {
	var g grouper
	var r ranking
	rng := rand.New(rand.NewPCG(33, 3))
	few, many := 1<<13, 1<<16
	if testing.Short() {
		few, many = 1<<11, 1<<14
	}
	for name, draw := range boxes {
		groups := func(ctx context.Context, cs []engine.Candidate) error { return g.group(ctx, cs, 3) }
		suppression := func(ctx context.Context, cs []engine.Candidate) error {
			ds := make([]Detection, len(cs))
			for i := range cs {
				ds[i] = Detection{Box: cs[i].Box, Score: float64(i % 1000)}
			}
			_, err := r.suppress(ctx, ds, 0)
			return err
		}
		for what, do := range map[string]func(context.Context, []engine.Candidate) error{"groups": groups, "suppression": suppression} {
			measure := func(n int) time.Duration {
				var cs []engine.Candidate
				for _, b := range draw(rng, n) {
					cs = append(cs, engine.Candidate{Box: b})
				}
				best := time.Duration(math.MaxInt64)
				for range 2 {
					began := time.Now()
					must.Do(do(context.Background(), cs))
					best = min(best, time.Since(began))
				}
				late := time.Duration(math.MaxInt64)
				for range 3 {
					began := time.Now()
					ctx, cancel := context.WithDeadline(context.Background(), began.Add(best/3))
					if err := do(ctx, cs); err != nil && !errors.Is(err, context.DeadlineExceeded) {
						t.Fatal(err)
					}
					late = min(late, time.Since(began)-best/3)
					cancel()
				}
				if late > 50*time.Millisecond {
					t.Errorf("%s of %d boxes of kind %q: %v after the deadline", what, n, name, late)
				}
				return best
			}
			a, b := measure(few), measure(many)
			for range 3 { // other work on the machine slows both
				if b <= 32*max(a, time.Millisecond) {
					break
				}
				a, b = measure(few), min(b, measure(many))
			}
			t.Logf("%s, %s: %v, %v", name, what, a, b)
			if b > 32*max(a, time.Millisecond) {
				t.Errorf("%s of %d boxes of kind %q take %v, of %d %v", what, few, name, a, many, b)
			}
		}
	}
}
