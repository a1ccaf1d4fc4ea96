package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

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
func (c *call) check(t *testing.T, memory *kerneltest.Memory) {
	t.Helper()
	p := c.p
	var m Scratch
	noise := unsafe.Slice((*byte)(unsafe.Pointer(&m.reach)), unsafe.Sizeof(m.reach))
	for i := range noise {
		noise[i] = byte(i*7 + 1) // sets of lanes that an earlier run left
	}
	got := slices.Clone(c.groups)
	memory.Call(func() { p.Run(&m, got, p.segment(c.from), p.segment(c.to), c.tab, c.at, c.inv) })
	for i, before := range c.groups {
		after := got[i]
		if after.X != before.X || after.I != before.I {
			t.Fatalf("group %d moved from %d, %d to %d, %d", i, before.X, before.I, after.X, after.I)
		}
		for l := range Width {
			at, inv := c.at+int(before.X)+l, c.inv[int(before.I)+l]
			rejectedBy, scores := p.want(c.tab, at, inv, c.from, c.to, before.Score[l])
			want := before.Alive>>l&1 != 0 && rejectedBy < 0
			if alive := after.Alive>>l&1 != 0; alive != want {
				t.Fatalf("group %d of %d, lane %d: alive %v, want %v", i, len(got), l, alive, want)
			}
			score := before.Score[l]
			if c.to > c.from {
				score = scores[c.to-c.from-1]
			}
			if want && after.Score[l] != score {
				t.Fatalf("group %d, lane %d: score %d, want %d", i, l, after.Score[l], score)
			}
			if finite(inv) {
				if got := p.One(c.tab, at, inv, p.segment(c.from), p.segment(c.to), before.Score[l]); got != (rejectedBy < 0) {
					t.Fatalf("lane %d: One says %v, rejected by group %d", l, got, rejectedBy)
				}
			}
		}
		if after.Alive>>Width != 0 {
			t.Fatalf("group %d: alive %x", i, after.Alive)
		}
	}
}

