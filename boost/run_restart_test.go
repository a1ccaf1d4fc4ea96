package boost

import (
	"context"
	"testing"

	"haarlem/internal/must"
)

// TestBoundAfterRestart: the bound is one on the present model, not on removed
// terms.
func TestBoundAfterRestart(t *testing.T) {
	for _, c := range []struct {
		b Booster
		l Learner
	}{
		{&Marginal{}, &Trees{}}, {&Marginal{}, &Stumps{}}, {&Marginal{Nu: 0.2}, &Trees{Leaves: 4}},
		{&Marginal{leaf: Leaf{Kind: Mean}}, &Histograms{}}, {&Star{}, &Trees{}}, {&Float{Relearn: true}, &Stumps{}},
	} {
		for _, scores := range []bool{false, true} {
			d := mixture(300, 1)
			p := &Problem{Data: d}
			if scores { // where other stages have left the scores
				p.Scores = make([]float64, d.Rows())
				for i, v := range d.Columns[0] {
					p.Scores[i] = max(-1, min(1, v))
				}
			}
			run := must.Get(Start(p, c.b, c.l, &Settings{Rounds: 60, Seed: 1}))
			for run.Status() == Going {
				r := must.Get(run.Next(context.Background()))
				if !(r.TrainError <= r.Bound+1e-9) {
					t.Errorf("%s+%s, scores %v, round %d: bound %v, training error %v", c.b.Name(), c.l.Name(), scores, r.Number, r.Bound, r.TrainError)
					break
				}
			}
		}
	}
}

// TestPerfectLearnerReplacesTheModel: when a weak learner without error becomes
// the whole model of a margin booster, the bound is that of it alone.
func TestPerfectLearnerReplacesTheModel(t *testing.T) {
	d := &Data{Columns: [][]float64{{0, 1, 2, 3, 4, 5}, {0, 0, 1, 0, 1, 1}}, Labels: []int8{-1, -1, -1, 1, 1, 1}}
	for _, b := range []Booster{&Star{}, &Marginal{}} {
		// Columns are drawn, so that the perfect one need not come first.
		for seed := range uint64(20) {
			res := mustFit(t, d, b, &Stumps{}, &Settings{Rounds: 30, ColumnShare: 0.5, Seed: seed, Shrinkage: 0.1})
			if res.Status != Separated {
				continue
			}
			loss := 0.0
			for i, s := range must.Get(res.Model.Scores(d)) {
				loss += exp(-float64(d.Labels[i])*s) / float64(d.Rows())
			}
			if diff := res.Bound - loss; !(diff < 1e-9 && diff > -1e-9) {
				t.Errorf("%s, seed %d: bound %v, want the model's loss %v", b.Name(), seed, res.Bound, loss)
			}
		}
	}
}
