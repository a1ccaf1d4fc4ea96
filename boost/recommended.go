package boost

// Recommended returns a booster, weak learners and settings that do no harm on
// most tables, of classes or of numbers: [Newton] steps of a twentieth on trees of 4
// leaves, with half of the rows and most columns drawn each round. The zero values
// elsewhere are the papers'; a table that is small or noisy is overfitted with
// them, and their probabilities are too sure of themselves.
//
// The number of rounds is best found by Patience: with validation data, or
// [CrossValidation.HoldOut], set it to 30 or so and Rounds to a thousand.
func Recommended() (Booster, Learner, *Settings) {
	return &Newton{}, &Trees{Leaves: 4}, &Settings{Rounds: 100, Shrinkage: 0.05, RowShare: 0.5, ColumnShare: 0.8}
}
