package nms_test

import (
	"context"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/nms"
)

// keepPairs is the oracle: it compares all pairs.
func keepPairs(boxes []image.Rectangle, rule nms.Rule) (kept []int32) {
	for i, b := range boxes {
		if !slices.ContainsFunc(kept, func(k int32) bool { return rule.Drops(boxes[k], b) }) {
			kept = append(kept, int32(i))
		}
	}
	return kept
}

func TestKeepLikePairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 4))
	rules := []nms.Rule{nms.Half{}, nms.More(0), nms.More(0.1), nms.More(0.4), nms.More(0.99), nms.More(1), nms.More(-1), nms.More(math.NaN())}
	var s nms.Suppressor
	for round := range 400 {
		n := rng.IntN(300)
		spread, smallest, largest := 1+rng.IntN(400), rng.IntN(20), 1+rng.IntN(80)
		boxes := make([]image.Rectangle, n)
		for i := range boxes {
			x, y := rng.IntN(spread)-20, rng.IntN(spread)-20
			boxes[i] = image.Rect(x, y, x+smallest+rng.IntN(largest), y+smallest+rng.IntN(largest))
		}
		for _, rule := range rules {
			if got, err := s.Keep(t.Context(), boxes, rule); err != nil || !slices.Equal(got, keepPairs(boxes, rule)) {
				t.Fatalf("round %d, %T(%v): %v %v, want %v", round, rule, rule, got, err, keepPairs(boxes, rule))
			}
		}
	}
}

func TestKeepEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s nms.Suppressor
	if kept, err := s.Keep(ctx, []image.Rectangle{image.Rect(0, 0, 1, 1)}, nms.Half{}); !errors.Is(err, context.Canceled) || kept != nil {
		t.Errorf("%v, %v; want nothing, and that it was cancelled", kept, err)
	}
}
