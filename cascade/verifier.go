package cascade

import (
	"errors"
	"fmt"
	"image"

	"haarlem/channels"
	"haarlem/integral"
)

// A Verifier looks again, and closer, at each place where the cascade has found
// something: at a square of the picture around the detection, and at more of it
// than Haar features can see. See package channels. What its trees add up to,
// times Weight, is added to the detection's margin, which may become negative.
// It sees places, not windows, so that it may take its time.
type Verifier struct {
	Sides  float64 // side of the square, in sides of the detection's box
	Weight float64
	Trees  []Weak // nodes ask about the columns of package channels; no histograms
}

// Bounds of every verifier.
const (
	minSides          = 0.5
	maxSides          = 4
	maxVerifierWeight = 1 << 16
)

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
			n.Feature = int32(channels.Mirror(int(n.Feature)))
		}
	}
	return m
}

// Score returns what the trees say of the columns of a square.
func (v *Verifier) Score(columns []int32) float64 {
	sum := 0.0
	for i := range v.Trees {
		t := &v.Trees[i]
		at := int32(0)
		for {
			n := &t.Nodes[at]
			at = n.Right
			if float32(columns[n.Feature]) < n.Threshold {
				at = n.Left
			}
			if at <= 0 {
				break
			}
		}
		sum += float64(t.Leaves[-at])
	}
	return sum
}

// verified returns the margin of a detection after a second look.
func (j *job) verified(g *integral.Grey, box image.Rectangle, margin float64) float64 {
	v := j.d.c.Verifier
	if v == nil {
		return margin
	}
	if j.looker == nil {
		j.looker = new(channels.Looker)
	}
	return margin + float64(v.Weight*v.Score(j.looker.Look(g, box, v.Sides)))
}
