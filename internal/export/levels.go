package export

import (
	"fmt"
	"image"
	"math"

	"haarlem/cascade"
)

// A level of the image pyramid, whatever the picture.
type level struct {
	Mantissa uint32 // of the factor: Mantissa * 2^-Shift, with 24 bits
	Shift    int
	Factor   float32
	Fits     image.Point // pictures of this size and more have the level
	Size     image.Point // of windows, in image pixels
	Step     int
	Halved   int
	Start    int64 // initial score
}

// levelsOf returns the levels of pictures up to a size, as package engine makes them.
func levelsOf(c *cascade.Cascade, s *Settings, unit int) ([]level, error) {
	round := func(v float64) int { return int(math.RoundToEven(v)) }
	var ls []level
	for f := 1.0; ; f *= s.Scale {
		factor := float32(f)
		m, e := math.Frexp(float64(factor))
		l := level{
			Mantissa: uint32(m * (1 << 24)), Shift: 24 - e, Factor: factor,
			Fits: image.Pt(round(float64(c.Width)*f), round(float64(c.Height)*f)),
			Size: image.Pt(round(float64(float32(c.Width)*factor)), round(float64(float32(c.Height)*factor))),
			Step: c.Search.Stride,
		}
		if l.Fits.X > s.Picture.X || l.Fits.Y > s.Picture.Y ||
			s.MaxSize.X > 0 && s.MaxSize.Y > 0 && (l.Size.X > s.MaxSize.X || l.Size.Y > s.MaxSize.Y) {
			break
		}
		if l.Size.X < s.MinSize.X || l.Size.Y < s.MinSize.Y {
			continue
		}
		if l.Step == 0 {
			l.Step = 2
			if factor >= 2 {
				l.Step = 1
			}
		}
		for f := float64(factor); c.Search.PrefilterFrom > 0 && f >= c.Search.PrefilterFrom; f /= 2 {
			l.Halved++
		}
		l.Start = int64(math.Ldexp(c.Search.ScaleBias.At(factor), unit))
		ls = append(ls, l)
		if len(ls) > maxLevels {
			return nil, fmt.Errorf("%w: more than %d levels: search with a larger Scale", ErrSettings, maxLevels)
		}
	}
	if ls == nil {
		return nil, fmt.Errorf("%w: pictures of %dx%d have no windows between MinSize %v and MaxSize %v", ErrSettings, s.Picture.X, s.Picture.Y, s.MinSize, s.MaxSize)
	}
	return ls, nil
}
