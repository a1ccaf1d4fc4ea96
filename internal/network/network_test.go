package network

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/cpu"
	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// A maker builds steps of random weights.
type maker struct {
	rng            *rand.Rand
	step           cascade.NetworkStep
	side, channels int
}

func newMaker(rng *rand.Rand, side int) *maker {
	return &maker{rng: rng, side: side, channels: 3, step: cascade.NetworkStep{Side: side, Sides: 1, Overlap: 1}}
}

func (m *maker) layer(kind cascade.LayerKind, kernel, stride, pad, outputs int, last bool) {
	l := cascade.NetworkLayer{Kind: kind, Kernel: kernel, Stride: stride, Pad: pad, Outputs: outputs}
	inputs := m.channels * kernel * kernel
	if kind == cascade.Dense {
		inputs = m.channels * m.side * m.side
	}
	if kind != cascade.MaxPool {
		l.Weights, l.Bias = make([]int8, inputs*outputs), make([]int32, outputs)
		spread := min(30, 1<<23/127/float64(inputs)) // within the bound of sums
		for i := range l.Weights {
			l.Weights[i] = int8(max(min(m.rng.NormFloat64()*spread, 127), -127))
		}
		if !last {
			l.Shift = make([]uint8, outputs)
		}
		shift := 5
		for 1<<(2*shift-10) < inputs {
			shift++
		}
		for o := range outputs {
			l.Bias[o] = m.rng.Int32N(4001) - 2000
			if !last {
				l.Shift[o] = uint8(shift + m.rng.IntN(3) - 1)
			}
		}
	}
	m.step.Layers = append(m.step.Layers, l)
	m.side, m.channels = l.Shape(m.side, m.channels)
}

func (m *maker) conv(kernel, stride, pad, outputs int) {
	m.layer(cascade.Conv, kernel, stride, pad, outputs, false)
}
func (m *maker) pool(kernel int)   { m.layer(cascade.MaxPool, kernel, 2, 0, 0, false) }
func (m *maker) dense(outputs int) { m.layer(cascade.Dense, 0, 0, 0, outputs, false) }

func (m *maker) end(outputs int) *cascade.NetworkStep {
	m.layer(cascade.Dense, 0, 0, 0, outputs, true)
	for i := range outputs {
		m.step.Scales = append(m.step.Scales, 1/float64(1000+i))
	}
	return &m.step
}

// random returns a step of random layers.
func random(rng *rand.Rand) *cascade.NetworkStep {
	m := newMaker(rng, 8+rng.IntN(14))
	for i := range rng.IntN(5) {
		kernel := 1 + rng.IntN(3)
		if i > 0 && rng.IntN(3) == 0 && m.side >= kernel && kernel > 1 {
			m.pool(kernel)
			continue
		}
		pad := 0
		if i > 0 {
			pad = rng.IntN(2)
		}
		if m.side+2*pad >= kernel {
			m.conv(kernel, 1+rng.IntN(2), pad, 8*(1+rng.IntN(4)))
		}
	}
	for range rng.IntN(3) {
		if m.side*m.side*m.channels < 2000 {
			m.dense(8 * (1 + rng.IntN(5)))
		}
	}
	if rng.IntN(2) == 0 {
		return m.end(1)
	}
	return m.end(5 + rng.IntN(8))
}

// typical returns steps like those that a detector has.
func typical(rng *rand.Rand, side int) *cascade.NetworkStep {
	m := newMaker(rng, side)
	switch side {
	case 24:
		m.conv(3, 1, 0, 16) // 22
		m.pool(2)           // 11
		m.conv(3, 1, 0, 24) // 9
		m.pool(3)           // 4
		m.conv(2, 1, 0, 32) // 3
		m.dense(64)
	case 48:
		m.conv(3, 1, 0, 16) // 46
		m.pool(2)           // 23
		m.conv(3, 1, 0, 32) // 21
		m.pool(3)           // 10
		m.conv(3, 1, 0, 48) // 8
		m.pool(2)           // 4
		m.conv(3, 1, 1, 64) // 4
		m.dense(64)
	}
	return m.end(5)
}

// reference computes the outputs of a step as the model's comments say.
func reference(s *cascade.NetworkStep, crop []byte) []float64 {
	side, channels := s.Side, 3
	var x []int64
	for i := range side * side {
		x = append(x, int64(crop[4*i]), int64(crop[4*i+1]), int64(crop[4*i+2]))
	}
	var results []float64
	for i := range s.Layers {
		l := &s.Layers[i]
		to, outputs := l.Shape(side, channels)
		kernel, stride := l.Kernel, l.Stride
		if l.Kind == cascade.Dense {
			kernel, stride = side, 1
		}
		y := make([]int64, to*to*outputs)
		for o := range y {
			row, column, out := o/outputs/to, o/outputs%to, o%outputs
			sum, largest := int64(0), int64(0)
			for ky := range kernel {
				for kx := range kernel {
					sy, sx := row*stride-l.Pad+ky, column*stride-l.Pad+kx
					if sy < 0 || sy >= side || sx < 0 || sx >= side {
						continue
					}
					pixel := x[(sy*side+sx)*channels:][:channels]
					if l.Kind == cascade.MaxPool {
						largest = max(largest, pixel[out])
						continue
					}
					for c, v := range pixel {
						sum += v * int64(l.Weights[((out*kernel+ky)*kernel+kx)*channels+c])
					}
				}
			}
			if l.Kind == cascade.MaxPool {
				y[o] = largest
				continue
			}
			sum += int64(l.Bias[out])
			if l.Shift == nil {
				results = append(results, float64(sum)*s.Scales[out])
				continue
			}
			y[o] = min(max((sum+1<<l.Shift[out]/2)>>l.Shift[out], 0), 127)
		}
		x, side, channels = y, to, outputs
	}
	return results
}

