// Package train trains cascades from windows of an object and negative images.
//
//	result, err := train.Run(ctx, &train.Data{Positives: windows, Backgrounds: pictures}, &train.Settings{}, nil)
//
// A training is a loop of four steps: mine hard negatives (windows of the
// backgrounds that the cascade so far passes), grow (boosting adds weak
// classifiers until the goal is met), set the thresholds, and save. Classical
// stages, chains and soft cascades differ only in the goal and in the
// thresholds; see [Shape].
//
// Nothing is learned from [Data].Validation and ValidationBackgrounds.
// Thresholds are set so that the former pass, and the training ends when it
// stops improving at separating the two (early stopping).
//
// A training is a pure function of its data and settings, including the seed.
// The number of workers, the processor, and resumed interruptions change
// nothing.
package train