func finite(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

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

// A tally counts windows by what became of them.
type tally struct{ alive, rejected int }

// check fails unless there are enough of both kinds.
func (c *tally) check(t *testing.T) {
	t.Helper()
	if all := c.alive + c.rejected; c.alive < all/20 || c.rejected < all/20 {
		t.Errorf("%d windows alive, %d rejected: too few of one kind to say anything", c.alive, c.rejected)
	}
}

// TestRun runs random programs of all shapes and actions, on tables that end at
// an unreadable page, as early as Reach allows.
func TestRun(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		seen := map[int32]int{}
		slots := map[uint8]bool{}
		var count tally
		programs := kerneltest.Often(1000, 100)
		for range programs {
			p := newRandomProgram(m.Rand, 1+m.IntN(12), m.Int32N(700))
			for _, s := range p.Segments {
				seen[s.Op] += int(s.N)
			}
			for i := range p.Records {
				slots[p.Records[i].YesSlot] = true
			}
			for range 3 {
				at, extra := m.IntN(100), m.IntN(40)
				tab := kerneltest.In[uint16](m, at+extra+p.Reach+Width)
				copy(tab[at:], p.tab) // the windows that thresholds are from
				randomCall(m.Rand, p, tab, at, extra).check(t, m)
				for l := range Width {
					if by, _ := p.want(tab, at+l, p.inv[l], 0, len(p.groups), 0); by < 0 {
						count.alive++
					} else {
						count.rejected++
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
		count.check(t)
	})
}

// TestRunChecks: assembly has no bounds checks, so Go must check.
func TestRunChecks(t *testing.T) {
	p := newRandomProgram(kerneltest.Rand(t), 5, 100)
	inv := make([]float32, Width+3)
	end := len(p.Segments)
	// run runs the program on two groups, from an element of a table that is as short as
	// possible for the tenth, or shorter.
	run := func(shorter, at, from, to int, second Group) func() {
		second.Alive = 0xffff
		tab := make([]uint16, 10+p.Reach+Width-shorter)
		return func() { p.Run(new(Scratch), []Group{{Alive: 0xffff}, second}, from, to, tab, at, inv) }
	}
	kerneltest.Refuses(t, map[string]func(){
		"short table":     run(1, 10, 0, end, Group{}),
		"short for one":   run(0, 10, 0, end, Group{X: 1}),
		"before it":       run(0, -1, 0, end, Group{}),
		"group before":    run(0, 10, 0, end, Group{X: -11}),
		"no contrast":     run(0, 0, 0, end, Group{I: 4}),
		"contrast before": run(0, 0, 0, end, Group{I: -1}),
		"too far along":   run(0, 0, 0, cap(p.Segments)+1, Group{}),
		"before the end":  run(0, 0, end, end-1, Group{}),
	})
	run(0, 10, 0, end, Group{I: 3})()
}

// aliveFirst sets the windows of rows that pass, which sweeps of stages want.
func aliveFirst(q, r *Rows) {
	for row := range q.Alive {
		q.Alive[row] = r.Pass[(r.I+row*r.PerRow)/Strip]
	}
}

// TestSweepStage runs random programs, on tables that end at an unreadable page.
func TestSweepStage(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		seen := map[int32]int{}
		var count tally
		programs := kerneltest.Often(400, 100)
		for range programs {
			p := newStageProgram(m.Rand, 1+m.IntN(5), m.Int32N(700))
			if got := p.StageSweeps(0, len(p.Segments)); got != len(p.Segments) {
				t.Fatalf("%d of %d segments can be swept", got, len(p.Segments))
			}
			from := m.IntN(len(p.groups))
			to := from + 1 + m.IntN(len(p.groups)-from)
			for _, s := range p.Segments[p.segment(from):p.segment(to)] {
				seen[s.Op]++
			}
			r := randomRows(m, p, 1+m.IntN(4))
			checkRows(t, m, p, from, to, r, &count, func(q *Rows) {
				aliveFirst(q, r)
				p.SweepStage(new(Scratch), p.segment(from), p.segment(to), q)
			})
		}
		for _, shape := range []Shape{Edge, Line, Pair, Check} {
			for _, action := range []Action{Stump, RootYes, Last} {
				if n := seen[Op(shape, action)]; n < programs/100 && (action == Stump || shape != Pair) {
					t.Errorf("shape %d, action %d: only %d segments were tried", shape, action, n)
				}
			}
		}
		count.check(t)
	})
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
	ok := shortRows(p)
	ok.Pass = nil
	all := len(p.Segments) - 1
	sweep := func(from, to int, change func(r *Rows)) func() {
		r := ok
		change(&r)
		return func() { p.SweepStage(new(Scratch), from, to, &r) }
	}
	same := func(*Rows) {}
	kerneltest.Refuses(t, map[string]func(){
		"short table": sweep(0, all, func(r *Rows) { r.Tab = r.Tab[:len(r.Tab)-1] }),
		"before it":   sweep(0, all, func(r *Rows) { r.At = -3*150 - 1 }),
		"no contrast": sweep(0, all, func(r *Rows) { r.Inv = r.Inv[:len(r.Inv)-1] }),
		"no scores":   sweep(0, all, func(r *Rows) { r.Score = r.Score[:4*Strip-1] }),
		"nothing":     sweep(all, all, same),
		"too far":     sweep(0, all+1, same),
	})
	sweep(0, all, same)()
	p.SweepStage(new(Scratch), 0, 1, &Rows{}) // no rows
}

// shortRows are four rows of windows in slices that are as short as possible.
func shortRows(p *randomProgram) Rows {
	return Rows{Tab: make([]uint16, 20+3*150+p.Reach+Strip), At: 20, Next: 150, Inv: make([]float32, 7*Strip), Pass: make([]uint64, 7),
		PerRow: 2 * Strip, Alive: make([]uint64, 4), Score: make([]int32, 4*Strip)}
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
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		var count tally
		type chain struct{ rows, cells int } // from one window to the next that shares cells
		wanted := map[chain]bool{{1, 1}: true, {2, 1}: true, {3, 1}: true, {4, 1}: true, {5, 1}: true, {6, 1}: true, {7, 1}: true, {1, 2}: true, {3, 2}: true, {5, 2}: true, {7, 2}: true}
		programs := kerneltest.Often(300, 60)
		for n := 0; n < programs || len(wanted) > 0 && n < 20*programs; n++ {
			p := newPatternProgram(m.Rand, 1+m.IntN(3), m.Int32N(700))
			s := m.IntN(len(p.Segments))
			for i := range p.Segments { // in any order
				if !p.Tabulate(len(p.Segments) - 1 - i) {
					t.Fatalf("segment %+v is not tabulated", p.Segments[i])
				}
			}
			r := randomRows(m, p, 1+m.IntN(70))
			r.Score = nil
			for _, q := range p.Records[p.Segments[s].First:][:p.Segments[s].N] {
				if height := int(q.Off[1] - q.Off[0]); p.unit > 0 && height > 0 && height%int(p.unit) == 0 {
					if height%r.Next == 0 {
						delete(wanted, chain{height / r.Next, 1})
					} else {
						delete(wanted, chain{2 * height / r.Next, 2})
					}
				}
			}
			checkRows(t, m, p, s, s+1, r, &count, func(q *Rows) {
				aliveFirst(q, r)
				p.SweepPatterns(new(Scratch), s, q)
			})
		}
		count.check(t)
		for c := range wanted {
			t.Errorf("no windows %d rows and %d cells apart", c.rows, c.cells)
		}
	})
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

