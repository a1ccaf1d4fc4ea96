package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// A call holds the arguments of one call of Run.
type call struct {
	p        *randomProgram
	tab      []uint16
	at       int
	from, to int // groups of the program
	groups   []Group
	inv      []float32
}

// check compares Run, on the current level, and One with what the program was
// made from.
func (c *call) check(t *testing.T) {
	t.Helper()
	p := c.p
	var m Scratch
	noise := unsafe.Slice((*byte)(unsafe.Pointer(&m.reach)), unsafe.Sizeof(m.reach))
	for i := range noise {
		noise[i] = byte(i*7 + 1) // sets of lanes that an earlier run left
	}
	got := slices.Clone(c.groups)
	if fault := guard.Faults(func() {
		p.Run(&m, got, p.segment(c.from), p.segment(c.to), c.tab, c.at, c.inv)
	}); fault != "" {
		t.Fatalf("%v, element %d of %d, reach %d: %s", cpu.Current(), c.at, len(c.tab), p.Reach, fault)
	}
	for i, before := range c.groups {
		after := got[i]
		if after.X != before.X || after.I != before.I {
			t.Fatalf("%v: group %d moved from %d, %d to %d, %d", cpu.Current(), i, before.X, before.I, after.X, after.I)
		}
		for l := range Width {
			at, inv := c.at+int(before.X)+l, c.inv[int(before.I)+l]
			rejectedBy, scores := p.want(c.tab, at, inv, c.from, c.to, before.Score[l])
			want := before.Alive>>l&1 != 0 && rejectedBy < 0
			if alive := after.Alive>>l&1 != 0; alive != want {
				t.Fatalf("%v: group %d of %d, lane %d: alive %v, want %v", cpu.Current(), i, len(got), l, alive, want)
			}
			score := before.Score[l]
			if c.to > c.from {
				score = scores[c.to-c.from-1]
			}
			if want && after.Score[l] != score {
				t.Fatalf("%v: group %d, lane %d: score %d, want %d", cpu.Current(), i, l, after.Score[l], score)
			}
			if finite(inv) {
				if got := p.One(c.tab, at, inv, p.segment(c.from), p.segment(c.to), before.Score[l]); got != (rejectedBy < 0) {
					t.Fatalf("lane %d: One says %v, rejected by group %d", l, got, rejectedBy)
				}
			}
		}
		if after.Alive>>Width != 0 {
			t.Fatalf("%v: group %d: alive %x", cpu.Current(), i, after.Alive)
		}
	}
}

