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

	// Context is the side of a second square around the same centre, in sides of
	// the detection's box. Its columns come behind those of the first. 0 means
	// that there is none.
	Context float64

	Trees []Weak // nodes ask about the columns of package channels; no histograms

	Boxes *Boxes // corrects the detections' boxes; nil leaves them as they are

	// Next looks once more, at the corrected boxes of what passes this one with
	// a margin of 0 and more. The others are dropped. nil: none are, and this
	// one's margins count.
	Next *Verifier
}

// maxVerifiers is the most that stand behind each other.
const maxVerifiers = 4

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
	w.Boxes, w.Next = v.Boxes.clone(), v.Next.clone()
	return &w
}

// check reports what is wrong with v and those behind it, or nil.
func (v *Verifier) check(seen *marks) error {
	for i := 1; v != nil; i, v = i+1, v.Next {
		if i > maxVerifiers {
			return fmt.Errorf("verifier: more than %d behind each other", maxVerifiers)
		}
		if err := v.checkOne(seen); err != nil {
			return err
		}
	}
	return nil
}

func (v *Verifier) checkOne(seen *marks) error {
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
	if v.Boxes != nil {
		return v.Boxes.check(v.questions(), seen)
	}
	return nil
}

// questions are what v's trees may ask.
func (v *Verifier) questions() questions {
	q := channelQuestions
	if v.Context != 0 {
		q.features *= 2
	}
	return q
}

func (v *Verifier) checkHead() error {
	if !(v.Sides >= minSides && v.Sides <= maxSides) {
		return fmt.Errorf("verifier: a square of %v sides, want %v to %v", v.Sides, minSides, maxSides)
	}
	if !(v.Weight > 0 && v.Weight <= maxVerifierWeight) {
		return fmt.Errorf("verifier: weight %v, want more than 0 and at most %d", v.Weight, maxVerifierWeight)
	}
	if v.Context != 0 && !(v.Context >= minSides && v.Context <= maxSides) {
		return fmt.Errorf("verifier: a second square of %v sides, want %v to %v, or 0 for none", v.Context, minSides, maxSides)
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
	if err := checkTree(&v.Trees[i], v.questions(), seen); err != nil {
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
	mirrorColumns(m.Trees)
	m.Boxes, m.Next = m.Boxes.mirror(), m.Next.mirror()
	return m
}