// randomRows returns random rows for a program, in a table that ends as early
// as Sweep allows.
func randomRows(m *kerneltest.Memory, p *randomProgram, rows int) *Rows {
	rng := m.Rand
	r := &Rows{At: rng.IntN(100), Next: rng.IntN(200), I: Strip * rng.IntN(3), PerRow: Strip * (1 + rng.IntN(3)), Start: rng.Int32N(400) - 200}
	if p.unit > 0 {
		r.Next = int(p.unit) * (1 + rng.IntN(2))
	}
	r.Tab = kerneltest.In[uint16](m, r.At+(rows-1)*r.Next+p.Reach+Strip)
	fillTable(r.Tab, rng)
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

// checkRows compares a sweep of the windows that pass in r with what groups from to
// to-1 of the program were made from, and counts windows. It compares scores if r has any.
func checkRows(t *testing.T, m *kerneltest.Memory, p *randomProgram, from, to int, r *Rows, count *tally, sweep func(*Rows)) {
	t.Helper()
	q := *r
	q.Score, q.Alive = kerneltest.Out[int32](m, len(r.Score)), kerneltest.Out[uint64](m, len(r.Alive))
	m.Call(func() { sweep(&q) })
	for row := range q.Alive {
		i := r.I + row*r.PerRow
		for k := range Strip {
			passes := r.Pass[i/Strip]>>k&1 != 0
			by, scores := p.want(r.Tab, r.At+row*r.Next+k, r.Inv[i+k], from, to, r.Start)
			want := passes && by < 0
			if got := q.Alive[row]>>k&1 != 0; got != want {
				t.Fatalf("row %d, window %d: alive %v, want %v", row, k, got, want)
			}
			if len(r.Score) > 0 && want {
				if got := q.Score[row*Strip+k]; got != scores[len(scores)-1] {
					t.Fatalf("row %d, window %d: score %d, want %d", row, k, got, scores[len(scores)-1])
				}
			}
			switch {
			case want:
				count.alive++
			case passes:
				count.rejected++
			}
		}
	}
}

// TestSweep runs random programs, on tables that end at an unreadable page.
func TestSweep(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		seen := map[int32]int{}
		var count tally
		programs := kerneltest.Often(400, 60)
		for range programs {
			soft := 1 + m.IntN(6)
			p := newSoftProgram(m.Rand, soft, m.Int32N(700))
			if got := p.Sweeps(soft); got != soft {
				t.Fatalf("%d of %d segments can be swept", got, soft)
			}
			n := 1 + m.IntN(soft)
			for _, s := range p.Segments[:n] {
				seen[s.Op]++
			}
			r := randomRows(m, p, 1+m.IntN(4))
			checkRows(t, m, p, 0, n, r, &count, func(q *Rows) { p.Sweep(new(Scratch), n, q) })
		}
		for shape := range Wide {
			if n := seen[Op(shape, Soft)]; n < programs/10 {
				t.Errorf("shape %d: only %d records were tried", shape, n)
			}
		}
		count.check(t)
	})
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
	p := newSoftProgram(kerneltest.Rand(t), 2, 100)
	sweep := func(n int, change func(r *Rows)) func() {
		r := shortRows(p)
		change(&r)
		return func() { p.Sweep(new(Scratch), n, &r) }
	}
	same := func(*Rows) {}
	kerneltest.Refuses(t, map[string]func(){
		"short table":     sweep(2, func(r *Rows) { r.Tab = r.Tab[:len(r.Tab)-1] }),
		"before it":       sweep(2, func(r *Rows) { r.At = -3*150 - 1 }),
		"row before it":   sweep(2, func(r *Rows) { r.At, r.Next = 20, -150 }),
		"no contrast":     sweep(2, func(r *Rows) { r.Inv = r.Inv[:len(r.Inv)-1] }),
		"no bits":         sweep(2, func(r *Rows) { r.Pass = r.Pass[:6] }),
		"no scores":       sweep(2, func(r *Rows) { r.Score = r.Score[:4*Strip-1] }),
		"between strips":  sweep(2, func(r *Rows) { r.I = 1 }),
		"odd rows":        sweep(2, func(r *Rows) { r.PerRow = Strip + 1 }),
		"contrast before": sweep(2, func(r *Rows) { r.I, r.PerRow = 6*Strip, -3*Strip }),
		"too far":         sweep(p.Sweeps(100)+1, same),
		"nothing":         sweep(0, same),
	})
	sweep(2, same)()
	p.Sweep(new(Scratch), 1, &Rows{}) // no rows
}
