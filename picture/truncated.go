package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
)

// A TruncatedError says how much of a picture there was in a file that ends
// too early. It wraps [ErrDamaged].
type TruncatedError struct {
	Name   string // of the file or stream
	Format Format

	// Rows of pixels, as stored, that were read, and that there should be.
	// Where they are equal, all that is known to be missing is the mark at the
	// end of the file, or what comes last.
	Rows, Height int

	// Coarse: the file stores a picture again and again, each time in more
	// detail or with another colour, and some of that is missing.
	Coarse bool
}

func (e *TruncatedError) Error() string {
	what := "what is missing is grey"
	switch {
	case e.Coarse:
		what = "details or colours may be missing"
	case e.Rows == e.Height:
		what = "only what ends the file is missing"
	}
	return fmt.Sprintf("%s: the %s ends too early: %d of %d rows of pixels were read; %s", e.Name, e.Format, e.Rows, e.Height, what)
}

func (e *TruncatedError) Unwrap() error { return ErrDamaged }

// A part is what there is of a picture: rows from the top.
type part struct {
	image  image.Image
	rows   int
	coarse bool
}

// readPart reads what there is of a file of which the decoder says that it is
// damaged. It returns nil if it does not end too early, or has no row.
func readPart(h header, r *io.SectionReader) (p *part) {
	if h.codec.partial == nil {
		return nil
	}
	defer func() { // as in pixels
		if recover() != nil {
			p = nil
		}
	}()
	if p = h.codec.partial(r, h.width, h.height); p == nil {
		return nil
	}
	if b := p.image.Bounds(); p.rows < 1 || b != image.Rect(0, 0, h.width, p.rows) {
		return nil
	}
	p.image = lengthened(p.image, h.height)
	if p.image == nil {
		return nil
	}
	return p
}

// lengthened returns img, whose bounds begin at (0, 0), with grey rows below,
// and nil for an image type that no decoder of parts gives.
func lengthened(img image.Image, height int) image.Image {
	b := img.Bounds()
	if b.Dy() == height {
		return img
	}
	whole := image.Rect(0, 0, b.Dx(), height)
	// longer copies rows of n bytes, and repeats the grey pixel below.
	longer := func(to []byte, toStride int, from []byte, stride, rows, n int, grey ...byte) {
		for y := range rows {
			copy(to[y*toStride:][:n], from[y*stride:][:n])
		}
		rest := to[rows*toStride:]
		copy(rest, bytes.Repeat(grey, len(rest)/len(grey)))
	}
	w, h := b.Dx(), b.Dy()
	switch m := img.(type) {
	case *image.Gray:
		out := image.NewGray(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, w, 0x80)
		return out
	case *image.Gray16:
		out := image.NewGray16(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, 2*w, 0x80, 0)
		return out
	case *image.RGBA:
		out := image.NewRGBA(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, 4*w, 0x80, 0x80, 0x80, 0xFF)
		return out
	case *image.NRGBA:
		out := image.NewNRGBA(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, 4*w, 0x80, 0x80, 0x80, 0xFF)
		return out
	case *image.CMYK:
		out := image.NewCMYK(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, 4*w, 0, 0, 0, 0x7F)
		return out
	case *image.RGBA64:
		out := image.NewRGBA64(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, 8*w, 0x80, 0, 0x80, 0, 0x80, 0, 0xFF, 0xFF)
		return out
	case *image.NRGBA64:
		out := image.NewNRGBA64(whole)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, 8*w, 0x80, 0, 0x80, 0, 0x80, 0, 0xFF, 0xFF)
		return out
	case *image.Paletted:
		out := image.NewPaletted(whole, m.Palette)
		longer(out.Pix, out.Stride, m.Pix, m.Stride, h, w, byte(m.Palette.Index(color.Gray{0x80})))
		return out
	case *image.YCbCr:
		out := image.NewYCbCr(whole, m.SubsampleRatio)
		longer(out.Y, out.YStride, m.Y, m.YStride, h, w, 0x80)
		rows := (m.COffset(0, h-1)-m.COffset(0, 0))/m.CStride + 1
		longer(out.Cb, out.CStride, m.Cb, m.CStride, rows, out.CStride, 0x80)
		longer(out.Cr, out.CStride, m.Cr, m.CStride, rows, out.CStride, 0x80)
		return out
	}
	return nil
}
