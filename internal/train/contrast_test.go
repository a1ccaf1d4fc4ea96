package train

import (
	"image"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Positives with too little contrast are counted: the cascade's gate rejects
// them, whatever it learns.
func TestLowContrast(t *testing.T) {
	data := world(100, 50, 12)
	flatten := func(windows []*image.Gray, n int) {
		for _, g := range windows[:n] {
			for i, v := range g.Pix {
				g.Pix[i] = 100 + (v-100)/32
			}
		}
	}
	flatten(data.Positives, 7)
	flatten(data.Validation, 3)
	for _, c := range []struct {
		s    Settings
		want [2]int
	}{
		{Settings{}, [2]int{7, 3}},
		{Settings{Shape: Soft, MinStdDev: 10}, [2]int{7, 3}},
		{Settings{Shape: Soft, MinStdDev: 0.5}, [2]int{}},
		{Settings{Kind: cascade.LBP}, [2]int{}},
	} {
		c.s.Width, c.s.Height, c.s.Stages.Count, c.s.Soft.Rounds, c.s.Features, c.s.Negatives = side, side, 1, 2, 100, 100
		var events []Event
		r := train(t, data, &c.s, &Hooks{Event: func(e Event) { events = append(events, e) }})
		if got := [2]int{r.LowContrast, r.ValidationLowContrast}; got != c.want {
			t.Errorf("%+v: %v of the windows have too little contrast, want %v", c.s, got, c.want)
		}
		if e := events[0]; (e.Kind == Contrast) != (c.s.Kind != cascade.LBP) || [2]int{e.LowContrast, e.ValidationLowContrast} != c.want {
			t.Errorf("%+v: the first event is %+v", c.s, e)
		}
		weak := must.Get(engine.NewOutputs(r.Cascade))
		rejected := 0
		for _, g := range data.Positives {
			if _, ok := weak.Append(nil, g, 0); !ok {
				rejected++
			}
		}
		if rejected != c.want[0] {
			t.Errorf("%+v: the cascade's gate rejects %d positives, want %d", c.s, rejected, c.want[0])
		}
	}
}
