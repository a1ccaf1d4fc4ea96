package boost

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"haarlem/internal/must"
)

// TestTune: without time the settings are those given, with as many rounds as Fit
// finds. With time they are better on the rows held out.
func TestTune(t *testing.T) {
	for _, d := range []*Data{mixture(300, 5), curve(300, 5, 0.5), rings(200, 3, 7)} {
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
		for budget := time.Second; ; budget *= 2 { // a slow machine needs longer
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
