// Package eval measures detectors on photographs with known objects: recall
// against false positives, and average precision.
//
//	truth, err := eval.Truth(photos, nil)
//	set, err := eval.Measure(ctx, truth, contenders, nil)
//	report := set.Report(eval.Centre{})
//	report.WriteText(os.Stdout)
//
// # What counts
//
// A [Matcher] says whether a detection matches an object: [Overlap] or [Centre].
// The report names the one that was used. The detections of a photograph are
// judged in descending order of their rank. Each one takes the object that it fits
// best, of those that it matches and that no earlier detection took. A detection
// that matches only objects that are taken is a duplicate, which is a false
// positive. Ignored objects (marked so in the truth, or by [TruthOptions]) neither
// help nor hurt: they are not counted, and neither is a detection that matches
// one, or whose centre lies in its box while it is at most twice as large as that
// box.
//
// # The curve
//
// The threshold takes all ranks that occur, over all photographs together.
// Detections of one rank enter together. The recall at n false positives is the
// largest of any threshold with at most n: nothing is interpolated. OpenCV's
// cascades are customarily swept over minNeighbors instead: a [Contender] says by
// what it is ranked.
package eval
