package network

import (
	"haarlem/cascade"
)

// The input is centred while numbers are floats.
const (
	inputCentre = 64
	inputScale  = 1. / 32
)

const (
	maxWeight     = 127
	maxActivation = 127
	maxShift      = 24
	maxSum        = 1 << 24 // of the absolute terms of a sum, and so exact in float32
)

// eight makes the numbers of the integer network from parameters that are floats.
//
// A channel's activation of 127 stands for its range. An integer weight is the
// parameter times what an activation that it meets stands for, divided by what one
// that it makes stands for, times a power of two, which the shift takes back.
type eight struct {
	v       *shape
	scales  [][]float32 // what an activation of 1 stands for, by layer and channel of what the layer sees
	gains   [][]float32 // by layer and output: the integer sum for a sum of 1
	numbers numbers
}

// newEight returns the numbers for ranges of each layer's outputs. Those of MaxPool
// and of the last layer are not used.
func newEight(v *shape, ranges [][]float32) *eight {
	e := &eight{v: v, numbers: numbers{parameters: make([]float32, v.parameters), eight: true}}
	scales := make([]float32, planes)
	for i := range scales {
		scales[i] = inputScale
	}
	for i := range v.layers {
		l := &v.layers[i]
		e.scales = append(e.scales, scales)
		if l.inputs > 0 {
			scales = make([]float32, l.toChannels)
			for o, r := range ranges[i] {
				scales[o] = r / maxActivation
			}
		}
		e.gains = append(e.gains, make([]float32, l.toChannels))
		e.numbers.shifts = append(e.numbers.shifts, make([]uint8, l.toChannels))
		e.numbers.factors = append(e.numbers.factors, make([]float32, l.toChannels))
	}
	e.scales = append(e.scales, scales)
	return e
}

// quantize sets e.numbers for the parameters.
func (e *eight) quantize(parameters []float32) {
	for i := range e.v.layers {
		l := &e.v.layers[i]
		if l.inputs == 0 {
			continue
		}
		largest := make([]float32, l.toChannels)
		weights := l.matrix(parameters).Data
		for k := range l.inputs {
			scale := e.scales[i][k%l.channels]
			for o, w := range weights[k*l.toChannels:][:l.toChannels] {
				largest[o] = max(largest[o], scale*w, -(scale * w))
			}
		}
		for o, upper := range largest {
			e.channel(l, i, o, upper, parameters)
		}
	}
}

// channel computes one output's numbers. largest is its largest weight times scale.
func (e *eight) channel(l *layer, i, o int, largest float32, parameters []float32) {
	if l.last {
		gain := float32(1)
		if largest > 0 {
			gain = maxWeight / largest
		}
		for !e.round(l, i, o, gain, parameters) {
			gain /= 2
		}
		e.numbers.factors[i][o] = 1 / gain
		return
	}
	shift := maxShift
	gain := (1 << maxShift) / e.scales[i+1][o]
	for shift > 0 && largest*gain > maxWeight+0.5 {
		shift--
		gain /= 2
	}
	for !e.round(l, i, o, gain, parameters) && shift > 0 {
		shift--
		gain /= 2
	}
	e.numbers.shifts[i][o], e.numbers.factors[i][o] = uint8(shift), 1/float32(int(1)<<shift)
}

// round rounds the weights and the bias of one output, and reports whether its sums
// are small enough. Otherwise it makes the bias fit.
func (e *eight) round(l *layer, i, o int, gain float32, parameters []float32) bool {
	e.gains[i][o] = gain
	from, to := l.matrix(parameters).Data, l.matrix(e.numbers.parameters).Data
	sum, absolute := 0, 0
	for k := range l.inputs {
		at := k*l.toChannels + o
		w := nearest(float32(from[at]*e.scales[i][k%l.channels])*gain, maxWeight)
		to[at] = float32(w)
		sum += w
		absolute += max(w, -w)
	}
	room := maxSum - 1 - maxActivation*absolute
	bias := nearest(l.bias(parameters)[o]*gain, maxSum)
	if i == 0 {
		bias -= inputCentre * sum
	}
	l.bias(e.numbers.parameters)[o] = float32(min(max(bias, -max(room, 0)), max(room, 0)))
	return max(bias, -bias) <= room
}

// nearest returns x as a whole number from -largest to largest.
func nearest(x float32, largest int) int {
	if x < 0 {
		return -nearest(-x, largest)
	}
	return int(min(x+0.5, float32(largest)))
}

