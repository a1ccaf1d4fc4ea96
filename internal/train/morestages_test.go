package train

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// A finished training goes on for more stages, and comes to what a training of so
// many comes to at once. One of fewer stages, or of another hit rate, is another
// training.
func TestMoreStages(t *testing.T) {
	data := world(200, 40, 24)
	for name, breakAt := range map[string]float64{"break by the goals": 0, "no break": -1} {
		for _, shape := range []Shape{Staged, Chain} {
			t.Run(name+", "+shape.String(), func(t *testing.T) {
				of := func(stages int) *Settings {
					return &Settings{
						Width: side, Height: side, Shape: shape, Features: 150, Negatives: 60, AcceptanceBreak: breakAt,
						Stages: StageGoals{Count: stages, HitRate: 0.99, FalsePositiveRate: 0.3, MaxWeak: 20},
					}
				}
				var last *State
				few := train(t, data, of(2), &Hooks{Save: func(s *State) error { last = s; return nil }})
				if len(few.Steps) != 2 {
					t.Fatalf("%d stages, want 2", len(few.Steps))
				}
				more := train(t, data, of(4), &Hooks{Resume: last})
				atOnce := train(t, data, of(4), nil)
				if len(atOnce.Steps) < 3 {
					t.Fatalf("%d stages at once, want more than 2", len(atOnce.Steps))
				}
				if !bytes.Equal(encoded(t, more.Cascade), encoded(t, atOnce.Cascade)) {
					t.Errorf("2 stages and then 4 are other bytes than 4 at once: %d and %d stages", len(more.Steps), len(atOnce.Steps))
				}
				other := of(4)
				other.Stages.HitRate = 0.98
				for what, s := range map[string]*Settings{"another hit rate": other, "fewer stages": of(1)} {
					if _, err := Run(context.Background(), data, s, &Hooks{Resume: last}); !errors.Is(err, ErrState) {
						t.Errorf("%s: %v, want ErrState", what, err)
					}
				}
			})
		}
	}
}