// Every level computes what the model's comments say, for any number of squares.
func TestWorker(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		var p Planes
		p.Set(context.Background(), noise(rng, 200, 150, image.YCbCrSubsampleRatio420, false))
		varied := 0
		for k := range repeat(30) {
			step := random(rng)
			for step.Check() != nil { // too many weights
				step = random(rng)
			}
			if k < 2 {
				step = typical(rng, 24*(k+1))
			}
			program := must.Get(Compile(step))
			if program.Side() != step.Side || program.Outputs() != len(step.Scales) {
				t.Fatalf("%d pixels a side and %d outputs, want %d and %d", program.Side(), program.Outputs(), step.Side, len(step.Scales))
			}
			w := program.NewWorker()
			for _, n := range []int{0, 1 + rng.IntN(2*batch+1), 1} { // again, in used memory
				var squares []Square
				var crops []byte
				var c Cropper
				want := []float64{7}
				for range n {
					s := Square{rng.Int64N(200 * Unit), rng.Int64N(150 * Unit), 1 + rng.Int64N(60*Unit)}
					crop := make([]byte, step.Side*step.Side*Pixel)
					c.Crop(crop, &p, s, step.Side)
					squares, crops = append(squares, s), append(crops, crop...)
					want = append(want, reference(step, crop)...)
				}
				if n > 1 && want[1] != want[1+len(step.Scales)] {
					varied++
				}
				if got := w.Append([]float64{7}, &p, squares); !slices.Equal(got, want) {
					t.Fatalf("%d squares, %s: %v, want %v", n, shape(step), got, want)
				}
				if got := w.AppendCrops([]float64{7}, crops); !slices.Equal(got, want) {
					t.Fatalf("%d crops, %s: %v, want %v", n, shape(step), got, want)
				}
			}
		}
		if varied < repeat(30)/2 {
			t.Errorf("only in %d of %d networks results depend on the square", varied, repeat(30))
		}
	})
}

// shape describes a step.
func shape(s *cascade.NetworkStep) string {
	text := fmt.Sprint(s.Side)
	for i := range s.Layers {
		l := &s.Layers[i]
		text += fmt.Sprintf(" kind %d %d/%d+%d:%d", l.Kind, l.Kernel, l.Stride, l.Pad, l.Outputs)
	}
	return text
}

func TestCompileChecks(t *testing.T) {
	step := typical(rand.New(rand.NewPCG(1, 0)), 24)
	step.Layers[2].Weights[0] = -128
	if _, err := Compile(step); err == nil {
		t.Error("a weight of -128 is taken")
	}
}

func TestAppendCropsRefuses(t *testing.T) {
	program := must.Get(Compile(typical(rand.New(rand.NewPCG(1, 0)), 24)))
	defer func() {
		if recover() == nil {
			t.Error("part of a crop is taken")
		}
	}()
	program.NewWorker().AppendCrops(nil, make([]byte, 24*24*Pixel+1))
}

func TestWorkerAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	program := must.Get(Compile(typical(rng, 24)))
	var p Planes
	p.Set(context.Background(), noise(rng, 100, 100, image.YCbCrSubsampleRatio420, false))
	w, squares, dst := program.NewWorker(), make([]Square, 20), make([]float64, 0, 100)
	for i := range squares {
		squares[i] = Square{int64(i) * 100, int64(i) * 200, 30 * Unit}
	}
	if n := testing.AllocsPerRun(5, func() { w.Append(dst, &p, squares) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkAppend evaluates typical steps for squares that are a little larger than what
// the step sees. The time is that of a square.
func BenchmarkAppend(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	m := noise(rng, 1000, 800, image.YCbCrSubsampleRatio420, false)
	for _, level := range cpu.Available() {
		for _, side := range []int{24, 48} {
			b.Run(fmt.Sprint(level, "/", side), func(b *testing.B) {
				cpu.ForTest(b, level)
				step := typical(rng, side)
				program := must.Get(Compile(step))
				var p Planes
				p.Set(context.Background(), m)
				w, squares, dst := program.NewWorker(), make([]Square, batch), []float64(nil)
				for i := range squares {
					squares[i] = Square{int64(100*i) * Unit, int64(50*i) * Unit, int64(side+10) * Unit}
				}
				for b.Loop() {
					dst = w.Append(dst[:0], &p, squares)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/square")
				b.ReportMetric(float64(step.Work()), "MAC")
			})
		}
	}
}
