package samples

import (
	"image"
	"image/color"
	"image/draw"

	"github.com/disintegration/imaging"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	points "golang.org/x/image/math/fixed"
)

// Sheet returns a contact sheet: the windows side by side, with the given
// number of columns, each pixel zoom by zoom large. captions[i] is below window
// i, cut off at the window's width. Columns and zoom below 1 mean 1. Windows
// may differ in size; a nil one leaves a gap. [Mean] makes a good first window.
func Sheet(windows []*image.Gray, columns, zoom int, captions ...string) image.Image {
	columns, zoom = max(columns, 1), max(zoom, 1)
	columns = min(columns, max(len(windows), 1))
	var wide, high int // the largest window
	for _, w := range windows {
		if w != nil {
			wide, high = max(wide, w.Rect.Dx()), max(high, w.Rect.Dy())
		}
	}
	face := basicfont.Face7x13
	const gap = 2
	cellWidth, cellHeight := wide*zoom+gap, high*zoom+gap
	rows := (len(windows) + columns - 1) / columns
	captioned := min((len(captions)+columns-1)/columns, rows) // rows, from above
	line := face.Height + 1
	sheet := image.NewGray(image.Rect(0, 0, columns*cellWidth+gap, rows*cellHeight+captioned*line+gap))
	for i := range sheet.Pix {
		sheet.Pix[i] = 40 // neither black nor white, so that edges of windows are seen
	}
	for i, w := range windows {
		row := i / columns
		x0, y0 := gap+i%columns*cellWidth, gap+row*cellHeight+min(row, captioned)*line
		if w != nil {
			large := Enlarge(w, zoom)
			draw.Draw(sheet, large.Bounds().Add(image.Pt(x0, y0)), large, image.Point{}, draw.Src)
		}
		if i < len(captions) {
			text := captions[i]
			for len(text)*face.Advance > wide*zoom && text != "" {
				text = text[:len(text)-1]
			}
			d := font.Drawer{
				Dst: sheet, Src: image.NewUniform(color.Gray{220}), Face: face,
				Dot: points.P(x0, y0+high*zoom+face.Ascent),
			}
			d.DrawString(text)
		}
	}
	return sheet
}

// Enlarge makes each pixel of a window zoom by zoom pixels large, for people.
func Enlarge(w *image.Gray, zoom int) *image.NRGBA {
	return imaging.Resize(w, w.Rect.Dx()*zoom, w.Rect.Dy()*zoom, imaging.NearestNeighbor)
}

// Mean returns the mean image of windows. It is nil for no windows, and panics
// for windows of different sizes.
func Mean(windows []*image.Gray) *image.Gray {
	if len(windows) == 0 {
		return nil
	}
	width, height := windows[0].Rect.Dx(), windows[0].Rect.Dy()
	sums := make([]int64, width*height)
	for _, w := range windows {
		if w.Rect.Dx() != width || w.Rect.Dy() != height {
			panic("samples: the mean of windows of several sizes")
		}
		for y := range height {
			for x, v := range w.Pix[y*w.Stride:][:width] {
				sums[y*width+x] += int64(v)
			}
		}
	}
	mean := image.NewGray(image.Rect(0, 0, width, height))
	n := int64(len(windows))
	for i, s := range sums {
		mean.Pix[i] = byte((2*s + n) / (2 * n))
	}
	return mean
}
