package network

import (
	"math"

	"haarlem/cascade"
	"haarlem/internal/kernel/gemm"
)

// numbers are those that a network computes with. In 8 bits they are those of the
// integer network, all of them whole numbers, and so are activations: sums below
// 1<<24 are exact in float32, so that it computes what the integer network does, to
// the bit.
type numbers struct {
	parameters []float32 // a shape's
	eight      bool

	// factors are, in 8 bits, what each layer's sums are multiplied by: a power of
	// two, which shifts has too, or in the last layer an output's scale.
	factors [][]float32
	shifts  [][]uint8

	// transposed are the weights of each layer but the first, a row for each output,
	// for the gradients of what it sees.
	transposed [][]float32
}

// transpose renews n.transposed.
func (n *numbers) transpose(v *shape) {
	if n.transposed == nil {
		n.transposed = make([][]float32, len(v.layers))
	}
	for i := 1; i < len(v.layers); i++ {
		l := &v.layers[i]
		if l.inputs == 0 {
			continue
		}
		if n.transposed[i] == nil {
			n.transposed[i] = make([]float32, l.inputs*l.toChannels)
		}
		gemm.Transpose(gemm.Of(n.transposed[i], l.toChannels, l.inputs), l.matrix(n.parameters))
	}
}

// A pass is the memory for computing some samples at a time, forwards and
// backwards.
type pass struct {
	v       *shape
	samples int
	values  [][]float32 // values[0] is the input, values[i+1] what layer i makes
	chosen  [][]uint8   // of each MaxPool, the number of the maximum
	columns []float32   // of one sample, the left factor of a convolution
	border  []float32   // one sample with its padding
	slopes  [2][]float32
}

func newPass(v *shape, samples int) *pass {
	p := &pass{v: v, samples: samples, values: [][]float32{make([]float32, samples*v.side*v.side*planes)}, chosen: make([][]uint8, len(v.layers))}
	columns, border, largest := 0, 0, 0
	for i := range v.layers {
		l := &v.layers[i]
		p.values = append(p.values, make([]float32, samples*l.size()))
		if l.Kind == cascade.MaxPool {
			p.chosen[i] = make([]uint8, samples*l.size())
		} else if !l.direct() {
			columns = max(columns, l.rows()*l.inputs)
			border = max(border, l.padded()*l.padded()*l.channels)
		}
		largest = max(largest, l.size())
	}
	p.columns, p.border = make([]float32, columns), make([]float32, border)
	for i := range p.slopes {
		p.slopes[i] = make([]float32, samples*largest)
	}
	return p
}

// outputs returns what the last layer made.
func (p *pass) outputs() []float32 { return p.values[len(p.v.layers)] }

// forward computes all layers for the first count samples of the input.
func (p *pass) forward(n *numbers, count int) {
	for i := range p.v.layers {
		l := &p.v.layers[i]
		in, out := p.values[i], p.values[i+1]
		switch l.Kind {
		case cascade.MaxPool:
			for s := range count {
				pool(l, out[s*l.size():][:l.size()], p.chosen[i][s*l.size():][:l.size()], in[s*l.from():][:l.from()])
			}
		case cascade.Dense:
			l.product(n, out, in, count)
			l.activate(n, i, out[:count*l.size()])
		case cascade.Conv:
			for s := range count {
				made := out[s*l.size():][:l.size()]
				l.product(n, made, p.left(l, in[s*l.from():][:l.from()]), l.rows())
				l.activate(n, i, made)
			}
		}
	}
}

// product computes the sums of a layer from some rows of its left factor.
func (l *layer) product(n *numbers, out, left []float32, rows int) {
	bias := l.bias(n.parameters)
	for r := range rows {
		copy(out[r*len(bias):], bias)
	}
	gemm.Add(gemm.Of(out, rows, l.toChannels), gemm.Of(left, rows, l.inputs), l.matrix(n.parameters))
}

// left returns the left factor of a convolution's product: for each output pixel,
// the inputs that it sees.
func (p *pass) left(l *layer, in []float32) []float32 {
	if l.direct() {
		return in
	}
	side := l.side
	if l.Pad > 0 {
		in, side = p.pad(l, in), l.padded()
	}
	line := l.Kernel * l.channels
	to := p.columns
	for y := range l.toSide {
		for x := range l.toSide {
			from := in[(y*side+x)*l.Stride*l.channels:]
			for range l.Kernel {
				copy(to[:line], from)
				to = to[line:]
				from = from[min(side*l.channels, len(from)):]
			}
		}
	}
	return p.columns[:l.rows()*l.inputs]
}

// pad returns a copy of one sample with zeros around it.
func (p *pass) pad(l *layer, in []float32) []float32 {
	side := l.padded()
	out := p.border[:side*side*l.channels]
	clear(out)
	line := l.side * l.channels
	for y := range l.side {
		copy(out[((y+l.Pad)*side+l.Pad)*l.channels:][:line], in[y*line:])
	}
	return out
}

// activate turns the sums of layer i into activations.
func (l *layer) activate(n *numbers, i int, out []float32) {
	switch {
	case !n.eight && l.last:
	case !n.eight:
		for k, z := range out { // max(z, 0), but without a jump
			b := math.Float32bits(z)
			out[k] = math.Float32frombits(b &^ uint32(int32(b)>>31))
		}
	case l.last:
		for factors := n.factors[i]; len(out) > 0; out = out[len(factors):] {
			for k, f := range factors {
				out[k] *= f
			}
		}
	default:
		for shifts := n.shifts[i]; len(out) > 0; out = out[len(shifts):] {
			made := out[:len(shifts)]
			for k, shift := range shifts {
				y := (int32(made[k]) + 1<<(shift&31)/2) >> (shift & 31)
				made[k] = float32(min(max(y, 0), maxActivation))
			}
		}
	}
}

// pool computes the maxima of one sample, of values that are 0 or more. Of equal ones
// the first counts.
func pool(l *layer, out []float32, chosen []uint8, in []float32) {
	c := l.channels
	for y := range l.toSide {
		for x := range l.toSide {
			at := (y*l.side + x) * l.Stride * c
			best, number := out[:c], chosen[:c]
			copy(best, in[at:])
			clear(number)
			for k := 1; k < l.Kernel*l.Kernel; k++ {
				// The bits of such values, as integers, have the same order, and
				// integers are chosen without a jump.
				from := in[at+(k/l.Kernel*l.side+k%l.Kernel)*c:][:len(best)]
				number := number[:len(best)]
				for j, v := range from {
					a, b, n := math.Float32bits(best[j]), math.Float32bits(v), number[j]
					if b > a {
						n = uint8(k)
					}
					best[j], number[j] = math.Float32frombits(max(a, b)), n
				}
			}
			out, chosen = out[c:], chosen[c:]
		}
	}
}
