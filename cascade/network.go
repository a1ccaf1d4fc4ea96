package cascade

import (
	"errors"
	"fmt"
	"slices"
)

// A Network examines squares around candidates by one or two small convolutional
// networks with integer weights. The squares that pass a step, with corrected boxes,
// are what the next one sees. All arithmetic before [NetworkStep.Scales] is exact, so
// that every machine computes the same.
type Network struct {
	// Overlap suppresses candidates before the first step: of two whose intersection
	// is a larger share of their union, the one with the larger margin stays. 1 means
	// that all stay.
	Overlap float64

	Steps []NetworkStep
}

// A NetworkStep is one network. It sees a square resampled to Side by Side pixels of
// three channels, Y, Cb and Cr as in JPEG files, halved: all activations are from 0 to
// 127. They are kept row by row, with the channels of a pixel together.
type NetworkStep struct {
	Side  int     // 8 to 64
	Sides float64 // side of the square, in sides of the candidate's box

	// Carry is the share of the margin before the step that is added to what the step
	// computes. 0 means that only the step counts.
	Carry float64

	// Threshold is the smallest margin with which a square passes.
	Threshold float64

	// Mirror examines what passes with a margin of at least MirrorFrom once more, in its
	// corrected box and mirrored. The margin becomes the mean of both, and the box is
	// corrected again.
	Mirror     bool
	MirrorFrom float64

	// Overlap suppresses what passes: of two boxes whose intersection is a larger
	// share of their union, the better one stays. 1 means that all stay.
	Overlap float64

	// Layers end with one that is Dense, which has no Shift. Others than MaxPool
	// have a multiple of 8 outputs before it.
	Layers []NetworkLayer

	// Scales turn the sums of the last layer into results. The first is the
	// margin. If there are more, four correct the box: the shifts to the right and
	// downwards of its centre, in its sides, and the logarithms of the factors of
	// its width and height. What follows has no meaning yet.
	Scales []float64
}

// A LayerKind says what a layer computes.
type LayerKind uint8

const (
	Conv    LayerKind = iota + 1 // convolution
	MaxPool                      // maximum, for each channel, of what a Conv before it makes
	Dense                        // every output sees the whole layer before
)

// A NetworkLayer is a layer of a [NetworkStep]. An output of Conv and Dense is
//
//	min(max((sum + Bias + 1<<Shift/2) >> Shift, 0), 127)
//
// where sum is that of activations times weights, or, in the last layer, sum + Bias.
// Fields that a kind does not use are zero.
type NetworkLayer struct {
	Kind   LayerKind
	Kernel int // side: Conv 1 to 3, MaxPool 2
	Stride int // Conv 1 or 2, MaxPool 2
	Pad    int // zeros on each side: Conv 0 or 1, and 0 in the first layer

	// Outputs is the number of channels that Conv or Dense makes.
	Outputs int

	// Weights are from -127 to 127, for each output those of the first row of what
	// it sees, pixel by pixel with the channels of a pixel together, and so on.
	Weights []int8

	// Bias and Shift have an element for each output. 127 times the absolute weights
	// of an output and its absolute bias are below 1<<24 together, so that no order
	// of adding overflows, and floats of 32 bits are exact. Shift is 0 to 24.
	Bias  []int32
	Shift []uint8
}

// Bounds of every network.
const (
	maxNetworkSteps    = 2
	minNetworkSide     = 8
	maxNetworkSide     = 64
	maxNetworkLayers   = 32
	maxNetworkChannels = 256
	maxNetworkWeights  = 160_000 // of all steps
	maxNetworkWork     = 1 << 24 // of a step
	maxNetworkScales   = 32
	maxNetworkScale    = 1 << 16
	maxNetworkShift    = 24
	maxNetworkSum      = 1 << 24
	maxActivation      = 127
	maxCarry           = 1 << 16
)

func (n *Network) clone() *Network {
	if n == nil {
		return nil
	}
	m := &Network{n.Overlap, slices.Clone(n.Steps)}
	for i := range m.Steps {
		s := &m.Steps[i]
		s.Scales, s.Layers = slices.Clone(s.Scales), slices.Clone(s.Layers)
		for k := range s.Layers {
			l := &s.Layers[k]
			l.Weights, l.Bias, l.Shift = slices.Clone(l.Weights), slices.Clone(l.Bias), slices.Clone(l.Shift)
		}
	}
	return m
}

