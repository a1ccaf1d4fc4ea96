// Package annotate draws boxes and text on pictures.
package annotate

import (
	"image"
	"image/color"
	"image/draw"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// A Mark is a box to draw, and a few words to write at it.
type Mark struct {
	Box   image.Rectangle
	Label string // may be empty
}

var (
	markColour  = color.RGBA{0x2B, 0xE0, 0x6A, 0xFF}
	outerColour = color.RGBA{0x08, 0x20, 0x10, 0xFF} // around it, for bright backgrounds
	labelColour = color.RGBA{0x04, 0x14, 0x08, 0xFF}
)

// Draw draws the marks. Lines and letters grow with the picture, so that they can be
// read when all of it is seen at once. For an [image.YCbCr] see [Planes].
func Draw(out draw.Image, marks []Mark) {
	b := out.Bounds()
	shorter := min(b.Dx(), b.Dy())
	line := max(1, (shorter+125)/250)
	for _, m := range marks {
		Frame(out, m.Box, line, markColour)
		Frame(out, m.Box.Inset(-line), (line+1)/2, outerColour)
	}
	// All labels after all boxes, so that no line crosses one.
	faces := map[int]font.Face{} // by size
	for _, m := range marks {
		size := letterSize(shorter, m.Box.Dx())
		if m.Label == "" || size == 0 {
			continue
		}
		if faces[size] == nil {
			faces[size] = letters(size)
			defer faces[size].Close()
		}
		label(out, faces[size], m, 2*line)
	}
}

// Frame draws a border around a box, thick pixels wide. What lies outside the picture
// is left out.
func Frame(out draw.Image, inner image.Rectangle, thick int, c color.Color) {
	r := inner.Inset(-thick)
	for _, side := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, inner.Min.Y)},
		{image.Pt(r.Min.X, inner.Max.Y), r.Max},
		{image.Pt(r.Min.X, inner.Min.Y), image.Pt(inner.Min.X, inner.Max.Y)},
		{image.Pt(inner.Max.X, inner.Min.Y), image.Pt(r.Max.X, inner.Max.Y)},
	} {
		draw.Draw(out, side, image.NewUniform(c), image.Point{}, draw.Src)
	}
}

// label writes the words above the box; below it, or inside, where the picture
// has no room above.
func label(out draw.Image, face font.Face, m Mark, gap int) {
	metrics := face.Metrics()
	ascent, descent := metrics.Ascent.Ceil(), metrics.Descent.Ceil()
	pad := max(1, ascent/6)
	width := font.MeasureString(face, m.Label).Ceil() + 2*pad
	height := ascent + descent
	b := out.Bounds()

	at := image.Pt(m.Box.Min.X-gap/2, m.Box.Min.Y-gap-height)
	if at.Y < b.Min.Y {
		at.Y = m.Box.Max.Y + gap
		if at.Y+height > b.Max.Y {
			at.Y = max(m.Box.Min.Y, b.Min.Y)
		}
	}
	at.X = max(min(at.X, b.Max.X-width), b.Min.X)

	draw.Draw(out, image.Rectangle{at, at.Add(image.Pt(width, height))}, image.NewUniform(markColour), image.Point{}, draw.Src)
	d := font.Drawer{
		Dst:  out,
		Src:  image.NewUniform(labelColour),
		Face: face,
		Dot:  fixed.P(at.X+pad, at.Y+ascent),
	}
	d.DrawString(m.Label)
}

// parsed is the font, once.
var parsed = sync.OnceValue(func() *opentype.Font {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		panic("annotate: the built-in font: " + err.Error())
	}
	return f
})

// letterSize returns the height of letters, in pixels, for a box in a picture
// whose shorter side is so long: a part of the picture, less for small boxes,
// whose labels would hide each other, but enough to be read. 0 says that the
// picture is too small to write on.
func letterSize(shorter, boxWidth int) int {
	if shorter < 24 {
		return 0
	}
	return min(max(boxWidth/3, shorter/80, 11), max(shorter/34, 11), 400)
}

// letters returns the font in one size.
func letters(size int) font.Face {
	face, err := opentype.NewFace(parsed(), &opentype.FaceOptions{Size: float64(size), DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic("annotate: the built-in font: " + err.Error())
	}
	return face
}
