// Package report writes a training's report: one self-contained HTML file,
// readable on paper and on a phone.
//
//	err := report.Write(f, &report.Run{Cascade: result.Cascade, Steps: result.Steps, ...})
//
// It shows what was learned (the mean positive, the first features over it, the
// hardest windows), the steps, the results (ROC curve, margins), and how to repeat
// the training. Equal runs give equal bytes.
package report