// chain turns the gradient of e.numbers into that of the parameters: rounding counts
// as the identity.
func (e *eight) chain(gradient []float32) {
	for i := range e.v.layers {
		l := &e.v.layers[i]
		if l.inputs == 0 {
			continue
		}
		weights, bias := l.matrix(gradient).Data, l.bias(gradient)
		for k := range l.inputs {
			row, scale := weights[k*l.toChannels:][:l.toChannels], e.scales[i][k%l.channels]
			for o, gain := range e.gains[i] {
				if i == 0 {
					row[o] -= float32(inputCentre * bias[o])
				}
				row[o] *= float32(scale * gain)
			}
		}
		for o, gain := range e.gains[i] {
			bias[o] *= gain
		}
	}
}

// step returns the integer network. s has what is not a number of the network.
func (e *eight) step(s *cascade.NetworkStep) *cascade.NetworkStep {
	c := e.v.step(s)
	for i := range e.v.layers {
		l, n := &e.v.layers[i], &c.Layers[i]
		if l.inputs == 0 {
			continue
		}
		weights := l.matrix(e.numbers.parameters).Data
		for o, b := range l.bias(e.numbers.parameters) {
			for k := range l.inputs {
				n.Weights[o*l.inputs+k] = int8(weights[k*l.toChannels+o])
			}
			n.Bias[o] = int32(b)
			if l.last {
				c.Scales[o] = float64(e.numbers.factors[i][o])
			} else {
				n.Shift[o] = e.numbers.shifts[i][o]
			}
		}
	}
	return c
}

// floats sets parameters to those of an integer network of that shape: an activation
// stands for as much in all layers.
func floats(parameters []float32, v *shape, s *cascade.NetworkStep) {
	for i := range v.layers {
		l, n := &v.layers[i], &s.Layers[i]
		if len(n.Weights) == 0 {
			continue
		}
		weights, bias := l.matrix(parameters).Data, l.bias(parameters)
		for o := range l.toChannels {
			factor, sum := 1., 0
			if l.last {
				factor = s.Scales[o] / inputScale
			} else {
				factor /= float64(int(1) << n.Shift[o])
			}
			for k, w := range n.Weights[o*l.inputs:][:l.inputs] {
				weights[k*l.toChannels+o] = float32(float64(w) * factor)
				sum += int(w)
			}
			b := float64(n.Bias[o])
			if i == 0 {
				b += float64(inputCentre * sum)
			}
			bias[o] = float32(b * factor * inputScale)
		}
	}
}

// A histogram counts a channel's activations.
const bins = 512

// peaks raises the largest activation of each channel to what the layers of p made
// of count samples.
func (p *pass) peaks(largest [][]float32, count int) {
	for i := range p.v.layers {
		l := &p.v.layers[i]
		if l.inputs == 0 || l.last {
			continue
		}
		for made := p.values[i+1][:count*l.size()]; len(made) > 0; made = made[l.toChannels:] {
			for o, x := range made[:l.toChannels] {
				largest[i][o] = max(largest[i][o], x)
			}
		}
	}
}

// counts adds the activations of each channel to its histogram, of the values from 0
// to the largest. Those of 0 do not count.
func (p *pass) counts(histograms [][][bins]int32, largest [][]float32, count int) {
	for i := range p.v.layers {
		l := &p.v.layers[i]
		if l.inputs == 0 || l.last {
			continue
		}
		for made := p.values[i+1][:count*l.size()]; len(made) > 0; made = made[l.toChannels:] {
			for o, x := range made[:l.toChannels] {
				if x > 0 {
					histograms[i][o][min(int(x/largest[i][o]*bins), bins-1)]++
				}
			}
		}
	}
}

// bestRange returns the range with the smallest squared error: of rounding below it,
// of clipping above it.
func bestRange(h *[bins]int32, largest float32) float32 {
	if largest <= 0 {
		return 1
	}
	best, smallest := 1., -1.
	const steps = 64
	for step := steps / 4; step <= steps; step++ {
		r := float64(step) / steps
		rounding := r * r / (12 * maxActivation * maxActivation)
		sum := 0.0
		for b, n := range h {
			if over := (float64(b)+0.5)/bins - r; over > 0 {
				sum += float64(float64(n) * float64(over*over))
			} else {
				sum += float64(float64(n) * rounding)
			}
		}
		if smallest < 0 || sum < smallest {
			best, smallest = r, sum
		}
	}
	return largest * float32(best)
}
