package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// arcsine is a permissible function that is in no list here: its slope is the
// arcsine of 2w-1.
var arcsine = &Phi{
	Function: func(w float64) float64 {
		v := 2*w - 1
		return (float64(v*math.Asin(v)) + math.Sqrt(max(0, 1-v*v)) - math.Pi/2) / 2
	},
	Slope: func(w float64) float64 { return math.Asin(2*w - 1) },
	Dual: func(f float64) float64 {
		return (1 + math.Sin(min(math.Pi/2, max(-math.Pi/2, f)))) / 2
	},
}

// universalLosses have trees of their own.
var universalLosses = map[string]MarginLoss{
	"logistic": LogisticLoss, "squared": SquaredLoss, "matsushita": MatsushitaLoss, "arcsine": must.Get(arcsine.Loss()), "exponential": ExponentialLoss,
}

// TestUniversalTrees: for every loss a linearised tree is the tree that the loss's phi
// grows, or Kearns and Mansour's criterion for the exponential loss; its sums are the scores that minimise the loss over its leaves, as the
// universal linear separator finds them with the leaves as weak learners; and the
// weights of these scores leave no leaf an edge.
func TestUniversalTrees(t *testing.T) {
	d := mixture(600, 31)
	r := rand.New(rand.NewPCG(3, 1))
	for i := range d.Labels {
		if r.Float64() < 0.2 {
			d.Labels[i] = -d.Labels[i] // no leaf is pure
		}
	}
	d.Weights = make([]float64, d.Rows())
	for i := range d.Weights {
		d.Weights[i] = 0.5 + r.Float64()
	}
	for name, loss := range universalLosses {
		q := randomQuery(r, d, ZeroOne, false)
		q.Leaf = Leaf{Kind: Logit}
		linear, _ := find(t, d, &LinearTrees{Loss: loss, Leaves: 6, Smooth: 1e-13}, q, 2)
		by := &Trees{Phi: phiOf(loss), Leaves: 6}
		if name == "exponential" {
			by = &Trees{Criterion: Exponential, Leaves: 6}
		}
		grown, _ := find(t, d, by, q, 2)
		tree, nodes := linear.(*Tree), grown.(*Tree).Nodes
		for k := range nodes { // no value is missing, and the two have other weights on either side
			nodes[k].MissingLeft = tree.Nodes[k].MissingLeft
		}
		if !slices.Equal(tree.Nodes, nodes) {
			t.Errorf("%s: nodes\n%v\ngrown\n%v", name, tree.Nodes, nodes)
		}
		weighted := *d
		weighted.Weights = q.Weights
		weighted.Labels = make([]int8, d.Rows())
		leaves := make([][]float64, len(tree.Nodes)+1)
		edges := make([]float64, len(leaves))
		value := 0.0
		for i, z := range q.Targets {
			weighted.Labels[i] = classOf(z)
			k := tree.leaf(d.Row(nil, i))
			if leaves[k] == nil {
				leaves[k] = make([]float64, d.Rows())
			}
			leaves[k][i] = 1
			m := z * linear.Value(d.Row(nil, i))
			value += q.Weights[i] * loss.MarginValue(m)
			edges[k] += q.Weights[i] * z * loss.Weight(m)
		}
		for k, e := range edges {
			if math.Abs(e) > 1e-6 {
				t.Errorf("%s: leaf %d has an edge of %v", name, k, e)
			}
		}
		weighted.Columns = leaves
		uls := mustFit(t, &weighted, &ULS{Loss: loss, Corrective: true}, Coordinates{}, &Settings{Rounds: 20})
		smallest := 0.0
		for i, s := range must.Get(uls.Model.Scores(&weighted)) {
			smallest += q.Weights[i] * loss.MarginValue(q.Targets[i]*s)
		}
		if !(value < smallest*(1+1e-7) && value > smallest*(1-1e-4)) {
			t.Errorf("%s: the tree's loss is %v, the separator's %v", name, value, smallest)
		}
	}
}

