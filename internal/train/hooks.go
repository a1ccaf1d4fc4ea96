package train

import (
	"context"
	"time"

	"haarlem/cascade"
)

// Hooks observe a training, and save and resume it. Any of them may be nil.
type Hooks struct {
	// Event is called for every round and every step, in order.
	Event func(Event)

	// Stepped is called after every step, with a snapshot of it. An error ends
	// the training.
	Stepped func(context.Context, *Snapshot) error

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
	Searched                  // mining has searched some more pictures
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
	Pictures          int // searched so far, for Searched and Mined
	Found             int // hard negatives in them
	Negatives         int
	Features          int
	HeldOut           int     // as in Step, for Stepped
	Gain              float64 // likewise

	OfValidation bool // for Searched: the pictures are Data.ValidationBackgrounds

	LowContrast, ValidationLowContrast int // as in Result, for Contrast
}

// A Snapshot is a training after a step. What it points to is the training's, to be
// read until the hook returns.
type Snapshot struct {
	Cascade   *cascade.Cascade
	Steps     []Step
	Negatives []Negative // of the step

	// HeldOut are windows of Data.ValidationBackgrounds that passed the cascade before
	// the step, as HeldOutRate of them do. None if there are no such pictures.
	HeldOut     []Negative
	HeldOutRate float64
}
