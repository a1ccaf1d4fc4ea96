package network

import (
	"cmp"
	"fmt"

	"haarlem/cascade"
	"haarlem/internal/kernel/gemm"
	"haarlem/internal/network"
)

// planes are the channels of a picture.
const planes = 3

// A layer is the shape of a layer, and where its weights are.
type layer struct {
	cascade.NetworkLayer      // without weights
	side, channels       int  // of what it sees
	toSide, toChannels   int  // of what it makes
	inputs               int  // weights per output; 0 without weights
	weights, biases      int  // indices of the first in the parameters: inputs by toChannels, and toChannels
	pooled               bool // whether the layer after it is a MaxPool
	last                 bool
}

// size returns the number of values that the layer makes.
func (l *layer) size() int { return l.toSide * l.toSide * l.toChannels }

// from returns the number of values that the layer sees.
func (l *layer) from() int { return l.side * l.side * l.channels }

// rows returns the number of rows of the left factor, of one sample.
func (l *layer) rows() int { return l.toSide * l.toSide }

// A shape is that of a network: all but its numbers.
type shape struct {
	side       int
	layers     []layer
	outputs    int // of the last layer
	parameters int
}

// shapeOf returns the shape of a step, whose weights and scales are ignored.
func shapeOf(s *cascade.NetworkStep) (*shape, error) {
	v := &shape{side: s.Side}
	if s.Side < 1 || s.Side > network.MaxCrop || len(s.Layers) == 0 {
		return nil, fmt.Errorf("%w: Step: %d pixels a side and %d layers", ErrSettings, s.Side, len(s.Layers))
	}
	side, channels := s.Side, planes
	for i, n := range s.Layers {
		n.Weights, n.Bias, n.Shift = nil, nil, nil
		l := layer{NetworkLayer: n, side: side, channels: channels, last: i == len(s.Layers)-1}
		if n.Kind != cascade.Dense && (n.Kernel < 1 || n.Stride < 1 || n.Kernel > side) || n.Outputs < 0 {
			return nil, fmt.Errorf("%w: Step: layer %d does not fit %d pixels a side", ErrSettings, i, side)
		}
		if n.Pad != 0 {
			return nil, fmt.Errorf("%w: Step: layer %d has padding, which no training knows", ErrSettings, i)
		}
		l.toSide, l.toChannels = l.Shape(side, channels)
		switch n.Kind {
		case cascade.Conv:
			l.inputs = n.Kernel * n.Kernel * channels
		case cascade.Dense:
			l.inputs = side * side * channels
		case cascade.MaxPool:
			if n.Kernel != 2 || i == 0 || s.Layers[i-1].Kind != cascade.Conv {
				return nil, fmt.Errorf("%w: Step: layer %d: a MaxPool has 2x2 pixels and comes after a convolution", ErrSettings, i)
			}
			v.layers[i-1].pooled = true
		}
		if l.inputs > 0 {
			l.weights, l.biases = v.parameters, v.parameters+l.inputs*l.toChannels
			v.parameters = l.biases + l.toChannels
		}
		v.layers = append(v.layers, l)
		side, channels = l.toSide, l.toChannels
	}
	v.outputs = channels
	// Weights of zero are valid, so that this finds all that is wrong with the shape.
	blank := v.step(s)
	if err := blank.Check(); err != nil {
		return nil, fmt.Errorf("%w: Step: %w", ErrSettings, err)
	}
	return v, nil
}

// step returns s with weights of zero.
func (v *shape) step(s *cascade.NetworkStep) *cascade.NetworkStep {
	c := *s
	c.Overlap = cmp.Or(c.Overlap, 1)
	c.Layers, c.Scales = nil, make([]float64, v.outputs)
	for i := range c.Scales {
		c.Scales[i] = 1
	}
	for i := range v.layers {
		l := &v.layers[i]
		n := l.NetworkLayer
		if l.inputs > 0 {
			n.Weights, n.Bias = make([]int8, l.inputs*l.toChannels), make([]int32, l.toChannels)
			if !l.last {
				n.Shift = make([]uint8, l.toChannels)
			}
		}
		c.Layers = append(c.Layers, n)
	}
	return &c
}

// matrix returns a layer's weights among parameters: a row for each input, a column
// for each output.
func (l *layer) matrix(parameters []float32) gemm.Matrix {
	return gemm.Of(parameters[l.weights:], l.inputs, l.toChannels)
}

// bias returns a layer's biases among parameters.
func (l *layer) bias(parameters []float32) []float32 {
	return parameters[l.biases:][:l.toChannels]
}
