package train

import (
	"context"
	"image"
	"math/rand/v2"
	"time"

	"haarlem/cascade"
	"haarlem/haar"
)

// A trainer is a training in progress.
type trainer struct {
	s     Settings
	data  *Data
	hooks Hooks
	begin time.Time
	saved time.Time

	memory int64 // Settings.Memory of the first run, which decides how many features there are

	c     *cascade.Cascade
	index map[haar.Feature]int32    // of the cascade's features
	cells map[image.Rectangle]int32 // of its LBP cells

	windows []*image.Gray // positives, then validation
	train   int           // how many of them are positives
	alive   []bool        // passes the cascade so far
	score   []float64     // running score
	leaves  leaves        // Soft: of all weak classifiers, for all windows

	miner    *miner
	valMiner *miner     // of validation backgrounds; nil if there are none
	heldOut  []Negative // their windows that passed the cascade before the step

	heldOutRate float64 // fraction of their windows that did
	before      []byte  // the cascade at its best, if measured steps have followed
	negatives   []negative
	rate        float64 // fraction of background windows that pass, as far as known
	step        Step    // in progress
	steps       []Step
	byGoals     bool // AcceptanceBreak is the default

	from  int    // first weak classifier of the step
	mined bool   // the step has its negatives
	run   []byte // a boost.Checkpoint to resume

	columns *columns

	lowContrast [2]int // of the positives, and of the validation windows
}

// timeUp reports whether the time is up, with so many weak classifiers.
func (t *trainer) timeUp(weak int) bool {
	return t.s.Time > 0 && time.Since(t.begin) > t.s.Time && (t.s.Shape != Soft || weak >= t.s.MinWeak)
}

// done reports whether all stages or rounds are done.
func (t *trainer) done() bool {
	if t.s.Shape == Soft {
		return len(t.c.Weak) >= t.s.Soft.Rounds
	}
	return len(t.steps) >= t.s.Stages.Count
}

func (t *trainer) event(e Event) {
	if t.hooks.Event == nil {
		return
	}
	e.Weak = len(t.c.Weak)
	e.Step = len(t.steps)
	if e.Kind != Stepped {
		e.Step++
	} else {
		e.Negatives = t.step.Negatives
	}
	e.Goal = t.s.Stages.Count
	if t.s.Shape == Soft {
		e.Goal = t.s.Soft.Rounds
	}
	t.hooks.Event(e)
}

// stepped shows the step that is done.
func (t *trainer) stepped(ctx context.Context) error {
	if t.hooks.Stepped == nil {
		return nil
	}
	s := &Snapshot{Cascade: t.c, Steps: t.steps, HeldOut: t.heldOut, HeldOutRate: t.heldOutRate}
	for i := range t.negatives {
		s.Negatives = append(s.Negatives, t.negatives[i].Negative)
	}
	return t.hooks.Stepped(ctx, s)
}

// rng returns a source of random numbers for this step.
func (t *trainer) rng(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(t.s.Seed^stream<<32, uint64(len(t.steps))))
}
