package boost

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// TestPlattFindsTheSigmoid: scores whose probabilities are a sigmoid of three
// times the score plus one are calibrated to that.
func TestPlattFindsTheSigmoid(t *testing.T) {
	for _, weights := range []bool{false, true} {
		p := predicted(30000, 3, weights)
		for i, s := range p.Scores {
			p.Scores[i] = (s - 1) / 3
		}
		c := must.Get(Platt(p))
		if math.Abs(c.a-3) > 0.15 || math.Abs(c.b-1) > 0.1 {
			t.Errorf("A %v and B %v, want 3 and 1", c.a, c.b)
		}
	}
	// Separated classes have a finite solution, by the targets inside 0 and 1.
	c, err := Platt(&Predictions{Scores: []float64{-2, -1, 1, 2}, Targets: []float64{-1, -1, 1, 1}})
	if err != nil || !(c.a > 0 && c.a < 100) || math.Abs(c.b) > 1e-6 {
		t.Errorf("calibration %+v, %v", c, err)
	}
}

// TestIsotonic: pools of neighbours that violate the order, by hand, and that
// nothing monotone is nearer.
func TestIsotonic(t *testing.T) {
	p := &Predictions{Scores: []float64{1, 2, 3, 4, 5, 5, 6}, Targets: []float64{-1, 1, -1, 1, -1, 1, 1}}
	c := must.Get(Isotonic(p))
	// 0 | 1 0 -> 1/2 | 1 (0 1) -> 2/3 | 1
	if !slices.Equal(c.scores, []float64{1, 2, 4, 6}) || !near0(c.probabilities, []float64{0, 0.5, 2.0 / 3, 1}) {
		t.Errorf("calibration %+v", c)
	}
	for s, want := range map[float64]float64{-9: 0, 1.5: 0, 2: 0.5, 3.9: 0.5, 5.2: 2.0 / 3, 99: 1} {
		if got := c.probability(s); math.Abs(got-want) > 1e-12 {
			t.Errorf("probability %v of score %v, want %v", got, s, want)
		}
	}
}

// TestCalibratedModel: boosting's probabilities are overconfident; both
// calibrations, learned on other rows, correct that on new ones, and are saved.
func TestCalibratedModel(t *testing.T) {
	train, other, test := mixture(400, 1), mixture(1500, 2), mixture(4000, 3)
	m := mustFit(t, train, &Real{}, &Trees{}, &Settings{Rounds: 60}).Model
	loss := func(m *Model) float64 {
		p := must.Get(m.Predict(test))
		return LogLoss.Value(p)
	}
	raw := loss(m)
	for name, fit := range map[string]func(*Predictions) (*Calibration, error){"platt": Platt, "isotonic": Isotonic} {
		c := must.Get(m.Calibrated(other, fit))
		if l := loss(c); !(l < raw/2 && l < 0.6) {
			t.Errorf("%s: log loss %v, %v before", name, l, raw)
		}
		read := reloaded(t, c)
		if x := test.Row(nil, 0); read.Probability(x) != c.Probability(x) {
			t.Errorf("%s: probability %v when read, %v before", name, read.Probability(x), c.Probability(x))
		}
	}
	one := other.Subset(seq(other.Rows()))
	for i := range one.Labels {
		one.Labels[i] = 1
	}
	if _, err := m.Calibrated(one, Platt); !errors.Is(err, ErrData) {
		t.Errorf("one class: error %v, want ErrData", err)
	}
}

// TestSavedPhi: a model of a loss of one's own is saved with its link as a table: scores
// are the same, and probabilities to four digits. A link to numbers is refused.
func TestSavedPhi(t *testing.T) {
	d := mixture(120, 9)
	for _, phi := range []*Phi{
		{Function: func(w float64) float64 { return -math.Sqrt(w * (1 - w)) }},
		{Function: func(w float64) float64 { return w * (w - 1) }, Slope: func(w float64) float64 { return 2*w - 1 }},
	} {
		loss := must.Get(phi.Loss())
		m := must.Get(Fit(context.Background(), d, &Newton{Loss: loss}, &Trees{Leaves: 4}, &Settings{Rounds: 10, Shrinkage: 0.3})).Model
		got := reloaded(t, m)
		scores := must.Get(m.Scores(d))
		if !slices.Equal(scores, must.Get(got.Scores(d))) {
			t.Error("other scores")
		}
		scores = append(scores, -1e12, -30, -1.5, -1e-3, 0, 1e-3, 1.5, 30, 1e12)
		for i, want := range m.Means(scores) {
			if p := got.Means(scores)[i]; math.Abs(p-want) > 1e-4*min(want, 1-want)+1e-8 {
				t.Errorf("score %v: probability %v, was %v", scores[i], p, want)
			}
		}
	}
	m := &Model{Columns: 1, Inverse: func(s float64) float64 { return 3 * s }}
	if err := m.Save(&strings.Builder{}); !errors.Is(err, ErrUnsaved) {
		t.Errorf("a link to numbers: %v", err)
	}
}
