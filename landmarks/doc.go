// Package landmarks finds points of an object in a detector's box: the eyes,
// the nose and the corners of the mouth of a face, or any others that a model
// was trained for.
//
// A [Model] is an ensemble of regression trees (Kazemi and Sullivan, One
// Millisecond Face Alignment with an Ensemble of Regression Trees, CVPR 2014).
// It resamples a square around the box to a small patch, puts the mean shape
// into it, and moves the points in a few levels. A level reads the brightness
// at fixed offsets from the points, which rotate and scale with the shape. Its
// trees compare pairs of these, and the sum of their outputs moves the points.
// The second half of the levels then moves them twice more, once as it sees the
// object in a mirror, and the mean is the result.
// Package internal/train/points trains models.
//
// Everything after the frame of the patch is integer arithmetic, and the frame
// is plain arithmetic in a fixed order, so that every machine finds the same.
//
// Points are in pixels from the image's upper left corner, and pixel (0, 0)
// covers the square from (0, 0) to (1, 1). [Crop] cuts out objects aligned by
// them.
package landmarks
