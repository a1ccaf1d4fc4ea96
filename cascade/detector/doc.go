// Package detector finds objects in images with cascades.
//
//	c, err := cascade.Open("haarcascade_frontalface_alt2.xml")
//	d, err := detector.New(nil, c)
//	found, err := d.Detect(ctx, img)
//
// A [Detection] has a box in the image's own coordinates, a score, and the number of
// candidates that were grouped into it. The best come first.
//
// # How it works
//
// The cascade is evaluated on detection windows at all positions and levels of an image
// pyramid. The windows that pass it are candidates. Overlapping candidates are grouped
// into detections, and non-maximum suppression leaves the best of overlapping
// detections.
//
// # Options
//
// The zero [Options] search all sizes, with a factor of 1.1 between levels unless the cascade has another. A detection
// needs what the cascade says ([cascade.Search]), or four candidates. MinSize saves the
// most time, since most windows are small. MinScore and MinNeighbors trade missed
// objects for false positives. Angles find rotated objects.
//
// # Scores
//
// A score is a margin above the last threshold; see [Detection]. A [cascade.Verifier]
// examines each group more closely, and adds to its margin. A [cascade.Calibration]
// turns margins into probabilities. Scores can be compared between sizes and images,
// but not between uncalibrated models. Classical stages are grouped by OpenCV's rules,
// which count candidates. Where the score runs on, groups are ranked by score, after
// verification.
//
// # Goroutines
//
// A [Detector] may be used by any number of goroutines at once. It uses Workers
// goroutines for an image, by default GOMAXPROCS. For many images, Workers 1 and an
// image for each goroutine is fastest. Results do not depend on it, nor on the
// processor, to the last bit of the score. After the first call for a size of image,
// [Detector.AppendDetect] allocates nothing. A search ends within 50 milliseconds after
// its context, even with 24 megapixels.
//
// # OpenCV
//
// For cascades of stages, the boxes are those of OpenCV 4.6's detectMultiScale with the
// same scale factor, sizes and minNeighbors, in another order. Rounding, scaling and the
// windows that OpenCV skips are the same ([WindowsOpenCV], the default for such
// cascades). Ungrouped is its minNeighbors 0. [WindowsAll] searches the skipped windows
// too, and so finds more. OpenCV converts colours to grey with slightly different
// rounding: give both the same grey image to get the same boxes.
//
// # Limits
//
// Objects smaller than the detection window are found only with Enlarge. Objects that
// the image's edge cuts are found only with padding (Pad of [cascade.Search]). Images may
// have [MaxPixels] pixels. They are scaled down without smoothing, as OpenCV does,
// except for models with PrefilterFrom.
package detector
