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
	// plane returns the rows of a picture, of n bytes each, with grey ones below.
	plane := func(n int, pix []byte, stride int, grey ...byte) []byte {
		to := make([]byte, n*height)
		longer(to, n, pix, stride, h, n, grey...)
		return to
	}
	switch m := img.(type) {
	case *image.Gray:
		return &image.Gray{Pix: plane(w, m.Pix, m.Stride, 0x80), Stride: w, Rect: whole}
	case *image.Gray16:
		return &image.Gray16{Pix: plane(2*w, m.Pix, m.Stride, 0x80, 0), Stride: 2 * w, Rect: whole}
	case *image.RGBA:
		return &image.RGBA{Pix: plane(4*w, m.Pix, m.Stride, 0x80, 0x80, 0x80, 0xFF), Stride: 4 * w, Rect: whole}
	case *image.NRGBA:
		return &image.NRGBA{Pix: plane(4*w, m.Pix, m.Stride, 0x80, 0x80, 0x80, 0xFF), Stride: 4 * w, Rect: whole}
	case *image.CMYK:
		return &image.CMYK{Pix: plane(4*w, m.Pix, m.Stride, 0, 0, 0, 0x7F), Stride: 4 * w, Rect: whole}
	case *image.RGBA64:
		return &image.RGBA64{Pix: plane(8*w, m.Pix, m.Stride, 0x80, 0, 0x80, 0, 0x80, 0, 0xFF, 0xFF), Stride: 8 * w, Rect: whole}
	case *image.NRGBA64:
		return &image.NRGBA64{Pix: plane(8*w, m.Pix, m.Stride, 0x80, 0, 0x80, 0, 0x80, 0, 0xFF, 0xFF), Stride: 8 * w, Rect: whole}
	case *image.Paletted:
		grey := byte(m.Palette.Index(color.Gray{0x80}))
		return &image.Paletted{Pix: plane(w, m.Pix, m.Stride, grey), Stride: w, Rect: whole, Palette: m.Palette}
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
