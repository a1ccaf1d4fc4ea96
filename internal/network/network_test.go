package network

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
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
func (m *maker) pool()             { m.layer(cascade.MaxPool, 2, 2, 0, 0, false) }
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
		pad := 0
		if i > 0 {
			pad = rng.IntN(2)
		}
		if m.side+2*pad >= kernel {
			m.conv(kernel, 1+rng.IntN(2), pad, 8*(1+rng.IntN(4)))
			if rng.IntN(3) == 0 && m.side >= 2 {
				m.pool()
			}
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
		m.pool()            // 11
		m.conv(3, 1, 0, 24) // 9
		m.pool()            // 4
		m.conv(2, 1, 0, 32) // 3
		m.dense(64)
	case 48:
		m.conv(3, 1, 0, 16) // 46
		m.pool()            // 23
		m.conv(3, 1, 0, 32) // 21
		m.pool()            // 10
		m.conv(3, 1, 0, 48) // 8
		m.pool()            // 4
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
		networks := kerneltest.Often(30, 6)
		for k := range networks {
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
		if varied < networks/2 {
			t.Errorf("only in %d of %d networks results depend on the square", varied, networks)
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
	if must.Recover(func() { program.NewWorker().AppendCrops(nil, make([]byte, 24*24*Pixel+1)) }) == nil {
		t.Error("part of a crop is taken")
	}
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
	for _, side := range []int{24, 48} {
		b.Run(fmt.Sprint(side), func(b *testing.B) {
			program := must.Get(Compile(typical(rng, side)))
			var p Planes
			p.Set(context.Background(), m)
			w, squares, dst := program.NewWorker(), make([]Square, batch), []float64(nil)
			for i := range squares {
				squares[i] = Square{int64(100*i) * Unit, int64(50*i) * Unit, int64(side+10) * Unit}
			}
			kerneltest.Bench(b, batch, func() { dst = w.Append(dst[:0], &p, squares) })
		})
	}
}

var ratios = []image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
}

// noise returns a picture of random values, or a part of it that begins anywhere.
func noise(rng *rand.Rand, w, h int, ratio image.YCbCrSubsampleRatio, part bool) *image.YCbCr {
	r := image.Rect(0, 0, w, h)
	if part {
		r = r.Add(image.Pt(rng.IntN(6), rng.IntN(6)))
	}
	m := image.NewYCbCr(image.Rect(0, 0, r.Max.X+rng.IntN(3), r.Max.Y+rng.IntN(3)), ratio)
	for _, p := range [][]byte{m.Y, m.Cb, m.Cr} {
		for i := range p {
			p[i] = byte(rng.Uint32())
		}
	}
	return m.SubImage(r).(*image.YCbCr)
}

// at returns the values of a pixel, of the border where it is outside.
func at(m image.Image, x, y int) [3]float64 {
	r := m.Bounds()
	x, y = min(max(r.Min.X+x, r.Min.X), r.Max.X-1), min(max(r.Min.Y+y, r.Min.Y), r.Max.Y-1)
	switch m := m.(type) {
	case *image.YCbCr:
		c := m.YCbCrAt(x, y)
		return [3]float64{float64(c.Y), float64(c.Cb), float64(c.Cr)}
	case *image.Gray:
		return [3]float64{float64(m.GrayAt(x, y).Y), 128, 128}
	}
	c := color.YCbCrModel.Convert(m.At(x, y)).(color.YCbCr)
	return [3]float64{float64(c.Y), float64(c.Cb), float64(c.Cr)}
}

// mean returns the mean of the rectangle, in pixels.
func mean(m image.Image, x0, y0, x1, y1 float64) (sum [3]float64) {
	for y := math.Floor(y0); y < y1; y++ {
		for x := math.Floor(x0); x < x1; x++ {
			area := (min(x+1, x1) - max(x, x0)) * (min(y+1, y1) - max(y, y0))
			for i, v := range at(m, int(x), int(y)) {
				sum[i] += v * area
			}
		}
	}
	for i := range sum {
		sum[i] /= (x1 - x0) * (y1 - y0)
	}
	return sum
}

// A crop is the mean of areas, or interpolates, of every type of picture, inside and
// outside, on every level.
func TestCrop(t *testing.T) {
	kerneltest.EachLevel(t, func(t *testing.T) {
		rng := kerneltest.Rand(t)
		var c Cropper
		var p Planes
		for range kerneltest.Often(300, 60) {
			w, h := 1+rng.IntN(70), 1+rng.IntN(70)
			var m image.Image = noise(rng, w, h, ratios[rng.IntN(len(ratios))], true)
			r := m.Bounds()
			switch rng.IntN(6) {
			case 0:
				g := image.NewGray(image.Rect(-3, 2, -3+w, 2+h))
				for i := range g.Pix {
					g.Pix[i] = byte(rng.Uint32())
				}
				m, r = g, image.Rectangle{}
			case 1:
				g := image.NewRGBA(image.Rect(1, -2, 1+w, -2+h))
				for i := range g.Pix {
					g.Pix[i] = byte(rng.Uint32()) | byte(i%4/3*255)
				}
				m, r = g, image.Rectangle{}
			}
			side := 1 + rng.IntN(20)
			s := Square{rng.Int64N(90*Unit) - 10*Unit, rng.Int64N(90*Unit) - 10*Unit, 1 + rng.Int64N(int64(7*side*Unit))}
			p.Set(context.Background(), m)
			got := make([]byte, side*side*Pixel)
			c.Crop(got, &p, s, side)
			for j := range side {
				for i := range side {
					for k := range 3 {
						// A pixel of the colours may be several of the picture.
						ux, uy, fx, fy := 1.0, 1.0, 0.0, 0.0
						if y, ok := m.(*image.YCbCr); ok && k > 0 {
							sx, sy := shifts(y.SubsampleRatio)
							ux, uy = float64(int(1)<<sx), float64(int(1)<<sy)
							fx, fy = float64(r.Min.X%(1<<sx)), float64(r.Min.Y%(1<<sy))
						}
						length := float64(s.Side) / Unit / float64(side)
						x := float64(s.X)/Unit + (float64(i)+0.5)*length
						y := float64(s.Y)/Unit + (float64(j)+0.5)*length
						want := areaOf(m, k, x, y, length, ux, uy, fx, fy) / 2
						// Sums of weights are rounded by 1/512: 7 of them each way, which
						// could be 3.5 in all, and is rarely more than 1.2. Then the half is cut.
						if v := float64(got[(j*side+i)*Pixel+k]); v < want-3 || v > want+2.5 {
							t.Fatalf("%T %dx%d, %+v to %d: plane %d at %d, %d: %v, want %v", m, w, h, s, side, k, i, j, v, want)
						}
					}
					if v := got[(j*side+i)*Pixel+3]; v != 0 {
						t.Fatalf("the fourth byte is %d", v)
					}
				}
			}
		}
	})
}

// areaOf returns the mean that Crop should make of plane k around x, y.
func areaOf(m image.Image, k int, x, y, length, ux, uy, fx, fy float64) float64 {
	// In pixels of the plane.
	halfX, halfY := max(length/ux, 1)/2, max(length/uy, 1)/2
	x, y = (x+fx)/ux, (y+fy)/uy
	if ux == 1 && uy == 1 {
		return mean(m, x-halfX, y-halfY, x+halfX, y+halfY)[k]
	}
	c := m.(*image.YCbCr)
	r := c.Rect
	w := (r.Max.X-1)/int(ux) - r.Min.X/int(ux) + 1
	h := (r.Max.Y-1)/int(uy) - r.Min.Y/int(uy) + 1
	g := image.NewGray(image.Rect(0, 0, w, h))
	pix := [][]byte{nil, c.Cb, c.Cr}[k]
	for j := range h {
		copy(g.Pix[j*w:][:w], pix[c.COffset(r.Min.X, r.Min.Y)+j*c.CStride:])
	}
	return mean(g, x-halfX, y-halfY, x+halfX, y+halfY)[0]
}

// A crop of as many pixels as it covers is a copy at half of the values.
func TestCropCopies(t *testing.T) {
	rng := kerneltest.Rand(t)
	m := noise(rng, 50, 40, image.YCbCrSubsampleRatio444, false)
	var c Cropper
	var p Planes
	p.Set(context.Background(), m)
	got := make([]byte, 24*24*Pixel)
	c.Crop(got, &p, Square{-3 * Unit, 20 * Unit, 24 * Unit}, 24)
	for j := range 24 {
		for i := range 24 {
			for k, v := range at(m, i-3, j+20) {
				if v := byte(v) >> 1; got[(j*24+i)*Pixel+k] != v {
					t.Fatalf("plane %d at %d, %d: %d, want %d", k, i, j, got[(j*24+i)*Pixel+k], v)
				}
			}
		}
	}
}

// Crops of any squares at all, near and far, end, and every level makes the same.
func TestCropAnySquare(t *testing.T) {
	rng := kerneltest.Rand(t)
	var c Cropper
	var p Planes
	for n := range kerneltest.Often(500, 100) {
		p.Set(context.Background(), noise(rng, 1+rng.IntN(300), 1+rng.IntN(300), ratios[rng.IntN(len(ratios))], true))
		bits := rng.IntN(45)
		if n < 2 {
			bits = 44
		}
		any := func() int64 { return rng.Int64N(2<<bits+1) - 1<<bits }
		s := Square{any(), any(), 1 + rng.Int64N(1<<rng.IntN(min(bits, 30)+1))}
		side := 1 + rng.IntN(MaxCrop)
		var want []byte
		for _, level := range cpu.Available() {
			cpu.ForTest(t, level)
			got := make([]byte, side*side*Pixel)
			c.Crop(got, &p, s, side)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%+v to %d: %v differs from %v", s, side, level, cpu.PureGo)
			}
		}
	}
}

