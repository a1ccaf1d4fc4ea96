package cascade

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// layer returns a layer with weights of 1 and 2.
func layer(kind LayerKind, kernel, stride, pad, inputs, outputs int, last bool) NetworkLayer {
	l := NetworkLayer{Kind: kind, Kernel: kernel, Stride: stride, Pad: pad, Outputs: outputs}
	if kind == MaxPool {
		return l
	}
	l.Weights, l.Bias = make([]int8, inputs*outputs), make([]int32, outputs)
	for i := range l.Weights {
		l.Weights[i] = int8(1 + i%2)
	}
	if !last {
		l.Shift = make([]uint8, outputs)
	}
	return l
}

// network returns a valid network of two steps with all kinds of layers.
func network() *Network {
	return &Network{Overlap: 0.6, Steps: []NetworkStep{
		{
			Side: 8, Sides: 1, Threshold: -1, Overlap: 0.5, Scales: []float64{1},
			Layers: []NetworkLayer{layer(Dense, 0, 0, 0, 8*8*3, 1, true)},
		},
		{
			Side: 24, Sides: 1.25, Carry: 0.5, Mirror: true, MirrorFrom: -2, Overlap: 1, Scales: []float64{1, 2, 3, 4, 5},
			Layers: []NetworkLayer{
				layer(Conv, 3, 1, 0, 3*3*3, 8, false),    // 22
				layer(MaxPool, 2, 2, 0, 0, 0, false),     // 11
				layer(Conv, 3, 2, 1, 3*3*8, 16, false),   // 6
				layer(MaxPool, 2, 2, 0, 0, 0, false),     // 3
				layer(Dense, 0, 0, 0, 3*3*16, 24, false), //
				layer(Dense, 0, 0, 0, 24, 5, true),
			},
		},
	}}
}

