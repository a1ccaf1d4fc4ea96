package detector

import (
	"image"
)

// A Detection is one object found.
type Detection struct {
	// Box is where it is, in the image's own coordinates.
	Box image.Rectangle

	// Score says how sure the cascade is; larger is surer, and scores can be
	// compared between sizes. With a calibrated cascade it is a probability,
	// otherwise it says how far the scores at the last exit were above its
	// threshold: their sum over the group for classical stages, as people add
	// up OpenCV's weights, and their 4-norm for a score that runs on. A
	// verifier adds to it, or takes away.
	Score float64

	// Neighbors is the number of candidates that were grouped into it.
	Neighbors int
}

// A find is what may become a detection, or a group that is looked at again.
type find struct {
	box    image.Rectangle
	margin float64
	n      int // candidates
}

// enough is how much is done between two looks at the context: about a
// millisecond's work, in boxes that are compared with another.
const enough = 1 << 18