// turned returns p, rotated clockwise by a quarter, and mirrored if flip.
func turned(m *image.YCbCr, flip bool) *image.YCbCr {
	r := m.Rect
	t := image.NewYCbCr(image.Rect(0, 0, r.Dy(), r.Dx()), m.SubsampleRatio)
	turn := func(to, from []byte, toStride, fromStride, w, h int) {
		for y := range h {
			for x := range w {
				column := h - 1 - y
				if flip {
					column = y
				}
				to[x*toStride+column] = from[y*fromStride+x]
			}
		}
	}
	turn(t.Y, m.Y, t.YStride, m.YStride, r.Dx(), r.Dy())
	sx, sy := shifts(m.SubsampleRatio)
	w, h := (r.Dx()+1<<sx-1)>>sx, (r.Dy()+1<<sy-1)>>sy
	turn(t.Cb, m.Cb, t.CStride, m.CStride, w, h)
	turn(t.Cr, m.Cr, t.CStride, m.CStride, w, h)
	return t
}

// Crops of mirrored and rotated pictures are mirrored and rotated crops.
func TestCropTurns(t *testing.T) {
	rng := kerneltest.Rand(t)
	var c Cropper
	var p Planes
	for range kerneltest.Often(1000, 200) {
		m := noise(rng, 2*(1+rng.IntN(60)), 2*(1+rng.IntN(60)), ratios[2*rng.IntN(2)], false)
		m = m.SubImage(m.Rect.Intersect(image.Rect(0, 0, m.Rect.Dx()&^1, m.Rect.Dy()&^1))).(*image.YCbCr)
		side := 1 + rng.IntN(30)
		s := Square{rng.Int64N(90*Unit) - 10*Unit, rng.Int64N(90*Unit) - 10*Unit, 1 + rng.Int64N(int64(20*side*Unit))}
		if rng.IntN(2) == 0 { // where ties are
			s.X, s.Y, s.Side = s.X&^(Unit/2-1), s.Y&^(Unit/2-1), (s.Side+Unit)&^(Unit-1)
		}
		crop := func(m *image.YCbCr, s Square) []byte {
			p.Set(context.Background(), m)
			got := make([]byte, side*side*Pixel)
			c.Crop(got, &p, s, side)
			return got
		}
		want := crop(m, s)
		for _, flip := range []bool{false, true} {
			of := Square{int64(m.Rect.Dy())*Unit - s.Y - s.Side, s.X, s.Side}
			if flip {
				of.X = s.Y
			}
			got := crop(turned(m, flip), of)
			for y := range side {
				for x := range side {
					column := side - 1 - y
					if flip {
						column = y
					}
					a, b := want[(y*side+x)*Pixel:][:Pixel], got[(x*side+column)*Pixel:][:Pixel]
					if !bytes.Equal(a, b) {
						t.Fatalf("%v, %+v to %d, mirrored %v: %v at %d, %d, want %v", m.Rect, s, side, flip, b, x, y, a)
					}
				}
			}
		}
	}
}

