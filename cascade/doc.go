// Package cascade is the model of Viola and Jones's method, boosted cascades of
// simple features. It reads and writes OpenCV's XML files and a native format.
// Package [haarlem/cascade/detector] finds objects with it.
//
//	c, err := cascade.Open("haarcascade_frontalface_alt2.xml")
//	d, err := detector.New(nil, c)
//	found, err := d.Detect(ctx, img)
//
// A cascade that needs no file is in package models/face.
//
// # The model
//
// Weak classifiers are evaluated on a detection window one after another, and their
// outputs are added. Each [Exit] rejects the window if the score is below its
// threshold. Nearly all windows are rejected by the first few.
//
// A [Cascade] covers OpenCV's stages, chains and soft cascades. They differ in where the
// exits are, and in whether the score restarts after them. Features are Haar-like,
// upright or tilted, or local binary patterns. Weak classifiers are trees or
// histograms. A [Verifier] examines what was found more closely, and a [Calibration]
// turns scores into probabilities. [Search] says how windows are searched.
//
// A cascade is plain data that programs may read and build. [Cascade.Check] validates
// it.
//
// # Files
//
// [Open] and [Read] recognise OpenCV's two XML forms and the native format by content.
// [Cascade.EncodeOpenCV] writes XML that OpenCV 4.6 loads, and reports what it cannot
// express: histograms, scores that run on, another contrast gate. [Cascade.Encode]
// writes everything; models/FORMAT.md describes the format. Files are not trusted:
// [Limits] bounds their size and cost, and an invalid file is an error that wraps
// [ErrFormat] and names the line.
package cascade
