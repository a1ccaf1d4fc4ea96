// Package cascade is the model of the method of Viola and Jones, boosted cascades
// of simple features, and reads and writes it: OpenCV's XML files and a format of
// its own. Package [haarlem/cascade/detector] finds objects with it.
//
//	c, err := cascade.Open("haarcascade_frontalface_alt2.xml")
//	d, err := detector.New(nil, c)
//	found, err := d.Detect(ctx, img)
//
// A cascade that needs no file is in package models/frontalface.
//
// # The model
//
// A detection window goes through weak classifiers one after the other, which add
// to its score; at each [Exit] it is rejected unless the score is high enough.
// Nearly all windows are out after a few of them.
//
// Stages in OpenCV's sense, chains and soft cascades are all a [Cascade]; they
// differ in where the exits stand and in whether the score starts again behind
// them. Its features are Haar's, upright or tilted, or local binary patterns;
// its weak classifiers are trees or histograms. A [Verifier] looks again at what
// was found, and a [Calibration] makes probabilities of scores. A cascade is plain
// data that a program may look at and build; [Cascade.Check] says whether it is
// sound.
//
// A cascade for one side of something serves for the other too: [Cascade.Mirror].
//
// # Files
//
// [Open] and [Read] tell OpenCV's two XML forms and the native one apart by
// content. [Cascade.EncodeOpenCV] writes what OpenCV 4.6 loads, and says what
// it cannot express: histograms, scores that run on, another contrast gate.
// [Cascade.Encode] writes everything; models/FORMAT.md describes the form.
// Files are not trusted: [Limits] bounds what they may ask for, and what is
// wrong with one is an error that wraps [ErrFormat] and names the place.
package cascade
