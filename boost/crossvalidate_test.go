package boost

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// TestCrossValidate: every row is scored by the model of its fold, which has not
// seen it; classes and targets have their share of each fold; workers do not
// matter.
func TestCrossValidate(t *testing.T) {
	d := mixture(233, 1)
	ctx := context.Background()
	cv, err := CrossValidate(ctx, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 20}, &CrossValidation{Folds: 7, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	again, err := CrossValidate(ctx, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 20}, &CrossValidation{Folds: 7, Seed: 2, Workers: 1})
	if err != nil || !slices.Equal(cv.Scores, again.Scores) {
		t.Errorf("one worker gives other scores (%v)", err)
	}
	for f, m := range cv.Models {
		var train []int
		positive, rows := 0, 0
		for i, g := range cv.Folds {
			if g != f {
				train = append(train, i)
				continue
			}
			rows++
			if d.Labels[i] > 0 {
				positive++
			}
			if s := m.Score(d.Row(nil, i)); s != cv.Scores[i] || m.Probability(d.Row(nil, i)) != cv.Means[i] {
				t.Fatalf("row %d: score %v, its fold's model says %v", i, cv.Scores[i], s)
			}
		}
		same := mustFit(t, d.Subset(train), &Gentle{}, &Stumps{}, &Settings{Rounds: 20}).Model
		if !slices.Equal(must.Get(same.Scores(d)), must.Get(m.Scores(d))) {
			t.Errorf("fold %d: the model is not that of the other folds", f)
		}
		want := 0.0
		for _, y := range d.Labels {
			if y > 0 {
				want += 1.0 / 7
			}
		}
		if math.Abs(float64(positive)-want) > 1 || rows < 33 || rows > 34 {
			t.Errorf("fold %d has %d rows, %d positive; want %.1f", f, rows, positive, want)
		}
	}
	mean := 0.0
	for f, v := range cv.ByFold(ErrorRate) {
		rows := 0.0
		for _, g := range cv.Folds {
			if g == f {
				rows++
			}
		}
		mean += v * rows / 233
	}
	if e := ErrorRate.Value(cv.Predictions); math.Abs(e-mean) > 1e-12 || e > 0.3 {
		t.Errorf("error %v, %v by folds", e, mean)
	}
}

// TestCrossValidateHoldOut: early stopping within folds, of classes and numbers.
func TestCrossValidateHoldOut(t *testing.T) {
	for _, d := range []*Data{mixture(300, 3), curve(300, 3, 0.5)} {
		cv := must.Get(CrossValidate(context.Background(), d, &Newton{}, &Trees{}, &Settings{Rounds: 300, Shrinkage: 0.3, Patience: 10}, &CrossValidation{Folds: 4, HoldOut: 0.25}))
		for f, m := range cv.Models {
			if n := len(m.Terms); n == 0 || n > 250 {
				t.Errorf("fold %d has %d terms", f, n)
			}
		}
	}
	for name, c := range map[string]*CrossValidation{"one fold": {Folds: 1}, "more folds than rows": {Folds: 301}, "hold out all": {HoldOut: 1}} {
		if _, err := CrossValidate(context.Background(), mixture(300, 3), &Gentle{}, &Stumps{}, nil, c); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: error %v, want ErrSettings", name, err)
		}
	}
}

// TestSplitData: each class has its share of either part, and no row is lost.
func TestSplitData(t *testing.T) {
	d := mixture(200, 5)
	a, b, err := SplitData(d, 0.25, 1)
	if err != nil || a.Rows() != 150 || b.Rows() != 50 {
		t.Fatalf("%d and %d rows, %v", a.Rows(), b.Rows(), err)
	}
	positive := func(d *Data) (n float64) {
		for _, y := range d.Labels {
			if y > 0 {
				n++
			}
		}
		return n
	}
	if math.Abs(positive(b)-positive(d)/4) > 1 || positive(a)+positive(b) != positive(d) {
		t.Errorf("%v positive rows of %v in the second part", positive(b), positive(d))
	}
	if _, _, err := SplitData(d, 0.001, 1); !errors.Is(err, ErrSettings) {
		t.Errorf("an empty part: error %v", err)
	}
}
