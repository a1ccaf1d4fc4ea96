package cascade

import (
	"encoding/base64"
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
func (r *nativeReader) network() {
	if !r.peek("network") {
		return
	}
	r.line()
	n := &Network{Steps: make([]NetworkStep, r.int("steps", 1, maxNetworkSteps))}
	r.float64s(&n.Overlap)
	for i := range n.Steps {
		r.parts = parts{{"step", i}}
		r.step(&n.Steps[i])
	}
	r.parts = parts{}
	r.c.Network = n
	fail(n.check())
}

func (r *nativeReader) step(s *NetworkStep) {
	r.want("step")
	s.Side = r.int("side", minNetworkSide, maxNetworkSide)
	s.Layers = make([]NetworkLayer, r.int("layers", 1, maxNetworkLayers))
	r.float64s(&s.Sides, &s.Carry, &s.Threshold, &s.Overlap)
	r.want("scales")
	for r.more {
		if len(s.Scales) == maxNetworkScales {
			failf("more than %d scales", maxNetworkScales)
		}
		s.Scales = append(s.Scales, r.float64())
	}
	if s.Mirror = r.peek("mirror"); s.Mirror {
		r.line()
		r.float64s(&s.MirrorFrom)
	}
	side, channels := s.Side, networkPlanes
	var before LayerKind
	for i := range s.Layers {
		r.parts[1].name, r.parts[1].index = "layer", i
		l := &s.Layers[i]
		last := i == len(s.Layers)-1
		r.layer(l, last)
		fail(l.checkShape(side, before, last))
		before = l.Kind
		if l.Kind != MaxPool {
			r.weights(l, l.Outputs*l.inputs(side, channels), last)
		}
		side, channels = l.Shape(side, channels)
	}
}

// layer reads what a layer is. Its weights follow.
func (r *nativeReader) layer(l *NetworkLayer, last bool) {
	r.line()
	fields := []*int{&l.Outputs}
	switch string(r.key) {
	case "conv":
		l.Kind, fields = Conv, []*int{&l.Kernel, &l.Stride, &l.Pad, &l.Outputs}
	case "max":
		l.Kind, l.Stride, fields = MaxPool, 2, []*int{&l.Kernel}
	case "dense":
		l.Kind = Dense
	default:
		failf("%s, want \"conv\", \"max\" or \"dense\"", clip(r.key))
	}
	for _, f := range fields {
		*f = r.int("layer", 0, maxNetworkChannels)
	}
	if !last && l.Kind != MaxPool {
		l.Shift = make([]uint8, l.Outputs)
	}
	r.end()
}

// weights reads the n weights of a layer whose shape is valid, its biases and shifts.
func (r *nativeReader) weights(l *NetworkLayer, n int, last bool) {
	if n > maxNetworkWeights {
		failf("%d weights, want at most %d", n, maxNetworkWeights)
	}
	r.want("weights")
	w := r.word()
	if long := base64.StdEncoding.EncodedLen(n); len(w) != long {
		failf("%d characters of weights, want %d for %d weights", len(w), long, n)
	}
	data, err := base64.StdEncoding.Strict().AppendDecode(nil, w)
	if err != nil || len(data) != n {
		failf("weights that are not base64")
	}
	r.end()
	l.Weights = make([]int8, n)
	for i, v := range data {
		l.Weights[i] = int8(v)
	}
	r.want("biases")
	l.Bias = make([]int32, l.Outputs)
	for i := range l.Bias {
		l.Bias[i] = int32(r.int("bias", math.MinInt32, math.MaxInt32))
	}
	r.end()
	if last {
		return
	}
	r.want("shifts")
	for i := range l.Shift {
		l.Shift[i] = uint8(r.int("shift", 0, maxNetworkShift))
	}
	r.end()
}
