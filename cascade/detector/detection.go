package detector

import (
	"image"
)

// A Detection is one object found.
type Detection struct {
	// Box is where it is, in the image's own coordinates.
	Box image.Rectangle

	// Score is the confidence. It can be compared between sizes. With a calibrated
	// cascade it is a probability. Otherwise it combines the margins of the
	// candidates above the last threshold: their sum for classical stages, like
	// OpenCV's level weights, and their 4-norm for a score that runs on. A verifier
	// adds to it, or subtracts.
	Score float64

	// Neighbors is the number of candidates in the group.
	Neighbors int
}

// A proposal is a group, or a candidate, that may become a detection.
type proposal struct {
	box    image.Rectangle
	margin float64
	n      int // candidates
}

// checkEvery is the work between two checks of the context, in comparisons of boxes:
// about a millisecond.
const checkEvery = 1 << 18