func finite(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

// spread is how far behind the first group of a call others may begin.
const spread = 40

// randomCall returns a call on a table that the caller provides, with room for
// the program at each of its windows, and for extra more windows.
func randomCall(rng *rand.Rand, p *randomProgram, tab []uint16, at, extra int) *call {
	c := &call{p: p, tab: tab, at: at, to: len(p.groups)}
	c.inv = append(c.inv, p.inv[:]...)
	for range extra {
		c.inv = append(c.inv, p.inv[rng.IntN(Width)])
	}
	if rng.IntN(3) == 0 {
		c.from = rng.IntN(len(p.groups) + 1)
		c.to = c.from + rng.IntN(len(p.groups)-c.from+1)
	}
	for i := range 1 + rng.IntN(4) {
		g := Group{Alive: 0xffff}
		if i > 0 {
			g.X, g.I = rng.Int32N(int32(extra)+1), rng.Int32N(int32(extra)+1)
		}
		if c.from > 0 {
			for l := range g.Score {
				g.Score[l] = leafValue(rng)
			}
		}
		if rng.IntN(2) == 0 {
			g.Alive = rng.Uint32() & 0xffff
		}
		c.groups = append(c.groups, g)
	}
	// Windows without contrast are rejected from the start.
	used := make([]bool, len(c.inv))
	for _, g := range c.groups {
		for l := range Width {
			if g.Alive>>l&1 != 0 {
				used[int(g.I)+l] = true
			}
		}
	}
	for i, in := range used {
		if !in && rng.IntN(2) == 0 {
			c.inv[i] = []float32{0, float32(math.Inf(1)), float32(math.NaN()), 0.001}[rng.IntN(4)]
		}
	}
	return c
}

// TestRun runs random programs of all shapes and actions, on tables that end at
// an unreadable page, as early as Reach allows.
func TestRun(t *testing.T) {
	rng := kerneltest.Rand(t)
	const size = 700
	wall := guard.NewWall(t, 2*(size+200+spread))
	seen := map[int32]int{}
	slots := map[uint8]bool{}
	alive, rejected := 0, 0
	programs := 1000
	if testing.Short() {
		programs = 100
	}
	for range programs {
		p := newRandomProgram(rng, 1+rng.IntN(12), rng.Int32N(size))
		for _, s := range p.Segments {
			seen[s.Op] += int(s.N)
		}
		for i := range p.Records {
			slots[p.Records[i].YesSlot] = true
		}
		for range 3 {
			at := rng.IntN(100)
			extra := rng.IntN(spread)
			tab := guard.End[uint16](wall, at+extra+p.Reach+Width)
			copy(tab[at:], p.tab) // the windows that thresholds are from
			c := randomCall(rng, p, tab, at, extra)
			for _, level := range cpu.Available() {
				cpu.ForTest(t, level)
				c.check(t)
			}
			for l := range Width {
				if by, _ := p.want(tab, at+l, p.inv[l], 0, len(p.groups), 0); by < 0 {
					alive++
				} else {
					rejected++
				}
			}
		}
	}
	for shape := range shapes {
		for action := range actions {
			if n := seen[Op(shape, action)]; n < programs/100 && !(shape == Grid && action >= Bins) {
				t.Errorf("shape %d, action %d: only %d records were tried", shape, action, n)
			}
		}
	}
	for s := uint8(1); s < Slots; s++ {
		if !slots[s] {
			t.Errorf("slot %d was not tried", s)
		}
	}
	if all := alive + rejected; alive < all/20 || rejected < all/20 {
		t.Errorf("%d windows alive, %d rejected: too few of one kind to say anything", alive, rejected)
	}
}

// TestRunAlignments has the first window at every offset in a cache line, and
// several of them.
func TestRunAlignments(t *testing.T) {
	rng := kerneltest.Rand(t)
	kerneltest.EachLevel(t, func(t *testing.T) {
		for range 10 {
			p := newRandomProgram(rng, 10, 500)
			for at := range 64 {
				tab := guard.NewFence[uint16](64+spread+p.Reach+Width, 0).Slice()
				fillTable(tab, rng)
				copy(tab[at:], p.tab)
				randomCall(rng, p, tab, at, spread).check(t)
			}
		}
	})
}

// TestRunChecks: assembly has no bounds checks, so Go must check.
func TestRunChecks(t *testing.T) {
	p := newRandomProgram(kerneltest.Rand(t), 5, 100)
	n := 10 + p.Reach + Width
	inv := make([]float32, Width+3)
	end := len(p.Segments)
	for name, f := range map[string]func(m *Scratch, g []Group){
		"short table":     func(m *Scratch, g []Group) { p.Run(m, g, 0, end, make([]uint16, n-1), 10, inv) },
		"short for one":   func(m *Scratch, g []Group) { g[1].X = 1; p.Run(m, g, 0, end, make([]uint16, n), 10, inv) },
		"before it":       func(m *Scratch, g []Group) { p.Run(m, g, 0, end, make([]uint16, n), -1, inv) },
		"group before":    func(m *Scratch, g []Group) { g[1].X = -11; p.Run(m, g, 0, end, make([]uint16, n), 10, inv) },
		"no contrast":     func(m *Scratch, g []Group) { g[1].I = 4; p.Run(m, g, 0, end, make([]uint16, n), 0, inv) },
		"contrast before": func(m *Scratch, g []Group) { g[1].I = -1; p.Run(m, g, 0, end, make([]uint16, n), 0, inv) },
		"too far along":   func(m *Scratch, g []Group) { p.Run(m, g, 0, cap(p.Segments)+1, make([]uint16, n), 0, inv) },
		"before the end":  func(m *Scratch, g []Group) { p.Run(m, g, end, end-1, make([]uint16, n), 0, inv) },
	} {
		for _, level := range cpu.Available() {
			t.Run(name+"/"+level.String(), func(t *testing.T) {
				cpu.ForTest(t, level)
				if must.Recover(func() { f(new(Scratch), []Group{{Alive: 0xffff}, {Alive: 0xffff}}) }) == nil {
					t.Error("no panic")
				}
			})
		}
	}
}

// FuzzRun compares the levels with each other and with the program's sources.
func FuzzRun(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed), uint16(1<<seed*7), uint8(seed*5))
	}
	f.Fuzz(func(t *testing.T, seed uint64, groups uint8, size uint16, at uint8) {
		rng := rand.New(rand.NewPCG(seed, 2))
		p := newRandomProgram(rng, 1+int(groups)%16, int32(size)%2000)
		tab := make([]uint16, int(at)+spread+p.Reach+Width)
		fillTable(tab, rng)
		if seed%2 == 0 {
			copy(tab[at:], p.tab)
		}
		c := randomCall(rng, p, tab, int(at), spread)
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			c.check(t)
		}
	})
}

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
				if (must.Recover(func() { p.SweepStage(new(Scratch), from, to, &r) }) == nil) != (name == "") {
					t.Error("a panic, or none")
				}
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
		if (must.Recover(func() {
			p.Subsets = make([][8]uint32, 1)
			p.SweepPatterns(new(Scratch), 1, &Rows{Tab: make([]uint16, Strip), Alive: make([]uint64, 1)})
		}) == nil) != test.want {
			t.Errorf("%s: a panic, or none", name)
		}
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