// Every change makes a valid network invalid, and the error says what is wrong.
func TestNetworkCheck(t *testing.T) {
	must.Do(network().Check())
	for _, test := range []struct {
		want   string
		change func(n *Network, s *NetworkStep, l []NetworkLayer)
	}{
		{"0 steps", func(n *Network, _ *NetworkStep, _ []NetworkLayer) { n.Steps = nil }},
		{"3 steps", func(n *Network, s *NetworkStep, _ []NetworkLayer) { n.Steps = append(n.Steps, *s) }},
		{"step 1: 7 pixels", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Side = 7 }},
		{"65 pixels", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Side = 65 }},
		{"0.4 sides", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Sides = 0.4 }},
		{"NaN sides", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Sides = math.NaN() }},
		{"overlap 0,", func(n *Network, _ *NetworkStep, _ []NetworkLayer) { n.Overlap = 0 }},
		{"carry -1", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Carry = -1 }},
		{"threshold +Inf", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Threshold = math.Inf(1) }},
		{"overlap 0,", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Overlap = 0 }},
		{"mirror from NaN", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.MirrorFrom = math.NaN() }},
		{"without mirror", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Mirror = false }},
		{"overlap 1.1", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Overlap = 1.1 }},
		{"0 layers", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Layers = nil }},
		{"33 layers", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Layers = make([]NetworkLayer, 33) }},
		{"4 scales", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Scales = s.Scales[:4] }},
		{"6 scales of 5", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Scales = append(s.Scales, 1) }},
		{"scale 1 is 0", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Scales[1] = 0 }},
		{"scale 1 is NaN", func(_ *Network, s *NetworkStep, _ []NetworkLayer) { s.Scales[1] = math.NaN() }},
		{"layer 0: kind 0", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Kind = 0 }},
		{"kind 4", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Kind = 4 }},
		{"at the beginning", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Pad = 1 }},
		{"do not follow", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0] = l[1] }},
		{"do not follow", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2] = l[1] }},
		{"at the end", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[5].Shift = make([]uint8, 5) }},
		{"at the end", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[4].Shift = nil }},
		{"convolution of side 4", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Kernel = 4 }},
		{"convolution of side 0", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Kernel = 0 }},
		{"stride 0", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Stride = 0 }},
		{"stride 3", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Stride = 3 }},
		{"padding 2", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Pad = 2 }},
		{"padding -1", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Pad = -1 }},
		{"maxima of side 3", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[1].Kernel = 3 }},
		{"maxima of side 2, stride 1", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[3].Stride = 1 }},
		{"maxima with", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[1].Outputs = 8 }},
		{"maxima with", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[1].Weights = make([]int8, 1) }},
		{"dense layer of side 1", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[4].Kernel = 1 }},
		{"but the layer before is 2 pixels", func(_ *Network, s *NetworkStep, l []NetworkLayer) {
			s.Side, l[2].Pad = 8, 0
			l[0] = layer(Conv, 1, 2, 0, 3, 8, false)
		}},
		{"257 outputs", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Outputs = 257 }},
		{"0 outputs", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Outputs = 0 }},
		{"multiple of 8", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[0].Outputs = 12 }},
		{"1151 weights", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Weights = l[2].Weights[1:] }},
		{"15 biases", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Bias = l[2].Bias[1:] }},
		{"15 shifts", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Shift = l[2].Shift[1:] }},
		{"output 3: shift 25", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Shift[3] = 25 }},
		{"output 1: weight -128", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Weights[72] = -128 }},
		{"output 2: sums up to", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Bias[2] = 1<<24 - 127*108 }},
		{"output 2: sums up to", func(_ *Network, _ *NetworkStep, l []NetworkLayer) { l[2].Bias[2] = math.MinInt32 }},
		{"layer 1: more than", func(_ *Network, s *NetworkStep, l []NetworkLayer) {
			s.Side = 64
			l[0] = layer(Conv, 1, 1, 0, 3, 256, false)
			l[1] = layer(Conv, 2, 1, 0, 4*256, 8, false)
		}},
	} {
		n := network()
		test.change(n, &n.Steps[len(n.Steps)-1], n.Steps[len(n.Steps)-1].Layers)
		err := n.Check()
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %q", err, test.want)
		}
	}
}

// The weights of both steps are counted together.
func TestNetworkWeights(t *testing.T) {
	step := NetworkStep{Side: 8, Sides: 1, Overlap: 1, Scales: []float64{1}, Layers: []NetworkLayer{
		layer(Conv, 1, 1, 0, 3, 8, false),
		layer(Dense, 0, 0, 0, 8*8*8, 160, false),
		layer(Dense, 0, 0, 0, 160, 1, true),
	}}
	must.Do(step.Check())
	err := (&Network{Overlap: 1, Steps: []NetworkStep{step, step}}).Check()
	if err == nil || !strings.Contains(err.Error(), "164208 weights in all") {
		t.Errorf("%v, want an error about all weights", err)
	}
}

// Largest sums are just below the bound.
func TestNetworkSums(t *testing.T) {
	n := network()
	bias := &n.Steps[1].Layers[2].Bias[2]
	for _, *bias = range []int32{1<<24 - 127*108 - 1, -1<<24 + 127*108 + 1} {
		if err := n.Check(); err != nil {
			t.Error(err)
		}
	}
}

// A clone is equal and shares nothing.
func TestNetworkClone(t *testing.T) {
	if (*Network)(nil).clone() != nil {
		t.Error("a clone of nothing")
	}
	n := network()
	m := n.clone()
	if !reflect.DeepEqual(n, m) {
		t.Fatal("the clone differs")
	}
	l := &m.Steps[1].Layers[0]
	m.Steps[0].Side, m.Steps[1].Scales[0], l.Weights[0], l.Bias[0], l.Shift[0], l.Kind = 9, 9, 9, 9, 9, 9
	if !reflect.DeepEqual(n, network()) {
		t.Error("a change of the clone changes the original")
	}
}
