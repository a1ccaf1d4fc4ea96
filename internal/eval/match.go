package eval

import (
	"cmp"
	"fmt"
	"image"
	"math"

	"haarlem/internal/nms"
)

// A Matcher decides when a detection matches an object.
type Matcher interface {
	// String describes the rule in reports.
	String() string

	// Match reports whether found matches the object in truth, and how well: of
	// several objects a detection matches the one with the largest fit.
	Match(truth, found image.Rectangle) (fit float64, ok bool)
}

// Overlap is the rule of PASCAL VOC: intersection over union is at least IoU.
type Overlap struct {
	IoU float64 // 0 means 0.5
}

func (m Overlap) smallest() float64 { return cmp.Or(m.IoU, 0.5) }

// String implements Matcher.
func (m Overlap) String() string {
	return fmt.Sprintf("overlap: intersection over union of at least %g", m.smallest())
}

// Match implements Matcher. The fit is the intersection over union.
func (m Overlap) Match(truth, found image.Rectangle) (float64, bool) {
	v := nms.Overlap(truth, found)
	return v, v >= m.smallest()
}

func area(r image.Rectangle) float64 { return float64(r.Dx()) * float64(r.Dy()) }

// Centre compares position and size only, since data sets draw their boxes
// differently: the centres are at most Distance times the object's size apart
// (Euclidean distance), and the found size is between 1/Factor and Factor times the
// object's. The size of a box is the square root of its area.
type Centre struct {
	Distance float64 // 0 means 0.5
	Factor   float64 // 0 means 2
}

// Close matches detections that are certainly right, for training on them.
var Close = Centre{Distance: 0.3, Factor: 1.5}

func (m Centre) limits() (distance, factor float64) {
	return cmp.Or(m.Distance, 0.5), cmp.Or(m.Factor, 2)
}

// String implements Matcher.
func (m Centre) String() string {
	d, f := m.limits()
	return fmt.Sprintf("centre: centres at most %g of the object's size apart, size between 1/%g and %g of the object's", d, f, f)
}

// Match implements Matcher. The fit decreases with the distance, and slightly
// with the difference of the sizes.
func (m Centre) Match(truth, found image.Rectangle) (float64, bool) {
	a, b := area(truth), area(found)
	if !(a > 0 && b > 0) {
		return 0, false
	}
	distance, factor := m.limits()
	// Twice the centres, so that they are integers; squares, so that no root is
	// rounded.
	dx := float64(truth.Min.X + truth.Max.X - found.Min.X - found.Max.X)
	dy := float64(truth.Min.Y + truth.Max.Y - found.Min.Y - found.Max.Y)
	apart := (float64(dx*dx) + float64(dy*dy)) / (4 * a)
	ratio := b / a
	if ratio < 1 {
		ratio = a / b
	}
	fit := -apart - 0.01*ratio
	return fit, apart <= distance*distance && ratio <= factor*factor
}

// ParseMatcher returns the matcher of that name, overlap or centre, with a
// threshold: the least intersection over union, or the largest distance of the
// centres. 0 means the matcher's default.
func ParseMatcher(name string, threshold float64) (Matcher, error) {
	if math.IsNaN(threshold) || threshold < 0 || threshold > 1 {
		return nil, fmt.Errorf("eval: threshold %v of the matcher, want more than 0 and at most 1, or 0 for the default", threshold)
	}
	switch name {
	case "overlap":
		return Overlap{IoU: threshold}, nil
	case "centre":
		return Centre{Distance: threshold}, nil
	}
	return nil, fmt.Errorf("eval: no matcher is called %q, want centre or overlap", name)
}