// randomRows returns random rows for a program, in a table that ends as early
// as Sweep allows.
func randomRows(rng *rand.Rand, p *randomProgram, rows int, tab func(n int) []uint16) *Rows {
	r := &Rows{At: rng.IntN(100), Next: rng.IntN(200), I: Strip * rng.IntN(3), PerRow: Strip * (1 + rng.IntN(3)), Start: rng.Int32N(400) - 200}
	if p.unit > 0 {
		r.Next = int(p.unit) * (1 + rng.IntN(2))
	}
	r.Tab = tab(r.At + (rows-1)*r.Next + p.Reach + Strip)
	if rng.IntN(2) == 0 {
		copy(r.Tab[r.At:], p.tab) // the windows that thresholds are from
	}
	windows := r.I + (rows-1)*r.PerRow + Strip
	r.Inv, r.Pass = make([]float32, windows), make([]uint64, windows/Strip)
	for i := range r.Pass {
		switch rng.IntN(4) {
		case 0:
			r.Pass[i] = rng.Uint64()
		case 1:
			r.Pass[i] = ^uint64(0)
		case 2:
			r.Pass[i] = 0xffff << rng.IntN(64)
		}
	}
	for i := range r.Inv {
		r.Inv[i] = p.inv[i%Width]
		if r.Pass[i/Strip]>>(i%Strip)&1 == 0 && rng.IntN(2) == 0 {
			r.Inv[i] = []float32{0, float32(math.Inf(1)), float32(math.NaN())}[rng.IntN(3)]
		}
	}
	r.Alive, r.Score = make([]uint64, rows), make([]int32, rows*Strip)
	return r
}

// checkSweep compares Sweep, on the current level, with what the program was
// made from, and returns how many windows were rejected.
func checkSweep(t *testing.T, p *randomProgram, n int, r *Rows) (rejected, alive int) {
	t.Helper()
	return checkRows(t, p, 0, n, r, func(q *Rows) { p.Sweep(new(Scratch), n, q) })
}

