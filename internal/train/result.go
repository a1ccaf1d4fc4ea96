package train

import (
	"haarlem/cascade"
)

// Reason says why a training ended.
type Reason uint8

const (
	Finished    Reason = iota // all stages or rounds are done
	RateReached               // few enough background windows pass: Settings.AcceptanceBreak
	Exhausted                 // the backgrounds have too few windows that still pass
	TimeUp                    // Settings.Time is over
	NoProgress                // no weak learner helps any more
	Interrupted               // the context ended

	// Overfits means that over the last four steps the cascade got no better at
	// separating validation windows from Data.ValidationBackgrounds. These steps
	// are undone: cascade and steps are those before them.
	Overfits
)

var reasonNames = [...]string{
	"all stages are made", "the false positive rate asked for is reached", "the backgrounds have too few windows that still pass",
	"the time is up", "no weak learner helps any more", "interrupted",
	"overfitting: the held-out score stopped improving",
}

// String returns the reason as the end of a sentence.
func (r Reason) String() string { return nameOf(reasonNames[:], int(r), "Reason") }

// A Result is a trained cascade and how its training ended.
type Result struct {
	Cascade *cascade.Cascade // valid, whatever the reason; nil without a weak classifier
	Reason  Reason
	Steps   []Step

	// LowContrast is the number of Data.Positives, and ValidationLowContrast
	// that of Data.Validation, with less contrast than Settings.MinStdDev. The
	// cascade rejects them whatever it learns.
	LowContrast, ValidationLowContrast int
}

// A Step is one iteration of the loop: a stage, or a part of a soft cascade.
type Step struct {
	Weak              int     // weak classifiers in the cascade after it
	HitRate           float64 // fraction of all training positives that pass the cascade: its recall
	Validation        float64 // fraction of the validation windows that pass; NaN without any
	FalsePositiveRate float64 // fraction of the step's negatives that pass the cascade
	Visited           int     // background windows searched for its negatives
	Passed            int     // how many of them passed the cascade before it
	Pictures          int     // searched for them; one counts in each of its orientations
	Mined             int     // hard negatives found
	Negatives         int     // with those kept from earlier steps
	Features          int     // searched

	// HeldOut is the number of windows of validation backgrounds that passed
	// the cascade before the step. Gain is the change of the area under the ROC
	// curve of the validation windows against these, by scores summed over all
	// stages; NaN if there were too few of either.
	HeldOut int
	Gain    float64
}
