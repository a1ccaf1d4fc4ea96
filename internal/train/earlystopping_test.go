package train

import (
	"bytes"
	"context"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"haarlem/internal/picturetest"
)

// wins gives the area under the ROC curve from all pairs.
func TestWins(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for _, spread := range []int{1, 3, 40, 100000} { // from ties only to hardly any
		for range 50 {
			draw := func() []float64 {
				all := make([]float64, rng.IntN(40))
				for i := range all {
					all[i] = float64(rng.IntN(spread)-spread/2) / grid
				}
				return all
			}
			objects, others := draw(), draw()
			var want int64
			for _, a := range objects {
				for _, b := range others {
					switch {
					case a > b:
						want += 2
					case a == b:
						want++
					}
				}
			}
			if got := wins(objects, others); got != want {
				t.Fatalf("%v against %v: %d, want %d", objects, others, got, want)
			}
		}
	}
}

// stripes returns data that is soon learned: an object is a light stripe beside
// a dark one, and the backgrounds are adjacent stripes, so that some of their
// windows are just like objects.
func stripes(positives, validation, backgrounds, apart int) *Data {
	rng := rand.New(rand.NewPCG(21, 0))
	picture := func(w int) *image.Gray {
		return picturetest.Grey(w, side, func(x, _ int) byte { // no window is enlarged
			v := byte(60 + rng.IntN(100))
			if x%side < side/2 {
				v += 30
			}
			return v
		})
	}
	d := &Data{Fingerprint: "stripes"}
	for range positives {
		d.Positives = append(d.Positives, picture(side))
	}
	for range validation {
		d.Validation = append(d.Validation, picture(side))
	}
	for range backgrounds {
		d.Backgrounds = append(d.Backgrounds, Plain{picture(20 * side)})
	}
	for range apart {
		d.ValidationBackgrounds = append(d.ValidationBackgrounds, Plain{picture(20 * side)})
	}
	return d
}

// overfitting are settings that would go on for long with stripes.
func overfitting(shape Shape) *Settings {
	s := &Settings{Width: side, Height: side, Shape: shape, Stages: StageGoals{Count: 14, MaxWeak: 8}, Soft: SoftGoals{Rounds: 60, Loss: 0.1}, Negatives: 200, Features: 60, MinStdDev: 1, AcceptanceBreak: -1, Seed: 3}
	if shape == Soft {
		s.Weak, s.Booster, s.Seed = Histograms, LB, 2
	}
	return s
}

// A training without anything left to learn ends, and returns the cascade
// before the steps without a gain.
func TestOverfits(t *testing.T) {
	for _, shape := range []Shape{Staged, Chain, Soft} {
		t.Run(shape.String(), func(t *testing.T) {
			s, data := overfitting(shape), stripes(60, 200, 60, 30)
			var gains []float64
			var states record
			r := train(t, data, s, &Hooks{
				Every: time.Nanosecond,
				Event: func(e Event) {
					if e.Kind == Stepped {
						gains = append(gains, e.Gain)
					}
				},
				Save: states.save,
			})
			want := encoded(t, r.Cascade)
			n := len(r.Steps)
			if r.Reason != Overfits || len(gains) != n+4 {
				t.Fatalf("%v with %d steps, the gains were %v: want an end, and four taken back", r.Reason, n, gains)
			}
			sum := 0.0
			for _, gain := range gains[n:] {
				if sum += gain; sum > 0 {
					t.Fatalf("of the gains %v those behind the first %d were taken back", gains, n)
				}
			}
			for i, step := range r.Steps {
				if step.Gain != gains[i] || step.HeldOut != 200 {
					t.Errorf("step %d: gain %v over %d windows, the event said %v", i+1, step.Gain, step.HeldOut, gains[i])
				}
			}
			for i := range states {
				st := states.state(i)
				// The last checkpoint after a good step equals the result.
				if steps := len(st.Steps()); steps == n && st.v.Run == nil && !st.v.Mined {
					if !bytes.Equal(st.v.Cascade, want) {
						t.Error("the cascade differs from that of the moment")
					}
				} else if steps < n || st.v.Run != nil && i%7 > 0 {
					continue
				}
				again := *s
				again.Workers = 1 + i%3
				resumed := train(t, data, &again, &Hooks{Resume: st})
				if got := encoded(t, resumed.Cascade); resumed.Reason != Overfits || len(resumed.Steps) != n || !bytes.Equal(got, want) {
					t.Errorf("resumed from state %d of %d, with %d steps: %v, %d steps, and other bytes: %v", i, len(states), len(st.Steps()), resumed.Reason, len(resumed.Steps), !bytes.Equal(got, want))
				}
			}

			other := *data
			other.ValidationBackgrounds = other.ValidationBackgrounds[1:]
			if _, err := Run(context.Background(), &other, s, &Hooks{Resume: states.state(len(states) - 1)}); !errors.Is(err, ErrState) {
				t.Errorf("resumed with fewer validation backgrounds: %v", err)
			}

			// Without validation backgrounds.
			other.ValidationBackgrounds = nil
			whole := train(t, &other, s, nil)
			if whole.Reason != Finished || !reflect.DeepEqual(whole.Cascade.Weak[:len(r.Cascade.Weak)], r.Cascade.Weak) {
				t.Errorf("without validation backgrounds: %v, %d weak classifiers, and they begin otherwise than %d", whole.Reason, len(whole.Cascade.Weak), len(r.Cascade.Weak))
			}
			for i, step := range whole.Steps {
				if !math.IsNaN(step.Gain) || step.HeldOut != 0 {
					t.Errorf("without validation backgrounds, step %d: gain %v over %d windows", i+1, step.Gain, step.HeldOut)
				}
			}
			if shape != Soft { // whose exits depend on the number of rounds
				shorter := *s
				shorter.Stages.Count = n
				if got := encoded(t, train(t, &other, &shorter, nil).Cascade); !bytes.Equal(got, want) {
					t.Errorf("a cascade of %d stages is another one", n)
				}
			}
		})
	}
}

