package network

import (
	"math"

	"haarlem/cascade"
	"haarlem/internal/kernel/gemm"
)

// backward adds to gradient that of the parameters, for the first count samples
// that forward computed last. slopes are the derivatives of the loss by the
// outputs.
func (p *pass) backward(n *numbers, count int, slopes, gradient []float32) {
	last := len(p.v.layers) - 1
	out := p.slopes[last%2]
	copy(out, slopes[:count*p.v.outputs])
	for i := last; i >= 0; i-- {
		l := &p.v.layers[i]
		in := p.slopes[(i+1)%2]
		out := p.slopes[i%2][:count*l.size()]
		if l.Kind == cascade.MaxPool {
			// The derivatives by activations that are not a maximum are 0.
			p.v.layers[i-1].deactivate(n, i-1, out, p.values[i+1])
			clear(in[:count*l.from()])
			for s := range count {
				l.unpool(in[s*l.from():][:l.from()], p.chosen[i][s*l.size():][:l.size()], out[s*l.size():][:l.size()])
			}
			continue
		}
		if !l.pooled {
			l.deactivate(n, i, out, p.values[i+1])
		}
		bias := l.bias(gradient)
		for from := out; len(from) > 0; from = from[len(bias):] {
			for k, v := range from[:len(bias)] {
				bias[k] += v
			}
		}
		if i > 0 {
			clear(in[:count*l.from()])
		}
		if l.Kind == cascade.Dense {
			l.back(n, i, gradient, in, p.values[i], out, count)
			continue
		}
		for s := range count {
			seen, made := p.values[i][s*l.from():][:l.from()], out[s*l.size():][:l.size()]
			if l.direct() {
				l.back(n, i, gradient, in[min(s*l.from(), len(in)):], seen, made, l.rows())
				continue
			}
			left := p.left(l, seen)
			gemm.AddTransposed(l.matrix(gradient), gemm.Of(left, l.rows(), l.inputs), gemm.Of(made, l.rows(), l.toChannels))
			if i > 0 {
				clear(left)
				gemm.Add(gemm.Of(left, l.rows(), l.inputs), gemm.Of(made, l.rows(), l.toChannels), gemm.Of(n.transposed[i], l.toChannels, l.inputs))
				p.unleft(l, in[s*l.from():][:l.from()], left)
			}
		}
	}
}

// back adds to the gradients of weights and of what a layer sees, where that is the
// left factor of its product.
func (l *layer) back(n *numbers, i int, gradient, in, seen, out []float32, rows int) {
	made := gemm.Of(out, rows, l.toChannels)
	gemm.AddTransposed(l.matrix(gradient), gemm.Of(seen, rows, l.inputs), made)
	if i > 0 {
		gemm.Add(gemm.Of(in, rows, l.inputs), made, gemm.Of(n.transposed[i], l.toChannels, l.inputs))
	}
}

// deactivate turns the derivatives by activations into those by sums. Rounding
// counts as the identity: the straight-through estimator, of Bengio and others,
// Estimating or Propagating Gradients Through Stochastic Neurons (2013).
func (l *layer) deactivate(n *numbers, i int, slopes, made []float32) {
	made = made[:len(slopes)]
	switch {
	case !n.eight && l.last:
	case !n.eight:
		for k, v := range made { // 0 where v is 0, but without a jump
			all := uint32(-int32(math.Float32bits(v)) >> 31)
			slopes[k] = math.Float32frombits(math.Float32bits(slopes[k]) & all)
		}
	case l.last:
		for factors := n.factors[i]; len(slopes) > 0; slopes = slopes[len(factors):] {
			for k, f := range factors {
				slopes[k] *= f
			}
		}
	default:
		clipped := math.Float32bits(maxActivation)
		for factors := n.factors[i]; len(slopes) > 0; slopes, made = slopes[len(factors):], made[len(factors):] {
			seen := made[:len(factors)]
			for k, f := range factors { // 0 where the activation is 0 or the largest
				v := math.Float32bits(seen[k])
				all := uint32(-int32(v)>>31) & uint32(int32(v-clipped)>>31)
				slopes[k] = math.Float32frombits(math.Float32bits(slopes[k]*f) & all)
			}
		}
	}
}

// unleft adds the derivatives by the left factor of a convolution to those by what
// it sees, which are zero.
func (p *pass) unleft(l *layer, in, left []float32) {
	to, side := in, l.side
	if l.Pad > 0 {
		side = l.padded()
		to = p.border[:side*side*l.channels]
		clear(to)
	}
	line := l.Kernel * l.channels
	for y := range l.toSide {
		for x := range l.toSide {
			at := (y*side + x) * l.Stride * l.channels
			for range l.Kernel {
				sums := to[at:][:line]
				for k, v := range left[:line] {
					sums[k] += v
				}
				left = left[line:]
				at += side * l.channels
			}
		}
	}
	if l.Pad > 0 {
		line := l.side * l.channels
		for y := range l.side {
			copy(in[y*line:][:line], to[((y+l.Pad)*side+l.Pad)*l.channels:])
		}
	}
}

// unpool sets the derivatives by the values that are maxima. The others are 0.
func (l *layer) unpool(in []float32, chosen []uint8, out []float32) {
	c, line := l.channels, l.side*l.channels
	offsets := [4]int{0, c, line, line + c}
	for y := range l.toSide {
		for x := range l.toSide {
			to := in[2*(y*line+x*c):]
			for j, v := range out[:c] {
				to[offsets[chosen[j]&3]+j] = v
			}
			out, chosen = out[c:], chosen[c:]
		}
	}
}
