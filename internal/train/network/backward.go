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
			made := gemm.Of(out, count, l.toChannels)
			gemm.AddTransposed(l.matrix(gradient), gemm.Of(p.values[i], count, l.inputs), made)
			if i > 0 {
				gemm.Add(gemm.Of(in, count, l.inputs), made, gemm.Of(n.transposed[i], l.toChannels, l.inputs))
			}
			continue
		}
		for s := range count {
			left, made := p.left(l, p.values[i][s*l.from():][:l.from()]), gemm.Of(out[s*l.size():], l.rows(), l.toChannels)
			gemm.AddTransposed(l.matrix(gradient), gemm.Of(left, l.rows(), l.inputs), made)
			if i > 0 {
				clear(left)
				gemm.Add(gemm.Of(left, l.rows(), l.inputs), made, gemm.Of(n.transposed[i], l.toChannels, l.inputs))
				l.unleft(in[s*l.from():][:l.from()], left)
			}
		}
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
func (l *layer) unleft(in, left []float32) {
	line := l.Kernel * l.channels
	for y := range l.toSide {
		for x := range l.toSide {
			at := (y*l.side + x) * l.Stride * l.channels
			for range l.Kernel {
				sums := in[at:][:line]
				for k, v := range left[:line] {
					sums[k] += v
				}
				left = left[line:]
				at += l.side * l.channels
			}
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
