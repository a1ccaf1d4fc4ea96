package label

import (
	"image"

	"golang.org/x/image/draw"
)

// scaled is a part of an image in another size, on white where it is transparent. To
// shrink to less than half it averages blocks, band by band: it needs little memory
// besides the result.
func scaled(img image.Image, part image.Rectangle, width, height int) *image.RGBA {
	width, height = max(width, 1), max(height, 1)
	if part.Dx() >= 2*width && part.Dy() >= 2*height {
		return averaged(img, part, width, height)
	}
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.BiLinear.Scale(out, out.Rect, img, part, draw.Over, nil)
	return out
}

func averaged(img image.Image, part image.Rectangle, width, height int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	band := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()/height+1))
	edge := func(i, n, length int) int { return i * length / n }
	sums := make([][3]uint32, width)
	for y := range height {
		top, bottom := edge(y, height, part.Dy()), edge(y+1, height, part.Dy())
		draw.Draw(band, image.Rect(0, 0, part.Dx(), bottom-top), img, part.Min.Add(image.Pt(0, top)), draw.Src)
		clear(sums)
		for row := range bottom - top {
			in := band.Pix[row*band.Stride:]
			for x := range width {
				s := &sums[x]
				for i := edge(x, width, part.Dx()); i < edge(x+1, width, part.Dx()); i++ {
					p := in[4*i : 4*i+4 : 4*i+4]
					white := uint32(255 - p[3])
					s[0] += uint32(p[0]) + white
					s[1] += uint32(p[1]) + white
					s[2] += uint32(p[2]) + white
				}
			}
		}
		for x := range width {
			n := uint32((edge(x+1, width, part.Dx()) - edge(x, width, part.Dx())) * (bottom - top))
			to := out.Pix[y*out.Stride+4*x:]
			for c := range 3 {
				to[c] = byte((sums[x][c] + n/2) / n)
			}
			to[3] = 255
		}
	}
	return out
}
