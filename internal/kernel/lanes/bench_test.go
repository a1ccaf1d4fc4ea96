package lanes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
)

// BenchmarkRun measures one record for sixteen windows, of each shape and on each
// level.
func BenchmarkRun(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	const stride, n = 160, 64
	tab := make([]uint16, 40*stride)
	for i := range tab {
		tab[i] = uint16(rng.Uint32())
	}
	for shape := Edge; shape < shapes; shape++ {
		p := &Program{Subsets: make([][8]uint32, 1)}
		p.AddTable([16]int32{})
		for range n {
			r := Record{Threshold: 0.1, Left: 7}
			x, y, w, h := rng.Int32N(12), rng.Int32N(12), 1+rng.Int32N(4), 1+rng.Int32N(4)
			for i := range int32(9) {
				r.Off[i] = (y+i/3*h)*stride + x + i%3*w
			}
			switch o := &r.Off; shape {
			case Edge:
				*o = [9]int32{o[0], w, 2 * w, h * stride}
			case Line:
				*o = [9]int32{o[0], w, 2 * w, 3 * w, h * stride}
			case Check:
				*o = [9]int32{o[0], w, 2 * w, h * stride, 2 * h * stride}
			case Pair:
				o[6], o[7] = o[4]+stride, o[5]+stride
			case Grid:
				for i := range int32(4) {
					r.Off[i], r.Off[4+i] = (y+i*h)*stride, x+i*w
				}
			case Wide:
				r.Count, r.Aux = 4, int32(len(p.Pieces))
				for i := range int32(4) {
					p.Pieces = append(p.Pieces, Piece{Top: o[i], Bottom: o[i] + h*stride, Mul: i})
				}
			}
			p.Records = append(p.Records, r)
		}
		p.Segments = []Segment{{N: n, Op: Op(shape, Stump), Limit: math.MinInt32}}
		p.Reach = 25 * stride
		for _, level := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%v", shape, level), func(b *testing.B) {
				cpu.ForTest(b, level)
				var m Scratch
				inv := make([]float32, Width)
				g := []Group{{Alive: 0xffff}}
				for i := 0; i < b.N; i += n {
					p.Run(&m, g, 0, 1, tab, i/n%64, inv)
				}
			})
		}
	}
}

// BenchmarkSoft measures one record of a soft cascade, of one shape or of the
// three common ones, where no window is ever rejected.
func BenchmarkSoft(b *testing.B) {
	const stride, n = 160, 200
	for _, shapes := range [][]Shape{{Edge}, {Edge, Line, Check}} {
		rng := rand.New(rand.NewPCG(1, 2))
		tab := make([]uint16, 40*stride)
		for i := range tab {
			tab[i] = uint16(rng.Uint32())
		}
		p := &Program{Reach: 25 * stride}
		for i := range int32(n) {
			x, y, w, h := rng.Int32N(12), rng.Int32N(12), 1+rng.Int32N(4), 1+rng.Int32N(4)
			shape := shapes[rng.IntN(len(shapes))]
			r := Record{Threshold: 0.1, Right: int32(math.Float32bits(3)), Left: p.AddTable([16]int32{0: 1, 15: 2})}
			switch o := y*stride + x; shape {
			case Edge:
				r.Off = [9]int32{o, w, 2 * w, h * stride}
			case Line:
				r.Off, r.Mul = [9]int32{o, w, 2 * w, 3 * w, h * stride}, 3
			case Check:
				r.Off = [9]int32{o, w, 2 * w, h * stride, 2 * h * stride}
			}
			p.Records = append(p.Records, r)
			p.Segments = append(p.Segments, Segment{First: i, N: 1, Op: Op(shape, Soft), Limit: math.MinInt32})
		}
		for _, level := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%v", len(shapes), level), func(b *testing.B) {
				cpu.ForTest(b, level)
				var m Scratch
				inv := make([]float32, Width)
				g := []Group{{Alive: 0xffff}}
				for i := 0; i < b.N; i += n {
					p.Run(&m, g, 0, n, tab, i/n%64, inv)
				}
			})
		}
	}
}

// BenchmarkCall measures calls of one record that rejects all windows, for 1
// and 4 groups.
func BenchmarkCall(b *testing.B) {
	p := &Program{Records: make([]Record, 1)}
	p.Segments = []Segment{{N: 1, Op: Op(Edge, Stump), Limit: math.MaxInt32}}
	tab := make([]uint16, 200)
	inv := make([]float32, 64)
	var m Scratch
	for _, n := range []int{1, 4} {
		for _, level := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%v", n, level), func(b *testing.B) {
				cpu.ForTest(b, level)
				g := make([]Group, n)
				for i := 0; i < b.N; i += n {
					for i := range g {
						g[i] = Group{X: int32(16 * i), Alive: 0xffff}
					}
					p.Run(&m, g, 0, 1, tab, 0, inv)
				}
			})
		}
	}
}

// BenchmarkOne measures one record for one window.
func BenchmarkOne(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for shape := Edge; shape < shapes; shape++ {
		var p randomProgram
		p.tab = make([]uint16, 3000)
		fillTable(p.tab, rng)
		const n = 64
		var g group
		for range n {
			p.addStump(rng, &g, shape, 2000)
		}
		p.Segments = []Segment{{N: n, Op: Op(shape, Stump), Limit: math.MinInt32}}
		b.Run(fmt.Sprint(shape), func(b *testing.B) {
			for i := 0; i < b.N; i += n {
				p.One(p.tab, i/n%64, 1, 0, 1, 0)
			}
		})
	}
}