// A training that still improves on held-out images is not ended.
func TestHealthy(t *testing.T) {
	data := world(400, 150, 40)
	data.ValidationBackgrounds = world(0, 0, 40).Backgrounds[20:]
	data.Backgrounds = data.Backgrounds[:20]
	for name, s := range map[string]*Settings{
		"stumps":           {Stages: StageGoals{Count: 6}},
		"histograms":       {Stages: StageGoals{Count: 6}, Weak: Histograms, Booster: RAB},
		"stumps, soft":     {Shape: Soft, Soft: SoftGoals{Rounds: 22}},
		"histograms, soft": {Shape: Soft, Soft: SoftGoals{Rounds: 12}, Weak: Histograms, Booster: RAB},
	} {
		t.Run(name, func(t *testing.T) {
			s.Width, s.Height, s.Negatives, s.Features, s.AcceptanceBreak = side, side, 300, 500, -1
			if testing.Short() {
				s.Features, s.Stages.Count = 200, 4
			}
			r := train(t, data, s, nil)
			measured := 0
			for _, step := range r.Steps {
				if step.Gain > 0 {
					measured++
				}
			}
			if r.Reason != Finished || measured < 4 {
				t.Errorf("%v after %d steps, of which %d brought a gain", r.Reason, len(r.Steps), measured)
			}
		})
	}
}

// With few windows, or a perfect separation, no gain is measured.
func TestNoVerdict(t *testing.T) {
	for name, data := range map[string]*Data{
		"few validation windows": stripes(60, minHeldOut-1, 60, 30),
		"few held-out windows":   stripes(60, 200, 60, 1),
	} {
		s := overfitting(Chain)
		if r := train(t, data, s, nil); r.Reason != Finished || len(r.Steps) != s.Stages.Count {
			t.Errorf("%s: %v after %d steps", name, r.Reason, len(r.Steps))
		} else if last := r.Steps[len(r.Steps)-1]; !math.IsNaN(last.Gain) || last.HeldOut == 0 {
			t.Errorf("%s: gain %v over %d windows", name, last.Gain, last.HeldOut)
		}
	}
	// Those that an exit has rejected do not count.
	s := overfitting(Chain)
	s.Stages.HitRate, s.Stages.Count = 0.9, 5
	r := train(t, stripes(60, minHeldOut, 60, 30), s, nil)
	left := 1.0
	for i, step := range r.Steps {
		if math.IsNaN(step.Gain) != (left < 1) {
			t.Errorf("step %d: gain %v with %v of a hundred validation windows left", i+1, step.Gain, left)
		}
		left = step.Validation
	}
	if last := r.Steps[len(r.Steps)-2]; last.Validation == 1 {
		t.Error("none was rejected")
	}
}
