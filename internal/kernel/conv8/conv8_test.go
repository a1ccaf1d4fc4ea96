package conv8

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/kernel/kerneltest"
)

// A layer has the arguments of Pack.
type layer struct {
	rows, inputs int
	weights      []int8
	bias         []int32
	shift        []uint8
}

// draw returns a layer whose sums may be as large as the contract permits.
func draw(rng *rand.Rand, rows, inputs, outputs int) *layer {
	l := &layer{rows, inputs, make([]int8, rows*inputs*outputs), make([]int32, outputs), make([]uint8, outputs)}
	tight := rng.IntN(2) == 0 // the products of two groups just fit 16 bits, or just do not
	for o := range outputs {
		// Weights of every size, or all the largest.
		limit := rng.IntN(128)
		if tight {
			limit = rng.IntN(65)
		}
		largest, sign := rng.IntN(8) == 0, rng.IntN(2)*2-1
		room := int32(1<<24 - 1)
		for i := range l.weights[o*rows*inputs:][:rows*inputs] {
			w := int8(rng.IntN(2*limit+1) - limit)
			switch {
			case largest && !tight:
				w = int8(127 * sign)
			case largest:
				w = int8((64 + i%2 + max(rng.IntN(200)-198, 0)) * sign)
			}
			size := int32(max(w, -w)) * 127
			if size > room {
				w, size = 0, 0
			}
			l.weights[o*rows*inputs+i] = w
			room -= size
		}
		l.bias[o] = rng.Int32N(2*room+1) - room
		if rng.IntN(2) == 0 {
			l.bias[o] >>= rng.IntN(24)
		}
		l.shift[o] = uint8(rng.IntN(25))
	}
	return l
}

func (l *layer) pack() *Weights { return Pack(l.rows, l.inputs, l.weights, l.bias, l.shift) }

// sum computes an output as the contract says.
func (l *layer) sum(src []byte, in, o, stride int) int64 {
	sum := int64(l.bias[o])
	for r := range l.rows {
		for i := range l.inputs {
			sum += int64(l.weights[(o*l.rows+r)*l.inputs+i]) * int64(src[in+r*stride+i])
		}
	}
	return sum
}

// scatter returns n places at random offsets below those given, where no outputs overlap,
// and the largest offsets.
func scatter(rng *rand.Rand, n, size, in int) (p Places, lastIn, lastOut int) {
	list := make([]Place, n)
	slots := rng.Perm(n + 3)
	for i := range list {
		list[i] = Place{int32(rng.IntN(in)), int32(slots[i]*2*size + rng.IntN(size))}
		lastIn, lastOut = max(lastIn, int(list[i].In)), max(lastOut, int(list[i].Out))
	}
	return MakePlaces(list), lastIn, lastOut
}

// activations fills p, often with 0 or with the largest.
func activations(rng *rand.Rand, p []byte) {
	limit := []int{1, 128, 128, 4}[rng.IntN(4)]
	for i := range p {
		p[i] = byte(rng.IntN(limit))
		if limit == 4 {
			p[i] = 127 * (p[i] & 1)
		}
	}
}

// Every level computes what the comments of Apply, Maxima and Sums say, with any number of
// places, groups and outputs, reads nothing behind src, and writes the outputs and nothing
// else.
func TestApply(t *testing.T) {
	kerneltest.Each(t, func(t *testing.T, m *kerneltest.Memory) {
		for k := range 700 {
			n := k % (4*unit*2 + 2)
			rows, inputs, outputs := 1+m.IntN(3), Group*(1+m.IntN(20)), 1+m.IntN(50)
			l := draw(m.Rand, rows, inputs, outputs)
			w := l.pack()
			stride := inputs + m.IntN(100)
			places, lastIn, lastOut := scatter(m.Rand, n, w.Outputs()+1, 1+m.IntN(200))
			var list []Place // of which the maximum goes to one of places
			for i := range unit * n {
				list = append(list, Place{int32(m.IntN(lastIn + 1)), places.all[i/unit].Out})
			}
			fours := MakePlaces(list)
			src := kerneltest.In[byte](m, lastIn+(rows-1)*stride+inputs)
			activations(m.Rand, src)
			size := lastOut + w.Outputs()
			bytes, largest, words := kerneltest.Out[byte](m, size), kerneltest.Out[byte](m, size), kerneltest.Out[int32](m, size)
			// What no place writes must stay.
			wantBytes, wantLargest, wantWords := slices.Clone(bytes), slices.Clone(largest), slices.Clone(words)
			m.Call(func() {
				w.Apply(bytes, src, &places, stride)
				w.Maxima(largest, src, &fours, stride)
				w.Sums(words, src, &places, stride)
			})
			output := func(at Place, o int) (sum int64, v byte) {
				shift := uint8(0)
				if o < outputs {
					sum, shift = l.sum(src, int(at.In), o, stride), l.shift[o]
				}
				sum += int64(1) << shift >> 1
				return sum, byte(min(max(sum>>shift, 0), 127))
			}
			for i, at := range places.all[:n] {
				for o := range w.Outputs() {
					to := int(at.Out) + o
					sum, v := output(at, o)
					wantBytes[to], wantLargest[to], wantWords[to] = v, 0, int32(sum)
					for _, one := range list[i*unit:][:unit] {
						_, v := output(one, o)
						wantLargest[to] = max(wantLargest[to], v)
					}
				}
			}
			if !slices.Equal(bytes, wantBytes) || !slices.Equal(largest, wantLargest) || !slices.Equal(words, wantWords) {
				t.Fatalf("%d places, %d rows of %d, %d outputs: %d, %d and %d, want %d, %d and %d", n, rows, inputs, outputs, bytes, largest, words, wantBytes, wantLargest, wantWords)
			}
		}
	})
}

