package video

import (
	"bufio"
	"fmt"
	"image"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Raw is the layout of frames without any header.
type Raw struct {
	// Format is one of [RawFormats], which are called as in FFmpeg.
	Format        string
	Width, Height int
}

// ParseRaw reads "yuv420p:1280x720".
func ParseRaw(text string) (*Raw, error) {
	format, size, _ := strings.Cut(text, ":")
	w, h, _ := strings.Cut(size, "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if err1 != nil || err2 != nil || width < 1 || height < 1 || pixelFormats[format].image == nil {
		return nil, fmt.Errorf("%q: want FORMAT:WIDTHxHEIGHT such as yuv420p:1280x720, with one of the formats %s", text, strings.Join(RawFormats(), ", "))
	}
	return &Raw{format, width, height}, nil
}

// A pixelFormat is how the samples of a raw frame lie.
type pixelFormat struct {
	bytes func(w, h int) int
	image func(b []byte, w, h int) image.Image // may use the bytes
}

var pixelFormats = map[string]pixelFormat{
	"yuv420p": planar(image.YCbCrSubsampleRatio420, false),
	"yuv422p": planar(image.YCbCrSubsampleRatio422, false),
	"yuv444p": planar(image.YCbCrSubsampleRatio444, false),
	"gray":    planar(0, true),
	"nv12":    {planar(image.YCbCrSubsampleRatio420, false).bytes, fromNV12},
	"yuyv422": {func(w, h int) int { return (w + 1) / 2 * 4 * h }, fromYUYV},
	"rgb24":   {func(w, h int) int { return 3 * w * h }, func(b []byte, w, h int) image.Image { return packed(b, w, h, 3, 0, 1, 2) }},
	"bgr24":   {func(w, h int) int { return 3 * w * h }, func(b []byte, w, h int) image.Image { return packed(b, w, h, 3, 2, 1, 0) }},
	"rgba":    {func(w, h int) int { return 4 * w * h }, func(b []byte, w, h int) image.Image { return packed(b, w, h, 4, 0, 1, 2) }},
	"bgra":    {func(w, h int) int { return 4 * w * h }, func(b []byte, w, h int) image.Image { return packed(b, w, h, 4, 2, 1, 0) }},
}

// RawFormats are the names of the layouts that are read.
func RawFormats() []string {
	return slices.Sorted(maps.Keys(pixelFormats))
}

// Image makes an image of a raw frame, and may use its memory.
func (r *Raw) Image(b []byte) (image.Image, error) {
	f, ok := pixelFormats[r.Format]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: pixels in %q, want %s", ErrFormat, r.Format, strings.Join(RawFormats(), ", "))
	case len(b) < f.bytes(r.Width, r.Height):
		return nil, fmt.Errorf("%w: a frame has %d of %d bytes", ErrDamaged, len(b), f.bytes(r.Width, r.Height))
	}
	return f.image(b, r.Width, r.Height), nil
}

func newRaw(b *bufio.Reader, o *Options) (*Reader, error) {
	raw := *o.Raw
	f, ok := pixelFormats[raw.Format]
	if !ok {
		return nil, fmt.Errorf("%w: raw frames in %q, want %s", ErrFormat, raw.Format, strings.Join(RawFormats(), ", "))
	}
	if err := o.size(raw.Width, raw.Height); err != nil {
		return nil, err
	}
	return &Reader{
		frameBytes: f.bytes(raw.Width, raw.Height),

		info: Info{Kind: "raw frames", Width: raw.Width, Height: raw.Height},
		next: func() ([]byte, error) { return full(b, f.bytes(raw.Width, raw.Height), true) },
		form: func(bytes []byte, _ int) (image.Image, error) { return f.image(bytes, raw.Width, raw.Height), nil },
	}, nil
}

func planar(ratio image.YCbCrSubsampleRatio, mono bool) pixelFormat {
	return pixelFormat{
		func(w, h int) int { return newPlanes(w, h, ratio, mono).bytes() },
		func(b []byte, w, h int) image.Image { return newPlanes(w, h, ratio, mono).image(b) },
	}
}

// fromNV12 takes blue and red differences apart, which alternate in one plane.
func fromNV12(b []byte, w, h int) image.Image {
	p := newPlanes(w, h, image.YCbCrSubsampleRatio420, false)
	out := p.image(make([]byte, p.bytes())).(*image.YCbCr)
	copy(out.Y, b)
	both := b[w*h:]
	for i := range out.Cb {
		out.Cb[i], out.Cr[i] = both[2*i], both[2*i+1]
	}
	return out
}

// fromYUYV takes apart Y0 Cb Y1 Cr, which stands for two pixels.
func fromYUYV(b []byte, w, h int) image.Image {
	p := newPlanes(w, h, image.YCbCrSubsampleRatio422, false)
	out := p.image(make([]byte, p.bytes())).(*image.YCbCr)
	for y := range h {
		for x := range p.cw {
			q := b[4*(y*p.cw+x):]
			out.Y[y*w+2*x] = q[0]
			if 2*x+1 < w {
				out.Y[y*w+2*x+1] = q[2]
			}
			out.Cb[y*p.cw+x], out.Cr[y*p.cw+x] = q[1], q[3]
		}
	}
	return out
}

func packed(b []byte, w, h, step, red, green, blue int) image.Image {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		p, q := b[step*i:step*i+step], out.Pix[4*i:4*i+4]
		q[0], q[1], q[2], q[3] = p[red], p[green], p[blue], 255
	}
	return out
}
