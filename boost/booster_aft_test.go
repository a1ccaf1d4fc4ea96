package boost

import (
	"errors"
	"math"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// TestAFTGradients: gradients and curvatures are those of the loss, and the loss that of the
// distribution function, of events and intervals of all kinds.
func TestAFTGradients(t *testing.T) {
	cdf := map[Distribution]func(z float64) float64{
		Normal:   func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 },
		Logistic: func(z float64) float64 { return 1 / (1 + math.Exp(-z)) },
		Extreme:  func(z float64) float64 { return -math.Expm1(-math.Exp(z)) },
	}
	inf := math.Inf(1)
	for d, of := range cdf {
		for _, scale := range []float64{0, 0.5, 1.7} {
			b := &AFT{Distribution: d, Scale: scale}
			for _, bounds := range [][2]float64{{2, 2}, {2, inf}, {0, 2}, {1, 3}, {2, 2.001}, {1e-9, 1e-8}, {1e8, 1e9}, {0, inf}} {
				for _, f := range []float64{-4, -0.5, 0.6931, 1, 3, 7} {
					const step = 1e-4
					loss, g, h := b.at(bounds[0], bounds[1], f)
					up, g2, _ := b.at(bounds[0], bounds[1], f+step)
					down, g1, _ := b.at(bounds[0], bounds[1], f-step)
					slope, bend := (up-down)/(2*step), (g2-g1)/(2*step)
					if math.Abs(g-slope) > 1e-5*max(1, math.Abs(g)) || math.Abs(h-bend) > 1e-5*max(1, math.Abs(h)) || h < 0 {
						t.Errorf("%d, scale %v, %v at %v: slope %v and curvature %v, want %v and %v", d, scale, bounds, f, g, h, slope, bend)
					}
					s := b.scale()
					p := of((math.Log(bounds[1])-f)/s) - of((math.Log(bounds[0])-f)/s)
					if bounds[0] == bounds[1] {
						const near = 1e-6
						z := (math.Log(bounds[0]) - f) / s
						p = (of(z+near) - of(z-near)) / (2 * near * s * bounds[0])
					}
					if p > 1e-5 && math.Abs(loss+math.Log(p)) > 1e-5 {
						t.Errorf("%d, scale %v, %v at %v: loss %v, want %v", d, scale, bounds, f, loss, -math.Log(p))
					}
				}
			}
		}
	}
}

// TestAFTTails: far from the score nothing underflows. Values were computed with mpmath.
func TestAFTTails(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		b          AFT
		lo, up     float64
		f          float64
		loss, g, h float64
	}{
		{AFT{}, 1, inf, -40, 804.608442013754, -40.0249688472073, 0.999377331621409},
		{AFT{}, 0, 1, 40, 804.608442013754, 40.0249688472073, 0.999377331621409},
		{AFT{}, 20, 50, -30, 548.775407306831, -33.0259838027245, 0.999086512392741},
		{AFT{}, 1, 1.5, 60, 1780.76107826967, 59.6113055177773, 0.999718904097363},
		{AFT{Distribution: Logistic}, 1, inf, -900, 900, -1, 0},
		{AFT{Distribution: Logistic}, 1, 2, 50, 50, 1, 5.78624954389175e-22},
		{AFT{Distribution: Extreme}, 1, inf, -6, 403.428793492735, -403.428793492735, 403.428793492735},
		{AFT{Distribution: Extreme}, 0, 1, 50, 50, 1, 9.64374923981959e-23},
		{AFT{Distribution: Extreme}, 0, 1, 800, 800, 1, 0},
		{AFT{Distribution: Extreme}, 5, 6, -3, 100.427684617831, -100.427684577933, 100.427685341292},
	} {
		loss, g, h := c.b.at(c.lo, c.up, c.f)
		for k, got := range []float64{loss, g, h} {
			if want := []float64{c.loss, c.g, c.h}[k]; math.Abs(got-want) > 1e-10*max(1e-6, math.Abs(want)) {
				t.Errorf("%+v: %v, want %v", c, got, want)
			}
		}
	}
}

// times is a table of events, and of times without an end, without a beginning, and
// between two.
func times() *Data {
	const n = 101
	inf := math.Inf(1)
	d := &Data{Columns: make([][]float64, 2)}
	for i := range n {
		share := func(k int) float64 { return float64(k*i%n) / n }
		a, b := share(37), share(64)
		d.Columns[0], d.Columns[1] = append(d.Columns[0], a), append(d.Columns[1], b)
		y := math.Exp(2*a-b*b)*(0.5+share(91)) + 0.1
		lo := []float64{y, y, 0.8 * y, 0, 0.7 * y}[i%5]
		d.Targets, d.Upper = append(d.Targets, lo), append(d.Upper, []float64{y, y, inf, 1.3 * y, 1.2 * y}[i%5])
	}
	return d
}

