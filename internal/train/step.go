package train

import (
	"context"
	"time"

	"haarlem/boost"
)

// grow makes one step: weak classifiers until the goal is met, and their thresholds.
func (t *trainer) grow(ctx context.Context) (Reason, error) {
	if err := t.holdOut(ctx); err != nil {
		return 0, err
	}
	run, err := t.startRun(ctx)
	if err != nil {
		return 0, err
	}
	goal := t.s.Stages.MaxWeak
	if t.s.Shape == Soft {
		goal = t.softGoal() - t.from
	}
	reason := Finished
	for run.Status() == boost.Going && run.Result().Rounds < goal {
		if t.timeUp(t.from + run.Result().Rounds) {
			// A resumed training continues this step from here.
			reason = TimeUp
			if err := t.save(run); err != nil {
				return 0, err
			}
			break
		}
		// Rounds and the end of a step are short, so interruptions wait for
		// them.
		if ctx.Err() != nil {
			if err := t.save(run); err != nil {
				return 0, err
			}
			return 0, ctx.Err()
		}
		if _, err := run.Next(context.WithoutCancel(ctx)); err != nil {
			return 0, err
		}
		hit, falsePositive := t.rates(run.Scores())
		t.event(Event{Kind: Grown, Round: run.Result().Rounds, HitRate: hit, FalsePositiveRate: falsePositive, Negatives: t.step.Negatives, Features: t.step.Features})
		if t.s.Shape != Soft && falsePositive <= t.s.Stages.FalsePositiveRate {
			if ok, err := t.goalMet(context.WithoutCancel(ctx), run); err != nil || ok {
				if err != nil {
					return 0, err
				}
				break
			}
		}
		if time.Since(t.saved) > t.hooks.Every {
			if err := t.save(run); err != nil {
				return 0, err
			}
		}
	}
	if err := t.take(run); err != nil {
		return 0, err
	}
	if len(t.c.Weak) == t.from {
		if reason == Finished {
			reason = NoProgress
		}
		return reason, nil
	}
	if s := run.Status(); reason == Finished && t.s.Shape == Soft && s == boost.NoEdge {
		reason = NoProgress
	}
	return reason, t.setThresholds(context.WithoutCancel(ctx))
}
