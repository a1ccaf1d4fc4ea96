package boost

// A Round describes one round.
type Round struct {
	Number int  // 1 for the first
	Weak   Weak // the new weak learner; nil if there is none
	Coef   float64

	// Edge is sum w y h / sum w, with outputs h of magnitude at most 1 after
	// division by the largest; under the booster's weights before the round.
	Edge float64

	// Bound is the bound on the training error so far: the product of the rounds'
	// factors z, NaN where the booster has none. A round that removes all terms has
	// the factor 1, and the product starts again.
	Bound float64
	z     float64

	// TrainError is the weighted fraction of wrong rows under the initial
	// weights, where a score of zero counts as +1; in a regression the mean
	// loss. ValidError is Settings.Metric of Settings.Validation; NaN without
	// Validation.
	TrainError, ValidError float64

	Status Status
}
