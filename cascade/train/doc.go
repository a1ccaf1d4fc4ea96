// Package train makes cascades out of windows of an object and of pictures
// without it.
//
//	result, err := train.Run(ctx, &train.Data{Positives: windows, Backgrounds: pictures}, &train.Settings{}, nil)
//
// A training is a loop of four small steps: mine hard negatives (windows of the
// backgrounds that the cascade so far passes), grow (boosting adds weak
// classifiers until the goal is met), set the thresholds, and save. Classical
// stages, chains and soft cascades differ only in the goal and in the thresholds;
// see [Shape].
//
// [Data].Validation and ValidationBackgrounds, from photographs that nothing is
// learned from, say how far to go: thresholds are set so that the former pass, and
// the training ends when it separates the two no better.
//
// A training is a pure function of its data and settings, the seed among them. The
// number of workers, the processor, and interruptions that were resumed change
// nothing.
package train
