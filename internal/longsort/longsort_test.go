package longsort_test

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/longsort"
)

type element struct{ key, place int }

// Stable sorts by key, and elements of one key by their places.
func TestStable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	byKey := func(a, b element) int { return cmp.Compare(a.key, b.key) }
	var buf []element
	for n := range 400 {
		if n > 300 {
			n = rng.IntN(100_000)
		}
		s := make([]element, n)
		few := 1 + rng.IntN(n+1)
		for i := range s {
			s[i] = element{rng.IntN(few), i}
			if n%3 == 0 { // nearly in order
				s[i].key = i / 3
				if rng.IntN(50) == 0 {
					s[i].key = rng.IntN(few)
				}
			}
		}
		want := slices.Clone(s)
		slices.SortFunc(want, func(a, b element) int { return cmp.Or(byKey(a, b), cmp.Compare(a.place, b.place)) })
		var err error
		if buf, err = longsort.Stable(t.Context(), s, buf, byKey); err != nil || !slices.Equal(s, want) {
			t.Fatalf("%d elements are not sorted: %v", n, err)
		}
	}
}

func TestStableEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	compared, after := 0, 0
	s := make([]int, 1<<20)
	for i := range s {
		s[i] = -i
	}
	_, err := longsort.Stable(ctx, s, nil, func(a, b int) int {
		if compared++; compared > 3_000_000 {
			cancel()
			after++
		}
		return cmp.Compare(a, b)
	})
	if !errors.Is(err, context.Canceled) || after > 1_000_000 {
		t.Errorf("error %v, and %d comparisons after the context had ended", err, after)
	}
}
