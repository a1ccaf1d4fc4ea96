package boost

import (
	"math"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// vote is a stump with output -1 below a threshold and +1 above it.
func sign(column int, threshold float64) *Tree {
	return &Tree{Nodes: []Node{{Column: column, Threshold: threshold, Left: 0, Right: -1}}, Leaves: []float64{-1, 1}}
}

func TestModelByHand(t *testing.T) {
	d := &Data{Columns: [][]float64{{0, 1, 2, 3}, {5, 5, -5, -5}}, Labels: []int8{-1, 1, -1, 1}, Weights: []float64{1, 2, 3, 4}}
	m := &Model{Columns: 2, Link: DoubleLogisticLink, Terms: []Term{{2, sign(0, 1)}, {1, sign(1, 0)}, {-1, sign(0, 3)}}}
	// Scores: -2+1+1, 2+1+1, 2-1+1, 2-1-1.
	if got, want := must.Get(m.Scores(d)), []float64{0, 4, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	// A score of zero is class +1: rows 0 and 2 are wrong, with weights 1 and 3.
	if e := must.Get(m.Error(d)); math.Abs(e-0.4) > 1e-15 {
		t.Errorf("error %v, want 0.4", e)
	}
	if got, want := must.Get(m.stagedErrors(d)), []float64{0.4, 0.3, 0.3, 0.4}; !near0(got, want) {
		t.Errorf("staged errors %v, want %v", got, want)
	}
	margins := must.Get(m.Margins(d))
	if want := []float64{0, 1, -0.5, 0}; !near0(margins, want) {
		t.Errorf("margins %v, want %v", margins, want)
	}
	if p := m.Probability([]float64{1, 5}); math.Abs(p-1/(1+math.Exp(-8))) > 1e-15 {
		t.Errorf("probability %v", p)
	}
	if c := m.Truncate(1).Score([]float64{0, 0}); c != -2 || len(m.Terms) != 3 {
		t.Errorf("score of the first term %v, want -2", c)
	}
	n := 0
	m.Stages(d, func(terms int, scores []float64) bool { n++; return terms < 1 })
	if n != 2 {
		t.Errorf("%d stages after a stop at the second, want 2", n)
	}
}

func near0(got, want []float64) bool {
	return slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })
}

// TestLinks: probabilities rise with the score from 0 to 1, are one half at
// zero, and are those that the losses' weights say.
func TestLinks(t *testing.T) {
	for _, l := range []Link{LogisticLink, DoubleLogisticLink, matsushitaLink, LinearLink, erfLink} {
		if p := l.probability(0); p != 0.5 {
			t.Errorf("link %d: probability %v at zero", l, p)
		}
		before := -1.0
		for _, s := range []float64{math.Inf(-1), -1e300, -30, -1, -0.5, 0, 0.5, 1, 30, 1e300, math.Inf(1)} {
			p := l.probability(s)
			if !(p >= before && p >= 0 && p <= 1) {
				t.Errorf("link %d: probability %v at %v, after %v", l, p, s, before)
			}
			before = p
		}
	}
	for _, l := range losses {
		for _, s := range []float64{-0.9, -0.2, 0, 0.4, 0.8} {
			// At the minimum of the loss, p times the weight of a positive row
			// is (1-p) times that of a negative one.
			p := l.link().probability(s)
			if d := p*l.Weight(s) - (1-p)*l.Weight(-s); math.Abs(d) > 1e-12 {
				t.Errorf("%v: probability %v at score %v is not where the loss is least (%v)", l, p, s, d)
			}
		}
	}
	if p := NoLink.probability(1); p == p {
		t.Errorf("probability %v without a link", p)
	}
}

func TestSubset(t *testing.T) {
	d := &Data{Schema: Schema{Names: []string{"a"}}, Columns: [][]float64{{1, 2, 3}}, Labels: []int8{1, -1, 1}, Weights: []float64{4, 5, 6}}
	s := d.Subset([]int{2, 0, 2})
	if !slices.Equal(s.Columns[0], []float64{3, 1, 3}) || !slices.Equal(s.Labels, []int8{1, 1, 1}) || !slices.Equal(s.Weights, []float64{6, 4, 6}) || s.Names[0] != "a" {
		t.Errorf("subset %+v", s)
	}
}

// TestCriteria checks the formulas on one block and on two.
func TestCriteria(t *testing.T) {
	const s0, s1 = 0.8, 0.2 // W+ = 0.5, W- = 0.3
	h := func(p float64) float64 { return -p * math.Log(p) }
	for c, want := range map[Criterion]float64{
		ZeroOne:      0.3,
		Exponential:  2 * math.Sqrt(0.5*0.3),
		LeastSquares: -0.2 * 0.2 / 0.8,
		Gini:         2 * 0.5 * 0.3 / 0.8,
		Entropy:      0.8 * (h(5./8) + h(3./8)),
		Divergence:   -2 * 0.2 * math.Log(0.501/0.301),
	} {
		if got := c.block(s0, s1); math.Abs(got-want) > 1e-10 {
			t.Errorf("%v of the block is %v, want %v", c, got, want)
		}
		if got := c.split(s0, s1, s0, -s1); math.Abs(got-2*want) > 1e-10 {
			t.Errorf("%v of the split is %v, want %v", c, got, 2*want)
		}
		if got := c.block(0, 0); got != 0 {
			t.Errorf("%v of nothing is %v", c, got)
		}
	}
	// Quinlan's weather data, outlook: 5 rows 2 yes, 4 rows 4 yes, 5 rows 3 yes.
	// Gain 0.247 bits, split information 1.577 bits, ratio 0.156.
	got := GainRatio.partition([]float64{5, 4, 5}, []float64{-1, 4, 1})
	if math.Abs(got+0.156) > 0.001 {
		t.Errorf("gain ratio of Quinlan's example is %v, want 0.156", -got)
	}
	// Leaves.
	for _, l := range []struct {
		leaf Leaf
		want float64
	}{
		{Leaf{Kind: Majority}, 1}, {Leaf{Kind: Mean}, 0.25}, {Leaf{Kind: Logit}, math.Log(5./3) / 2},
		{Leaf{Kind: Logit, Smooth: 0.1}, math.Log(6./4) / 2},
	} {
		if got := l.leaf.value(s0, s1); math.Abs(got-l.want) > 1e-12 {
			t.Errorf("%+v answers %v, want %v", l.leaf, got, l.want)
		}
	}
	if v := (Leaf{Kind: Logit}).value(0.5, 0.5); !math.IsInf(v, 1) {
		t.Errorf("a pure leaf answers %v, want infinity", v)
	}
}

// stagedErrors returns the weighted fraction of wrong rows of d after no terms,
// after the first term, and so on: len(m.Terms)+1 numbers.
func (m *Model) stagedErrors(d *Data) ([]float64, error) {
	if err := m.checkLabelled(d); err != nil {
		return nil, err
	}
	errs := make([]float64, 0, len(m.Terms)+1)
	err := m.Stages(d, func(_ int, scores []float64) bool {
		errs = append(errs, weightedError(scores, d.Labels, d.Weights))
		return true
	})
	return errs, err
}
