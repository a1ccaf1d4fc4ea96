// Package report tells a person how a training went: one HTML file with
// everything in it, that needs no network, on paper as on a telephone.
//
//	err := report.Write(f, &report.Run{Cascade: result.Cascade, Steps: result.Steps, ...})
//
// It shows what was learned (the mean of the positives, the first features over
// it, the hardest windows), how it went step by step, what came out (hit rate
// against false alarms, margins) and how to repeat it. Equal runs give equal
// bytes.
package report
