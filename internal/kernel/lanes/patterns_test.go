package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
)

// newPatternProgram makes a program of n stages of one to ten patterns.
func newPatternProgram(rng *rand.Rand, n int, size int32) *randomProgram {
	return newProgram(rng, size, func(p *randomProgram) {
		for range n {
			g := group{segment: len(p.Segments), reset: true, limit: rng.Int32N(3000) - 2000}
			first := int32(len(p.Records))
			count := 1 + rng.Int32N(maxPatterns)
			for range count {
				p.addStump(rng, &g, Grid, size)
			}
			p.Segments = append(p.Segments, Segment{First: first, N: count, Op: Op(Grid, Stump), Limit: g.limit, Reset: 1})
			p.groups = append(p.groups, g)
		}
	})
}

// TestSweepPatterns runs random stages, on tables that end at an unreadable page.
func TestSweepPatterns(t *testing.T) {
	rng := kerneltest.Rand(t)
	const size = 700
	wall := guard.NewWall(t, 2*(size+1000+20*200))
	programs := 400
	if testing.Short() {
		programs = 60
	}
	rejected, alive := 0, 0
	for range programs {
		p := newPatternProgram(rng, 1+rng.IntN(3), rng.Int32N(size))
		s := rng.IntN(len(p.Segments))
		for i := range p.Segments { // in any order
			if !p.Tabulate(len(p.Segments) - 1 - i) {
				t.Fatalf("segment %+v is not tabulated", p.Segments[i])
			}
		}
		r := randomRows(rng, p, 1+rng.IntN(20), func(n int) []uint16 {
			tab := guard.End[uint16](wall, n)
			fillTable(tab, rng)
			return tab
		})
		r.Score = nil
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			a, b := checkRows(t, p, s, s+1, r, func(q *Rows) {
				for row := range q.Alive {
					q.Alive[row] = r.Pass[(r.I+row*r.PerRow)/Strip]
				}
				p.SweepPatterns(new(Scratch), s, q)
			})
			rejected, alive = rejected+a, alive+b
		}
	}
	if all := alive + rejected; alive < all/20 || rejected < all/20 {
		t.Errorf("%d windows alive, %d rejected: too few of one kind to say anything", alive, rejected)
	}
}

// What SweepPatterns cannot evaluate is not tabulated, and it refuses.
func TestTabulate(t *testing.T) {
	for name, test := range map[string]struct {
		first, last Segment
		want        bool
	}{
		"patterns":     {Segment{}, Segment{N: maxPatterns, Op: Op(Grid, Stump), Reset: 1}, true},
		"too many":     {Segment{}, Segment{N: maxPatterns + 1, Op: Op(Grid, Stump), Reset: 1}, false},
		"none":         {Segment{}, Segment{Op: Op(Grid, Stump), Reset: 1}, false},
		"no stumps":    {Segment{}, Segment{N: 1, Op: Op(Grid, Last), Reset: 1}, false},
		"no patterns":  {Segment{}, Segment{N: 1, Op: Op(Edge, Stump), Reset: 1}, false},
		"a held limit": {Segment{}, Segment{N: 1, Op: Op(Grid, Stump), Reset: 1, Hold: 1}, false},
		"a score":      {Segment{}, Segment{N: 1, Op: Op(Grid, Stump)}, false},
	} {
		p := &Program{Segments: []Segment{test.first, test.last}, Records: make([]Record, 20)}
		if got := p.Tabulate(1); got != test.want || p.Tabulated(1) != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		func() {
			defer func() {
				if (recover() == nil) != test.want {
					t.Errorf("%s: a panic, or none", name)
				}
			}()
			p.Subsets = make([][8]uint32, 1)
			p.SweepPatterns(new(Scratch), 1, &Rows{Tab: make([]uint16, Strip), Alive: make([]uint64, 1)})
		}()
	}
	p := &Program{Segments: []Segment{{N: 1, Op: Op(Grid, Stump), Limit: math.MinInt32}}, Records: make([]Record, 1)}
	if !p.Tabulate(0) {
		t.Error("the first segment needs no reset")
	}
	p.SweepPatterns(new(Scratch), 0, &Rows{}) // no rows
}

// BenchmarkPatterns measures a pattern for a row of 64 windows.
func BenchmarkPatterns(b *testing.B) {
	const rows, n, next = 16, 8, 200
	p := newProgram(rand.New(rand.NewPCG(1, 2)), 3000, func(p *randomProgram) {
		var g group
		for range n {
			p.addStump(rand.New(rand.NewPCG(3, 4)), &g, Grid, 3000)
		}
		p.Segments = []Segment{{N: n, Op: Op(Grid, Stump), Limit: math.MinInt32}}
	})
	p.Tabulate(0)
	r := &Rows{Tab: make([]uint16, rows*next+p.Reach+Strip), Next: next, Alive: make([]uint64, rows)}
	for i := range r.Alive {
		r.Alive[i] = ^uint64(0)
	}
	for _, level := range cpu.Available() {
		b.Run(level.String(), func(b *testing.B) {
			cpu.ForTest(b, level)
			var m Scratch
			for i := 0; i < b.N; i += n * rows {
				p.SweepPatterns(&m, 0, r)
			}
		})
	}
}
