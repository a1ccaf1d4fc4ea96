package cascade

import (
	"context"
	"image"

	"haarlem/integral"
	"haarlem/internal/kernel/resize"
)

// Scaling takes two pixels of the picture each way for one of a level, whatever
// else lies between: as OpenCV does it, noise, grain and the dots of print come
// through unweakened, however small the level is. What a cascade learns from are
// faces made smaller with care. So a model may say from which factor on its levels
// are made from the picture halved, and halved again, until less than that is
// left (Cascade.Halve).

// halvings returns how many times the picture is halved for the level of a factor.
func (c *Cascade) halvings(factor float32) (times int) {
	if c.Halve > 0 {
		for f := float64(factor); f >= c.Halve; f /= 2 {
			times++
		}
	}
	return times
}

// halves are what halving a picture gives: once, twice and so on.
type halves struct {
	planes []integral.Grey
	pix    []byte
}

// make halves g so many times. It fails only if ctx ends.
func (h *halves) make(ctx context.Context, g *integral.Grey, times int) error {
	h.planes = h.planes[:0]
	need, width, height := 0, g.Width, g.Height
	for range times {
		width, height = (width+1)/2, (height+1)/2
		need += width * height
	}
	if cap(h.pix) < need {
		h.pix = make([]byte, need)
	}
	pix, from := h.pix[:need], *g
	for range times {
		half := integral.Grey{Width: (from.Width + 1) / 2, Height: (from.Height + 1) / 2}
		half.Stride, half.Pix = half.Width, pix[:half.Width*half.Height]
		pix = pix[len(half.Pix):]
		rows := max(greyBand/max(from.Width, 1), 1)
		for y := range half.Height {
			if y%rows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			bottom := min(2*y+1, from.Height-1)
			resize.Halve(half.Row(y), from.Row(2 * y)[:from.Width], from.Row(bottom)[:from.Width])
		}
		h.planes = append(h.planes, half)
		from = half
	}
	return nil
}

// of returns what level l of g is made from.
func (h *halves) of(g *integral.Grey, l *level) *integral.Grey {
	if l.halved == 0 {
		return g
	}
	return &h.planes[l.halved-1]
}

// halvedPixel returns pixel (x, y) of g halved so many times.
func halvedPixel(g *image.Gray, x, y, times int) byte {
	if times == 0 {
		return g.Pix[y*g.Stride+x]
	}
	// Beyond the edge is once more what is at it, on each way there.
	width, height := g.Rect.Dx(), g.Rect.Dy()
	for range times - 1 {
		width, height = (width+1)/2, (height+1)/2
	}
	sum := uint(2)
	for _, v := range [2]int{2 * y, min(2*y+1, height-1)} {
		for _, u := range [2]int{2 * x, min(2*x+1, width-1)} {
			sum += uint(halvedPixel(g, u, v, times-1))
		}
	}
	return byte(sum >> 2)
}
