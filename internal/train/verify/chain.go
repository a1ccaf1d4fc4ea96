package verify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"haarlem/cascade"
)

// last returns the last verifier of c, or nil.
func last(c *cascade.Cascade) *cascade.Verifier {
	v := c.Verifier
	for v != nil && v.Next != nil {
		v = v.Next
	}
	return v
}

// narrow shifts the margins of the last verifiers of cascades so that they reject as
// many candidates as possible while they lose the fraction Loss of the true positives,
// and drops the rejected.
func (t *trainer) narrow(of ...*cascade.Cascade) error {
	if err := t.both(); err != nil {
		return err
	}
	margins := make([]float64, len(t.right))
	for i := range t.right {
		margins[i] = t.right[i].margin
	}
	slices.Sort(margins)
	weight := last(of[0]).Weight
	// A margin below 0 is rejected: all margins are shifted, in multiples of
	// the leaves' resolution.
	move := math.Ceil(-margins[int(t.s.Loss*float64(len(margins)))]/weight*grid) / grid
	for _, c := range of {
		for leaves, i := last(c).Trees[0].Leaves, 0; i < len(leaves); i++ {
			leaves[i] += float32(move)
		}
	}
	pass := func(all []candidate) []candidate {
		kept := all[:0]
		for _, p := range all {
			if p.margin += float64(move * weight); p.margin >= 0 {
				kept = append(kept, p)
			}
		}
		return kept
	}
	t.right, t.wrong = pass(t.right), pass(t.wrong)
	if len(t.wrong) == 0 {
		return fmt.Errorf("%w: no false positive is left", ErrData)
	}
	t.sample()
	return nil
}

func (t *trainer) searchAll(ctx context.Context) error {
	return t.search(ctx, t.c, func(int) bool { return true }, true)
}

// scores are the initial scores of boosting: those of the margins.
func (t *trainer) scores(weight float64, rows int) []float64 {
	s := make([]float64, rows)
	for i := range s {
		if n := len(t.right) + len(t.wrong); i < n {
			s[i] = t.candidate(i).margin / weight
		} else {
			s[i] = t.right[i-n].margin / weight
		}
	}
	return s
}

// withCopies returns c with copies of its verifiers, without a calibration.
func withCopies(c *cascade.Cascade) *cascade.Cascade {
	v := *c
	v.Calibration, v.Search.MinScore = nil, 0
	for at := &v.Verifier; *at != nil; at = &(*at).Next {
		w := **at
		w.Trees = slices.Clone(w.Trees)
		w.Trees[0].Leaves = slices.Clone(w.Trees[0].Leaves)
		*at = &w
	}
	return &v
}
