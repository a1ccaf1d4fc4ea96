package engine

import (
	"math/rand/v2"
	"testing"
)

// TestVisited compares with OpenCV's rule, window by window, over two strips.
func TestVisited(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20000 {
		var alive, passed [2]uint64
		for i := range alive {
			alive[i], passed[i] = ^uint64(0), rng.Uint64()&rng.Uint64()
			switch rng.IntN(4) {
			case 0:
				alive[i] = rng.Uint64() | rng.Uint64()
			case 1:
				passed[i] &= rng.Uint64() & rng.Uint64()
			}
			passed[i] &= alive[i]
		}
		carry, skip := false, false
		for i := range alive {
			want := uint64(0)
			for k := range 64 {
				if skip {
					skip = false
					continue
				}
				if passed[i]>>k&1 != 0 {
					want |= 1 << k
				}
				skip = alive[i]>>k&1 != 0 && passed[i]>>k&1 == 0
			}
			if got := visited(alive[i], passed[i], &carry); got != want || carry != skip {
				t.Fatalf("strip %d of %x, %x: %x, carry %v, want %x, %v", i, alive, passed, got, carry, want, skip)
			}
		}
	}
}
