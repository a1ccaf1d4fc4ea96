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

// checkStage compares SweepStage, on the current level, with what groups from to to-1 of
// the program were made from, and returns how many windows were rejected.
func checkStage(t *testing.T, p *randomProgram, from, to int, r *Rows) (rejected, alive int) {
	t.Helper()
	return checkRows(t, p, from, to, r, func(q *Rows) {
		for row := range q.Alive {
			q.Alive[row] = r.Pass[(r.I+row*r.PerRow)/Strip]
		}
		p.SweepStage(new(Scratch), p.segment(from), p.segment(to), q)
	})
}

// TestSweepStage runs random programs, on tables that end at an unreadable page.
func TestSweepStage(t *testing.T) {
	rng := kerneltest.Rand(t)
	const size = 700
	wall := guard.NewWall(t, 2*(size+1000))
	programs := 400
	if testing.Short() {
		programs = 100
	}
	seen := map[int32]int{}
	rejected, alive := 0, 0
	for range programs {
		p := newStageProgram(rng, 1+rng.IntN(5), rng.Int32N(size))
		if got := p.StageSweeps(0, len(p.Segments)); got != len(p.Segments) {
			t.Fatalf("%d of %d segments can be swept", got, len(p.Segments))
		}
		from := rng.IntN(len(p.groups))
		to := from + 1 + rng.IntN(len(p.groups)-from)
		for _, s := range p.Segments[p.segment(from):p.segment(to)] {
			seen[s.Op]++
		}
		r := randomRows(rng, p, 1+rng.IntN(4), func(n int) []uint16 {
			tab := guard.End[uint16](wall, n)
			fillTable(tab, rng)
			return tab
		})
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			a, b := checkStage(t, p, from, to, r)
			rejected, alive = rejected+a, alive+b
		}
	}
	for _, shape := range []Shape{Edge, Line, Pair, Check} {
		for _, action := range []Action{Stump, RootYes, Last} {
			if n := seen[Op(shape, action)]; n < programs/100 && (action == Stump || shape != Pair) {
				t.Errorf("shape %d, action %d: only %d segments were tried", shape, action, n)
			}
		}
	}
	if all := alive + rejected; alive < all/20 || rejected < all/20 {
		t.Errorf("%d windows alive, %d rejected: too few of one kind to say anything", alive, rejected)
	}
}

// Segments that SweepStage cannot evaluate end what it takes, and trees stay whole.
func TestStageSweeps(t *testing.T) {
	stump := Segment{N: 1, Op: Op(Pair, Stump)}
	root, last := Segment{N: 1, Op: Op(Edge, RootYes), Hold: 1}, Segment{N: 2, Op: Op(Line, Last)}
	reset := stump
	reset.Reset = 1
	for name, test := range map[string]struct {
		segments []Segment
		want     int
	}{
		"stumps":          {[]Segment{stump, stump}, 2},
		"reset":           {[]Segment{reset, stump, reset}, 2},
		"trees":           {[]Segment{stump, root, last}, 3},
		"half a tree":     {[]Segment{stump, root, root}, 1},
		"deep trees":      {[]Segment{stump, {N: 1, Op: Op(Edge, Node)}}, 1},
		"wide":            {[]Segment{stump, {N: 1, Op: Op(Wide, Stump)}}, 1},
		"pair at a root":  {[]Segment{{N: 1, Op: Op(Pair, RootYes)}}, 0},
		"patterns":        {[]Segment{stump, {N: 1, Op: Op(Grid, Stump)}}, 1},
		"soft":            {[]Segment{{N: 1, Op: Op(Line, Soft)}}, 0},
		"nothing in it":   {[]Segment{{Op: Op(Line, Stump)}}, 0},
		"no segments":     {nil, 0},
		"the other child": {[]Segment{{N: 1, Op: Op(Line, RootNo), Hold: 1}, last}, 0},
	} {
		p := &Program{Segments: test.segments}
		if got := p.StageSweeps(0, len(p.Segments)); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// TestSweepStageChecks: assembly has no bounds checks, so Go must check.
func TestSweepStageChecks(t *testing.T) {
	p := newStageProgram(rand.New(rand.NewPCG(1, 4)), 2, 100)
	p.Segments = append(p.Segments, Segment{N: 1, Op: Op(Wide, Stump)})
	ok := Rows{Tab: make([]uint16, 20+3*150+p.Reach+Strip), At: 20, Next: 150, Inv: make([]float32, 7*Strip),
		PerRow: 2 * Strip, Alive: make([]uint64, 4), Score: make([]int32, 4*Strip)}
	all := len(p.Segments) - 1
	for name, f := range map[string]func(r *Rows) (from, to int){
		"":            func(r *Rows) (int, int) { return 0, all },
		"short table": func(r *Rows) (int, int) { r.Tab = r.Tab[:len(r.Tab)-1]; return 0, all },
		"before it":   func(r *Rows) (int, int) { r.At = -3*150 - 1; return 0, all },
		"no contrast": func(r *Rows) (int, int) { r.Inv = r.Inv[:len(r.Inv)-1]; return 0, all },
		"no scores":   func(r *Rows) (int, int) { r.Score = r.Score[:4*Strip-1]; return 0, all },
		"nothing":     func(r *Rows) (int, int) { return all, all },
		"too far":     func(r *Rows) (int, int) { return 0, all + 1 },
	} {
		for _, level := range cpu.Available() {
			t.Run(name+"/"+level.String(), func(t *testing.T) {
				cpu.ForTest(t, level)
				r := ok
				from, to := f(&r)
				defer func() {
					if (recover() == nil) != (name == "") {
						t.Error("a panic, or none")
					}
				}()
				p.SweepStage(new(Scratch), from, to, &r)
			})
		}
	}
	p.SweepStage(new(Scratch), 0, 1, &Rows{}) // no rows
}

// BenchmarkStage measures a record for a row of 64 windows, of each shape.
func BenchmarkStage(b *testing.B) {
	const rows, n = 16, 8
	for _, shape := range []Shape{Edge, Line, Pair, Check} {
		p := newProgram(rand.New(rand.NewPCG(1, 2)), 3000, func(p *randomProgram) {
			var g group
			for range n {
				p.addStump(rand.New(rand.NewPCG(3, 4)), &g, shape, 3000)
			}
			p.Segments = []Segment{{N: n, Op: Op(shape, Stump), Limit: math.MinInt32}}
		})
		const next = 200
		r := &Rows{Tab: make([]uint16, rows*next+p.Reach+Strip), Next: next, Inv: make([]float32, rows*Strip), PerRow: Strip,
			Alive: make([]uint64, rows), Score: make([]int32, rows*Strip)}
		for i := range r.Alive {
			r.Alive[i] = ^uint64(0)
		}
		for _, level := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%v", shape, level), func(b *testing.B) {
				cpu.ForTest(b, level)
				var m Scratch
				for i := 0; i < b.N; i += n * rows {
					p.SweepStage(&m, 0, 1, r)
				}
			})
		}
	}
}
