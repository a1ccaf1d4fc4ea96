package verify

import (
	"context"
	"fmt"

	"haarlem/boost"
	"haarlem/cascade"
)

// verifier learns from the candidates.
func (t *trainer) verifier(ctx context.Context) (*cascade.Verifier, error) {
	t.augment()
	table, err := t.extract(ctx)
	if err != nil {
		return nil, err
	}
	v := &cascade.Verifier{Sides: t.s.Sides, Weight: t.s.Weight, Context: t.s.Context}
	if v.Trees, err = t.grow(ctx, table); err != nil {
		return nil, err
	}
	if t.s.BoxTrees > 0 {
		if v.Boxes, err = t.boxes(ctx, table); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// grow boosts the trees.
func (t *trainer) grow(ctx context.Context, k *table) ([]cascade.Weak, error) {
	problem := &boost.Problem{Data: &boost.Data{Labels: k.labels}, Columns: k}
	if t.s.Second {
		problem.Scores = t.scores(t.s.Weight, k.Rows())
	}
	run, err := boost.Start(problem, &boost.LogitBoost{}, &boost.Trees{Depth: t.s.Depth, Bins: bins},
		&boost.Settings{Rounds: t.s.Trees, Shrinkage: t.s.Shrinkage, ColumnShare: t.s.Share, Prior: 0.5, Workers: t.s.Workers, Seed: t.s.Seed})
	if err != nil {
		return nil, err
	}
	for done := 0; run.Status() == boost.Going; done++ {
		t.s.Progress("boosting", done, t.s.Trees)
		if _, err := run.Next(ctx); err != nil {
			return nil, err
		}
	}
	t.s.Progress("boosting", t.s.Trees, t.s.Trees)
	var trees []cascade.Weak
	for _, term := range run.Result().Model.Terms {
		w, err := tree(term.Weak, term.Coef)
		if err != nil {
			return nil, err
		}
		trees = append(trees, w)
	}
	if len(trees) == 0 {
		return nil, fmt.Errorf("%w: no tree separates true from false positives", ErrData)
	}
	return trees, nil
}
