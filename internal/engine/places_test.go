package engine

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/drawn"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// TestNear: a search near places finds what a dense search finds there, with the same
// margins: windows of about a place's size with centres near its own; each engine near its
// own places, whatever the number of workers.
func TestNear(t *testing.T) {
	g := drawn.Picture("texture", 170, 130, 3)
	p, _ := luma.Of(g, nil)
	for _, search := range []cascade.Search{{Stride: 1}, {Stride: 2, Pad: 0.25}, {Pad: 0.25, PrefilterFrom: 2}} {
		c := uneven()
		c.Search = search
		rng := rand.New(rand.NewPCG(5, 6))
		var places [2][]Place
		for n := range places {
			for range 6 {
				places[n] = append(places[n], Place{X: 170 * rng.Float64(), Y: 130 * rng.Float64(), Side: 10 + 40*rng.Float64()})
			}
		}
		places[0] = append(places[0], Place{X: -1e6, Y: 1e6, Side: 20}, Place{X: 50, Y: 50}, Place{X: math.NaN(), Y: 50, Side: math.NaN()})
		for _, workers := range []int{1, 3} {
			dense := newTwo(t, c, &Options{Workers: workers})
			must.Do(dense.Search(t.Context(), p, nil))
			near := newTwo(t, c, &Options{Workers: workers, OnlyNear: true})
			for range 2 { // memory is used again
				must.Do(near.Near(t.Context(), p, places[:]))
			}
			for n, r := range dense.runs {
				var want []hit
				for _, h := range r.hits {
					l := &r.plan.levels[levelOf(h.at)]
					x, y := l.position(h.at)
					u, v := (float64(x-l.edge.X)+6)*float64(l.factor), (float64(y-l.edge.Y)+6)*float64(l.factor)
					if slices.ContainsFunc(places[n], func(p Place) bool {
						size := float64(l.size.X) / p.Side
						return max(math.Abs(u-p.X), math.Abs(v-p.Y)) <= nearShift*p.Side && max(size, 1/size) <= nearSide
					}) {
						want = append(want, h)
					}
				}
				if got := near.runs[n].hits; len(want) < 5 || !slices.Equal(got, want) {
					t.Errorf("%+v, %d workers, engine %d: %d windows, want %d", search, workers, n, len(got), len(want))
				}
			}
		}
	}
}

// newTwo returns a search with a cascade and its quarter turn.
func newTwo(t *testing.T, c *cascade.Cascade, o *Options) *Search {
	t.Helper()
	e := must.Get(New(c, o))
	return NewSearch(e, e.Quarter(1))
}

// TestNearNothing: images without levels, and no places, have no candidates.
func TestNearNothing(t *testing.T) {
	e := must.Get(New(uneven(), &Options{OnlyNear: true}))
	s := NewSearch(e)
	for _, size := range []image.Point{{5, 5}, {60, 60}} {
		p, _ := luma.Of(drawn.Picture("noise", size.X, size.Y, 1), nil)
		places := [][]Place{{{X: 3, Y: 3, Side: 12}}}
		if size.X > 5 {
			places[0] = nil
		}
		must.Do(s.Near(t.Context(), p, places))
		if found, err := s.Found(t.Context(), 0); err != nil || len(found) > 0 {
			t.Errorf("%v: %v, %v", size, found, err)
		}
	}
}
