package detector

import (
	"image"

	"haarlem/integral"
)

// A PointFinder finds points of an object in its box, such as eyes and mouth of a
// face. A landmarks.Predictor is one. Many goroutines may use it at once.
type PointFinder interface {
	// PointsIn appends the points of the object in a box of g, which is not empty.
	// The object is rotated clockwise by angle degrees.
	PointsIn(dst []integral.Point, g *image.Gray, box image.Rectangle, angle float64) []integral.Point
}
