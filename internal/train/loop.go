package train

import (
	"cmp"
	"context"
	"errors"
	"image"
	"slices"
	"time"

	"haarlem/cascade"
	"haarlem/haar"
)

// Run trains a cascade. If the context ends, it returns the cascade so far,
// with Reason Interrupted and no error.
func Run(ctx context.Context, data *Data, settings *Settings, hooks *Hooks) (*Result, error) {
	s, err := settings.WithDefaults()
	if err != nil {
		return nil, err
	}
	if err := data.check(&s); err != nil {
		return nil, err
	}
	t := &trainer{s: s, data: data, begin: time.Now(), saved: time.Now(), memory: s.Memory}
	if hooks != nil {
		t.hooks = *hooks
	}
	t.hooks.Every = cmp.Or(t.hooks.Every, 3*time.Minute)
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	reason, err := t.loop(ctx)
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) {
		reason, err = Interrupted, nil
		t.dropStep()
	}
	if err != nil {
		return nil, err
	}
	r := &Result{Reason: reason, Steps: t.steps, LowContrast: t.lowContrast[0], ValidationLowContrast: t.lowContrast[1]}
	if len(t.c.Weak) > 0 {
		r.Cascade = t.c
	}
	return r, nil
}

// prepare sets up the first step, or restores a checkpoint.
func (t *trainer) prepare(ctx context.Context) error {
	s := &t.s
	t.c = &cascade.Cascade{Name: s.Name, Object: s.Object, Kind: s.Kind, Width: s.Width, Height: s.Height, Search: cascade.Search{PrefilterFrom: s.PrefilterFrom}, Provenance: s.Provenance}
	t.c.Provenance.Seed = s.Seed
	if s.Kind == cascade.Haar {
		t.c.MinStdDev = s.MinStdDev
	}
	t.index, t.cells = map[haar.Feature]int32{}, map[image.Rectangle]int32{}
	t.windows = slices.Concat(t.data.Positives, t.data.Validation)
	t.train = len(t.data.Positives)
	if s.Negatives == 0 {
		t.s.Negatives = t.train
	}
	if t.byGoals = s.AcceptanceBreak == 0; t.byGoals {
		t.s.AcceptanceBreak = byGoals(s)
	}
	t.rate = 1
	t.alive = make([]bool, len(t.windows))
	for i := range t.alive {
		t.alive[i] = true
	}
	t.score = make([]float64, len(t.windows))
	room, all := t.cache(), int64(len(t.data.Backgrounds)+len(t.data.ValidationBackgrounds))
	t.miner = newMiner(&t.s, t.data.Backgrounds, s.Orientations, room/all*int64(len(t.data.Backgrounds)))
	t.miner.elsewhere = t.hooks.Mine
	if n := len(t.data.ValidationBackgrounds); n > 0 {
		t.valMiner = newMiner(&t.s, t.data.ValidationBackgrounds, 1, room/all*int64(n))
		t.valMiner.elsewhere, t.valMiner.validation = t.hooks.Mine, true
	}
	if t.hooks.Resume != nil {
		if err := t.restore(ctx, t.hooks.Resume); err != nil {
			return err
		}
	}
	return t.countLowContrast(ctx)
}

// countLowContrast counts the windows that the contrast gate rejects.
func (t *trainer) countLowContrast(ctx context.Context) error {
	if t.s.Kind != cascade.Haar || t.s.MinStdDev == 0 {
		return nil
	}
	flat := make([]bool, len(t.windows))
	err := t.outputsOf(ctx, acceptAll(&t.s), t.windows, 0, func(i int, outputs []float32) { flat[i] = outputs == nil })
	if err != nil {
		return err
	}
	for i, is := range flat {
		if is && i < t.train {
			t.lowContrast[0]++
		} else if is {
			t.lowContrast[1]++
		}
	}
	t.event(Event{Kind: Contrast, LowContrast: t.lowContrast[0], ValidationLowContrast: t.lowContrast[1]})
	return nil
}

// loop makes steps until there is a reason to end.
func (t *trainer) loop(ctx context.Context) (Reason, error) {
	for {
		if !t.mined {
			switch {
			case t.overfits():
				return Overfits, t.undo()
			case t.done():
				return Finished, nil
			case t.timeUp(len(t.c.Weak)):
				return TimeUp, nil
			}
			reason, err := t.mineNegatives(ctx)
			if err != nil || reason != Finished {
				return reason, err
			}
			t.mined = true
			if err := t.save(nil); err != nil {
				return 0, err
			}
		}
		made := len(t.steps)
		reason, err := t.grow(ctx)
		if err != nil {
			return 0, err
		}
		t.mined, t.run = false, nil
		if len(t.steps) > made { // otherwise there was no weak classifier for one
			t.event(Event{Kind: Stepped, HitRate: t.step.HitRate, FalsePositiveRate: t.step.FalsePositiveRate, HeldOut: t.step.HeldOut, Gain: t.step.Gain})
		}
		if reason != TimeUp {
			if err := t.save(nil); err != nil {
				return 0, err
			}
		}
		if len(t.steps) > made {
			if err := t.stepped(ctx); err != nil {
				return 0, err
			}
		}
		if reason != Finished && !t.overfits() {
			return reason, nil
		}
	}
}
