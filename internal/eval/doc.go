// Package eval measures detectors on photographs with known objects: recall
// against false positives, and average precision.
//
//	truth, err := eval.Truth(photos, nil)
//	set, err := eval.Measure(ctx, truth, contenders, nil)
//	report := set.Report(eval.Centre{})
//	report.WriteText(os.Stdout)
//
// # Matching
//
// A [Matcher] decides whether a detection matches an object: [Overlap] or [Centre].
// The report names it. The detections of a photograph are matched in descending
// order of rank. Each one takes the best match among the objects that no earlier
// detection took. A detection that matches only objects that are taken is a
// duplicate, which is a false positive. Ignored objects (marked so in the truth, or
// by [TruthOptions]) are not counted, nor are detections that match one, or whose
// centre lies in its box and that are at most twice as large as that box.
//
// # The curve
//
// The threshold takes all ranks that occur, over all photographs together.
// Detections of one rank enter together. The recall at n false positives is the
// largest of any threshold with at most n, without interpolation. OpenCV's cascades
// are usually swept over minNeighbors instead: see [Contender].
package eval
