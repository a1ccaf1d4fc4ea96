package engine

import (
	"context"
	"image"
	"slices"

	"haarlem/internal/kernel/resize"
	"haarlem/internal/luma"
)

// Bilinear scaling, as OpenCV does it, reads two by two pixels for one pixel of a
// level and skips those between. So noise, grain and the dots of print are not
// averaged out on small levels. Training windows are scaled down with averaging. A
// model may have its smaller levels made from the image halved, once or several
// times: PrefilterFrom of [cascade.Search].

// halvings returns the number of halvings for the level of a factor, where levels are
// prefiltered from a factor.
func halvings(factor float32, from float64) (times int) {
	if from > 0 {
		for f := float64(factor); f >= from; f /= 2 {
			times++
		}
	}
	return times
}

// A source is an image and its halvings: once, twice and so on.
type source struct {
	image  luma.Plane
	planes []luma.Plane
	pix    []byte
}

// set makes g the image and halves it the given number of times. It fails only if
// ctx ends.
func (s *source) set(ctx context.Context, g luma.Plane, times int) error {
	s.image = g
	s.planes = s.planes[:0]
	need, width, height := 0, g.Width, g.Height
	for range times {
		width, height = (width+1)/2, (height+1)/2
		need += width * height
	}
	if cap(s.pix) < need {
		s.pix = make([]byte, need)
	}
	pix, from := s.pix[:need], g
	for range times {
		half := luma.Plane{Width: (from.Width + 1) / 2, Height: (from.Height + 1) / 2}
		half.Stride, half.Pix = half.Width, pix[:half.Width*half.Height]
		pix = pix[len(half.Pix):]
		rows := max(checkEvery/max(from.Width, 1), 1)
		for y := range half.Height {
			if y%rows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			bottom := min(2*y+1, from.Height-1)
			resize.Halve(half.Row(y), from.Row(2 * y)[:from.Width], from.Row(bottom)[:from.Width])
		}
		s.planes = append(s.planes, half)
		from = half
	}
	return nil
}

// halved returns the image halved the given number of times.
func (s *source) halved(times int) *luma.Plane {
	if times == 0 {
		return &s.image
	}
	return &s.planes[times-1]
}

// halvedRow returns the pixels from to end-1 of row y of g halved the given number of times,
// in memory if it is not a row of g.
func halvedRow(memory []byte, g *image.Gray, y, from, end, times int) []byte {
	if times == 0 {
		return g.Pix[y*g.Stride:][from:end]
	}
	// At each halving, pixels beyond the edge repeat those at the edge.
	width, height := g.Rect.Dx(), g.Rect.Dy()
	for range times - 1 {
		width, height = (width+1)/2, (height+1)/2
	}
	from, end = 2*from, min(2*end, width)
	top, bottom := halvedRow(nil, g, 2*y, from, end, times-1), halvedRow(nil, g, min(2*y+1, height-1), from, end, times-1)
	n := (end - from + 1) / 2
	row := slices.Grow(memory[:0], n)[:n]
	resize.Halve(row, top, bottom)
	return row
}
