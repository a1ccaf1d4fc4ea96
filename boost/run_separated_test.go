package boost

import "testing"

// TestShrinkageGoesOn: a weak learner without error does not end a run with
// small steps or sampled columns, which are meant to spread the work over many
// weak learners.
func TestShrinkageGoesOn(t *testing.T) {
	d := mixture(60, 1)
	deep := &Trees{Leaves: 60}
	for _, b := range []Booster{
		&Discrete{}, &Discrete{Friedman: true}, &Real{}, &RealNumeric{}, &AdaBoostR{}, &Gentle{},
		&ULS{}, &WeightBoost{}, &Epsilon{}, &Decay{}, &Float{}, &BrownBoost{},
	} {
		whole := mustFit(t, d, b, deep, &Settings{Rounds: 20})
		if b.Name() != "epsilon" && (whole.Status != Separated || whole.Rounds != 1) {
			t.Errorf("%s: %v after %d rounds with whole steps, want separated after one", b.Name(), whole.Status, whole.Rounds)
		}
		if b.Name() == "brown" { // one weak learner without error takes all its time
			continue
		}
		for _, s := range []Settings{{Shrinkage: 0.1}, {ColumnShare: 0.4}, {Shrinkage: 0.1, ColumnShare: 0.4}} {
			s.Rounds, s.Seed = 20, 1
			if res := mustFit(t, d, b, deep, &s); res.Status == Separated || res.Rounds == 1 {
				t.Errorf("%s, shrinkage %v, columns %v: %v after %d rounds", b.Name(), s.Shrinkage, s.ColumnShare, res.Status, res.Rounds)
			}
		}
	}
}
