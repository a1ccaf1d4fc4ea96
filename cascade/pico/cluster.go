package pico

import (
	"math"
	"slices"
	"sort"
)

// UsualOverlap is the iou of pigo's documentation.
const UsualOverlap = 0.2

// Cluster joins detections: of all whose intersection over union with a detection
// is more than iou, the weakest detections first, it returns the mean window and the
// sum of the scores. pigo's program draws clusters of
// more than 5.
func Cluster(found []Detection, iou float64) []Detection {
	found = slices.Clone(found)
	// sort.Slice, as in pigo: equal scores then stand in the same order.
	sort.Slice(found, func(i, j int) bool { return found[i].Q < found[j].Q })
	taken := make([]bool, len(found))
	var all []Detection
	for i := range found {
		if taken[i] {
			continue
		}
		var c Detection
		for j := range found {
			if overlap(&found[i], &found[j]) > iou {
				taken[j] = true
				c.Row += found[j].Row
				c.Col += found[j].Col
				c.Scale += found[j].Scale
				c.Q += found[j].Q
				c.N++
			}
		}
		if n := c.N; n > 0 {
			all = append(all, Detection{c.Row / n, c.Col / n, c.Scale / n, c.Q, n})
		}
	}
	return all
}

// overlap is the intersection over union.
func overlap(a, b *Detection) float64 {
	sa, sb := float64(a.Scale), float64(b.Scale)
	span := func(x, y int) float64 {
		return math.Max(0, math.Min(float64(x)+sa/2, float64(y)+sb/2)-math.Max(float64(x)-sa/2, float64(y)-sb/2))
	}
	both := float64(span(a.Row, b.Row) * span(a.Col, b.Col))
	return both / (float64(sa*sa) + float64(sb*sb) - both)
}
