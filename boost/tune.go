package boost

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// Tune looks for better settings than b, l and s, by the metric of the rows that
// Patience holds out: leaves, Shrinkage, RowShare, ColumnShare, MinWeight and L2. The
// first trial is as given; every second of the others is drawn at random, the rest
// near the best so far. It ends early enough for a last fit within the budget, and
// returns the best with its number of rounds, for [Fit], or for [FitMulti] with
// [Softmax] of the Newton.
//
// The number of trials, and so the result, depends on the machine and its other work.
// The model that is fitted by the result does not.
func Tune(ctx context.Context, d *Data, b *Newton, l *Trees, s *Settings, budget time.Duration) (*Newton, *Trees, *Settings, error) {
	type trial struct {
		b      Newton
		l      Trees
		s      Settings
		metric float64
		took   time.Duration
	}
	started := time.Now()
	given := trial{b: *b, l: *l}
	var err error
	if given.s, err = s.withDefaults(); err != nil {
		return nil, nil, nil, err
	}
	if !given.s.finds() {
		return nil, nil, nil, fmt.Errorf("%w: Tune wants Patience, and no Validation", ErrSettings)
	}
	find, err := finder(d, l, s)
	if err != nil {
		return nil, nil, nil, err
	}
	r := rand.New(rand.NewPCG(given.s.Seed, 0x2545f4914f6cdd1d))
	best := given
	slowest := budget / 10 // a trial; one that takes longer is given up
	for n := 0; ; n++ {
		now, t, soon, end := time.Now(), given, ctx, context.CancelFunc(func() {})
		if n > 0 {
			left := budget - best.took - time.Since(started)
			if left <= 0 {
				best.s.Patience = 0
				return &best.b, &best.l, &best.s, nil
			}
			soon, end = context.WithTimeout(ctx, min(left, slowest))
			if n%2 == 0 {
				t = best
			}
			// draw returns a number of two digits, which can be repeated by hand.
			draw := func(near, low, high float64) float64 {
				at, scale := r.Float64(), log(high/low)
				if n%2 == 0 {
					at = log(max(near, low)/low)/scale + float64(0.2*(2*at-1))
				}
				v, _ := strconv.ParseFloat(strconv.FormatFloat(float64(low*exp(float64(scale*min(1, max(0, at))))), 'g', 2, 64), 64)
				return v
			}
			or := func(v float64, d int) float64 {
				if v == 0 {
					return float64(d)
				}
				return v
			}
			t.l.Leaves = int(draw(or(float64(t.l.Leaves), 8), 3, 150))
			t.b.MinWeight, t.b.L2 = draw(or(t.b.MinWeight, 1), 0.01, 20), draw(or(t.b.L2, 1), 0.01, 30)
			t.s.Shrinkage, t.s.RowShare, t.s.ColumnShare = draw(t.s.Shrinkage, 0.01, 0.3), draw(t.s.RowShare, 0.4, 1), draw(t.s.ColumnShare, 0.25, 1)
			t.s.Rounds, t.s.Patience = 3000, int(float64(given.s.Patience)*min(5, max(1, given.s.Shrinkage/t.s.Shrinkage)))
		}
		t.s.Rounds, t.metric, err = find(soon, &t.b, &t.l, &t.s)
		end()
		t.took = time.Since(now)
		switch {
		case n > 0 && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		case err != nil:
			return nil, nil, nil, err
		case n == 0, s.Metric != nil && s.Metric.better(t.metric, best.metric), s.Metric == nil && t.metric < best.metric:
			best = t
		}
		if n == 0 {
			slowest = max(slowest, 4*t.took)
		}
	}
}

// finder returns a function that finds the number of rounds of a Newton, or of its
// Softmax, on columns that are quantised once.
func finder(d *Data, l *Trees, s *Settings) (func(context.Context, *Newton, *Trees, *Settings) (int, float64, error), error) {
	if d.Targets != nil && d.Classes != nil {
		p, err := newMultiProblem(d, &Softmax{}, l, s)
		return func(ctx context.Context, b *Newton, l *Trees, s *Settings) (int, float64, error) {
			part, metric := *p, p.settings.Metric
			part.learner, part.settings = l, *s
			part.settings.Metric = metric
			rounds, loss, _, err := part.findRounds(ctx, &Softmax{*b})
			return rounds, loss, err
		}, err
	}
	p, err := (&Problem{Data: d}).quantized(l)
	return func(ctx context.Context, b *Newton, l *Trees, s *Settings) (int, float64, error) {
		rounds, loss, _, err := p.findRounds(ctx, b, l, s)
		return rounds, loss, err
	}, err
}
