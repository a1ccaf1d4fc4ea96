package train

import (
	"context"
	"time"
)

// Hooks observe a training, and save and resume it. Any of them may be nil.
type Hooks struct {
	// Event is called for every round and every step, in order.
	Event func(Event)

	// Save stores a checkpoint for Resume: after every step, and within one
	// whenever Every has passed. An error ends the training.
	Save  func(*State) error
	Every time.Duration // 0 means 3 minutes

	// Resume is a checkpoint to resume from.
	Resume *State

	// Mine searches pictures elsewhere, such as on other machines: it returns what
	// [WindowSearch.Search] returns for each view, in their order. The training's result
	// does not depend on it. nil means here.
	Mine func(context.Context, *WindowSearch, []View) ([]Finding, error)
}

// EventKind says what an event is about.
type EventKind uint8

const (
	Mining   EventKind = iota // hard-negative mining begins
	Mined                     // and has ended
	Columns                   // features are being quantized
	Grown                     // a boosting round is done
	Stepped                   // a step is done: its thresholds are set
	Sampled                   // features were sampled, as memory does not suffice for all
	Contrast                  // the contrast of all positives is known: the first event, if there is a contrast gate
)

// An Event is something that happened.
type Event struct {
	Kind              EventKind
	Step              int // from 1
	Round             int // within the step, from 1
	Weak              int // weak classifiers in the cascade
	Goal              int // number of stages or rounds in the settings
	HitRate           float64
	FalsePositiveRate float64 // on the step's negatives
	Visited           int
	Passed            int
	Negatives         int
	Features          int
	HeldOut           int     // as in Step, for Stepped
	Gain              float64 // likewise

	LowContrast, ValidationLowContrast int // as in Result, for Contrast
}
