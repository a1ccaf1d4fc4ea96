package boost

// Recommended returns a booster, weak learners and settings that work on most
// tables, for classes and regression: [Newton] steps of a twentieth on trees of
// 4 leaves, with half of the rows and most columns sampled each round. The zero
// values elsewhere are the papers'; on a small or noisy table they overfit, and
// their probabilities are overconfident.
//
// The number of rounds is best found by Patience: with validation data, or
// [CrossValidation.HoldOut], set it to 30 or so and Rounds to a thousand.
func Recommended() (Booster, Learner, *Settings) {
	return &Newton{}, &Trees{Leaves: 4}, &Settings{Rounds: 100, Shrinkage: 0.05, RowShare: 0.5, ColumnShare: 0.8}
}
