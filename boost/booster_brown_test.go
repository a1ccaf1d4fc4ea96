package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// TestBrownBoostEquations: the step of every round solves both equations, or
// the second one at the end of the time.
func TestBrownBoostEquations(t *testing.T) {
	for seed := range uint64(4) {
		d := mixture(300, 40+seed)
		run := must.Get(Start(&Problem{Data: d}, &BrownBoost{Error: 0.15}, &Stumps{}, &Settings{Rounds: 400}))
		st := run.st
		c := st.Memory[1]
		if got := 1 - math.Erf(math.Sqrt(c)); math.Abs(got-0.15) > 1e-12 {
			t.Fatalf("1 - erf(sqrt c) = %v, want the target error", got)
		}
		for run.Status() == Going {
			before := append([]float64(nil), st.Scores...)
			s := st.Memory[0]
			r := must.Get(run.Next(context.Background()))
			if r.Weak == nil {
				break
			}
			left := st.Memory[0]
			corr, pot, size := 0.0, 0.0, 0.0
			for i, y := range st.Labels {
				u := y*st.Scores[i] + left
				v := y*before[i] + s
				w := math.Exp(-u * u / c)
				corr += y * st.Out[i] * w
				size += w
				pot += math.Erf(u/math.Sqrt(c)) - math.Erf(v/math.Sqrt(c))
			}
			if math.Abs(pot) > 1e-6*float64(d.Rows()) {
				t.Fatalf("seed %d round %d: the potential moved by %v", seed, r.Number, pot)
			}
			if r.Status == Going && math.Abs(corr) > 1e-6*size {
				t.Fatalf("seed %d round %d: correlation %v is left", seed, r.Number, corr/size)
			}
			if !(left < s) {
				t.Fatalf("seed %d round %d: time went from %v to %v", seed, r.Number, s, left)
			}
		}
		if run.Status() == GoalMet {
			// What the potential promises: at most the target error.
			if e := st.trainError(); e > 0.15+1e-6 {
				t.Errorf("seed %d: the time is up at a training error of %v, above the target", seed, e)
			}
		}
		t.Logf("seed %d: %v after %d rounds, error %v", seed, run.Status(), st.Rounds, st.trainError())
	}
}

// TestBrownBoostUnderLabelNoise compares errors on clean rows after learning
// from rows with 10 and 20 per cent of the labels wrong.
func TestBrownBoostUnderLabelNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clean := func(rows int, seed uint64) *Data {
		r := rand.New(rand.NewPCG(seed, 5))
		d := &Data{Columns: make([][]float64, 10), Labels: make([]int8, rows)}
		for j := range d.Columns {
			d.Columns[j] = make([]float64, rows)
		}
		for i := range rows {
			sum := 0.0
			for j := range d.Columns {
				d.Columns[j][i] = r.NormFloat64()
				if j < 5 {
					sum += d.Columns[j][i]
				}
			}
			d.Labels[i] = 1
			if sum < 0 {
				d.Labels[i] = -1
			}
		}
		return d
	}
	test := clean(4000, 99)
	for _, noise := range []float64{0.1, 0.2} {
		var brown, ada float64
		const runs = 3
		for seed := range uint64(runs) {
			d := clean(400, seed)
			r := rand.New(rand.NewPCG(seed, 6))
			for i := range d.Labels {
				if r.Float64() < noise {
					d.Labels[i] = -d.Labels[i]
				}
			}
			brown += must.Get(mustFit(t, d, &BrownBoost{Error: noise}, &Stumps{}, &Settings{Rounds: 300}).Model.Error(test)) / runs
			ada += must.Get(mustFit(t, d, &Discrete{}, &Stumps{}, &Settings{Rounds: 300}).Model.Error(test)) / runs
		}
		t.Logf("%.0f %% label noise: error on clean rows %.4f BrownBoost, %.4f AdaBoost", 100*noise, brown, ada)
		if brown >= ada {
			t.Errorf("%.0f %% label noise: BrownBoost's error %.4f is not below AdaBoost's %.4f", 100*noise, brown, ada)
		}
	}
}

// TestBrownProbability: |p - y| with p = erf(F/sqrt c) has the mean that was
// aimed at, and (1+p)/2 is the probability.
func TestBrownProbability(t *testing.T) {
	d := mixture(150, 4)
	for _, s := range []Settings{{}, {Shrinkage: 0.3}, {ColumnShare: 0.5, Seed: 1}} {
		s.Rounds = 2000
		brownProbability(t, d, &s)
	}
}

func brownProbability(t *testing.T, d *Data, s *Settings) {
	res := mustFit(t, d, &BrownBoost{Error: 0.3}, &Stumps{}, s)
	if res.Status != GoalMet {
		t.Fatalf("status %v", res.Status)
	}
	mean, x := 0.0, []float64(nil)
	for i, y := range d.Labels {
		x = d.Row(x, i)
		p := res.Model.Probability(x)
		if !(p >= 0 && p <= 1) || (p > 0.5) != (res.Model.Score(x) > 0) {
			t.Fatalf("row %d: probability %v of score %v", i, p, res.Model.Score(x))
		}
		mean += math.Abs(2*p-1-float64(y)) / float64(d.Rows())
	}
	if math.Abs(mean-0.3) > 1e-6 {
		t.Errorf("shrinkage %v, columns %v: the mean of |p - y| is %v, want 0.3", s.Shrinkage, s.ColumnShare, mean)
	}
}
