// Package cascade finds objects in pictures with boosted cascades of simple
// features, the method of Viola and Jones, and reads and writes such cascades:
// OpenCV's XML files and a format of its own.
//
//	c, err := cascade.Open("haarcascade_frontalface_alt2.xml")
//	d, err := cascade.NewDetector(c, nil)
//	found, err := d.Detect(ctx, img)
//
// Each [Detection] has a box in the image's own coordinates, a score and the
// number of windows that agreed on it; the best come first. A cascade that
// needs no file is in package models/frontalface.
//
// # How it works
//
// The picture is scaled down step by step ([Options].Scale), and on every
// level a window of the cascade's size goes over it. Weak learners look at the
// window one after the other and add to its score; at each [Exit] it is
// rejected unless the score is high enough. Nearly all windows are out after
// a few of them. What passes the last exit is a candidate, and candidates that
// lie on one another are grouped into a detection.
//
// Stages in OpenCV's sense, chains and soft cascades are all a [Cascade]; they
// differ in where the exits stand and in whether the score starts again behind
// them. Its features are Haar's, upright or tilted, or local binary patterns;
// its weak learners are trees or histograms. It is plain data that a program
// may look at and build. [Detector.Cost] counts what one costs.
//
// # Files
//
// [Open] and [Read] tell OpenCV's two XML forms and the native one apart by
// content. [Cascade.EncodeOpenCV] writes what OpenCV 4.6 loads, and says what
// it cannot express: histograms, scores that run on, another contrast gate.
// [Cascade.Encode] writes everything; models/FORMAT.md describes the form.
// Files are not trusted: [Limits] bounds what they may ask for, and what is
// wrong with one is an error that wraps [ErrFormat] and names the place.
//
// # Options
//
// A nil [Options] searches for all sizes in steps of 1.1 and wants for a
// detection what the cascade says (Support, MinScore), or more than three
// candidates. MinSize saves the most time, since small objects take the most
// windows; MinScore and MinNeighbors trade misses for false alarms. Objects
// that lie on their side are found at the Angles that are asked for.
//
// # Scores
//
// The score of a detection says how far its candidates were above the last
// threshold; see [Detection]. A model with a [Verifier] looks at each place
// again, and closer, and adds to that. A model with a [Calibration] makes a
// probability of it. Scores can be compared between sizes and pictures, not
// between uncalibrated models. Classical stages are grouped by OpenCV's rules,
// which count candidates; where the score runs on, it decides: of two groups
// that share more than half of the smaller one the better is reported, after the
// second look if there is one.
//
// # Several cascades
//
// A [Team] searches for the objects of several cascades, such as faces seen from
// the front and from the side, and reports each place once. A cascade for one
// side serves for the other too: [Cascade.Mirror].
//
// # Many goroutines
//
// A [Detector] may be used by any number of goroutines at once. By itself it
// spreads one image over Workers goroutines, GOMAXPROCS unless told otherwise;
// a program that has many images to search does best with Workers 1 and an
// image a goroutine. Results do not depend on it, to the last bit of
// the score, nor on the processor. After a call for each size of image,
// [Detector.AppendDetect] allocates nothing. Cancelling the context ends a
// search within 50 milliseconds, also of 24 megapixels.
//
// # OpenCV
//
// For cascades of stages the boxes are those of OpenCV 4.6's detectMultiScale
// for the same scale, sizes and neighbours: its rounding, its scaling and its
// way to leave windows out ([WindowsOpenCV], the default for such cascades).
// Ungrouped is its minNeighbors 0. They come in another order, and OpenCV's
// flags do nothing here, as they do nothing there for today's cascades.
// [WindowsAll] visits the windows that OpenCV leaves out, and so finds more.
// OpenCV makes grey levels of colour pictures with slightly other rounding than
// Go does; give both the same grey picture to see the same boxes.
//
// # Limits
//
// Objects smaller than the cascade's window are found only with
// [Options.Enlarge], those that the picture's edge cuts only if windows may lie
// partly beyond it ([Options.Pad]). Images may have [MaxPixels] pixels. Pictures
// are scaled down without smoothing, as OpenCV does it.
//
// # How it is fast
//
// Sixteen neighbouring windows are looked at side by side, one a vector lane,
// with AVX-512 or AVX2 where the processor has them and in plain Go elsewhere;
// the environment variable HAARLEM_CPU (avx512, avx2 or purego) forces a
// level. Lanes add scores in fixed point and only ever reject a window when it
// is certain that the exact sum is too low; whatever is left is decided by
// plain code that adds as OpenCV does. Pixel tables are kept in bands that fit
// the second-level cache, with 16-bit sums: differences of them are exact as
// long as the true sum fits, and larger rectangles are cut into pieces. A window
// has to pass all stages of a classical cascade, so lanes go through them in the
// order that takes the fewest steps on a drawn picture.
//
// A model of ours may be searched by a coarser grid than OpenCV's (Stride), and
// look between its windows only near those that came far ([Options.Nearby],
// [Options.Around]): that finds much of what only a search of all windows would
// find. So may levels of the pyramid that are close to others
// ([Options.Between]), which saves what scaling them and their tables cost.
package cascade
