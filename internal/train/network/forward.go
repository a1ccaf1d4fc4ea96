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
	values  [][]float32 // values[0] is the input, values[i+1] what layer i makes, or its sums if pooled
	chosen  [][]uint8   // of each MaxPool, the number of the maximum
	columns []float32   // of one sample, the left factor of a convolution
	slopes  [2][]float32
}

func newPass(v *shape, samples int) *pass {
	p := &pass{v: v, samples: samples, values: [][]float32{make([]float32, samples*v.side*v.side*planes)}, chosen: make([][]uint8, len(v.layers))}
	columns, largest := 0, 0
	for i := range v.layers {
		l := &v.layers[i]
		p.values = append(p.values, make([]float32, samples*l.size()))
		if l.Kind == cascade.MaxPool {
			p.chosen[i] = make([]uint8, samples*l.size())
		} else if l.Kind == cascade.Conv {
			columns = max(columns, l.rows()*l.inputs)
		}
		largest = max(largest, l.size())
	}
	p.columns = make([]float32, columns)
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
				l.pool(n, i, out[s*l.size():][:l.size()], p.chosen[i][s*l.size():][:l.size()], in[s*l.from():][:l.from()])
			}
		case cascade.Dense:
			l.product(n, out, in, count)
			l.activate(n, i, out[:count*l.size()])
		case cascade.Conv:
			for s := range count {
				made := out[s*l.size():][:l.size()]
				l.product(n, made, p.left(l, in[s*l.from():][:l.from()]), l.rows())
				if !l.pooled { // otherwise activated in pool
					l.activate(n, i, made)
				}
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
	line := l.Kernel * l.channels
	to := p.columns
	for y := range l.toSide {
		for x := range l.toSide {
			from := in[(y*l.side+x)*l.Stride*l.channels:]
			for range l.Kernel {
				copy(to[:line], from)
				to = to[line:]
				from = from[min(l.side*l.channels, len(from)):]
			}
		}
	}
	return p.columns[:l.rows()*l.inputs]
}

// activate turns the sums of layer i into activations.
func (l *layer) activate(n *numbers, i int, out []float32) {
	switch {
	case !n.eight && l.last:
	case !n.eight:
		for k, z := range out {
			out[k] = math.Float32frombits(uint32(rectified(z)))
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
				made[k] = float32(rounded(made[k], shift))
			}
		}
	}
}

// pool computes the maxima of one sample's activations, whose sums it sees. Of equal
// ones the first counts.
func (l *layer) pool(n *numbers, i int, out []float32, chosen []uint8, sums []float32) {
	c, line := l.channels, l.side*l.channels
	for y := range l.toSide {
		for x := range l.toSide {
			above := sums[2*(y*line+x*c):]
			below := above[line:]
			v00, v01, v10, v11 := above[:c], above[c:2*c], below[:c], below[c:2*c]
			best, number := out[:c], chosen[:c]
			if n.eight {
				for j, shift := range n.shifts[i-1][:c] {
					z, at := greatest(rounded(v00[j], shift), rounded(v01[j], shift), rounded(v10[j], shift), rounded(v11[j], shift))
					best[j], number[j] = float32(z), at
				}
			} else {
				for j := range best {
					z, at := greatest(rectified(v00[j]), rectified(v01[j]), rectified(v10[j]), rectified(v11[j]))
					best[j], number[j] = math.Float32frombits(uint32(z)), at
				}
			}
			out, chosen = out[c:], chosen[c:]
		}
	}
}

// rectified returns the bits of max(z, 0). As integers they have the same order.
func rectified(z float32) int32 {
	b := int32(math.Float32bits(z))
	return b &^ (b >> 31)
}

// rounded returns the integer network's activation for a sum.
func rounded(z float32, shift uint8) int32 {
	y := (int32(z) + 1<<(shift&31)/2) >> (shift & 31)
	return min(max(y, 0), maxActivation)
}

// greatest returns the largest of four numbers that are at least 0, and the index of
// the first of that size, without a jump.
func greatest(a, b, c, d int32) (int32, uint8) {
	ab, cd := (a-b)>>31, (c-d)>>31 // -1 if the second is larger
	a, c = a-(a-b)&ab, c-(c-d)&cd
	all := (a - c) >> 31
	return a - (a-c)&all, uint8(-ab&^all | (2-cd)&all)
}