// Check reports an error that wraps [ErrModel] and names the place, unless n is valid:
// every layer fits the one before and has its weights, and nothing is beyond the bounds
// that the fields name. All steps have at most 160,000 weights together, and each at
// most 1<<24 multiplications for one square. Layers are at most 32, and channels 256.
func (n *Network) Check() error {
	if err := n.check(); err != nil {
		return fmt.Errorf("%w: network: %w", ErrModel, err)
	}
	return nil
}

func (n *Network) check() error {
	if len(n.Steps) < 1 || len(n.Steps) > maxNetworkSteps {
		return fmt.Errorf("%d steps, want 1 or %d", len(n.Steps), maxNetworkSteps)
	}
	if err := checkOverlap(n.Overlap); err != nil {
		return err
	}
	weights := 0
	for i := range n.Steps {
		s := &n.Steps[i]
		if err := s.check(); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		for k := range s.Layers {
			weights += len(s.Layers[k].Weights)
		}
	}
	if weights > maxNetworkWeights {
		return fmt.Errorf("%d weights in all, want at most %d", weights, maxNetworkWeights)
	}
	return nil
}

// Check is [Network.Check] for one step.
func (s *NetworkStep) Check() error {
	return (&Network{1, []NetworkStep{*s}}).Check()
}

func (s *NetworkStep) check() error {
	if err := s.checkHead(); err != nil {
		return err
	}
	side, channels, work := s.Side, networkPlanes, 0
	var before LayerKind // of a layer
	for i := range s.Layers {
		l := &s.Layers[i]
		err := l.checkShape(side, before, i == len(s.Layers)-1)
		before = l.Kind
		if err == nil {
			// Bounded numbers, and so are their products.
			if work += l.work(side, channels); work > maxNetworkWork {
				err = fmt.Errorf("more than %d multiplications so far", maxNetworkWork)
			}
		}
		if err == nil {
			err = l.checkWeights(side, channels, i == len(s.Layers)-1)
		}
		if err != nil {
			return fmt.Errorf("layer %d: %w", i, err)
		}
		side, channels = l.Shape(side, channels)
	}
	if channels != len(s.Scales) {
		return fmt.Errorf("%d scales of %d outputs", len(s.Scales), channels)
	}
	return nil
}

// networkPlanes are the channels that a first layer sees.
const networkPlanes = 3

func (s *NetworkStep) checkHead() error {
	if s.Side < minNetworkSide || s.Side > maxNetworkSide {
		return fmt.Errorf("%d pixels a side, want %d to %d", s.Side, minNetworkSide, maxNetworkSide)
	}
	if !(s.Sides >= minSides && s.Sides <= maxSides) {
		return fmt.Errorf("a square of %v sides, want %v to %v", s.Sides, minSides, maxSides)
	}
	if !isFinite(s.Threshold) {
		return fmt.Errorf("threshold %v, want a finite number", s.Threshold)
	}
	if !isFinite(s.MirrorFrom) || !s.Mirror && s.MirrorFrom != 0 {
		return fmt.Errorf("mirror from %v, want a finite number, and 0 without mirror", s.MirrorFrom)
	}
	if !(s.Carry >= 0 && s.Carry <= maxCarry) {
		return fmt.Errorf("carry %v, want 0 to %d", s.Carry, maxCarry)
	}
	if err := checkOverlap(s.Overlap); err != nil {
		return err
	}
	if len(s.Layers) < 1 || len(s.Layers) > maxNetworkLayers {
		return fmt.Errorf("%d layers, want 1 to %d", len(s.Layers), maxNetworkLayers)
	}
	if n := len(s.Scales); n != 1 && (n < 5 || n > maxNetworkScales) {
		return fmt.Errorf("%d scales, want 1, or 5 to %d", n, maxNetworkScales)
	}
	for i, v := range s.Scales {
		if !(v > 0 && v <= maxNetworkScale) {
			return fmt.Errorf("scale %d is %v, want more than 0 and at most %d", i, v, maxNetworkScale)
		}
	}
	return nil
}

func checkOverlap(share float64) error {
	if !(share > 0 && share <= 1) {
		return fmt.Errorf("overlap %v, want more than 0 and at most 1", share)
	}
	return nil
}

// work returns the number of multiplications for one square.
func (l *NetworkLayer) work(side, channels int) int {
	if l.Kind == MaxPool {
		return 0
	}
	to, _ := l.Shape(side, channels)
	return to * to * l.Outputs * l.inputs(side, channels)
}

