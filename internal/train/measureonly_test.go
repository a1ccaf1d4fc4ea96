package train

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// What is only measured changes nothing: the cascade is the same as without. Without
// MeasureOnly the same windows change it.
func TestMeasureOnly(t *testing.T) {
	for _, s := range []*Settings{
		{Width: side, Height: side, Shape: Soft, Booster: RAB, Weak: Histograms, Soft: SoftGoals{Rounds: 20, Loss: 0.1}, Features: 300, Negatives: 400, Seed: 3},
		{Width: side, Height: side, Stages: StageGoals{Count: 3, HitRate: 0.9, FalsePositiveRate: 0.3, MaxWeak: 6}, Features: 300, Negatives: 400, Seed: 3},
	} {
		data := world(300, 0, 30)
		want := encoded(t, train(t, data, s, nil).Cascade)
		apart, other := *data, world(150, 0, 40)
		apart.Validation, apart.ValidationBackgrounds = other.Positives, other.Backgrounds
		rng := rand.New(rand.NewPCG(7, 0))
		for i := range 40 { // these are none
			apart.Validation[i] = noise(rng, side, side)
		}
		apart.MeasureOnly = true
		r := must.Get(Run(context.Background(), &apart, s, nil))
		if !bytes.Equal(encoded(t, r.Cascade), want) {
			t.Errorf("%v: another cascade", s.Shape)
		}
		weak := must.Get(engine.NewOutputs(r.Cascade))
		passing := 0
		for _, g := range apart.Validation {
			if passes(weak, r.Cascade, g) {
				passing++
			}
		}
		last := r.Steps[len(r.Steps)-1]
		if got := float64(passing) / 150; math.Abs(last.Validation-got) > 1e-9 || got == 1 {
			t.Errorf("%v: the last step says that %v of the validation windows pass, and %v do", s.Shape, last.Validation, got)
		}
		if first := r.Steps[0]; first.HeldOut == 0 || math.IsNaN(first.Gain) {
			t.Errorf("%v: the first step's gain was not measured", s.Shape)
		}
		apart.MeasureOnly = false
		r = must.Get(Run(context.Background(), &apart, s, nil))
		if r.Cascade != nil && bytes.Equal(encoded(t, r.Cascade), want) {
			t.Errorf("%v: the same cascade where the goals are to be met on the validation windows: this tests nothing", s.Shape)
		}
	}
}