// TestAFTXGBoost: scores and loss are those of XGBoost 3.2.0: survival:aft, max_depth 2,
// eta 0.3, exact, base_score exp(bias), 6 rounds.
func TestAFTXGBoost(t *testing.T) {
	d := times()
	for k, want := range [][]float64{
		{1.1450408, -0.383929, 0.760145, 1.51839, -0.312629, 0.760145, 1.51839, -0.159865, 0.760145, 1.24966, -0.159865, 0.688845, 0.0129103},
		{1.4449196, -0.379893, 0.751313, 1.67123, -0.379893, 0.751313, 1.49081, -0.161127, 0.751313, 1.16397, -0.161127, 0.6631, 0.131549},
		{1.1969661, -0.376576, 0.798605, 1.75802, -0.279995, 0.85738, 1.53623, -0.121579, 0.85738, 1.27747, -0.121579, 0.760799, 0.0777399},
	} {
		b := &AFT{Distribution: Distribution(k)}
		res := mustFit(t, d, b, &Trees{Depth: 2}, &Settings{Rounds: 6, Shrinkage: 0.3})
		p := must.Get(res.Model.Predict(d))
		got := append([]float64{b.Metric().Value(p)}, p.Scores...)
		for i, v := range want {
			if math.Abs(got[i]-v) > 1e-5*max(1, math.Abs(v)) {
				t.Errorf("distribution %d: number %d is %v, want %v", k, i, got[i], v)
			}
		}
		if math.Abs(p.Means[3]-math.Exp(p.Scores[3])) > 1e-12 {
			t.Errorf("time %v of score %v", p.Means[3], p.Scores[3])
		}
	}
}

// TestAFTLearns: a fit orders times, from bounds or as Cox has them, finds its number of
// rounds, and refuses what is no time.
func TestAFTLearns(t *testing.T) {
	train, d := survival(600, 1), survival(300, 2)
	bounds := *train
	bounds.Targets, bounds.Upper = slices.Clone(train.Targets), make([]float64, 600)
	for i := range bounds.Upper {
		bounds.Targets[i], bounds.Upper[i] = interval(train.Targets, nil, i)
	}
	settings := &Settings{Rounds: 200, Shrinkage: 0.1, Patience: 10}
	m := mustFit(t, train, &AFT{Distribution: Logistic}, &Trees{Depth: 3}, settings).Model
	few := &Settings{Rounds: 9} // without folds, which go by targets
	if saved(t, mustFit(t, train, &AFT{}, &Trees{}, few).Model) != saved(t, mustFit(t, &bounds, &AFT{}, &Trees{}, few).Model) {
		t.Error("bounds make another model")
	}
	p := must.Get(m.Predict(d))
	if c := TimeConcordance.Value(p); !(c > 0.75) {
		t.Errorf("concordance %v, want more than 0.75", c)
	}
	cv := must.Get(CrossValidate(t.Context(), &bounds, &AFT{}, &Trees{Depth: 3}, settings, &CrossValidation{Folds: 3}))
	if low, high := must.Get2(cv.Bootstrap(TimeConcordance, 50, 0.9, 1)); !(low > 0.7 && high < 0.95) {
		t.Errorf("concordance %v to %v", low, high)
	}
	if c := cv.ByFold(TimeConcordance); !(slices.Min(c) > 0.7) {
		t.Errorf("concordance of folds %v", c)
	}
	for name, change := range map[string]func(d *Data){
		"negative bound":  func(d *Data) { d.Targets[3] = -1 },
		"bounds reversed": func(d *Data) { d.Upper[3] = d.Targets[3] / 2 },
		"too few bounds":  func(d *Data) { d.Upper = d.Upper[1:] },
		"no time":         func(d *Data) { d.Targets[3], d.Upper[3] = 0, 0 },
	} {
		bad := *bounds.Subset(seq(600))
		change(&bad)
		if _, err := Fit(t.Context(), &bad, &AFT{}, &Trees{}, nil); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := Fit(t.Context(), &bounds, &Newton{}, &Trees{}, nil); !errors.Is(err, ErrData) {
		t.Errorf("bounds for Newton: error %v", err)
	}
	for _, b := range []*AFT{{Distribution: 3}, {Scale: -1}, {Newton: Newton{Loss: PoissonLoss}}} {
		if _, err := Fit(t.Context(), &bounds, b, &Trees{}, nil); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v", b, err)
		}
	}
}
