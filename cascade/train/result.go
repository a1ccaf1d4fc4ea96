package train

import "haarlem/cascade"

// Reason says why a training ended.
type Reason uint8

const (
	Finished    Reason = iota // all stages or rounds were made
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
	Cascade *cascade.Cascade // works, whatever the reason; nil if it has no weak classifier yet
	Reason  Reason
	Steps   []Step

	// LowContrast is how many of Data.Positives, and ValidationLowContrast how
	// many of Data.Validation, have less contrast than Settings.MinStdDev. The
	// cascade rejects them whatever it learns.
	LowContrast, ValidationLowContrast int
}

// A Step is one pass of the loop: a stage, or a part of a soft cascade.
type Step struct {
	Weak              int     // weak classifiers in the cascade after it
	HitRate           float64 // fraction of all training positives that pass the cascade: its recall
	Validation        float64 // the same of the validation windows; NaN if there are none
	FalsePositiveRate float64 // fraction of the step's negatives that pass the cascade
	Visited           int     // background windows searched for its negatives
	Passed            int     // how many of them passed the cascade before it
	Negatives         int
	Features          int // searched

	// HeldOut is how many windows of the validation backgrounds passed the
	// cascade before the step. Gain is the change of the area under the ROC of
	// the validation windows against these, by scores summed over all stages;
	// NaN if there were too few of either.
	HeldOut int
	Gain    float64
}
