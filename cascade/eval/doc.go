// Package eval measures detectors on photographs whose objects are known: how
// many objects are found, against how many false alarms.
//
//	truth, err := eval.Truth(photos, nil)
//	set, err := eval.Measure(ctx, truth, contenders, nil)
//	report := set.Report(eval.Centre{})
//	report.WriteText(os.Stdout)
//
// # What counts
//
// A [Matcher] says whether a detection is right about an object; [Overlap] and
// [Centre] are there, and the report names the one that was used. The
// detections of a photograph are taken best first. Each one finds the object
// that it fits best among those that it is right about and that nothing better
// found. What is right about nothing but objects that are found already is a
// duplicate, and a false alarm like any other. Objects to be ignored (marked so
// in the truth, or by [TruthOptions]) neither help nor hurt: they are not
// counted, and a detection that is right about one, or whose centre lies in its
// box while it is at most twice as large as that box, is not counted either.
//
// # The curve
//
// The threshold sweeps over all scores that occur, over all photographs
// together; detections of one score enter together. The share of objects found
// at n false alarms is the largest that a threshold with at most n false alarms
// gives: nothing is interpolated. OpenCV's cascades are customarily swept over
// minNeighbors instead: a [Contender] says by what it is ranked.
package eval
