package boost

import (
	"context"
	"testing"

	"haarlem/internal/must"
)

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
