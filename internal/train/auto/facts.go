package auto

import (
	"image"
	"math"
	"slices"

	"haarlem/internal/samples"
)

// Facts are what a plan follows from. They are of the part to learn from, and are
// written as JSON between two steps.
type Facts struct {
	Photos  int `json:"photographs"`
	Objects int `json:"objects"` // to learn

	// Of the objects' boxes: median width by height, and a tenth of the boxes is
	// less or more; the geometric mean of the sides in pixels, the median and that
	// which a tenth falls below; and the median share of the photograph.
	Aspect, AspectLow, AspectHigh float64
	Size, SizeLow                 float64
	Share                         float64

	// Mirrored is the correlation of the mean object with its mirror image, from
	// -1 to 1.
	Mirrored float64 `json:"mirrored"`

	Backgrounds int `json:"backgrounds"`

	// Megapixels of each part, with its backgrounds.
	Megapixels [Parts]float64 `json:"megapixels"`
}

// Measure returns the facts about the boxes of photographs; size returns the size of
// a photograph.
func Measure(photos []samples.Photo, size func(file string) (image.Point, error)) (*Facts, error) {
	f := &Facts{Photos: len(photos)}
	var aspects, sizes, shares []float64
	for i := range photos {
		p := &photos[i]
		var of image.Point
		for k := range p.Objects {
			o := &p.Objects[k]
			if o.Ignore || o.Box.Empty() {
				continue
			}
			if of == (image.Point{}) {
				var err error
				if of, err = size(p.File); err != nil {
					return nil, err
				}
			}
			w, h := float64(o.Box.Dx()), float64(o.Box.Dy())
			aspects, sizes = append(aspects, w/h), append(sizes, math.Sqrt(w*h))
			shares = append(shares, float64(w*h)/(float64(of.X)*float64(of.Y)))
		}
	}
	f.Objects = len(aspects)
	f.Aspect, f.AspectLow, f.AspectHigh = quantile(aspects, 0.5), quantile(aspects, 0.1), quantile(aspects, 0.9)
	f.Size, f.SizeLow = quantile(sizes, 0.5), quantile(sizes, 0.1)
	f.Share = quantile(shares, 0.5)
	return f, nil
}

// quantile is 0 for no values. It sorts them.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[min(int(q*float64(len(v))), len(v)-1)]
}

// Mirrored returns the correlation of a picture with its mirror image; 0 for one
// without contrast.
func Mirrored(g *image.Gray) float64 {
	if g == nil {
		return 0
	}
	w, h := g.Rect.Dx(), g.Rect.Dy()
	var sum, squares, products int64
	for y := range h {
		row := g.Pix[y*g.Stride : y*g.Stride+w]
		for x, v := range row {
			sum += int64(v)
			squares += int64(v) * int64(v)
			products += int64(v) * int64(row[w-1-x])
		}
	}
	n := int64(w * h)
	variance, covariance := n*squares-sum*sum, n*products-sum*sum
	if variance == 0 {
		return 0
	}
	return float64(covariance) / float64(variance)
}
