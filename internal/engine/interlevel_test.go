package engine

import (
	"context"
	"image"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// TestCellsOfWindows: cells have the windows of a level, each once, and a square of
// windows is one cell wherever it begins.
func TestCellsOfWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 200 {
		l := level{positions: image.Pt(1+rng.IntN(40), 1+rng.IntN(40))}
		var a cellFinder
		width := a.begin(&l)
		want := map[image.Point]bool{}
		limit := 1
		for range 1 + n%5 {
			at := image.Pt(rng.IntN(l.positions.X), rng.IntN(l.positions.Y))
			part := image.Rectangle{Min: at, Max: at.Add(image.Pt(cellSide, cellSide))}.Intersect(image.Rectangle{Max: l.positions})
			every := ^uint64(0)
			if n%5 > 0 {
				every, limit = rng.Uint64(), 1<<cellSide
			}
			mark(a.windows, width, part, every)
			for y := part.Min.Y; y < part.Max.Y; y++ {
				for x := part.Min.X; x < part.Max.X; x++ {
					if every>>(y%cellSide*cellSide+x%cellSide)&1 != 0 {
						want[image.Pt(x, y)] = true
					}
				}
			}
		}
		cells := 0
		look := func(_ context.Context, all []cell) error {
			cells += len(all)
			for _, c := range all {
				for k := range cellSide * cellSide {
					p := image.Pt(int(c.x)+k%cellSide, int(c.y)+k/cellSide)
					if in := c.windows>>k&1 != 0; in && (c.level != 3 || !want[p]) {
						t.Fatalf("window %v of level %d is in a cell, and not wanted or twice", p, c.level)
					} else if in {
						delete(want, p)
					}
				}
			}
			return nil
		}
		must.Do(a.level(t.Context(), 3, width, look))
		must.Do(a.rest(t.Context(), look))
		if len(want) > 0 || cells > limit {
			t.Fatalf("of %v, %d windows are in no cell; %d cells", l.positions, len(want), cells)
		}
	}
}
