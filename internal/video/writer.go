package video

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"time"
)

// A Writer writes frames in order.
type Writer interface {
	// Write writes a frame. All frames have the size of the first.
	Write(img image.Image, at time.Duration) error

	// Close writes what is left. It does not close what is written to.
	Close() error
}

// sameSize is for formats whose header says the size.
type sameSize struct {
	size    image.Point
	written int
}

func (s *sameSize) check(img image.Image) error {
	size := img.Bounds().Size()
	if s.written == 0 {
		s.size = size
	}
	if size != s.size {
		return fmt.Errorf("frame %d has %dx%d pixels, those before have %dx%d; a video has one size", s.written, size.X, size.Y, s.size.X, s.size.Y)
	}
	s.written++
	return nil
}

// NewY4M returns a writer of Y4M. Images of types that have no luma plane are written
// in 4:2:0 with the full range of levels, as a JPEG has them. parameters are those of
// [Info].Y4M, or empty.
func NewY4M(w io.Writer, rate Rate, parameters string) Writer {
	return &y4mWriter{w: w, rate: rate, parameters: parameters}
}

type y4mWriter struct {
	sameSize
	w          io.Writer
	rate       Rate
	parameters string
	space      string
	buf        []byte
}

var spaces = map[image.YCbCrSubsampleRatio]string{
	image.YCbCrSubsampleRatio420: "420jpeg", image.YCbCrSubsampleRatio422: "422",
	image.YCbCrSubsampleRatio444: "444", image.YCbCrSubsampleRatio411: "411",
}

func (y *y4mWriter) Write(img image.Image, _ time.Duration) error {
	if err := y.check(img); err != nil {
		return err
	}
	space := "mono"
	grey, isGrey := img.(*image.Gray)
	var m *image.YCbCr
	if !isGrey {
		var ok bool
		if m, ok = img.(*image.YCbCr); !ok || spaces[m.SubsampleRatio] == "" || m.Rect.Min != (image.Point{}) {
			m = To420(img)
			y.parameters = cmp.Or(y.parameters, "Ip A1:1 "+FullRange)
		}
		space = spaces[m.SubsampleRatio]
	}
	y.buf = y.buf[:0]
	if y.written == 1 {
		y.parameters = cmp.Or(y.parameters, "Ip A1:1")
		y.space = space
		y.buf = fmt.Appendf(y.buf, "YUV4MPEG2 W%d H%d F%d:%d %s C%s\n", y.size.X, y.size.Y, y.rate.Num, y.rate.Den, y.parameters, space)
	} else if space != y.space {
		return fmt.Errorf("frame %d has the colours %s, those before have %s", y.written-1, space, y.space)
	}
	y.buf = append(y.buf, "FRAME\n"...)
	if isGrey {
		y.buf = appendPlane(y.buf, grey.Pix, grey.Stride, y.size.X, y.size.Y)
	} else {
		y.buf = appendPlanes(y.buf, m)
	}
	_, err := y.w.Write(y.buf)
	return err
}

func (y *y4mWriter) Close() error { return nil }

func appendPlane(to, pix []byte, stride, width, height int) []byte {
	for row := range height {
		to = append(to, pix[row*stride:][:width]...)
	}
	return to
}

// appendPlanes appends the samples of an image whose bounds begin at (0, 0).
func appendPlanes(to []byte, m *image.YCbCr) []byte {
	p := newPlanes(m.Rect.Dx(), m.Rect.Dy(), m.SubsampleRatio, false)
	to = appendPlane(to, m.Y, m.YStride, p.width, p.height)
	to = appendPlane(to, m.Cb, m.CStride, p.cw, p.ch)
	return appendPlane(to, m.Cr, m.CStride, p.cw, p.ch)
}

// To420 returns the image in 4:2:0. One that is so already is not copied.
func To420(img image.Image) *image.YCbCr {
	b := img.Bounds()
	if m, ok := img.(*image.YCbCr); ok && m.SubsampleRatio == image.YCbCrSubsampleRatio420 && b.Min == (image.Point{}) {
		return m
	}
	out := image.NewYCbCr(image.Rect(0, 0, b.Dx(), b.Dy()), image.YCbCrSubsampleRatio420)
	at := sampler(img)
	for y := 0; y < b.Dy(); y += 2 {
		for x := 0; x < b.Dx(); x += 2 {
			var cb, cr, n int
			for j := y; j < min(y+2, b.Dy()); j++ {
				for i := x; i < min(x+2, b.Dx()); i++ {
					c := at(b.Min.X+i, b.Min.Y+j)
					out.Y[j*out.YStride+i] = c.Y
					cb, cr, n = cb+int(c.Cb), cr+int(c.Cr), n+1
				}
			}
			k := y/2*out.CStride + x/2
			out.Cb[k], out.Cr[k] = uint8((cb+n/2)/n), uint8((cr+n/2)/n)
		}
	}
	return out
}

func sampler(img image.Image) func(x, y int) color.YCbCr {
	switch m := img.(type) {
	case *image.YCbCr:
		return m.YCbCrAt
	case *image.RGBA:
		return func(x, y int) color.YCbCr {
			p := m.Pix[m.PixOffset(x, y):]
			yy, cb, cr := color.RGBToYCbCr(p[0], p[1], p[2])
			return color.YCbCr{Y: yy, Cb: cb, Cr: cr}
		}
	}
	return func(x, y int) color.YCbCr { return color.YCbCrModel.Convert(img.At(x, y)).(color.YCbCr) }
}

// MJPEGQuality is that of the frames that [NewMJPEG] writes.
const MJPEGQuality = 92

// NewMJPEG returns a writer of Motion JPEG: JPEG files one after another. They hold
// pixels and nothing else, and no times.
func NewMJPEG(w io.Writer) Writer { return &mjpegWriter{w: w} }

type mjpegWriter struct {
	sameSize
	w io.Writer
}

func (m *mjpegWriter) Write(img image.Image, _ time.Duration) error {
	if err := m.check(img); err != nil {
		return err
	}
	return jpeg.Encode(m.w, img, &jpeg.Options{Quality: MJPEGQuality})
}

func (m *mjpegWriter) Close() error { return nil }
