package boost

import (
	"cmp"
	"fmt"
)

// A Leaf defines the output of a weak learner in a block of its partition, by
// the block's S0 and S1.
type Leaf struct {
	Kind LeafKind

	// Smooth is added to W+ and to W- before Logit takes their ratio
	// (smoothing); the weights sum to 1. 0 means none, and then a pure block is
	// infinite, which only [AdaBoostR] can handle.
	Smooth float64
}

// LeafKind is the formula of a [Leaf].
type LeafKind uint8

const (
	// defaultLeaf is the booster's default.
	defaultLeaf LeafKind = iota
	// Majority is -1 or +1; a tie is +1.
	Majority
	// Mean is S1/S0.
	Mean
	// Logit is ln((W+ + Smooth)/(W- + Smooth))/2.
	Logit
)

// value returns the output in a block. In an empty one it is 0, or +1 for
// Majority.
func (l Leaf) value(s0, s1 float64) float64 {
	switch l.Kind {
	case defaultLeaf, Majority:
		if s1 < 0 {
			return -1
		}
		return 1
	case Mean:
		if !(s0 > 0) {
			return 0
		}
		return s1 / s0
	case Logit:
		p := max(0, (s0+s1)/2) + l.Smooth
		n := max(0, (s0-s1)/2) + l.Smooth
		if p == n {
			return 0
		}
		return log(p/n) / 2
	}
	return 0
}

func orMean(l Leaf) Leaf {
	l.Kind = cmp.Or(l.Kind, Mean)
	return l
}

func checkLeaf(l Leaf) error {
	if l.Kind > Logit {
		return fmt.Errorf("%w: Leaf.Kind %d is unknown", ErrSettings, l.Kind)
	}
	return checkSmooth(l.Smooth)
}
