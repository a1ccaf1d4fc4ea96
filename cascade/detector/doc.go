// Package detector finds objects in pictures with cascades.
//
//	c, err := cascade.Open("haarcascade_frontalface_alt2.xml")
//	d, err := detector.New(nil, c)
//	found, err := d.Detect(ctx, img)
//
// Each [Detection] has a box in the image's own coordinates, a score and the
// number of windows that agreed on it; the best come first.
//
// # How it works
//
// The picture is scaled down step by step ([Options].Scale), and on every level
// of this image pyramid the cascade is asked about windows of its size. What
// passes its last exit is a candidate, and candidates that lie on one another are
// grouped into a detection.
//
// # Options
//
// A nil [Options] searches for all sizes in steps of 1.1 and wants for a
// detection what the cascade says ([cascade.Search]), or more than three
// candidates. MinSize saves the most time, since small objects take the most
// windows; MinScore and MinNeighbors trade misses for false positives. Objects
// that lie on their side are found at the Angles that are asked for.
//
// # Scores
//
// The score of a detection says how far its candidates were above the last
// threshold; see [Detection]. A model with a [cascade.Verifier] looks at each group
// again, and closer, and adds to that. A model with a [cascade.Calibration] makes a
// probability of it. Scores can be compared between sizes and pictures, not
// between uncalibrated models. Classical stages are grouped by OpenCV's rules,
// which count candidates; where the score runs on, it decides: of two groups
// that share more than half of the smaller one the better is reported, after the
// second look if there is one.
//
// # Several cascades
//
// A detector may have several cascades, such as for faces seen from the front and
// from the side, and reports each place once; see [New].
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
// partly beyond it (Pad of [cascade.Search]). Images may have [MaxPixels] pixels. Pictures
// are scaled down without smoothing, as OpenCV does it.
package detector
