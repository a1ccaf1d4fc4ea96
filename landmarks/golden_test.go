package landmarks

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// Every architecture finds the same bits: a hash of the points found on amd64.
func TestPointsGolden(t *testing.T) {
	g := luma.Plane{Pix: make([]byte, 90*70), Stride: 90, Width: 90, Height: 70}
	for i := range g.Pix {
		g.Pix[i] = byte(i*i>>5 ^ i*7)
	}
	h := fnv.New64a()
	for seed := range uint64(8) {
		p := must.Get(NewPredictor(some(seed+20, 4+int(seed), 6, 40, 3, 4)))
		for _, f := range []Frame{{X: 40.3, Y: 30.7, A: 18.1}, {X: 50, Y: 20, A: 55.5, B: -13}, {X: 5, Y: 60, A: 150}, {X: 33, Y: 44, A: 1.5, B: 1.5}} {
			for _, q := range p.Points(nil, g.Gray(), f.Turned(11)) {
				fmt.Fprintf(h, "%x %x\n", math.Float64bits(q.X), math.Float64bits(q.Y))
			}
		}
	}
	if got, want := h.Sum64(), uint64(0xe03e79aec2f9d6ed); got != want {
		t.Errorf("the points' hash is %#x, want %#x", got, want)
	}
}