// checkRows compares a sweep of the windows that pass in r with what groups from to
// to-1 of the program were made from, and returns how many windows were rejected. It
// compares scores if r has any.
func checkRows(t *testing.T, p *randomProgram, from, to int, r *Rows, sweep func(*Rows)) (rejected, alive int) {
	t.Helper()
	score := guard.NewFence[int32](len(r.Score), 0)
	living := guard.NewFence[uint64](len(r.Alive), 0)
	q := *r
	q.Score, q.Alive = score.Slice(), living.Slice()
	if fault := guard.Faults(func() { sweep(&q) }); fault != "" {
		t.Fatalf("%v, element %d of %d, reach %d: %s", cpu.Current(), r.At, len(r.Tab), p.Reach, fault)
	}
	for row := range q.Alive {
		i := r.I + row*r.PerRow
		for k := range Strip {
			passes := r.Pass[i/Strip]>>k&1 != 0
			by, scores := p.want(r.Tab, r.At+row*r.Next+k, r.Inv[i+k], from, to, r.Start)
			want := passes && by < 0
			if got := q.Alive[row]>>k&1 != 0; got != want {
				t.Fatalf("%v: row %d, window %d: alive %v, want %v", cpu.Current(), row, k, got, want)
			}
			if len(r.Score) > 0 && want {
				if got := q.Score[row*Strip+k]; got != scores[len(scores)-1] {
					t.Fatalf("%v: row %d, window %d: score %d, want %d", cpu.Current(), row, k, got, scores[len(scores)-1])
				}
			}
			switch {
			case want:
				alive++
			case passes:
				rejected++
			}
		}
	}
	for _, broken := range []string{score.Broken(0, len(r.Score)), living.Broken(0, len(r.Alive))} {
		if broken != "" {
			t.Fatalf("%v: %s", cpu.Current(), broken)
		}
	}
	return rejected, alive
}

// TestSweep runs random programs, on tables that end at an unreadable page.
func TestSweep(t *testing.T) {
	rng := kerneltest.Rand(t)
	const size = 700
	wall := guard.NewWall(t, 2*(size+1000))
	programs := 400
	if testing.Short() {
		programs = 60
	}
	seen := map[int32]int{}
	rejected, alive := 0, 0
	for range programs {
		soft := 1 + rng.IntN(6)
		p := newSoftProgram(rng, soft, rng.Int32N(size))
		if got := p.Sweeps(soft); got != soft {
			t.Fatalf("%d of %d segments can be swept", got, soft)
		}
		n := 1 + rng.IntN(soft)
		for _, s := range p.Segments[:n] {
			seen[s.Op]++
		}
		r := randomRows(rng, p, 1+rng.IntN(4), func(n int) []uint16 {
			tab := guard.End[uint16](wall, n)
			fillTable(tab, rng)
			return tab
		})
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			a, b := checkSweep(t, p, n, r)
			rejected, alive = rejected+a, alive+b
		}
	}
	for shape := range Wide {
		if n := seen[Op(shape, Soft)]; n < programs/10 {
			t.Errorf("shape %d: only %d records were tried", shape, n)
		}
	}
	if all := alive + rejected; alive < all/20 || rejected < all/20 {
		t.Errorf("%d windows alive, %d rejected: too few of one kind to say anything", alive, rejected)
	}
}

// The segments at the beginning of a program limit a Sweep.
func TestSweeps(t *testing.T) {
	soft := Op(Line, Soft)
	for _, test := range []struct {
		segments []Segment
		want     int
	}{
		{nil, 0},
		{[]Segment{{First: 0, N: 1, Op: soft}, {First: 1, N: 1, Op: soft}}, 2},
		{[]Segment{{First: 0, N: 1, Op: soft}, {First: 1, N: 1, Op: Op(Wide, Soft)}}, 1},
		{[]Segment{{First: 0, N: 1, Op: soft}, {First: 1, N: 1, Op: Op(Line, Bins)}}, 1},
		{[]Segment{{First: 0, N: 1, Op: Op(Edge, Stump)}, {First: 1, N: 1, Op: soft}}, 0},
		{[]Segment{{First: 1, N: 1, Op: soft}}, 0},
	} {
		p := &Program{Segments: test.segments}
		for limit := range 4 {
			if got, want := p.Sweeps(limit), min(test.want, limit); got != want {
				t.Errorf("%v, the first %d: %d, want %d", test.segments, limit, got, want)
			}
		}
	}
}