// inputs returns the number of activations that an output of Conv or Dense sees.
func (l *NetworkLayer) inputs(side, channels int) int {
	if l.Kind == Conv {
		side = l.Kernel
	}
	return side * side * channels
}

// Shape returns the side and the number of channels of what the layer makes from a
// square of so many pixels a side and so many channels.
func (l *NetworkLayer) Shape(side, channels int) (int, int) {
	switch l.Kind {
	case Conv:
		return (side+2*l.Pad-l.Kernel)/l.Stride + 1, l.Outputs
	case MaxPool:
		return (side-l.Kernel)/l.Stride + 1, channels
	}
	return 1, l.Outputs
}

// checkShape checks the numbers of a layer that sees a square of that side, and follows a
// layer of that kind, or none.
func (l *NetworkLayer) checkShape(side int, before LayerKind, last bool) error {
	if last != (l.Kind == Dense && l.Shift == nil) {
		return errors.New("want a dense layer without shifts at the end, and only there")
	}
	switch l.Kind {
	case Conv:
		if l.Kernel < 1 || l.Kernel > 3 || l.Stride < 1 || l.Stride > 2 || l.Pad < 0 || l.Pad > 1 {
			return fmt.Errorf("a convolution of side %d, stride %d and padding %d, want 1 to 3, 1 or 2, and 0 or 1", l.Kernel, l.Stride, l.Pad)
		}
	case MaxPool:
		if l.Kernel != 2 || l.Stride != 2 || l.Pad != 0 {
			return fmt.Errorf("maxima of side %d, stride %d and padding %d, want 2, 2, and 0", l.Kernel, l.Stride, l.Pad)
		}
		if before != Conv {
			return errors.New("maxima that do not follow a convolution")
		}
		if l.Outputs != 0 || l.Weights != nil || l.Bias != nil || l.Shift != nil {
			return errors.New("maxima with outputs, weights, biases or shifts")
		}
	case Dense:
		if l.Kernel != 0 || l.Stride != 0 || l.Pad != 0 {
			return fmt.Errorf("a dense layer of side %d, stride %d and padding %d, want 0", l.Kernel, l.Stride, l.Pad)
		}
	default:
		return fmt.Errorf("kind %d, want %d to %d", l.Kind, Conv, Dense)
	}
	if before == 0 && l.Pad != 0 {
		return errors.New("want a convolution without padding, or a dense layer, at the beginning")
	}
	if side+2*l.Pad < l.Kernel {
		return fmt.Errorf("side %d, but the layer before is %d pixels a side", l.Kernel, side)
	}
	if l.Kind != MaxPool {
		if l.Outputs < 1 || l.Outputs > maxNetworkChannels {
			return fmt.Errorf("%d outputs, want 1 to %d", l.Outputs, maxNetworkChannels)
		}
		if !last && l.Outputs%8 != 0 {
			return fmt.Errorf("%d outputs, want a multiple of 8", l.Outputs)
		}
	}
	return nil
}

// checkWeights checks the weights of a layer whose shape is valid.
func (l *NetworkLayer) checkWeights(side, channels int, last bool) error {
	if l.Kind == MaxPool {
		return nil
	}
	inputs := l.inputs(side, channels)
	if len(l.Weights) != l.Outputs*inputs || len(l.Bias) != l.Outputs {
		return fmt.Errorf("%d weights and %d biases, want %d and %d", len(l.Weights), len(l.Bias), l.Outputs*inputs, l.Outputs)
	}
	if !last && len(l.Shift) != l.Outputs {
		return fmt.Errorf("%d shifts, want %d", len(l.Shift), l.Outputs)
	}
	for i, shift := range l.Shift {
		if shift > maxNetworkShift {
			return fmt.Errorf("output %d: shift %d, want 0 to %d", i, shift, maxNetworkShift)
		}
	}
	for i, bias := range l.Bias {
		sum := max(int64(bias), -int64(bias))
		for _, w := range l.Weights[i*inputs : (i+1)*inputs] {
			if w == -128 {
				return fmt.Errorf("output %d: weight %d, want -127 to 127", i, w)
			}
			sum += maxActivation * int64(max(w, -w))
		}
		if sum >= maxNetworkSum {
			return fmt.Errorf("output %d: sums up to %d, want less than %d", i, sum, maxNetworkSum)
		}
	}
	return nil
}
