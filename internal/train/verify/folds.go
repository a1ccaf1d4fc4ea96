package verify

import (
	"context"
	"fmt"

	"haarlem/cascade"
)

// searchFolds adds the detections in each part of the photographs, by verifiers like
// those of the cascade that learned from the other parts. Each of them after the first
// learned from what the ones before it find in parts that they have not learned from.
func (t *trainer) searchFolds(ctx context.Context) error {
	bare := *t.c
	bare.Verifier = nil
	apart := make([]*cascade.Cascade, t.s.Folds)
	for k := range apart {
		c := bare
		apart[k] = &c
	}
	fold := t.folds()
	for v := t.c.Verifier; v != nil; v = v.Next {
		all := &trainer{s: t.like(v), c: &bare, photos: t.photos, right: t.right, wrong: t.wrong}
		if v == t.c.Verifier {
			if err := all.gather(ctx); err != nil {
				return err
			}
		} else if err := all.narrow(apart...); err != nil {
			return err
		}
		t.right, t.wrong = nil, nil
		for k, c := range apart {
			others := all.without(fold, k)
			if len(others.right) == 0 || len(others.wrong) == 0 {
				return fmt.Errorf("%w: without part %d of %d there are %d true positives and %d false positives, want some of both", ErrData, k+1, t.s.Folds, len(others.right), len(others.wrong))
			}
			w, err := others.verifier(ctx)
			if err != nil {
				return err
			}
			if before := last(c); before != nil {
				before.Next = w
			} else {
				c.Verifier = w
			}
			if err := t.search(ctx, c, func(i int) bool { return fold[i] == k }, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// like returns settings for a verifier like v.
func (t *trainer) like(v *cascade.Verifier) Settings {
	s := t.s
	s.Second = v != t.c.Verifier
	s.Sides, s.Weight, s.Context, s.Trees, s.BoxTrees = v.Sides, v.Weight, v.Context, len(v.Trees), 0
	if v.Boxes != nil {
		s.BoxTrees = max(len(v.Boxes.Left), 1)
	}
	return s
}

// without returns a trainer with the candidates of t outside of part k.
func (t *trainer) without(fold []int, k int) *trainer {
	return t.where(func(photo int) bool { return fold[photo] != k })
}

// folds returns the part of each photograph. Those with objects are spread evenly, and so
// are those without.
func (t *trainer) folds() []int {
	fold := make([]int, len(t.photos))
	groups := map[string]int{}
	with, without := 0, 0
	for i := range t.photos {
		p := &t.photos[i]
		if len(p.Objects) == 0 {
			fold[i] = without % t.s.Folds
			without++
			continue
		}
		key, ok := p.Objects[0].Tags[t.s.Group]
		if !ok {
			fold[i] = with % t.s.Folds
			with++
			continue
		}
		if _, ok := groups[key]; !ok {
			groups[key] = with % t.s.Folds
			with++
		}
		fold[i] = groups[key]
	}
	return fold
}
