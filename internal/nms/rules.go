package nms

import (
	"image"
	"math"

	"haarlem/internal/boxtree"
)

// Half suppresses boxes that share more than half of the smaller one, so that
// they cannot be two objects side by side.
type Half struct{}

// Drops is symmetric.
func (Half) Drops(a, b image.Rectangle) bool {
	return 2*area(a.Intersect(b)) > min(area(a), area(b))
}

// Within is part of [Rule].
func (Half) Within(a image.Rectangle) boxtree.Bounds { return sharing(a) }

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

// Within is part of [Rule]: boxes that share more than m of their union share more than m
// of the larger width and of the larger height.
func (m More) Within(a image.Rectangle) boxtree.Bounds {
	if m < 0 {
		return boxtree.All()
	}
	size := a.Size()
	if float64(max(size.X, size.Y)) > float64(m)*(math.MaxInt/4) {
		return sharing(a)
	}
	// All are rounded such that no box is lost.
	small := image.Pt(max(int(float64(m)*float64(size.X))-1, 1), max(int(float64(m)*float64(size.Y))-1, 1))
	large := image.Pt(int(float64(size.X)/float64(m))+1, int(float64(size.Y)/float64(m))+1)
	beyond := large.Sub(size)
	return boxtree.Bounds{
		Low:   image.Rectangle{Min: a.Min.Sub(beyond), Max: a.Min.Add(small)},
		High:  image.Rectangle{Min: a.Max.Sub(small), Max: a.Max.Add(beyond)},
		Small: small, Large: large,
	}
}

// sharing returns bounds of the boxes that share pixels with a.
func sharing(a image.Rectangle) boxtree.Bounds {
	pixel := image.Pt(1, 1)
	b := boxtree.All()
	b.High.Min, b.Low.Max, b.Small = a.Max.Sub(pixel), a.Min.Add(pixel), pixel
	return b
}

func area(r image.Rectangle) int64 { return int64(r.Dx()) * int64(r.Dy()) }
