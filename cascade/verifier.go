package cascade

import (
	"errors"
	"fmt"

	"haarlem/internal/channels/columns"
)

// A Verifier examines each group of candidates more closely, by the channel
// features of a square around it; see package channels. The sum of its trees,
// times Weight, is added to the group's margin, which may become negative.
// There are few groups, so a verifier may be slow.
type Verifier struct {
	Sides     float64 // side of the square, in sides of the detection's box
	Weight    float64
	MultiCrop MultiCrop

	// Context is the side of a second square around the same centre, in sides of the
	// detection's box. Its columns follow those of the first. 0 means none.
	Context float64

	// Mirror verifies the mirror image too, where the margin without it is 0 or more: the
	// means of both sums count, for the score and for the boxes.
	Mirror bool

	Trees []Weak // nodes test the columns of package channels; no histograms

	Boxes *Boxes // corrects the detections' boxes; nil leaves them as they are

	// Next verifies again, with the corrected boxes, what passes this one with a
	// margin of 0 or more. The others are dropped. nil means no further verifier.
	Next *Verifier
}

// maxVerifiers is the largest number of verifiers in a row.
const maxVerifiers = 4

// MultiCrop verifies doubtful groups with several squares. If the margin after the first
// square is between Low and High, six more are verified: moved left, right, up and down
// by Shift of the box's size, rounded to whole pixels, and larger and smaller by a share
// of Grow. The mean of the two best margins counts. Boxes do not move. Zero means one
// square only.
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

// channelQuestions are the columns that the trees of a verifier may test.
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

// check checks v and the verifiers after it.
func (v *Verifier) check(seen *marks) error {
	for i := 1; v != nil; i, v = i+1, v.Next {
		if i > maxVerifiers {
			return fmt.Errorf("more than %d verifiers", maxVerifiers)
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

// questions are the columns that v's trees may test.
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
			return fmt.Errorf("verifier: multi-crop between margins of %v and %v, want finite numbers, the larger second", a.Low, a.High)
		}
		if !(a.Shift >= 0 && a.Shift <= maxMultiCrop && a.Grow >= 0 && a.Grow <= maxMultiCrop) {
			return fmt.Errorf("verifier: multi-crop %v of a side away and %v larger or smaller, want 0 to %v", a.Shift, a.Grow, maxMultiCrop)
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
