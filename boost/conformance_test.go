package boost_test

import (
	"fmt"
	"testing"

	"haarlem/boost"
	"haarlem/internal/boost/boosttest"
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
	{Name: "discrete/lineartrees-matsushita", Booster: &boost.Discrete{}, Learner: &boost.LinearTrees{Loss: boost.MatsushitaLoss}},
	{Booster: &boost.Discrete{}, Learner: &boost.ObliqueTrees{}},
	{Name: "discrete-friedman/stumps", Booster: &boost.Discrete{Friedman: true}, Learner: &boost.Stumps{}, Rises: true},
	{Booster: &boost.Real{}, Learner: &boost.Stumps{}, WeakBound: true},
	{Booster: &boost.Real{}, Learner: &boost.Histograms{}, RunsOn: true, WeakBound: true},
	{Booster: &boost.Real{}, Learner: &boost.Joints{Bins: 8}, RunsOn: true, WeakBound: true},
	{Booster: &boost.Real{}, Learner: &boost.Trees{Leaves: 4}, WeakBound: true},
	{Booster: &boost.RealNumeric{}, Learner: &boost.Stumps{}},
	{Booster: &boost.RealNumeric{}, Learner: &boost.Monomials{}},
	{Booster: &boost.RealNumeric{}, Learner: boost.Coordinates{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Stumps{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Monomials{}},
	{Booster: &boost.AdaBoostR{}, Learner: &boost.Trees{}},
	{Name: "adaboostr-logit/stumps", Booster: &boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, Learner: &boost.Stumps{}},
	{Name: "adaboostr-logit/monomials", Booster: &boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, Learner: &boost.Monomials{}},
	{Name: "adaboostr-logit/trees", Booster: &boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}, Learner: &boost.Trees{}},
	{Booster: &boost.Gentle{}, Learner: &boost.Stumps{}, WeakBound: true},
	{Booster: &boost.Gentle{}, Learner: &boost.Trees{}, WeakBound: true},
	{Booster: &boost.Gentle{}, Learner: &boost.Histograms{}, RunsOn: true, WeakBound: true},
	{Booster: &boost.LogitBoost{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true},
	{Booster: &boost.LogitBoost{}, Learner: &boost.Trees{}, Unbounded: true, Rises: true},
	{Booster: &boost.Newton{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Booster: &boost.Newton{}, Learner: &boost.Trees{}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Booster: &boost.Cyclic{}, Learner: &boost.Stumps{}, Unbounded: true, Rises: true, RunsOn: true, Curved: true, Ties: true},
	{Name: "newton-exponential/trees", Booster: &boost.Newton{Loss: boost.ExponentialLoss}, Learner: &boost.Trees{Depth: 3}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Name: "newton-matsushita/trees", Booster: &boost.Newton{Loss: boost.MatsushitaLoss}, Learner: &boost.Trees{Depth: 3}, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Name: "newton-hinge/trees", Booster: &boost.Newton{Loss: boost.HingeLoss(0)}, Learner: &boost.Trees{Depth: 3}, Ties: true, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Name: "newton-hinge-smooth/trees", Booster: &boost.Newton{Loss: boost.HingeLoss(1)}, Learner: &boost.Trees{Depth: 3}, Ties: true, Unbounded: true, Rises: true, RunsOn: true, Curved: true},
	{Booster: &boost.Float{}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true},
	{Booster: &boost.Float{Real: true, ByLoss: true}, Learner: &boost.Histograms{Bins: 8}, Rises: true, WeakBound: true, RunsOn: true},
	{Name: "float-relearn/stumps", Booster: &boost.Float{Relearn: true}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true},
	{Booster: &boost.KL{}, Learner: &boost.Histograms{}, WeakBound: true, RunsOn: true},
	{Booster: &boost.Discrete{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled},
	{Booster: &boost.Real{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled, WeakBound: true},
	{Booster: &boost.Gentle{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled, WeakBound: true},
	{Booster: &boost.LogitBoost{}, Learner: boost.Categories{}, Recode: boosttest.Scrambled, Unbounded: true, Rises: true},
	{Booster: &boost.Star{}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true},
	{Booster: &boost.Star{Leaf: boost.Leaf{Kind: boost.Mean}}, Learner: &boost.Histograms{}, Rises: true, WeakBound: true, RunsOn: true},
	{Booster: &boost.Marginal{}, Learner: &boost.Stumps{}, Rises: true, WeakBound: true, Worst: 0.4},
	{Booster: &boost.WeightBoost{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Booster: &boost.Epsilon{}, Learner: &boost.Stumps{}, WeakBound: true},
	{Booster: &boost.Decay{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Booster: &boost.BrownBoost{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Booster: &boost.BrownBoost{Leaf: boost.Leaf{Kind: boost.Mean}}, Learner: &boost.Trees{}, Rises: true, Unbounded: true},
	{Name: "uls-logistic/stumps", Booster: &boost.ULS{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-squared/stumps", Booster: &boost.ULS{Loss: boost.SquaredLoss}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-matsushita/stumps", Booster: &boost.ULS{Loss: boost.MatsushitaLoss}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-closed/stumps", Booster: &boost.ULS{ClosedForm: true}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-corrective/stumps", Booster: &boost.ULS{Corrective: true}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls-corrective-matsushita/stumps", Booster: &boost.ULS{Loss: boost.MatsushitaLoss, Corrective: true}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true},
	{Name: "uls/coordinates", Booster: &boost.ULS{}, Learner: boost.Coordinates{}, Rises: true, Unbounded: true},
	{Booster: &boost.Bagging{}, Learner: &boost.Trees{}, Rises: true, Unbounded: true, Draws: true, RunsOn: true, EdgeByChance: true},
	{Booster: &boost.Discrete{}, Learner: &boost.Boosted{}},
	{Name: "discrete/boosted-trees", Booster: &boost.Discrete{}, Learner: &boost.Boosted{Booster: &boost.Gentle{}, Learner: &boost.Trees{Leaves: 3}, Rounds: 3}, WeakBound: true},
	{Booster: &boost.Filtering{}, Learner: &boost.Stumps{}, Rises: true, Unbounded: true, Draws: true},
}

// With -short, as under CI's emulators and race detector, each kind of weak
// learner has one booster: the learners do the work and start the goroutines,
// and TestBits holds that all methods do there what they do here.
func TestConformance(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range methods {
		if learner := fmt.Sprintf("%T", m.Learner); !testing.Short() || !seen[learner] {
			seen[learner] = true
			m.Weights = boost.WeightsOf
			boosttest.Conform(t, m)
		}
	}
}