// Squares of more than seven pixels per pixel have the mean of their area, nearly.
func TestCropLarge(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 1000, 1000))
	for i := range m.Pix {
		m.Pix[i] = byte(255 * (i%1000 + i/1000) / 2000)
	}
	var c Cropper
	var p Planes
	p.Set(context.Background(), m)
	for _, side := range []int{8, 24, 48} {
		got := make([]byte, side*side*Pixel)
		c.Crop(got, &p, Square{0, 0, 1000 * Unit}, side)
		for i := range side * side {
			want := 127.5 * float64(i%side+i/side+1) / float64(2*side)
			if v := got[i*Pixel : i*Pixel+4]; math.Abs(float64(v[0])-want) > 1.5 || v[1] != 64 || v[2] != 64 || v[3] != 0 {
				t.Fatalf("pixel %d of %d a side: %v, want %v", i, side, v, want)
			}
		}
	}
}

func TestAround(t *testing.T) {
	for _, c := range []struct {
		box   image.Rectangle
		sides float64
		want  Square
	}{
		{image.Rect(10, 20, 30, 40), 1, Square{10 * Unit, 20 * Unit, 20 * Unit}},
		{image.Rect(10, 20, 30, 40), 1.5, Square{5 * Unit, 15 * Unit, 30 * Unit}},
		{image.Rect(0, 0, 10, 20), 1, Square{-2.5 * Unit, 2.5 * Unit, 15 * Unit}},
		{image.Rect(1<<30, 0, 1<<30+24, 24), 1, Square{1 << 30 * Unit, 0, 24 * Unit}}, // beyond 32 bits
	} {
		if got := Around(c.box, c.sides); got != c.want {
			t.Errorf("%v, %v: %v, want %v", c.box, c.sides, got, c.want)
		}
	}
}

