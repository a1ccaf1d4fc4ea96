package lanes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
	"haarlem/internal/kernel/kerneltest"
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
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				f(new(Scratch), []Group{{Alive: 0xffff}, {Alive: 0xffff}})
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
