package detector

import (
	"image"
	"slices"

	"haarlem/integral"
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

	// Angle is by how many degrees the object is rotated clockwise, from -180 up to
	// 180: that of the search which found it. 0 means upright.
	Angle float64

	// Points are what Options.Points found in the box, in the image's coordinates; nil
	// without it.
	Points []integral.Point
}

// Equal says whether all fields of d and e are equal.
func (d Detection) Equal(e Detection) bool {
	return d.Box == e.Box && d.Score == e.Score && d.Neighbors == e.Neighbors && d.Angle == e.Angle && slices.Equal(d.Points, e.Points)
}

// A proposal is a group, or a candidate, that may become a detection.
type proposal struct {
	box    image.Rectangle
	margin float64
	n      int     // candidates
	before float64 // margin before the step of the network
}

// checkEvery is the work between two checks of the context, in comparisons of boxes:
// about a millisecond.
const checkEvery = 1 << 18
