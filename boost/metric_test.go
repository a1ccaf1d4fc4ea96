package boost

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// predicted are scores and right probabilities of classes drawn by them.
func predicted(n int, seed uint64, weights bool) *Predictions {
	r := rand.New(rand.NewPCG(seed, 41))
	p := &Predictions{}
	for range n {
		s := math.Round(20*r.NormFloat64()) / 10 // with ties
		q := 1 / (1 + math.Exp(-s))
		y := -1.0
		if r.Float64() < q {
			y = 1
		}
		p.Scores, p.Means, p.Targets = append(p.Scores, s), append(p.Means, q), append(p.Targets, y)
		if weights {
			p.Weights = append(p.Weights, float64(r.IntN(4)))
		}
	}
	return p
}

// TestMetricsByDefinition: each metric is what its definition says, computed
// another way, and a row of weight w counts as w rows.
func TestMetricsByDefinition(t *testing.T) {
	for _, weights := range []bool{false, true} {
		p := predicted(300, 1, weights)
		var wrong, logs, squares, pairs, wins, total, precisions, hits float64
		rows := &Predictions{}
		for i := range p.Scores {
			w := p.weight(i)
			total += w
			y := (1 + p.Targets[i]) / 2
			if (p.Scores[i] >= 0) != (y == 1) {
				wrong += w
			}
			if y == 1 { // the precision at the row's own threshold
				var above [2]float64
				for j, s := range p.Scores {
					if s >= p.Scores[i] {
						above[class(p.Targets[j])] += p.weight(j)
					}
				}
				if w > 0 {
					precisions += w * above[1] / (above[0] + above[1])
					hits += w
				}
			}
			logs -= w * (y*math.Log(p.Means[i]) + (1-y)*math.Log(1-p.Means[i]))
			squares += w * (p.Means[i] - y) * (p.Means[i] - y)
			for j := range p.Scores {
				if p.Targets[i] > 0 && p.Targets[j] < 0 {
					v := w * p.weight(j)
					pairs += v
					switch {
					case p.Scores[i] > p.Scores[j]:
						wins += v
					case p.Scores[i] == p.Scores[j]:
						wins += v / 2
					}
				}
			}
			for range int(w) {
				rows.Scores, rows.Means, rows.Targets = append(rows.Scores, p.Scores[i]), append(rows.Means, p.Means[i]), append(rows.Targets, p.Targets[i])
			}
		}
		for _, c := range []struct {
			m    Metric
			want float64
		}{
			{ErrorRate, wrong / total}, {Accuracy, 1 - wrong/total}, {LogLoss, logs / total}, {Brier, squares / total}, {AUC, wins / pairs}, {AveragePrecision, precisions / hits},
			{RMSE, RMSE.Value(rows)}, {MAE, MAE.Value(rows)},
		} {
			if got := c.m.Value(p); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%s %v, want %v", c.m.Name, got, c.want)
			}
			if got := c.m.Value(rows); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%s of repeated rows %v, want %v", c.m.Name, got, c.want)
			}
			if m, err := MetricByName(c.m.Name); err != nil || m.Name != c.m.Name {
				t.Errorf("%s by name: %v", c.m.Name, err)
			}
		}
	}
	if _, err := MetricByName("f1"); err == nil {
		t.Error("f1 is a metric")
	}
}

