package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// stride and reach are of the tables of benchmarks.
const (
	stride = 160
	reach  = 25 * stride
)

// benchRecord appends a record to p: a small feature, whose rows and columns are a few
// pixels apart.
func benchRecord(p *Program, rng *rand.Rand, shape Shape) {
	x, y, w, h := rng.Int32N(12), rng.Int32N(12), 1+rng.Int32N(4), 1+rng.Int32N(4)
	r := Record{Threshold: 0.1, Right: int32(math.Float32bits(3)), Left: 7}
	switch o := y*stride + x; shape {
	case Edge:
		r.Off = [9]int32{o, w, 2 * w, h * stride}
	case Line:
		r.Off, r.Mul = [9]int32{o, w, 2 * w, 3 * w, h * stride}, 3
	case Check:
		r.Off = [9]int32{o, w, 2 * w, h * stride, 2 * h * stride}
	case Pair:
		for i := range int32(8) {
			r.Off[i] = o + i/3*h*stride + i%3*w
		}
	case Grid:
		r.Aux = int32(len(p.Subsets))
		p.Subsets = append(p.Subsets, [8]uint32{})
		for i := range int32(4) {
			r.Off[i], r.Off[4+i] = (y+i*h)*stride, x+i*w
		}
	case Wide:
		r.Count, r.Aux = 4, int32(len(p.Pieces))
		for i := range int32(4) {
			p.Pieces = append(p.Pieces, Piece{Top: o + i*w, Bottom: o + i*w + h*stride, Mul: i})
		}
	}
	p.Records = append(p.Records, r)
}

// benchProgram makes a program of n records of one of these shapes each: a segment of
// stumps, or soft segments, none of which rejects a window.
func benchProgram(n int, action Action, of ...Shape) *Program {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &Program{Reach: reach}
	for i := range int32(n) {
		shape := of[rng.IntN(len(of))]
		benchRecord(p, rng, shape)
		if action == Soft {
			p.Records[i].Left = p.AddTable([16]int32{0: 1, 15: 2})
			p.Segments = append(p.Segments, Segment{First: i, N: 1, Op: Op(shape, Soft), Limit: math.MinInt32})
		}
	}
	if action == Stump {
		p.Segments = []Segment{{N: int32(n), Op: Op(of[0], Stump), Limit: math.MinInt32}}
	}
	return p
}

// benchRun measures one record of a program for sixteen windows.
func benchRun(b *testing.B, p *Program) {
	tab := make([]uint16, 40*stride)
	fillTable(tab, rand.New(rand.NewPCG(3, 4)))
	var m Scratch
	inv := make([]float32, Width)
	g := []Group{{Alive: 0xffff}}
	kerneltest.Bench(b, len(p.Records), func() { p.Run(&m, g, 0, len(p.Segments), tab, 0, inv) })
}

// BenchmarkRun measures one record for sixteen windows, of each shape.
func BenchmarkRun(b *testing.B) {
	for shape := Edge; shape < shapes; shape++ {
		b.Run(fmt.Sprint(shape), func(b *testing.B) { benchRun(b, benchProgram(64, Stump, shape)) })
	}
}

// BenchmarkSoft measures one record of a soft cascade, of one shape or of the
// three common ones, where no window is ever rejected.
func BenchmarkSoft(b *testing.B) {
	for _, of := range [][]Shape{{Edge}, {Edge, Line, Check}} {
		b.Run(fmt.Sprint(len(of)), func(b *testing.B) { benchRun(b, benchProgram(200, Soft, of...)) })
	}
}

// BenchmarkCall measures calls of one record that rejects all windows, for 1
// and 4 groups.
func BenchmarkCall(b *testing.B) {
	p := benchProgram(1, Stump, Edge)
	p.Segments[0].Limit = math.MaxInt32
	tab := make([]uint16, 2*reach)
	inv := make([]float32, 64)
	var m Scratch
	for _, n := range []int{1, 4} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := make([]Group, n)
			kerneltest.Bench(b, n, func() {
				for i := range g {
					g[i] = Group{X: int32(16 * i), Alive: 0xffff}
				}
				p.Run(&m, g, 0, 1, tab, 0, inv)
			})
		})
	}
}

// BenchmarkOne measures one record for one window.
func BenchmarkOne(b *testing.B) {
	tab := make([]uint16, 40*stride)
	fillTable(tab, rand.New(rand.NewPCG(3, 4)))
	for shape := Edge; shape < shapes; shape++ {
		p := benchProgram(64, Stump, shape)
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			kerneltest.Bench(b, len(p.Records), func() { p.One(tab, 0, 1, 0, 1, 0) })
		})
	}
}

// benchRows are rows of windows in a table for p, all of them alive.
func benchRows(p *Program, rows, next int) *Rows {
	r := &Rows{Tab: make([]uint16, rows*next+p.Reach+Strip), Next: next, Inv: make([]float32, rows*Strip), Pass: make([]uint64, rows),
		PerRow: Strip, Alive: make([]uint64, rows), Score: make([]int32, rows*Strip)}
	for i := range r.Pass {
		r.Pass[i], r.Alive[i] = ^uint64(0), ^uint64(0)
	}
	return r
}

// BenchmarkSweep measures a row of 64 windows and one segment, of each shape.
func BenchmarkSweep(b *testing.B) {
	const rows = 16
	for shape := range Wide {
		p := benchProgram(4, Soft, shape)
		r := benchRows(p, rows, stride)
		var m Scratch
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			kerneltest.Bench(b, 4*rows, func() { p.Sweep(&m, 4, r) })
		})
	}
}

// BenchmarkStage measures a record for a row of 64 windows, of each shape.
func BenchmarkStage(b *testing.B) {
	const rows = 16
	for _, shape := range []Shape{Edge, Line, Pair, Check} {
		p := benchProgram(8, Stump, shape)
		r := benchRows(p, rows, 200)
		var m Scratch
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			kerneltest.Bench(b, 8*rows, func() { p.SweepStage(&m, 0, 1, r) })
		})
	}
}

// BenchmarkPatterns measures a pattern for a row of 64 windows.
func BenchmarkPatterns(b *testing.B) {
	const rows, n, stride = 32, 4, 700
	for step := 1; step <= 2; step++ {
		for _, height := range []int32{2, 3} {
			rng := rand.New(rand.NewPCG(1, 2))
			p := &Program{Subsets: make([][8]uint32, 1), Reach: 25 * stride}
			for range n {
				y, x := rng.Int32N(24-3*height), rng.Int32N(8)
				var r Record
				for i := range int32(4) {
					r.Off[i], r.Off[4+i] = (y+i*height)*stride, x+2*i
				}
				p.Records = append(p.Records, r)
			}
			p.Segments = []Segment{{N: n, Op: Op(Grid, Stump), Limit: math.MinInt32}}
			p.Tabulate(0)
			r := benchRows(p, rows, step*stride)
			var m Scratch
			b.Run(fmt.Sprintf("step%d/height%d", step, height), func(b *testing.B) {
				kerneltest.Bench(b, n*rows, func() { p.SweepPatterns(&m, 0, r) })
			})
		}
	}
}