// TestSweepChecks: assembly has no bounds checks, so Go must check.
func TestSweepChecks(t *testing.T) {
	rng := kerneltest.Rand(t)
	p := newSoftProgram(rng, 2, 100)
	ok := Rows{Tab: make([]uint16, 20+3*150+p.Reach+Strip), At: 20, Next: 150, Inv: make([]float32, 7*Strip), Pass: make([]uint64, 7),
		PerRow: 2 * Strip, Alive: make([]uint64, 4), Score: make([]int32, 4*Strip)}
	for name, f := range map[string]func(r *Rows) int{
		"":               func(r *Rows) int { return 2 },
		"short table":    func(r *Rows) int { r.Tab = r.Tab[:len(r.Tab)-1]; return 2 },
		"before it":      func(r *Rows) int { r.At = -3*150 - 1; return 2 },
		"row before it":  func(r *Rows) int { r.At, r.Next = 20, -150; return 2 },
		"no contrast":    func(r *Rows) int { r.Inv = r.Inv[:len(r.Inv)-1]; return 2 },
		"no bits":        func(r *Rows) int { r.Pass = r.Pass[:6]; return 2 },
		"no scores":      func(r *Rows) int { r.Score = r.Score[:4*Strip-1]; return 2 },
		"between strips": func(r *Rows) int { r.I = 1; return 2 },
		"odd rows":       func(r *Rows) int { r.PerRow = Strip + 1; return 2 },
		"contrast before": func(r *Rows) int {
			r.I, r.PerRow = 6*Strip, -3*Strip
			return 2
		},
		"too far": func(r *Rows) int { return p.Sweeps(100) + 1 },
		"nothing": func(r *Rows) int { return 0 },
	} {
		for _, level := range cpu.Available() {
			t.Run(name+"/"+level.String(), func(t *testing.T) {
				cpu.ForTest(t, level)
				r := ok
				n := f(&r)
				if (must.Recover(func() { p.Sweep(new(Scratch), n, &r) }) == nil) != (name == "") {
					t.Error("a panic, or none")
				}
			})
		}
	}
	p.Sweep(new(Scratch), 1, &Rows{}) // no rows
}

// FuzzSweep compares the levels with the program's sources.
func FuzzSweep(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, uint8(seed), uint16(1<<seed*31))
	}
	f.Fuzz(func(t *testing.T, seed uint64, segments uint8, size uint16) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 1 + int(segments)%8
		p := newSoftProgram(rng, n, int32(size)%2000)
		r := randomRows(rng, p, 1+rng.IntN(4), func(n int) []uint16 {
			tab := make([]uint16, n)
			fillTable(tab, rng)
			return tab
		})
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			checkSweep(t, p, n, r)
		}
	})
}

// BenchmarkSweep measures a row of 64 windows and one segment, of each shape.
func BenchmarkSweep(b *testing.B) {
	const stride, n, rows = 160, 4, 16
	for shape := range Wide {
		rng := rand.New(rand.NewPCG(1, 2))
		p := &Program{Reach: 25 * stride}
		for i := range int32(n) {
			x, y, w, h := rng.Int32N(12), rng.Int32N(12), 1+rng.Int32N(4), 1+rng.Int32N(4)
			r := Record{Threshold: 0.1, Right: int32(math.Float32bits(3)), Left: p.AddTable([16]int32{0: 1, 15: 2})}
			switch o := y*stride + x; shape {
			case Edge:
				r.Off = [9]int32{o, w, 2 * w, h * stride}
			case Line:
				r.Off, r.Mul = [9]int32{o, w, 2 * w, 3 * w, h * stride}, 3
			case Pair:
				for k := range r.Off {
					r.Off[k] = rng.Int32N(int32(p.Reach))
				}
			case Check:
				r.Off = [9]int32{o, w, 2 * w, h * stride, 2 * h * stride}
			}
			p.Records = append(p.Records, r)
			p.Segments = append(p.Segments, Segment{First: i, N: 1, Op: Op(shape, Soft), Limit: math.MinInt32})
		}
		r := &Rows{Tab: make([]uint16, rows*stride+p.Reach+Strip), Next: 2 * stride / 2, Inv: make([]float32, rows*Strip), Pass: make([]uint64, rows),
			PerRow: Strip, Alive: make([]uint64, rows), Score: make([]int32, rows*Strip)}
		for i := range r.Pass {
			r.Pass[i] = ^uint64(0)
		}
		for _, level := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%v", shape, level), func(b *testing.B) {
				cpu.ForTest(b, level)
				var m Scratch
				for i := 0; i < b.N; i += n * rows {
					p.Sweep(&m, n, r)
				}
			})
		}
	}
}
