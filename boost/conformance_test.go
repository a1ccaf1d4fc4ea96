package boost_test

import (
	"testing"

	"haarlem/boost"
	"haarlem/boost/boosttest"
)

// methods are all boosters of the package, each with weak learners that suit
// it. A booster is not finished before it stands here.
var methods = []boosttest.Method{
	{Booster: &boost.Discrete{}, Learner: &boost.Stumps{}},
	{Booster: &boost.Discrete{}, Learner: boost.SortedStumps{}},
	{Booster: &boost.Discrete{}, Learner: &boost.Trees{}},
	{Booster: &boost.Discrete{}, Learner: &boost.Trees{Criterion: boost.GainRatio, Depth: 2}},
	{Booster: &boost.Discrete{}, Learner: &boost.Monomials{}},
	{Booster: &boost.Discrete{}, Learner: &boost.LinearTrees{}},
	{Name: "discrete-friedman/stumps", Booster: &boost.Discrete{Wording: boost.Friedman}, Learner: &boost.Stumps{}, Rises: true},
	{Booster: &boost.Real{}, Learner: &boost.Stumps{}, Loose: true},
	{Booster: &boost.Real{}, Learner: &boost.Histograms{}, Endless: true, Loose: true},
	{Booster: &boost.Real{}, Learner: &boost.Joints{Bins: 8}, Endless: true, Loose: true},
	{Booster: &boost.Real{}, Learner: &boost.Trees{Leaves: 4}, Loose: true},
	{Booster: &boost.RealNumeric{}, Learner: &boost.Stumps{}},
	{Booster: &boost.RealNumeric{}, Learner: &boost.Monomials{}},
	{Booster: &boost.RealNumeric{}, Learner: boost.Coordinates{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Stumps{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Monomials{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Trees{}},
	{Booster: &boost.Gentle{}, Learner: &boost.Stumps{}, Loose: true},
	{Booster: &boost.Gentle{}, Learner: &boost.Trees{}, Loose: true},
	{Booster: &boost.Gentle{}, Learner: &boost.Histograms{}, Endless: true, Loose: true},
	{Booster: &boost.LogitBoost{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true},
	{Booster: &boost.LogitBoost{}, Learner: &boost.Trees{}, Unbounded: true, Rises: true},
}

func TestConformance(t *testing.T) {
	for _, m := range methods {
		boosttest.Conform(t, m)
	}
}
