package boost

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"haarlem/internal/must"
)

// positives returns the number of rows of class +1.
func positives(d *Data) (n float64) {
	for _, y := range d.Labels {
		if y > 0 {
			n++
		}
	}
	return n
}

// TestCrossValidate: every row is scored by the model of its fold, which has not
// seen it; classes and targets have their share of each fold; workers do not
// matter.
func TestCrossValidate(t *testing.T) {
	d := mixture(233, 1)
	ctx := context.Background()
	cv := must.Get(CrossValidate(ctx, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 20}, &CrossValidation{Folds: 7, Seed: 2}))
	again, err := CrossValidate(ctx, d, &Gentle{}, &Stumps{}, &Settings{Rounds: 20}, &CrossValidation{Folds: 7, Seed: 2, Workers: 1})
	if err != nil || !slices.Equal(cv.Scores, again.Scores) {
		t.Errorf("one worker gives other scores (%v)", err)
	}
	for f, m := range cv.Models {
		var train []int
		plus, rows := 0, 0
		for i, g := range cv.Folds {
			if g != f {
				train = append(train, i)
				continue
			}
			rows++
			if d.Labels[i] > 0 {
				plus++
			}
			if s := m.Score(d.Row(nil, i)); s != cv.Scores[i] || m.Probability(d.Row(nil, i)) != cv.Means[i] {
				t.Fatalf("row %d: score %v, its fold's model says %v", i, cv.Scores[i], s)
			}
		}
		same := mustFit(t, d.Subset(train), &Gentle{}, &Stumps{}, &Settings{Rounds: 20}).Model
		if !slices.Equal(must.Get(same.Scores(d)), must.Get(m.Scores(d))) {
			t.Errorf("fold %d: the model is not that of the other folds", f)
		}
		want := positives(d) / 7
		if math.Abs(float64(plus)-want) > 1 || rows < 33 || rows > 34 {
			t.Errorf("fold %d has %d rows, %d positive; want %.1f", f, rows, plus, want)
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
	if math.Abs(positives(b)-positives(d)/4) > 1 || positives(a)+positives(b) != positives(d) {
		t.Errorf("%v positive rows of %v in the second part", positives(b), positives(d))
	}
	if _, _, err := SplitData(d, 0.001, 1); !errors.Is(err, ErrSettings) {
		t.Errorf("an empty part: error %v", err)
	}
}

// TestTune: without time the settings are those given, with as many rounds as Fit
// finds. With time they are better on the rows held out.
func TestTune(t *testing.T) {
	for _, d := range []*Data{mixture(150, 5), curve(150, 5, 0.5), rings(120, 3, 7)} {
		b, l, s := Recommended(d)
		if d.Classes == nil {
			l.Leaves, s.Shrinkage = 2, 1 // bad, to be bettered
		}
		s.Seed = 3
		b0, l0, s0, err := Tune(context.Background(), d, b, l, s, 0)
		if err != nil || l0.Leaves != l.Leaves || b0.MinWeight != b.MinWeight || s0.Patience != 0 || s0.Shrinkage != s.Shrinkage {
			t.Fatalf("%+v %+v %+v, want what was given; error %v", b0, l0, s0, err)
		}
		find := must.Get(finder(d, l, s))
		metric := func(b *Newton, l *Trees, s *Settings) float64 {
			c := *s
			c.Patience = math.MaxInt / 2
			_, v := must.Get2(find(context.Background(), b, l, &c))
			return v
		}
		if d.Classes != nil {
			if res := mustFitMulti(t, d, &Softmax{*b}, l, s); res.Rounds != s0.Rounds {
				t.Errorf("%d rounds, FitMulti finds %d", s0.Rounds, res.Rounds)
			}
			continue
		}
		if res := mustFit(t, d, b, l, s); res.Rounds != s0.Rounds {
			t.Errorf("%d rounds, Fit finds %d", s0.Rounds, res.Rounds)
		}
		if d.Labels != nil {
			continue
		}
		for budget := 50 * time.Millisecond; ; budget *= 2 { // a slow machine needs longer
			b1, l1, s1, err := Tune(context.Background(), d, b, l, s, budget)
			if err != nil {
				t.Fatal(err)
			}
			got, first := metric(b1, l1, s1), metric(b0, l0, s0)
			if got < first {
				break
			}
			if got > first || budget > time.Minute {
				t.Fatalf("metric %v, at first %v", got, first)
			}
		}
	}
	d := mixture(50, 1)
	if _, _, _, err := Tune(context.Background(), d, &Newton{}, &Trees{}, &Settings{}, 0); !errors.Is(err, ErrSettings) {
		t.Errorf("without Patience: error %v, want ErrSettings", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, _, err := Tune(ctx, d, &Newton{}, &Trees{}, &Settings{Patience: 5}, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// TestRecommended: on small noisy tables the recommended settings have
// probabilities that are better than knowing nothing, and better than those of
// the boosters' plain settings; on a larger one with structure they are better than
// few leaves and rounds.
func TestRecommended(t *testing.T) {
	loss := func(d *Data, b Booster, l Learner, s *Settings) float64 {
		cv := must.Get(CrossValidate(context.Background(), d, b, l, s, &CrossValidation{Folds: 5}))
		return LogLoss.Value(cv.Predictions)
	}
	for seed := range uint64(2) {
		d := mixture(200, 10+seed)
		for i := range d.Labels {
			if i%6 == 0 { // noise
				d.Labels[i] = -d.Labels[i]
			}
		}
		b, l, s := Recommended(d)
		best := loss(d, b, l, s)
		if best > 0.69 {
			t.Errorf("seed %d: log loss %v, of knowing nothing it is 0.69", seed, best)
		}
		for _, plain := range []Booster{&LogitBoost{}, &Real{}, &Discrete{}, &Newton{}} {
			if l := loss(d, plain, l, &Settings{}); l < best {
				t.Errorf("seed %d: log loss %v, %s has %v", seed, best, plain.Name(), l)
			}
		}
	}
	d := mixture(3000, 4)
	for i := range d.Labels { // a chessboard
		d.Labels[i] = 1
		if (int(d.Columns[0][i]*2+100)+int(d.Columns[1][i]*2+100))%2 == 0 {
			d.Labels[i] = -1
		}
	}
	b, l, s := Recommended(d)
	few := loss(d, &Newton{}, &Trees{Leaves: 4}, &Settings{Shrinkage: 0.05, RowShare: 0.5, ColumnShare: 0.8})
	if best := loss(d, b, l, s); best > 0.95*few {
		t.Errorf("log loss %v of a chessboard, %v with 100 small trees", best, few)
	}
}

// TestRecommendedClasses: where many classes lie apart, the recommended settings let
// probabilities come nearer to 1 than those of two classes would.
func TestRecommendedClasses(t *testing.T) {
	const classes, columns = 24, 8
	r := rand.New(rand.NewPCG(5, 6))
	d := &Data{Columns: make([][]float64, columns)}
	var centres [classes][columns]float64
	for c := range classes {
		d.Classes = append(d.Classes, strconv.Itoa(c))
		for j := range columns {
			centres[c][j] = 8 * r.NormFloat64()
		}
	}
	for i := range 20 * classes {
		d.Targets = append(d.Targets, float64(i%classes))
		for j := range columns {
			d.Columns[j] = append(d.Columns[j], centres[i%classes][j]+r.NormFloat64())
		}
	}
	b, l, s := Recommended(d)
	s.Rounds, s.Shrinkage = 80, 0.3
	loss := func() float64 {
		find := must.Get(finder(d, l, s))
		_, v := must.Get2(find(context.Background(), b, l, s))
		return v
	}
	many := loss()
	b.MinWeight = 0.3
	if two := loss(); many > 0.8*two {
		t.Errorf("log loss %v, with the least weight for two classes %v", many, two)
	}
}
