package boost

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// tuned are settings that Tune chooses: leaves, MinWeight, L2, Shrinkage, RowShare and
// ColumnShare.
type tuned [6]float64

var (
	tunedLow, tunedHigh = tuned{3, 0.01, 0.01, 0.02, 0.3, 0.2}, tuned{64, 10, 30, 0.25, 1, 1}

	// tunedFirst are those of 60 random settings that together were best on eleven small
	// tables; each makes the greatest difference to the ones before.
	tunedFirst = []tuned{
		{22, 0.05, 0.03, 0.031, 0.4, 0.61}, {58, 0.05, 0.17, 0.025, 1, 0.27}, {8, 0.04, 0.14, 0.04, 0.44, 0.22},
		{17, 0.19, 0.14, 0.12, 0.8, 0.35}, {4, 0.65, 0.6, 0.03, 0.34, 0.22}, {39, 0.03, 0.16, 0.09, 0.62, 0.8},
	}
)

// near returns settings of two digits, which can be repeated by hand: each of t as it
// is, or moved by about a part of its range.
func (t tuned) near(r *rand.Rand, part float64) tuned {
	for k, low := range tunedLow {
		if part < 1 && r.IntN(2) == 0 {
			continue
		}
		scale := log(tunedHigh[k] / low)
		at := log(max(t[k], low)/low) / scale
		if at += float64(part * r.NormFloat64()); part == 1 {
			at = r.Float64()
		}
		t[k], _ = strconv.ParseFloat(strconv.FormatFloat(float64(low*exp(float64(scale*min(1, max(0, at))))), 'g', 2, 64), 64)
	}
	return t
}

// Tune looks for better settings than b, l and s, by the metric of the rows that
// Patience holds out: leaves, Shrinkage, RowShare, ColumnShare, MinWeight and L2. The
// first trial is as given, then come six that were good on small tables; every fourth of
// the others is drawn at random, the rest near one of the best three. A trial that takes
// long counts as far as it came. It ends early enough for a last fit within the budget, and
// returns the best with its number of rounds, for [Fit], or for [FitMulti] with [Softmax]
// of the Newton.
//
// The number of trials, and so the result, depends on the machine and its other work.
// The model that is fitted by the result does not.
func Tune(ctx context.Context, d *Data, b *Newton, l *Trees, s *Settings, budget time.Duration) (*Newton, *Trees, *Settings, error) {
	type trial struct {
		x      tuned
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
	given.x = tuned{float64(cmp.Or(l.Leaves, 8)), cmp.Or(b.MinWeight, 1), cmp.Or(b.L2, 1), given.s.Shrinkage, given.s.RowShare, given.s.ColumnShare}
	r := rand.New(rand.NewPCG(given.s.Seed, 0x2545f4914f6cdd1d))
	var best []trial       // three, the best first
	slowest := budget / 15 // a trial
	for n := 0; ; n++ {
		now, t, soon, end := time.Now(), given, ctx, context.CancelFunc(func() {})
		if n > 0 {
			left := budget - best[0].took - time.Since(started)
			if left <= 0 {
				best[0].s.Patience = 0
				return &best[0].b, &best[0].l, &best[0].s, nil
			}
			soon, end = context.WithTimeout(ctx, min(left, slowest))
			switch {
			case n <= len(tunedFirst):
				t.x = tunedFirst[n-1]
			case n%4 == 0:
				t.x = t.x.near(r, 1)
			default:
				t.x = best[r.IntN(len(best))].x.near(r, 0.12)
			}
			t.l.Leaves, t.b.MinWeight, t.b.L2 = int(t.x[0]), t.x[1], t.x[2]
			t.s.Shrinkage, t.s.RowShare, t.s.ColumnShare = t.x[3], t.x[4], t.x[5]
			t.s.Rounds, t.s.Patience = 3000, int(float64(given.s.Patience)*min(3, max(1, given.s.Shrinkage/t.s.Shrinkage)))
		}
		t.s.Rounds, t.metric, err = find(soon, &t.b, &t.l, &t.s)
		end()
		t.took = time.Since(now)
		if n == 0 {
			slowest = max(slowest, 3*t.took)
		}
		if n > 0 && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			err = nil
		}
		if err != nil {
			return nil, nil, nil, err
		}
		if t.s.Rounds == 0 { // too slow for one
			continue
		}
		at, _ := slices.BinarySearchFunc(best, t, func(o, t trial) int {
			if s.Metric != nil && s.Metric.Higher {
				return -cmp.Compare(o.metric, t.metric)
			}
			return cmp.Compare(o.metric, t.metric)
		})
		best = slices.Insert(best, at, t)
		best = best[:min(3, len(best))]
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
