package nms

import (
	"image"

	"haarlem/internal/boxtree"
)

// Half suppresses boxes that share more than half of the smaller one, so that
// they cannot be two objects side by side.
type Half struct{}

// Drops is symmetric.
func (Half) Drops(a, b image.Rectangle) bool {
	return 2*area(a.Intersect(b)) > min(area(a), area(b))
}

// May is part of [Rule].
func (Half) May(a image.Rectangle, b *boxtree.Bounds) bool {
	return 2*maxShared(a, b) > min(area(a), int64(b.Small.X)*int64(b.Small.Y))
}

// More suppresses boxes whose intersection over union is more than this.
type More float64

// Overlap is the intersection over union of two boxes: 1 for equal boxes, 0 for
// boxes that do not touch.
func Overlap(a, b image.Rectangle) float64 {
	both := area(a.Intersect(b))
	if both == 0 {
		return 0
	}
	return float64(both) / float64(area(a)+area(b)-both)
}

// Drops is symmetric.
func (m More) Drops(a, b image.Rectangle) bool { return Overlap(a, b) > float64(m) }

// May is part of [Rule].
func (m More) May(a image.Rectangle, b *boxtree.Bounds) bool {
	both := maxShared(a, b)
	if both == 0 {
		return 0 > float64(m)
	}
	smallest := max(int64(b.Small.X)*int64(b.Small.Y), both)
	return float64(both)/float64(area(a)+smallest-both) > float64(m)
}

func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }

// maxShared returns the largest intersection of a with a box within the bounds.
func maxShared(a image.Rectangle, b *boxtree.Bounds) int64 {
	width := min(a.Max.X, b.High.Max.X) - max(a.Min.X, b.Low.Min.X)
	height := min(a.Max.Y, b.High.Max.Y) - max(a.Min.Y, b.Low.Min.Y)
	return int64(max(min(width, b.Large.X), 0)) * int64(max(min(height, b.Large.Y), 0))
}
