// Package landmarks finds points of an object in the box that a detector gave:
// the eyes, the nose and the corners of the mouth of a face, or any others that
// a model was trained for.
//
// A [Model] is an ensemble of regression trees (Kazemi and Sullivan, One
// Millisecond Face Alignment with an Ensemble of Regression Trees, CVPR 2014).
// It brings a square around the box to a small patch, puts the mean shape into
// it, and moves the points in a few levels. A level looks at the brightness of
// some places that are fixed beside the points, and turn and grow with them;
// each of its trees compares pairs of them, and the sum of what the trees say
// is where the points go. Models are trained by package landmarks/train.
//
// Everything behind the frame of the patch is whole numbers, and the frame is
// plain arithmetic in a fixed order, so that every machine finds the same.
//
// Points are in pixels from the picture's upper left corner, and pixel (0, 0)
// covers the square from (0, 0) to (1, 1). With them, [Crop] cuts out objects that stand upright and fit over
// each other.
package landmarks