// bands are classes by slanted bands: one, the other, and narrower the first again,
// with some wrong labels.
func bands(rows int, noise float64, seed uint64) *Data {
	d := mixture(rows, seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for i := range d.Labels {
		x, y := r.NormFloat64(), r.NormFloat64()
		d.Columns[0][i], d.Columns[1][i] = x, y
		for j := 2; j < len(d.Columns); j++ {
			d.Columns[j][i] = r.NormFloat64()
		}
		d.Labels[i] = -1
		if x+y > 0.5 || x+y < -1.5 {
			d.Labels[i] = 1
		}
		if r.Float64() < noise {
			d.Labels[i] = -d.Labels[i]
		}
	}
	return d
}

// TestObliqueTrees: of three leaves, slanted nodes tell slanted bands and upright
// ones cannot; the outputs of the search are those of the tree; and a tree is the same when
// read from a file.
func TestObliqueTrees(t *testing.T) {
	d := bands(800, 0, 32)
	fresh := bands(1000, 0, 33)
	upright := must.Get(mustFit(t, d, &Discrete{}, &Trees{Leaves: 3}, &Settings{Rounds: 1}).Model.Error(fresh))
	upper := map[string]float64{"coordinates": 0.7, "itself": 0.7, "stumps": 0.9} // as a share of upright
	for name, loss := range universalLosses {
		for inside, l := range map[string]*ObliqueTrees{
			"coordinates": {Loss: loss, Leaves: 3, Rounds: 30},
			"stumps":      {Loss: loss, Leaves: 3, Rounds: 30, Learner: &Stumps{}},
			"itself":      {Loss: loss, Leaves: 3, Rounds: 10, Learner: &ObliqueTrees{Loss: loss, Leaves: 2}},
		} {
			m := mustFit(t, d, &Discrete{}, l, &Settings{Rounds: 1}).Model
			if e := must.Get(m.Error(fresh)); !(e < upper[inside]*upright) {
				t.Errorf("%s, votes of %s: error %v, upright %v", name, inside, e, upright)
			}
			w := m.Terms[0].Weak.(*obliqueTree)
			out := make([]float64, d.Rows())
			s := must.Get(l.prepare(&Problem{Data: d}, &Settings{Workers: 1}))
			must.Do(s.Outputs(w, out))
			for i, h := range out {
				if v := w.Value(d.Row(nil, i)); v != h {
					t.Fatalf("%s, votes of %s, row %d: %v in the search, %v by the tree", name, inside, i, h, v)
				}
			}
			if !slices.Equal(must.Get(reloaded(t, m).Scores(fresh)), must.Get(m.Scores(fresh))) {
				t.Errorf("%s, votes of %s: other scores when read from a file", name, inside)
			}
		}
	}
}

// TestObliqueSplits: a node divides its rows where no other cut through the sums of its
// vote has less loss, and the vote is that of the universal linear separator.
func TestObliqueSplits(t *testing.T) {
	d := bands(300, 0.15, 34)
	for name, loss := range universalLosses {
		m := mustFit(t, d, &Real{}, &ObliqueTrees{Loss: loss, Leaves: 2, Rounds: 7}, &Settings{Rounds: 1}).Model
		tree := m.Terms[0].Weak.(*obliqueTree)
		vote := tree.Nodes[0].vote
		uls := mustFit(t, d, &ULS{Loss: loss}, Coordinates{}, &Settings{Rounds: 7}).Model
		sums := must.Get(uls.Scores(d))
		risk := func(side func(i int) bool) float64 {
			var w [2][2]float64
			for i, y := range d.Labels {
				b := 0
				if side(i) {
					b = 1
				}
				w[b][(y+1)/2]++
			}
			total := 0.0
			for _, b := range w {
				if b[0] == 0 || b[1] == 0 {
					continue // no loss, in the limit
				}
				f := loss.Link(b[1] / (b[0] + b[1]))
				total += b[1]*loss.MarginValue(f) + b[0]*loss.MarginValue(-f)
			}
			return total
		}
		smallest := math.Inf(1)
		for _, c := range sums {
			smallest = min(smallest, risk(func(i int) bool { return sums[i] >= c }))
		}
		got := risk(func(i int) bool { return vote.Value(d.Row(nil, i)) > 0 })
		if math.Abs(got-smallest) > 1e-5*smallest {
			t.Errorf("%s: a loss of %v, by the best cut %v", name, got, smallest)
		}
	}
}

// TestTreesNeedLinks: a loss without probabilities grows no trees.
func TestTreesNeedLinks(t *testing.T) {
	for _, l := range []Learner{&LinearTrees{Loss: HingeLoss(0)}, &ObliqueTrees{Loss: HingeLoss(0)}, &ObliqueTrees{Leaves: 1}, &ObliqueTrees{Rounds: -1}} {
		if _, err := Fit(t.Context(), tutorial(), &Discrete{}, l, nil); err == nil || !strings.Contains(err.Error(), "boost: bad settings") {
			t.Errorf("%+v: error %v", l, err)
		}
	}
}

// TestClosedForm: AdaBoost with the weights of a loss lowers it in every round by what
// the formula promises, and in the end to the minimum that Newton's method finds over
// all coefficients; with the exponential loss it is AdaBoost.
func TestClosedForm(t *testing.T) {
	d := mixture(300, 35)
	for name, loss := range universalLosses {
		ratio, curvature := steepness(loss)
		b := &ULS{Loss: loss, ClosedForm: true}
		run := begin(d, b, Coordinates{}, &Settings{Rounds: 3000})
		mean := func(scores []float64) float64 {
			sum := 0.0
			for i, s := range scores {
				sum += loss.MarginValue(float64(d.Labels[i])*s) / float64(d.Rows())
			}
			return sum
		}
		before := mean(make([]float64, d.Rows()))
		for k := 0; run.Status() == Going; k++ {
			total := 0.0
			st := run.st
			for i, s := range st.Scores {
				total += math.Abs(loss.Weight(float64(d.Labels[i])*s)) / float64(d.Rows())
			}
			round := must.Get(run.Next(t.Context()))
			if round.Weak == nil {
				break
			}
			if k < 20 || k%100 == 0 {
				after := mean(st.Scores)
				promise := total * (1 - math.Sqrt(1-round.Edge*round.Edge)) / ratio
				if ratio == 0 {
					promise = total * total * round.Edge * round.Edge / (2 * curvature)
				}
				if !(after <= before-promise+1e-9) {
					t.Fatalf("%s, round %d: from %v to %v, promised %v less", name, k+1, before, after, promise)
				}
			}
			before = mean(st.Scores)
		}
		smallest := mean(must.Get(mustFit(t, d, &ULS{Loss: loss, Corrective: true}, Coordinates{}, &Settings{Rounds: 30}).Model.Scores(d)))
		if got := mean(run.st.Scores); math.Abs(got-smallest) > 1e-4*smallest {
			t.Errorf("%s: %v in the end, the minimum is %v", name, got, smallest)
		}
	}
	a := mustFit(t, d, &ULS{Loss: ExponentialLoss, ClosedForm: true}, &Stumps{}, &Settings{Rounds: 40}).Model
	b := mustFit(t, d, &Discrete{}, &Stumps{}, &Settings{Rounds: 40}).Model
	near(t, "scores", must.Get(a.Scores(d)), must.Get(b.Scores(d)), 1e-9)
}

// TestPowerPhi: the ends are the squared and Matsushita's loss. That slope and bend are the
// derivatives is what TestPhiIsChecked has checked.
func TestPowerPhi(t *testing.T) {
	for power, want := range map[float64]permissible{1: squared, 0.5: matsushita} {
		l := &phiLoss{*powerPhi(power)}
		for _, m := range []float64{-0.9, -0.3, 0, 0.2, 0.8} {
			near(t, l.Name(), []float64{l.MarginValue(m), l.Weight(m), l.MarginCurvature(m), l.Inverse(m)},
				[]float64{want.MarginValue(m), want.Weight(m), want.MarginCurvature(m), want.Inverse(m)}, 1e-9)
		}
	}
}

// TestLearnPhi: of rows whose probabilities follow the link of one of the losses, a
// linear model's loss is learned, and its value is that of the cross-validation.
func TestLearnPhi(t *testing.T) {
	powers := []float64{0.25, 1}
	booster := func(l MarginLoss) Booster { return &ULS{Loss: l, Corrective: true} }
	cv := &CrossValidation{Folds: 2, Seed: 1}
	for _, truth := range []float64{0.25, 1} {
		link := must.Get(powerPhi(truth).Loss())
		r := rand.New(rand.NewPCG(8, 1))
		d := &Data{Columns: make([][]float64, 2), Labels: make([]int8, 1000)}
		for i := range d.Labels {
			x, z := r.NormFloat64(), r.NormFloat64()
			score := 2*x - z
			if truth == 1 {
				score = 0.97 * math.Tanh(score)
				x = (score + z) / 2
			}
			d.Columns[0], d.Columns[1] = append(d.Columns[0], x), append(d.Columns[1], z)
			d.Labels[i] = -1
			if r.Float64() < link.Inverse(score) {
				d.Labels[i] = 1
			}
		}
		loss, values := must.Get2(LearnPhi(t.Context(), d, powers, booster, Coordinates{}, &Settings{Rounds: 2}, cv, Brier))
		if loss.Name() != link.Name() {
			t.Errorf("%s learned of a link of power %v: %v", loss.Name(), truth, values)
		}
		direct := must.Get(CrossValidate(t.Context(), d, booster(must.Get(powerPhi(1).Loss())), Coordinates{}, &Settings{Rounds: 2}, cv))
		near(t, "value", values[1:2], []float64{Brier.Value(direct.Predictions)}, 0)
	}
	if _, _, err := LearnPhi(t.Context(), tutorial(), []float64{1.5}, booster, Coordinates{}, nil, cv, Brier); err == nil {
		t.Error("a power of 1.5 is no error")
	}
}
