package engine

import (
	"image"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/drawn"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// TestCandidatesAreOrdered: candidates are in order of level, row and column
// for any number of workers, since margins are added in that order.
func TestCandidatesAreOrdered(t *testing.T) {
	c := &cascade.Cascade{
		Kind: cascade.Haar, Width: 8, Height: 8,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 8, H: 8, Weight: -1}, {W: 4, H: 8, Weight: 2}}}},
		Weak:     []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []cascade.Exit{{After: 1, Threshold: 0, Restart: true}},
	}
	g := image.NewGray(image.Rect(0, 0, 400, 90))
	for i := range g.Pix {
		g.Pix[i] = byte(i * i >> 5)
	}
	for _, workers := range []int{1, 3} {
		e := must.Get(New(c, &Options{Workers: workers}))
		s := e.NewSearch()
		p, _ := luma.Of(g, nil)
		all := must.Get(s.Candidates(t.Context(), p))
		if len(all) < 1000 || len(s.runs[0].hits) != len(all) {
			t.Fatalf("%d candidates of %d hits, want many", len(all), len(s.runs[0].hits))
		}
		if !slices.IsSortedFunc(s.runs[0].hits, func(a, b hit) int {
			key := func(h hit) []int {
				x, y := s.runs[0].plan.levels[levelOf(h.at)].position(h.at)
				return []int{levelOf(h.at), y, x}
			}
			return slices.Compare(key(a), key(b))
		}) {
			t.Errorf("%d workers: candidates are out of order", workers)
		}
	}
}

// TestSizesInTurn: a search of images of changing sizes finds what a new one does, and
// takes the programs of its last plan for a width that differs little.
func TestSizesInTurn(t *testing.T) {
	c := uneven()
	c.Search = cascade.Search{Pad: 0.25}
	e := must.Get(New(c, nil))
	s := e.NewSearch()
	var last *plan
	for i, width := range []int{181, 178, 90, 174, 40} {
		p, _ := luma.Of(drawn.Picture("texture", width, 120-i, 3), nil)
		found := must.Get(s.Candidates(t.Context(), p))
		want := must.Get(e.NewSearch().Candidates(t.Context(), p))
		if len(want) == 0 || !slices.Equal(found, want) {
			t.Errorf("width %d: %d candidates, want the %d of a new search", width, len(found), len(want))
		}
		now := s.runs[0].plan
		if shared := last != nil && now.grids[0].prog == last.grids[0].prog; shared != (i == 1) {
			t.Errorf("width %d takes the last plan's program: %v", width, shared)
		}
		last = now
	}
}
