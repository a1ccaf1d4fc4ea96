package pico

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// UsualOverlap is the iou of pigo's documentation.
const UsualOverlap = 0.2

// Cluster joins detections: of all whose intersection over union with a detection
// is more than iou, the weakest detections first, it returns the mean window and the
// sum of the scores. pigo's program draws clusters of
// more than 5. It ends early, with an error, only if ctx is done.
func Cluster(ctx context.Context, found []Detection, iou float64) ([]Detection, error) {
	found = slices.Clone(found)
	// sort.Slice, as in pigo: equal scores then stand in the same order.
	sort.Slice(found, func(i, j int) bool { return found[i].Q < found[j].Q })
	near := newGrid(found, iou)
	taken := make([]bool, len(found))
	var all []Detection
	for i := range found {
		if taken[i] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var c Detection
		for _, j := range near.of(&found[i]) {
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
	return all, nil
}

// A grid finds the detections that may overlap with another one without comparing all
// with all: for each power of two of the size it has cells of that side.
type grid struct {
	cells  map[cell][]int
	levels int // by how many powers of two the sizes of two that overlap can differ
	found  []int
}

type cell struct{ level, row, col int }

func newGrid(found []Detection, iou float64) *grid {
	g := &grid{}
	if !(iou > 0.01) { // for which nearly all are near
		for i := range found {
			g.found = append(g.found, i)
		}
		return g
	}
	// The smaller one has more than iou of the larger one's area.
	g.cells, g.levels = map[cell][]int{}, int(math.Ceil(math.Log2(1/iou)/2))+1
	for i := range found {
		d := &found[i]
		l := bits.Len(uint(max(d.Scale, 1)))
		g.cells[cell{l, d.Row >> l, d.Col >> l}] = append(g.cells[cell{l, d.Row >> l, d.Col >> l}], i)
	}
	return g
}

// of returns those that may overlap with d, in order. They are valid until the next call.
func (g *grid) of(d *Detection) []int {
	if g.cells == nil {
		return g.found
	}
	g.found = g.found[:0]
	own := bits.Len(uint(max(d.Scale, 1)))
	for l := max(own-g.levels, 0); l <= min(own+g.levels, 62); l++ {
		reach := (d.Scale + 1<<l + 1) / 2 // half of both
		for row := (d.Row - reach) >> l; row <= (d.Row+reach)>>l; row++ {
			for col := (d.Col - reach) >> l; col <= (d.Col+reach)>>l; col++ {
				g.found = append(g.found, g.cells[cell{l, row, col}]...)
			}
		}
	}
	slices.Sort(g.found)
	return g.found
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
