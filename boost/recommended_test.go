package boost

import (
	"context"
	"testing"
)

// TestRecommended: on small noisy tables the recommended settings have
// probabilities that are better than knowing nothing, and better than those of
// the boosters' plain settings.
func TestRecommended(t *testing.T) {
	b, l, s := Recommended()
	for seed := range uint64(3) {
		d := mixture(200, 10+seed)
		for i := range d.Labels {
			if i%6 == 0 { // noise
				d.Labels[i] = -d.Labels[i]
			}
		}
		loss := func(b Booster, l Learner, s *Settings) float64 {
			cv, err := CrossValidate(context.Background(), d, b, l, s, &CrossValidation{Folds: 5})
			if err != nil {
				t.Fatal(err)
			}
			return LogLoss.Value(cv.Predictions)
		}
		best := loss(b, l, s)
		if best > 0.69 {
			t.Errorf("seed %d: log loss %v, of knowing nothing it is 0.69", seed, best)
		}
		for _, plain := range []Booster{&LogitBoost{}, &Real{}, &Discrete{}, &Newton{}} {
			if l := loss(plain, l, &Settings{}); l < best {
				t.Errorf("seed %d: log loss %v, %s has %v", seed, best, plain.Name(), l)
			}
		}
	}
}