// First takes the first places and no others.
func TestFirst(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	w := draw(rng, 1, 4, 8).pack()
	var list []Place
	for i := range 10 {
		list = append(list, Place{0, int32(8 * i)})
	}
	places := MakePlaces(list)
	for n := range 11 {
		dst := slices.Repeat([]int32{math.MaxInt32}, 80)
		first := places.First(n)
		w.Sums(dst, make([]byte, 4), &first, 0)
		// Whole units are computed.
		if rest := dst[min((n+unit-1)/unit*unit, 10)*8:]; slices.ContainsFunc(rest, func(v int32) bool { return v != math.MaxInt32 }) {
			t.Errorf("first %d: then also %d", n, rest)
		}
	}
}

func TestRefuses(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	w := draw(rng, 2, 8, 8).pack()
	places := func(in, out int32) *Places {
		p := MakePlaces([]Place{{0, 0}, {in, out}})
		return &p
	}
	apart := MakePlaces([]Place{{0, 0}, {0, 0}, {0, 8}, {0, 8}})
	kerneltest.Refuses(t, map[string]func(){
		"no rows":              func() { Pack(0, 4, nil, make([]int32, 8), nil) },
		"no inputs":            func() { Pack(1, 0, nil, make([]int32, 8), nil) },
		"inputs not in groups": func() { Pack(1, 6, make([]int8, 48), make([]int32, 8), nil) },
		"no outputs":           func() { Pack(1, 4, nil, nil, nil) },
		"few weights":          func() { Pack(1, 4, make([]int8, 31), make([]int32, 8), nil) },
		"few shifts":           func() { Pack(1, 4, make([]int8, 32), make([]int32, 8), make([]uint8, 7)) },
		"a place before":       func() { MakePlaces([]Place{{-1, 0}}) },
		"a place before dst":   func() { MakePlaces([]Place{{0, -1}}) },
		"short src":            func() { w.Apply(make([]byte, 100), make([]byte, 37), places(10, 0), 20) },
		"short dst":            func() { w.Apply(make([]byte, 17), make([]byte, 100), places(0, 10), 20) },
		"short sums":           func() { w.Sums(make([]int32, 17), make([]byte, 100), places(0, 10), 20) },
		"a negative stride":    func() { w.Apply(make([]byte, 100), make([]byte, 100), places(0, 0), -1) },
		"maxima of two":        func() { w.Maxima(make([]byte, 100), make([]byte, 100), places(0, 0), 20) },
		"maxima apart":         func() { w.Maxima(make([]byte, 100), make([]byte, 100), &apart, 20) },
	})
}

// BenchmarkApply has the layers that networks have: places, rows, inputs of a row and
// outputs.
func BenchmarkApply(b *testing.B) {
	for _, c := range []struct{ side, kernel, channels, outputs int }{
		{22, 3, 4, 16}, {20, 3, 8, 8}, {20, 3, 8, 16}, {10, 3, 16, 32}, {10, 3, 32, 32}, {5, 3, 32, 64}, {10, 1, 32, 64},
		{2, 0, 800, 64},
	} {
		b.Run(fmt.Sprintf("%dx%d,%dx%dx%d,%d", c.side, c.side, c.kernel, c.kernel, c.channels, c.outputs), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 0))
			var list []Place
			kernel, wide := c.kernel, c.side+c.kernel-1
			if kernel == 0 { // dense
				kernel, wide = 1, c.side
			}
			for y := range c.side {
				for x := range c.side {
					list = append(list, Place{int32((y*wide + x) * c.channels), int32((y*c.side + x) * c.outputs)})
				}
			}
			w := draw(rng, kernel, kernel*c.channels, c.outputs).pack()
			places := MakePlaces(list)
			src, dst := make([]byte, wide*wide*c.channels), make([]byte, c.side*c.side*c.outputs)
			for i := range src {
				src[i] = byte(rng.IntN(128))
			}
			products := len(list) * kernel * kernel * c.channels * c.outputs
			b.Run("single", func(b *testing.B) {
				kerneltest.Bench(b, products, func() { w.Apply(dst, src, &places, wide*c.channels) })
			})
			for i := range list {
				list[i].Out = list[i/unit*unit].Out
			}
			fours := MakePlaces(list)
			b.Run("maxima", func(b *testing.B) {
				kerneltest.Bench(b, products, func() { w.Maxima(dst, src, &fours, wide*c.channels) })
			})
		})
	}
}
