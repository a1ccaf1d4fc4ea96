package lanes

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
	"unsafe"

	"haarlem/internal/cpu"
	"haarlem/internal/kernel/guard"
)

// generator returns a generator whose seed is in the test's log.
func generator(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// A call is one call of Run with all that it depends on.
type call struct {
	p        *randomProgram
	tab      []uint16
	at, few  int
	from, to int // groups
	alive    uint16
	inv      [Width]float32
	score    [Width]int32
}

// check holds Run, on the current level, and One to what the program was made
// from.
func (c *call) check(t *testing.T) {
	t.Helper()
	p := c.p
	var rejectedBy [Width]int
	var scores [Width][]int32
	for l := range Width {
		rejectedBy[l], scores[l] = p.want(c.tab, c.at+l, c.inv[l], c.from, c.to, c.score[l])
	}
	// Where it must stop, and who is left.
	stop, alive := c.to, c.alive
	for g := c.from; g < c.to; g++ {
		for l := range Width {
			if rejectedBy[l] == g {
				alive &^= 1 << l
			}
		}
		if bits.OnesCount16(alive) <= c.few {
			stop = g + 1
			break
		}
	}

	var s State
	noise := unsafe.Slice((*byte)(unsafe.Pointer(&s.reach)), unsafe.Sizeof(s.reach))
	for i := range noise {
		noise[i] = byte(i*7 + 1) // sets of lanes that an earlier run left
	}
	s.Start(p.segment(c.from), c.alive, &c.inv)
	s.Score = c.score
	if fault := guard.Faults(func() { p.Run(&s, c.tab, c.at, p.segment(c.to), c.few) }); fault != "" {
		t.Fatalf("%v, element %d of %d, reach %d: %s", cpu.Current(), c.at, len(c.tab), p.Reach, fault)
	}
	if s.Segment != p.segment(stop) {
		t.Fatalf("%v: stopped at segment %d, want %d of %d", cpu.Current(), s.Segment, p.segment(stop), p.segment(c.to))
	}
	if s.Alive != alive {
		t.Fatalf("%v: alive behind segment %d: %016b, want %016b", cpu.Current(), s.Segment, s.Alive, alive)
	}
	for l := range Width {
		if alive>>l&1 == 0 {
			continue
		}
		want := c.score[l]
		if stop > c.from {
			want = scores[l][stop-c.from-1]
		}
		if s.Score[l] != want {
			t.Fatalf("%v: score of lane %d behind segment %d: %d, want %d", cpu.Current(), l, s.Segment, s.Score[l], want)
		}
		// One goes on where Run stopped.
		if got := p.One(c.tab, c.at+l, c.inv[l], s.Segment, p.segment(c.to), s.Score[l]); got != (rejectedBy[l] < 0) {
			t.Fatalf("lane %d from segment %d on: One says %v, rejected by group %d", l, s.Segment, got, rejectedBy[l])
		}
	}
	for l := range Width { // all of the way, also where lanes did not go
		if finite(c.inv[l]) {
			if got := p.One(c.tab, c.at+l, c.inv[l], p.segment(c.from), p.segment(c.to), c.score[l]); got != (rejectedBy[l] < 0) {
				t.Fatalf("lane %d: One says %v, rejected by group %d", l, got, rejectedBy[l])
			}
		}
	}
}

func finite(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }

// randomCall returns a call on a table that the caller gives, with room for the
// program from any of its first windows on.
func randomCall(rng *rand.Rand, p *randomProgram, tab []uint16, at int) *call {
	c := &call{p: p, tab: tab, at: at, alive: 0xffff, inv: p.inv, to: len(p.groups)}
	if rng.IntN(2) == 0 {
		c.few = rng.IntN(Width + 1)
	}
	if rng.IntN(3) == 0 {
		c.from = rng.IntN(len(p.groups) + 1)
		c.to = c.from + rng.IntN(len(p.groups)-c.from+1)
		for l := range c.score {
			c.score[l] = leafValue(rng)
		}
	}
	if rng.IntN(2) == 0 {
		c.alive = uint16(rng.Uint32())
		// Windows without contrast are out from the beginning.
		for l := range Width {
			if c.alive>>l&1 == 0 {
				c.inv[l] = []float32{0, float32(math.Inf(1)), float32(math.NaN()), 0.001}[rng.IntN(4)]
			}
		}
	}
	return c
}

// TestRun runs random programs of all shapes and actions, on tables that end at
// an unreadable page where Reach says that they may end.
func TestRun(t *testing.T) {
	rng := generator(t)
	const size = 700
	wall := guard.NewWall(t, 2*(size+200))
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
			tab := guard.End[uint16](wall, at+p.Reach+Width)
			copy(tab[at:], p.tab) // the windows that thresholds are from
			c := randomCall(rng, p, tab, at)
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
			if n := seen[Op(shape, action)]; n < 10 && !(shape == Grid && action == Bins) {
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

// TestRunAlignments has the first window at every place in a cache line, and
// several of them.
func TestRunAlignments(t *testing.T) {
	rng := generator(t)
	for _, level := range cpu.Available() {
		t.Run(level.String(), func(t *testing.T) {
			cpu.ForTest(t, level)
			for range 10 {
				p := newRandomProgram(rng, 10, 500)
				for at := range 64 {
					tab := guard.NewFence[uint16](64+p.Reach+Width, 0).Slice()
					fillTable(tab, rng)
					copy(tab[at:], p.tab)
					randomCall(rng, p, tab, at).check(t)
				}
			}
		})
	}
}

// TestFew stops behind every segment that it can stop behind.
func TestFew(t *testing.T) {
	rng := generator(t)
	for _, level := range cpu.Available() {
		t.Run(level.String(), func(t *testing.T) {
			cpu.ForTest(t, level)
			for range 20 {
				p := newRandomProgram(rng, 8, 300)
				for few := range Width + 1 {
					c := randomCall(rng, p, p.tab, 0)
					c.few = few
					c.check(t)
				}
			}
		})
	}
}

// TestRunChecksTheTable: the assembly checks nothing, so Go must.
func TestRunChecksTheTable(t *testing.T) {
	p := newRandomProgram(generator(t), 5, 100)
	for name, f := range map[string]func(s *State){
		"short table":   func(s *State) { p.Run(s, make([]uint16, 10+p.Reach+Width-1), 10, len(p.Segments), 0) },
		"before it":     func(s *State) { p.Run(s, make([]uint16, 10+p.Reach+Width), -1, len(p.Segments), 0) },
		"too far along": func(s *State) { p.Run(s, make([]uint16, 10+p.Reach+Width), 0, cap(p.Segments)+1, 0) },
	} {
		for _, level := range cpu.Available() {
			t.Run(name+"/"+level.String(), func(t *testing.T) {
				cpu.ForTest(t, level)
				defer func() {
					if recover() == nil {
						t.Error("no panic")
					}
				}()
				var s State
				s.Start(0, 0xffff, &p.inv)
				f(&s)
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
		tab := make([]uint16, int(at)+p.Reach+Width)
		fillTable(tab, rng)
		if seed%2 == 0 {
			copy(tab[at:], p.tab)
		}
		c := randomCall(rng, p, tab, int(at))
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			c.check(t)
		}
	})
}
