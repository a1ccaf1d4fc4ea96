package train

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
)

// A training whose pictures are searched elsewhere, from a cascade in a file, in
// another order, gives the same bytes.
func TestMineElsewhere(t *testing.T) {
	for _, recipe := range []string{"histograms, soft", "patterns", "turned", "halved"} {
		t.Run(recipe, func(t *testing.T) {
			data, s := world(100, 30, 60), *brief(recipe)
			data.ValidationBackgrounds = append(data.ValidationBackgrounds, world(0, 0, 12).Backgrounds...)
			s.Soft.Rounds, s.Stages.Count, s.Negatives, s.Features = 12, 3, 80, 200
			encoded := func(c *cascade.Cascade) string {
				var b bytes.Buffer
				must.Do(c.Encode(&b))
				return b.String()
			}
			want := encoded(train(t, data, &s, nil).Cascade)
			waves, held := 0, 0
			r := train(t, data, &s, &Hooks{Mine: func(ctx context.Context, w *WindowSearch, views []View) ([]Finding, error) {
				waves++
				c, err := cascade.Read(strings.NewReader(encoded(w.Cascade)), nil)
				if err != nil {
					return nil, err
				}
				other := &WindowSearch{Cascade: c, Seed: w.Seed, Max: w.Max, About: w.About}
				all := make([]Finding, len(views))
				for i := len(views) - 1; i >= 0; i-- {
					from := data.Backgrounds
					if w.Validation {
						from = data.ValidationBackgrounds
						held++
					}
					b := from[views[i].Picture]
					g, err := b.Grey()
					if err != nil {
						return nil, err
					}
					if all[i], err = other.Search(ctx, g, b, views[i]); err != nil {
						return nil, err
					}
				}
				return all, nil
			}})
			if got := encoded(r.Cascade); got != want {
				t.Errorf("the cascade is\n%.400s\nwant\n%.400s", got, want)
			}
			if waves == 0 || held == 0 {
				t.Errorf("%d waves, %d validation pictures: nothing was tested", waves, held)
			}
		})
	}
}

func TestMineElsewhereFails(t *testing.T) {
	data, s := world(50, 0, 10), brief("histograms, soft")
	gone := errors.New("the other machine is gone")
	for want, mine := range map[error]func(context.Context, *WindowSearch, []View) ([]Finding, error){
		gone: func(context.Context, *WindowSearch, []View) ([]Finding, error) { return nil, gone },
		nil:  func(context.Context, *WindowSearch, []View) ([]Finding, error) { return nil, nil },
	} {
		if _, err := Run(context.Background(), data, s, &Hooks{Mine: mine}); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}
