package points

import (
	"hash/fnv"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/landmarks"
)

// A training gives the same bytes on every architecture: a hash of the result
// on amd64, from objects with integer coordinates.
func TestRunGolden(t *testing.T) {
	var all []Example
	for i := range 20 {
		g := luma.Plane{Pix: make([]byte, 40*40), Stride: 40, Width: 40, Height: 40}
		for k := range g.Pix {
			x, y := k%40-18-i%5, k/40-20-i%3
			g.Pix[k] = byte(60 + max(0, 120-x*x-y*y) + (k*k>>4)%(5+i))
		}
		x, y := float64(18+i%5), float64(20+i%3)
		all = append(all, Example{Name: "disc", Plane: g, Points: []landmarks.Point{{X: x - 6, Y: y}, {X: x + 7, Y: y + 1}, {X: x, Y: y + 8}}})
	}
	s := small()
	s.Levels, s.Trees, s.Samples, s.Block, s.Mirror = 3, 6, 600, 500, []int{1, 0, 2}
	m := must.Get(Run(t.Context(), all, s))
	h := fnv.New64a()
	h.Write(encoded(t, m))
	if got, want := h.Sum64(), uint64(0x95686b15ca4ed295); got != want {
		t.Errorf("the model's hash is %#x, want %#x", got, want)
	}
}
