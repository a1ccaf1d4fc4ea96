package cascade

import (
	"errors"
	"fmt"

	"haarlem/internal/channels/columns"
)

// A Verifier looks again, and closer, at each place where the cascade has found
// something: at a square of the picture around the detection, and at more of it
// than Haar features can see. See package channels. What its trees add up to,
// times Weight, is added to the detection's margin, which may become negative.
// It sees places, not windows, so that it may take its time.
type Verifier struct {
	Sides     float64 // side of the square, in sides of the detection's box
	Weight    float64
	MultiCrop MultiCrop
	Trees     []Weak // nodes ask about the columns of package channels; no histograms
}

// MultiCrop says which places a verifier looks at more than once: those about which
// it is in doubt. A place whose margin is more than Low after the look, and less
// than High, is looked at in six more squares: to the left and right, above and
// below, by Shift of the box's size, rounded to whole pixels, and with squares
// that are larger and smaller by a share of Grow. Of what the seven make of the
// margin the mean of the best two counts. Boxes stay where they are. Zero means
// nowhere.
type MultiCrop struct {
	Low, High   float64 // High is larger
	Shift, Grow float64 // 0 to 0.5
}

// Bounds of every verifier.
const (
	minSides          = 0.5
	maxSides          = 4
	maxVerifierWeight = 1 << 16
	maxMultiCrop      = 0.5
)

// channelQuestions are what the trees of a verifier may ask.
var channelQuestions = questions{Haar, columns.Count}

func (v *Verifier) clone() *Verifier {
	if v == nil {
		return nil
	}
	w := *v
	w.Trees = cloneWeak(v.Trees)
	return &w
}

// check reports what is wrong with v, or nil.
func (v *Verifier) check(seen *marks) error {
	if err := v.checkHead(); err != nil {
		return err
	}
	for i := range v.Trees {
		if err := v.checkTree(i, seen); err != nil {
			return err
		}
	}
	if len(v.Trees) == 0 {
		return errors.New("verifier: no trees")
	}
	return nil
}

func (v *Verifier) checkHead() error {
	if !(v.Sides >= minSides && v.Sides <= maxSides) {
		return fmt.Errorf("verifier: a square of %v sides, want %v to %v", v.Sides, minSides, maxSides)
	}
	if !(v.Weight > 0 && v.Weight <= maxVerifierWeight) {
		return fmt.Errorf("verifier: weight %v, want more than 0 and at most %d", v.Weight, maxVerifierWeight)
	}
	if a := v.MultiCrop; a != (MultiCrop{}) {
		if !(a.Low < a.High && isFinite(a.Low) && isFinite(a.High)) {
			return fmt.Errorf("verifier: again between margins of %v and %v, want finite numbers, the larger behind", a.Low, a.High)
		}
		if !(a.Shift >= 0 && a.Shift <= maxMultiCrop && a.Grow >= 0 && a.Grow <= maxMultiCrop) {
			return fmt.Errorf("verifier: again %v of a side away and %v larger or smaller, want 0 to %v", a.Shift, a.Grow, maxMultiCrop)
		}
	}
	return nil
}

func (v *Verifier) checkTree(i int, seen *marks) error {
	err := errors.New("a histogram, want trees only")
	if !v.Trees[i].Histogram() {
		err = v.Trees[i].check(channelQuestions, seen)
	}
	if err != nil {
		return fmt.Errorf("verifier: tree %d: %w", i, err)
	}
	return nil
}

// mirror returns the verifier that sees in a mirror image what v sees.
func (v *Verifier) mirror() *Verifier {
	m := v.clone()
	if m == nil {
		return nil
	}
	for i := range m.Trees {
		for k := range m.Trees[i].Nodes {
			n := &m.Trees[i].Nodes[k]
			n.Feature = int32(columns.Mirror(int(n.Feature)))
		}
	}
	return m
}