// Pictures of all types that show the same have the same planes.
func TestPlanes(t *testing.T) {
	rng := kerneltest.Rand(t)
	m := noise(rng, 31, 17, image.YCbCrSubsampleRatio420, true)
	opaque := &image.NYCbCrA{YCbCr: *m, A: bytes.Repeat([]byte{255}, 2000), AStride: 50}
	rgba, nrgba := image.NewRGBA(m.Rect), image.NewNRGBA(m.Rect)
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			rgba.Set(x, y, m.At(x, y))
			nrgba.Set(x, y, m.At(x, y))
		}
	}
	crop := func(m image.Image) []byte {
		var c Cropper
		var p Planes
		p.Set(context.Background(), m)
		got := make([]byte, 20*20*Pixel)
		c.Crop(got, &p, Square{100, 200, 15 * Unit}, 20)
		return got
	}
	if !bytes.Equal(crop(m), crop(opaque)) {
		t.Error("an opaque NYCbCrA differs from YCbCr")
	}
	if !bytes.Equal(crop(rgba), crop(nrgba)) {
		t.Error("NRGBA differs from RGBA")
	}
	type other struct{ image.Image } // without RGBA64At
	if !bytes.Equal(crop(rgba), crop(other{rgba})) {
		t.Error("another type differs from RGBA")
	}
	for i := 3; i < len(nrgba.Pix); i += 4 {
		nrgba.Pix[i] = byte(min(rng.IntN(512), 255)) // half of them opaque
	}
	if !bytes.Equal(crop(nrgba), crop(other{nrgba})) {
		t.Error("another type differs from a transparent NRGBA")
	}
	before := &image.YCbCr{Y: m.Y, Cb: m.Cb, Cr: m.Cr, YStride: m.YStride, CStride: m.CStride, Rect: image.Rect(-5, -3, 4, 4)}
	crop(before)
}

func TestCropRefuses(t *testing.T) {
	var p Planes
	p.Set(context.Background(), image.NewGray(image.Rect(0, 0, 10, 10)))
	crop := func(s Square, side, room int) func() {
		return func() { new(Cropper).Crop(make([]byte, room), &p, s, side) }
	}
	for name, f := range map[string]func(){
		"no side":         crop(Square{0, 0, 100}, 0, 100),
		"a large crop":    crop(Square{0, 0, 100}, MaxCrop+1, 1<<16),
		"no room":         crop(Square{0, 0, 100}, 5, 99),
		"an empty square": crop(Square{0, 0, 0}, 5, 100),
		"a far one":       crop(Square{1<<44 + 1, 0, 100}, 5, 100),
		"a far one above": crop(Square{0, -1<<44 - 1, 100}, 5, 100),
		"a large one":     crop(Square{0, 0, 1<<30 + 1}, 5, 100),
		"no picture":      func() { p.Set(context.Background(), image.NewGray(image.Rectangle{})) },
	} {
		if must.Recover(f) == nil {
			t.Errorf("%s: no panic", name)
		}
	}
}

func TestCropAllocatesNothing(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	var c Cropper
	var p Planes
	dst := make([]byte, 48*48*Pixel)
	if n := testing.AllocsPerRun(10, func() {
		p.Set(context.Background(), m)
		c.Crop(dst, &p, Square{0, 0, 190 * Unit}, 48)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCrop(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 0))
	m := noise(rng, 1000, 800, image.YCbCrSubsampleRatio420, false)
	for _, c := range []struct {
		name         string
		square, side int
	}{{"20to24", 20, 24}, {"60to24", 60, 24}, {"300to24", 300, 24}, {"40to48", 40, 48}, {"120to48", 120, 48}} {
		b.Run(c.name, func(b *testing.B) {
			var p Planes
			p.Set(context.Background(), m)
			var cropper Cropper
			dst := make([]byte, c.side*c.side*Pixel)
			square := Square{100*Unit + 77, 101*Unit + 99, int64(c.square) * Unit}
			kerneltest.Bench(b, 1, func() { cropper.Crop(dst, &p, square, c.side) })
		})
	}
}
