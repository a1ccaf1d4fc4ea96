package verify

import (
	"context"
	"image"
	"math"
	"math/rand/v2"

	"haarlem/boost"
	"haarlem/cascade"
)

// boxShrinkage is the shrinkage of each tree of a regression: gradient boosting
// with squared loss, as Friedman, Greedy Function Approximation (2001),
// algorithm 2.
const boxShrinkage = 0.1

// boxes boosts the trees that correct boxes, from the true positives only: four
// separate regressions, one per edge.
func (t *trainer) boxes(ctx context.Context, k *table) (*cascade.Boxes, error) {
	fit, err := (&boost.Trees{Depth: t.s.Depth, Bins: bins}).Fitter(
		&boost.Problem{Data: &boost.Data{Labels: k.labels}, Columns: k}, &boost.Settings{Workers: t.s.Workers})
	if err != nil {
		return nil, err
	}
	var rows []int32
	for i, y := range k.labels {
		if y > 0 {
			rows = append(rows, int32(i))
		}
	}
	var b cascade.Boxes
	weights := make([]float64, k.Rows())
	for _, i := range rows {
		weights[i] = 1 / float64(len(rows))
	}
	left := make([]float64, k.Rows())
	for edge, trees := range [...]*[]cascade.Weak{&b.Left, &b.Top, &b.Right, &b.Bottom} {
		for n, i := range rows {
			left[i] = t.offset(n, edge)
		}
		rng := rand.New(rand.NewPCG(t.s.Seed, uint64(2+edge)))
		for round := range t.s.BoxTrees {
			t.s.Progress("fitting boxes", edge*t.s.BoxTrees+round, 4*t.s.BoxTrees)
			columns := someColumns(rng, k.Len(), t.s.Share)
			rng.Uint64() // which once was a seed: without it trainings would differ
			w, out, err := fit(ctx, weights, left, rows, columns)
			if err != nil {
				return nil, err
			}
			if w == nil {
				break
			}
			for _, i := range rows {
				left[i] -= float64(boxShrinkage * out[i])
			}
			v, err := tree(w, boxShrinkage)
			if err != nil {
				return nil, err
			}
			*trees = append(*trees, v)
		}
	}
	t.s.Progress("fitting boxes", 4*t.s.BoxTrees, 4*t.s.BoxTrees)
	return &b, nil
}

// offset is the distance of an object's edge from that of the n-th true
// positive, in sides of its box. Mirror images come after the others.
func (t *trainer) offset(n, edge int) float64 {
	mirrored := n >= len(t.right)
	p := &t.right[n%len(t.right)]
	if mirrored && edge%2 == 0 {
		edge = 2 - edge
	}
	side := float64(p.box.Dx()+p.box.Dy()) / 2
	of := func(r image.Rectangle) int { return [...]int{r.Min.X, r.Min.Y, r.Max.X, r.Max.Y}[edge] }
	v := float64(of(p.object)-of(p.box)) / side
	if mirrored && edge%2 == 0 {
		v = -v
	}
	return min(max(v, -1), 1)
}

// someColumns returns a random fraction of n columns, in ascending order.
func someColumns(rng *rand.Rand, n int, share float64) []int32 {
	k := max(1, int(math.Round(float64(n)*share)))
	drawn := make([]int32, 0, k)
	for j := range n {
		if rng.IntN(n-j) < k-len(drawn) {
			drawn = append(drawn, int32(j))
		}
	}
	return drawn
}
