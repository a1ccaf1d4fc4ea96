package cascade

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
)

// The kinds of layers in a file.
var layerWords = [...]string{Conv: "conv", MaxPool: "max", Dense: "dense"}

func (n *Network) append(b []byte) []byte {
	if n == nil {
		return b
	}
	b = appendInts(append(b, "network"...), len(n.Steps))
	b = append(appendFloat64s(b, &n.Overlap), '\n')
	for i := range n.Steps {
		s := &n.Steps[i]
		b = appendInts(append(b, "step"...), s.Side, len(s.Layers))
		b = append(appendFloat64s(b, &s.Sides, &s.Carry, &s.Threshold, &s.Overlap), '\n')
		b = append(b, "scales"...)
		for k := range s.Scales {
			b = appendFloat64s(b, &s.Scales[k])
		}
		b = append(b, '\n')
		if s.Mirror {
			b = append(appendFloat64s(append(b, "mirror"...), &s.MirrorFrom), '\n')
		}
		for k := range s.Layers {
			b = s.Layers[k].append(b)
		}
	}
	return b
}

func (l *NetworkLayer) append(b []byte) []byte {
	b = append(b, layerWords[l.Kind]...)
	switch l.Kind {
	case MaxPool:
		return append(appendInts(b, l.Kernel), '\n')
	case Conv:
		b = appendInts(b, l.Kernel, l.Stride, l.Pad)
	}
	b = appendInts(b, l.Outputs)
	bytes := make([]byte, len(l.Weights))
	for i, w := range l.Weights {
		bytes[i] = byte(w)
	}
	b = base64.StdEncoding.AppendEncode(append(b, "\nweights "...), bytes)
	b = append(b, "\nbiases"...)
	for _, v := range l.Bias {
		b = appendInts(b, int(v))
	}
	if l.Shift != nil {
		b = append(b, "\nshifts"...)
		for _, v := range l.Shift {
			b = appendInts(b, int(v))
		}
	}
	return append(b, '\n')
}

// network reads the network, if there is one.
func (r *nativeReader) network() error {
	if !r.peek("network") {
		return nil
	}
	if err := r.line(); err != nil {
		return err
	}
	steps, err := r.int("steps", 1, maxNetworkSteps)
	if err != nil {
		return err
	}
	n := &Network{Steps: make([]NetworkStep, steps)}
	if err := r.float64s(&n.Overlap); err != nil {
		return err
	}
	for i := range n.Steps {
		if err := r.step(&n.Steps[i]); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	r.c.Network = n
	return n.check()
}

func (r *nativeReader) step(s *NetworkStep) error {
	if err := r.want("step"); err != nil {
		return err
	}
	var err error
	if s.Side, err = r.int("side", minNetworkSide, maxNetworkSide); err != nil {
		return err
	}
	layers, err := r.int("layers", 1, maxNetworkLayers)
	if err != nil {
		return err
	}
	if err := r.float64s(&s.Sides, &s.Carry, &s.Threshold, &s.Overlap); err != nil {
		return err
	}
	if err := r.want("scales"); err != nil {
		return err
	}
	for r.more {
		if len(s.Scales) == maxNetworkScales {
			return fmt.Errorf("more than %d scales", maxNetworkScales)
		}
		v, err := parseDecimal(r.word(), 64)
		if err != nil {
			return err
		}
		s.Scales = append(s.Scales, v)
	}
	if s.Mirror = r.peek("mirror"); s.Mirror {
		if err := r.line(); err != nil {
			return err
		}
		if err := r.float64s(&s.MirrorFrom); err != nil {
			return err
		}
	}
	s.Layers = make([]NetworkLayer, layers)
	side, channels := s.Side, networkPlanes
	for i := range s.Layers {
		l := &s.Layers[i]
		last := i == layers-1
		err := r.layer(l, last)
		if err == nil {
			err = l.checkShape(side, i == 0, last)
		}
		if err == nil && l.Kind != MaxPool {
			err = r.weights(l, l.Outputs*l.inputs(side, channels), last)
		}
		if err != nil {
			return fmt.Errorf("layer %d: %w", i, err)
		}
		side, channels = l.Shape(side, channels)
	}
	return nil
}

// layer reads what a layer is. Its weights follow.
func (r *nativeReader) layer(l *NetworkLayer, last bool) (err error) {
	if err := r.line(); err != nil {
		return err
	}
	fields := []*int{&l.Outputs}
	switch string(r.key) {
	case "conv":
		l.Kind, fields = Conv, []*int{&l.Kernel, &l.Stride, &l.Pad, &l.Outputs}
	case "max":
		l.Kind, l.Stride, fields = MaxPool, 2, []*int{&l.Kernel}
	case "dense":
		l.Kind = Dense
	default:
		return fmt.Errorf("%s, want \"conv\", \"max\" or \"dense\"", clip(r.key))
	}
	for _, f := range fields {
		if *f, err = r.int("layer", 0, maxNetworkChannels); err != nil {
			return err
		}
	}
	if !last && l.Kind != MaxPool {
		l.Shift = make([]uint8, l.Outputs)
	}
	return r.end()
}

// weights reads the n weights of a layer whose shape is valid, its biases and shifts.
func (r *nativeReader) weights(l *NetworkLayer, n int, last bool) error {
	if n > maxNetworkWeights {
		return fmt.Errorf("%d weights, want at most %d", n, maxNetworkWeights)
	}
	if err := r.want("weights"); err != nil {
		return err
	}
	w := r.word()
	if len(w) != base64.StdEncoding.EncodedLen(n) {
		return fmt.Errorf("%d characters of weights, want %d for %d weights", len(w), base64.StdEncoding.EncodedLen(n), n)
	}
	data, err := base64.StdEncoding.Strict().AppendDecode(nil, w)
	if err != nil || len(data) != n {
		return errors.New("weights that are not base64")
	}
	if err := r.end(); err != nil {
		return err
	}
	l.Weights = make([]int8, n)
	for i, v := range data {
		l.Weights[i] = int8(v)
	}
	if err := r.want("biases"); err != nil {
		return err
	}
	l.Bias = make([]int32, l.Outputs)
	for i := range l.Bias {
		v, err := r.int("bias", math.MinInt32, math.MaxInt32)
		if err != nil {
			return err
		}
		l.Bias[i] = int32(v)
	}
	if err := r.end(); err != nil || last {
		return err
	}
	if err := r.want("shifts"); err != nil {
		return err
	}
	for i := range l.Shift {
		v, err := r.int("shift", 0, maxNetworkShift)
		if err != nil {
			return err
		}
		l.Shift[i] = uint8(v)
	}
	return r.end()
}
