// Package train makes cascades out of windows of an object and of pictures
// without it.
//
//	result, err := train.Run(ctx, &train.Data{Positives: windows, Backgrounds: pictures}, &train.Settings{}, nil)
//
// A training is a loop of four small steps: grow (the booster finds weak
// learners until the goal is met), place the exits (thresholds from the
// positives), save, refill (the cascade so far scans the backgrounds with the
// detector's own code, and the windows that still pass are the negatives of
// the next turn). Classical stages, chains and soft cascades differ only in
// the goal and in where the exits are placed; see [Shape].
//
// Windows of photographs that nothing is learned from, [Data].Validation and
// ValidationBackgrounds, say how far to go: exits are placed so that the first
// pass, and the training ends once it does not get better at telling them apart.
//
// A training is a pure function of its data and settings, the seed among
// them: the number of workers, the processor, and interruptions that were
// resumed change nothing.
package train
