package cascade

import (
	"context"
	"image"

	"haarlem/integral"
)

// padded returns g with a border of n pixels, which go on as those at its edge
// do.
func (j *job) padded(ctx context.Context, g integral.Grey, n int) (integral.Grey, error) {
	w, h := g.Width+2*n, g.Height+2*n
	if err := checkSize(image.Rect(0, 0, w, h)); err != nil {
		return g, err
	}
	if cap(j.border) < w*h {
		j.border = make([]byte, w*h)
	}
	j.border = j.border[:w*h]
	for y := range h {
		if y*w%greyBand < w && ctx.Err() != nil {
			return g, ctx.Err()
		}
		row, src := j.border[y*w:][:w], g.Row(min(max(y-n, 0), g.Height-1))[:g.Width]
		copy(row[n:], src)
		for x := range n {
			row[x], row[w-1-x] = src[0], src[g.Width-1]
		}
	}
	return integral.Grey{Pix: j.border, Stride: w, Width: w, Height: h}, nil
}

// unpad turns boxes in a picture with a border of n pixels to those in the
// picture of that size without it. What stands in the border more than in the
// picture is dropped.
func unpad(dst []Detection, from, n int, size image.Point) []Detection {
	kept := dst[:from]
	for _, d := range dst[from:] {
		b := d.Box.Sub(image.Pt(n, n))
		if centre := b.Min.Add(b.Max).Div(2); centre.In(image.Rectangle{Max: size}) {
			d.Box = b.Intersect(image.Rectangle{Max: size})
			kept = append(kept, d)
		}
	}
	return kept
}
