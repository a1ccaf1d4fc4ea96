package lanes

import (
	"fmt"
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
		p.unit = rng.Int32N(40)
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

// TestSweepPatterns runs random stages, on tables that end at an unreadable page. Most have
// patterns whose windows share rows of cells with those some rows below.
func TestSweepPatterns(t *testing.T) {
	rng := kerneltest.Rand(t)
	const size = 700
	const limit = 70 // rows
	wall := guard.NewWall(t, 2*(size+1000+limit*200))
	programs := 300
	if testing.Short() {
		programs = 60
	}
	rejected, alive := 0, 0
	type chain struct{ rows, cells int } // from one window to the next that shares cells
	seen := map[chain]int{}
	for range programs {
		p := newPatternProgram(rng, 1+rng.IntN(3), rng.Int32N(size))
		s := rng.IntN(len(p.Segments))
		for i := range p.Segments { // in any order
			if !p.Tabulate(len(p.Segments) - 1 - i) {
				t.Fatalf("segment %+v is not tabulated", p.Segments[i])
			}
		}
		r := randomRows(rng, p, 1+rng.IntN(limit), func(n int) []uint16 {
			tab := guard.End[uint16](wall, n)
			fillTable(tab, rng)
			return tab
		})
		r.Score = nil
		for _, q := range p.Records[p.Segments[s].First:][:p.Segments[s].N] {
			if height := int(q.Off[1] - q.Off[0]); p.unit > 0 && height > 0 && height%int(p.unit) == 0 {
				if height%r.Next == 0 {
					seen[chain{height / r.Next, 1}]++
				} else {
					seen[chain{2 * height / r.Next, 2}]++
				}
			}
		}
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
	for _, c := range []chain{{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {1, 2}, {3, 2}, {5, 2}, {7, 2}} {
		if seen[c] == 0 {
			t.Errorf("no windows %d rows and %d cells apart", c.rows, c.cells)
		}
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
	const rows, n, stride = 32, 4, 700
	for _, level := range cpu.Available() {
		for step := 1; step <= 2; step++ {
			for _, height := range []int32{2, 3} {
				b.Run(fmt.Sprintf("%v/step%d/height%d", level, step, height), func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 2))
					var p Program
					for range n {
						y, x := rng.Int32N(24-3*height), rng.Int32N(8)
						r := Record{Aux: int32(len(p.Subsets))}
						for i := range int32(4) {
							r.Off[i], r.Off[4+i] = (y+i*height)*stride, x+2*i
						}
						p.Records = append(p.Records, r)
						p.Subsets = append(p.Subsets, [8]uint32{})
					}
					p.Segments = []Segment{{N: n, Op: Op(Grid, Stump), Limit: math.MinInt32}}
					p.Tabulate(0)
					r := &Rows{Tab: make([]uint16, (rows*step+25)*stride), Next: step * stride, Alive: make([]uint64, rows)}
					for i := range r.Alive {
						r.Alive[i] = ^uint64(0)
					}
					cpu.ForTest(b, level)
					var m Scratch
					for i := 0; i < b.N; i += n * rows {
						p.SweepPatterns(&m, 0, r)
					}
				})
			}
		}
	}
}
