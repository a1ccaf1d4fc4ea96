// Package auto decides how a detector is trained from labelled photographs alone:
// how they are divided ([Divide]), and what size of window, augmentation, amounts
// and times fit them ([NewPlan]). It also reads and writes the two files of such a
// training: its settings ([ParseSettings]), and which steps it has finished
// ([Journal]).
//
// It trains nothing: train-cascade auto runs the steps.
package auto
