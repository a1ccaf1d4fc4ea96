package verify

import (
	"context"
	"fmt"
)

// searchFolds adds the detections in each part of the photographs, by a first verifier
// like the one of the cascade that learned from the other parts.
func (t *trainer) searchFolds(ctx context.Context) error {
	first, bare := t.c.Verifier, *t.c
	bare.Verifier = nil
	all := &trainer{s: t.s, c: &bare, photos: t.photos}
	all.s.Behind, all.s.Sides, all.s.Weight, all.s.Context, all.s.Trees, all.s.BoxTrees = false, first.Sides, first.Weight, first.Context, len(first.Trees), 0
	if first.Boxes != nil {
		all.s.BoxTrees = max(len(first.Boxes.Left), 1)
	}
	if err := all.gather(ctx); err != nil {
		return err
	}
	fold := t.folds()
	for k := range t.s.Folds {
		others := &trainer{s: all.s, c: all.c, photos: t.photos}
		for _, p := range all.right {
			if fold[p.photo] != k {
				others.right = append(others.right, p)
			}
		}
		for _, p := range all.wrong {
			if fold[p.photo] != k {
				others.wrong = append(others.wrong, p)
			}
		}
		if len(others.right) == 0 || len(others.wrong) == 0 {
			return fmt.Errorf("%w: without part %d of %d there are %d true positives and %d false positives, want some of both", ErrData, k+1, t.s.Folds, len(others.right), len(others.wrong))
		}
		verified := bare
		var err error
		if verified.Verifier, err = others.verifier(ctx); err != nil {
			return err
		}
		if err := t.search(ctx, &verified, func(i int) bool { return fold[i] == k }, true); err != nil {
			return err
		}
	}
	return nil
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
