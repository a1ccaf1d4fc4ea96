package inspect

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	points "golang.org/x/image/math/fixed"

	"haarlem/cascade"
)

// Colours of all images here. Nearly everybody can distinguish blue and orange.
var (
	ground   = color.RGBA{26, 33, 29, 255}
	ink      = color.RGBA{214, 224, 218, 255}
	quiet    = color.RGBA{86, 100, 92, 255}
	raises   = color.RGBA{255, 159, 28, 255}  // light here raises a feature's value
	lowers   = color.RGBA{40, 132, 255, 255}  // light here lowers it
	positive = color.RGBA{120, 214, 154, 255} // outputs above zero
	negative = color.RGBA{224, 108, 108, 255} // and below
)

// Layout of a sheet, in its pixels.
const (
	tileWidth = 96 // at least
	columns   = 8
	gap       = 6
	barHeight = 18 // above and below their base line
	lineSpace = 14
)

// Sheet draws weak classifiers from up to, but not including, to of a cascade that
// passes its Check: eight tiles to a row, one for each node. Orange is where light
// raises the feature's value, blue where it lowers it; for local binary patterns the
// middle is orange and the cells compared with it are blue. Below are the weak
// classifier's number, from 1, and its outputs as bars, green above zero and red
// below: of a histogram or stump from low values of the feature to high ones, of a
// tree in the order of its leaves. All bars of a sheet have one scale.
//
// Features are drawn over base if it is not nil, for instance the mean of the
// positives. Sheet panics if it is not of the window's size, and unless
// 0 <= from <= to <= len(c.Weak).
func Sheet(c *cascade.Cascade, from, to int, base *image.Gray) *image.RGBA {
	base = baseOf(c, base)
	zoom := max(1, (tileWidth+c.Width-1)/c.Width)
	type tile struct{ weak, node int }
	var tiles []tile
	for i := from; i < to; i++ {
		for n := range max(1, len(c.Weak[i].Nodes)) {
			tiles = append(tiles, tile{i, n})
		}
	}
	var limit float32 // of their leaves
	for i := from; i < to; i++ {
		low, high := leafRange(&c.Weak[i])
		limit = max(limit, high, -low)
	}
	across := min(columns, max(1, len(tiles)))
	wide, high := c.Width*zoom+gap, c.Height*zoom+lineSpace+2*barHeight+gap
	img := image.NewRGBA(image.Rect(0, 0, across*wide+gap, (len(tiles)+across-1)/across*high+gap))
	draw.Draw(img, img.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	for k, t := range tiles {
		w := &c.Weak[t.weak]
		at := image.Pt(gap+k%across*wide, gap+k/across*high)
		drawFeature(img, at, zoom, base, weightsOf(c, featuresOf(w)[t.node]))
		caption := fmt.Sprint(t.weak + 1)
		if len(w.Nodes) > 1 {
			caption = fmt.Sprintf("%d, node %d", t.weak+1, t.node+1)
		}
		at.Y += c.Height * zoom
		label(img, at, caption)
		at.Y += lineSpace
		if t.node == 0 {
			drawOutputs(img, image.Rect(at.X, at.Y, at.X+c.Width*zoom, at.Y+2*barHeight), w.Leaves, limit)
		}
	}
	return img
}

// baseOf returns base, or plain grey.
func baseOf(c *cascade.Cascade, base *image.Gray) *image.Gray {
	if base == nil {
		base = image.NewGray(image.Rect(0, 0, c.Width, c.Height))
		for i := range base.Pix {
			base.Pix[i] = 110
		}
	}
	if base.Rect.Dx() != c.Width || base.Rect.Dy() != c.Height {
		panic(fmt.Sprintf("inspect: a base of %dx%d pixels for a cascade of %dx%d", base.Rect.Dx(), base.Rect.Dy(), c.Width, c.Height))
	}
	return base
}

// drawFeature draws base, each pixel zoom by zoom large, tinted by the sign of its
// weight, with a frame around each part of one weight.
func drawFeature(img *image.RGBA, at image.Point, zoom int, base *image.Gray, weights []float32) {
	width, height := base.Rect.Dx(), base.Rect.Dy()
	weight := func(x, y int) float32 {
		if x < 0 || y < 0 || x >= width || y >= height {
			return 0
		}
		return weights[y*width+x]
	}
	for y := range height {
		for x := range width {
			g := base.Pix[y*base.Stride+x]
			own := weight(x, y)
			fill := color.RGBA{g, g, g, 255}
			edge := fill
			switch {
			case own > 0:
				fill, edge = mix(g, raises), raises
			case own < 0:
				fill, edge = mix(g, lowers), lowers
			}
			for dy := range zoom {
				for dx := range zoom {
					c := fill
					if zoom > 2 && (dx == 0 && weight(x-1, y) != own || dx == zoom-1 && weight(x+1, y) != own ||
						dy == 0 && weight(x, y-1) != own || dy == zoom-1 && weight(x, y+1) != own) {
						c = edge
					}
					img.SetRGBA(at.X+x*zoom+dx, at.Y+y*zoom+dy, c)
				}
			}
		}
	}
}

// mix blends a colour with a grey level.
func mix(g byte, c color.RGBA) color.RGBA {
	part := func(v byte) byte { return byte((int(g)*11 + int(v)*9) / 20) }
	return color.RGBA{part(c.R), part(c.G), part(c.B), 255}
}

// drawOutputs draws leaves as bars in r, most filling half of its height.
func drawOutputs(img *image.RGBA, r image.Rectangle, leaves []float32, limit float32) {
	base := (r.Min.Y + r.Max.Y) / 2
	draw.Draw(img, image.Rect(r.Min.X, base, r.Max.X, base+1), image.NewUniform(quiet), image.Point{}, draw.Src)
	if limit == 0 {
		return
	}
	for i, v := range leaves {
		x0, x1 := r.Min.X+i*r.Dx()/len(leaves), r.Min.X+(i+1)*r.Dx()/len(leaves)-1
		long := int(v/limit*barHeight + 0.5)
		bar, c := image.Rect(x0, base-long, x1, base), positive
		if v < 0 {
			long = int(-v/limit*barHeight + 0.5)
			bar, c = image.Rect(x0, base+1, x1, base+1+long), negative
		}
		draw.Draw(img, bar.Intersect(r), image.NewUniform(c), image.Point{}, draw.Src)
	}
}

// label writes a line of text below at.
func label(img *image.RGBA, at image.Point, text string) {
	face := basicfont.Face7x13
	d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: face, Dot: points.P(at.X, at.Y+face.Ascent+1)}
	d.DrawString(text)
}