// TestConfusion: the matrix of two classes by hand, and scikit-learn's documented
// average precision of four rows.
func TestConfusion(t *testing.T) {
	p := &Predictions{Scores: []float64{0.1, 0.4, 0.35, 0.8}, Targets: []float64{-1, -1, 1, 1}}
	if got, want := p.Confusion(0.35), [2][2]float64{{1, 1}, {0, 2}}; got != want {
		t.Errorf("confusion %v, want %v", got, want)
	}
	for name, c := range map[string]struct {
		value func([2][2]float64) float64
		want  float64
	}{
		"f1":                     {F1, 0.35}, // 4/5, against 2/3 at 0.8 and at 0.1, 1/2 at 0.4
		"costly false positives": {func(c [2][2]float64) float64 { return -3*c[0][1] - c[1][0] }, 0.8},
		"costly false negatives": {func(c [2][2]float64) float64 { return -c[0][1] - 3*c[1][0] }, 0.35},
	} {
		if got := p.BestThreshold(c.value); got != c.want {
			t.Errorf("%s: threshold %v, want %v", name, got, c.want)
		}
	}
	if got := AveragePrecision.Value(p); math.Abs(got-(1+2.0/3)/2) > 1e-15 {
		t.Errorf("average precision %v, want 0.8333", got)
	}
	if got := AveragePrecision.Value(&Predictions{Scores: []float64{1, 2}, Targets: []float64{1, 1}}); got != 1 {
		t.Errorf("average precision of positive rows only %v, want 1", got)
	}
	if got := AveragePrecision.Value(&Predictions{Scores: []float64{1, 2}, Targets: []float64{-1, -1}}); got == got {
		t.Errorf("average precision of negative rows only %v, want NaN", got)
	}
	m := &MultiPredictions{
		Targets: []float64{0, 1, 2, 2, 1}, Predicted: []int{0, 1, 2, 1, 0}, Weights: []float64{1, 2, 3, 4, 5},
		Probabilities: [][]float64{{.7, .2, .1, .2, .6}, {.2, .5, .3, .6, .3}, {.1, .3, .6, .2, .1}},
	}
	if got, want := fmt.Sprint(m.Confusion()), "[[1 0 0] [5 2 0] [0 4 3]]"; got != want {
		t.Errorf("confusion %v, want %v", got, want)
	}
	// By pairs: class 0 wins all; class 1 wins 2*(1+3+0)+5*(1+3/2); class 2 wins 3*8+4*(1+5).
	if got, want := m.AUC(), (1*1+7*(8+12.5)/(7*8)+7*(24+24)/(7*8))/15; math.Abs(got-want) > 1e-15 {
		t.Errorf("AUC %v, want %v", got, want)
	}
}

// TestROC: the curve rises from no row to all, a point a score.
func TestROC(t *testing.T) {
	p := &Predictions{Scores: []float64{3, 1, 2, 1, 0}, Targets: []float64{1, 1, -1, -1, -1}}
	want := []ROCPoint{{math.Inf(1), 0, 0}, {3, 0, 0.5}, {2, 1.0 / 3, 0.5}, {1, 2.0 / 3, 1}, {0, 1, 1}}
	got := p.ROC()
	if len(got) != len(want) {
		t.Fatalf("curve %v, want %v", got, want)
	}
	for k := range want {
		if got[k].Threshold != want[k].Threshold || math.Abs(got[k].FalsePositiveRate-want[k].FalsePositiveRate) > 1e-15 || got[k].TruePositiveRate != want[k].TruePositiveRate {
			t.Errorf("point %d is %v, want %v", k, got[k], want[k])
		}
	}
}

// TestCalibrationCurve: where probabilities are right the bins' means and shares
// agree; every row is in a bin.
func TestCalibrationCurve(t *testing.T) {
	p := predicted(20000, 2, false)
	rows := 0
	for _, b := range p.CalibrationCurve(10) {
		rows += b.Rows
		if math.Abs(b.Mean-b.Share) > 0.04 {
			t.Errorf("mean probability %v, share %v", b.Mean, b.Share)
		}
	}
	if rows != 20000 {
		t.Errorf("%d rows in bins", rows)
	}
}

// TestBootstrap: the interval of an error is about that of the binomial
// distribution, and the same for the same seed.
func TestBootstrap(t *testing.T) {
	p := predicted(400, 5, false)
	e := ErrorRate.Value(p)
	low, high := must.Get2(p.Bootstrap(ErrorRate, 2000, 0.95, 1))
	deviation := math.Sqrt(e * (1 - e) / 400)
	if math.Abs(low-(e-1.96*deviation)) > 0.4*deviation || math.Abs(high-(e+1.96*deviation)) > 0.4*deviation {
		t.Errorf("%v to %v, want %v to %v", low, high, e-1.96*deviation, e+1.96*deviation)
	}
	if a, b, _ := p.Bootstrap(ErrorRate, 2000, 0.95, 1); a != low || b != high {
		t.Error("another interval for the same seed")
	}
	if _, _, err := p.Bootstrap(AUC, 0, 0.95, 1); err == nil {
		t.Error("no samples make an interval")
	}
}
