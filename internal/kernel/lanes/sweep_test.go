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
				defer func() {
					if (recover() == nil) != (name == "") {
						t.Error("a panic, or none")
					}
				}()
				p.Sweep(new(Scratch), n, &r)
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
