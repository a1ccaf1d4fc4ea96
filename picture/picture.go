// Package picture reads picture files of any usual format for programs that
// look at pixels: JPEG, PNG, GIF (its first frame), BMP, TIFF, WebP and PNM
// (PBM, PGM, PPM and PAM), told apart by content and not by name. Of other files
// it says what they are ([KindError]), and of folders which files can be read and
// which cannot ([List]).
//
// Files are not trusted. The size in pixels is read from the header, and held
// against [Options].MaxPixels and against what a file of that many bytes can
// possibly hold, before memory is taken for pixels. Pictures come out upright:
// the orientation that a camera wrote into the file (EXIF) is obeyed.
//
// A picture keeps the form in which it was stored as far as that is possible.
// In particular a JPEG stays an [image.YCbCr], turned or not, so that its Y
// plane is its grey picture.
package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What errors about files wrap, for callers who want to tell them apart.
var (
	// ErrFormat: the bytes are not a picture of a format that is known here,
	// or a kind of it that is not supported.
	ErrFormat = errors.New("not a picture that can be read")

	// ErrDamaged: the format is known, but the file is cut off or
	// contradicts itself.
	ErrDamaged = errors.New("damaged picture")

	// ErrTooLarge: the picture has more pixels, or the stream more bytes,
	// than the options allow.
	ErrTooLarge = errors.New("picture too large")
)

// Options limits what is read. A nil *Options and the zero value mean the
// same: every field's default.
type Options struct {
	// MaxPixels is the largest width times height that is decoded.
	// 0 means 100 million. Decoding needs up to 16 bytes for each of them: a kind of
	// picture that needs more, progressive JPEG of CMYK, is held to fewer.
	MaxPixels int64

	// MaxBytes is how much is read from a stream, which has to be held in
	// memory. 0 means 1 GiB. Regular files are not affected.
	MaxBytes int64

	// Partial reads what there is of a JPEG or PNG file that ends too early,
	// as browsers do, and says so in [Picture].Truncated. Without it such
	// files are refused with [ErrDamaged], as those of other formats always
	// are. It takes up to some ten times as long as a whole picture, and half
	// as much memory again.
	Partial bool

	// Context ends the decoding: its error is returned soon after it is done. Nil:
	// nothing ends it. Converters have an end of their own.
	Context context.Context

	// Converter, if not nil, is run for HEIC and AVIF pictures in files: a program
	// that is not part of this one decodes them then, with the rights of this one.
	// See [FindConverter].
	Converter *Converter
}

func (o *Options) maxPixels() int64 {
	if o == nil || o.MaxPixels == 0 {
		return 100e6
	}
	return o.MaxPixels
}

func (o *Options) maxBytes() int64 {
	if o == nil || o.MaxBytes == 0 {
		return 1 << 30
	}
	return o.MaxBytes
}

// A Picture is one decoded file.
type Picture struct {
	// Image is upright, and its bounds begin at (0, 0).
	Image image.Image

	// Format is how the file was stored.
	Format Format

	// Orientation is what the file said about the way up, in the numbers of
	// EXIF, 1 to 8. Image already follows it. 1 when the file said nothing.
	Orientation int

	// Truncated says how much of the picture was read, with
	// [Options].Partial, of a file that ends too early. What is missing is
	// grey. Nil: nothing is missing.
	Truncated *TruncatedError
}

// Open reads the picture in a file. Of what is no regular file only what this
// process was given open already is read, such as /dev/stdin and /dev/fd/3:
// opening a named pipe waits for somebody who writes to it.
func Open(path string, o *Options) (*Picture, error) {
	f, size, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size < 0 { // a pipe has no size and no places to go back to
		return Read(f, path, o)
	}
	p, err := read(io.NewSectionReader(f, 0, size), path, o)
	if kind, ok := errors.AsType[*KindError](err); ok && o != nil && o.Converter.Converts(kind.Kind) {
		return o.Converter.read(path, o)
	}
	return p, err
}

// open opens a file. Its size is negative if it is an open stream.
func open(path string) (f *os.File, size int64, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, named(path, err)
	}
	regular := info.Mode().IsRegular()
	if k := special(info.Mode()); !regular && (info.IsDir() || !isOpen(path)) {
		return nil, 0, fmt.Errorf("%s: %w", path, &KindError{k})
	}
	if f, err = os.Open(path); err != nil {
		return nil, 0, named(path, err)
	}
	if !regular {
		return f, -1, nil
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, 0, named(path, err)
	}
	return f, info.Size(), nil
}

// isOpen reports whether a path is a name of something that is open already.
func isOpen(path string) bool {
	path = filepath.ToSlash(filepath.Clean(path))
	return path == "/dev/stdin" || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// special says what is no regular file.
func special(m fs.FileMode) Kind {
	switch {
	case m.IsDir():
		return Kind{"folder", noFile, ""}
	case m&fs.ModeNamedPipe != 0:
		return Kind{"named pipe", noFile, ""}
	case m&fs.ModeSocket != 0:
		return Kind{"socket", noFile, ""}
	case m&fs.ModeDevice != 0:
		return Kind{"device", noFile, ""}
	}
	return Kind{"special file", noFile, ""}
}

// named puts the file in front, as in all errors here, instead of behind the
// name of a system call.
func named(path string, err error) error {
	if where, ok := errors.AsType[*fs.PathError](err); ok {
		err = where.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// Read reads the picture in a stream. The name stands for it in errors.
func Read(r io.Reader, name string, o *Options) (*Picture, error) {
	limit := o.maxBytes()
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if int64(len(data)) == limit {
		if n, _ := io.ReadFull(r, make([]byte, 1)); n > 0 {
			return nil, fmt.Errorf("%s: %w: more than the %d bytes that are read from a stream", name, ErrTooLarge, limit)
		}
	}
	return read(io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), name, o)
}

func read(r *io.SectionReader, name string, o *Options) (*Picture, error) {
	if o != nil && o.Context != nil {
		r = io.NewSectionReader(timed{o.Context, r}, 0, r.Size())
	}
	p, err := decode(r, o)
	if err != nil {
		if e := o.ended(); e != nil { // decoders take it for damage
			err = e
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Truncated != nil {
		p.Truncated.Name = name
	}
	return p, nil
}

// A timed reader ends when its context does. Decoders read some thousand bytes at a time.
type timed struct {
	ctx context.Context
	r   io.ReaderAt
}

func (t timed) ReadAt(p []byte, at int64) (int, error) {
	if err := t.ctx.Err(); err != nil {
		return 0, err
	}
	return t.r.ReadAt(p, at)
}

// ended returns the error of the context, if that is done.
func (o *Options) ended() error {
	if o == nil || o.Context == nil {
		return nil
	}
	return o.Context.Err()
}

// A header is what is known of a file before its pixels.
type header struct {
	format        Format
	codec         *codec
	width, height int // as stored
}

// readHeader goes from cheap to dear: signature, header, limits.
func readHeader(r *io.SectionReader, o *Options) (header, error) {
	format, err := sniff(r)
	if err != nil {
		return header{}, err
	}
	c := codecs[format]
	config, err := c.header(r)
	if err != nil {
		return header{}, classify(format, "header", err)
	}
	width, height := int64(config.Width), int64(config.Height)
	if width <= 0 || height <= 0 {
		return header{}, fmt.Errorf("%w: %s with %dx%d pixels", ErrDamaged, format, width, height)
	}
	if limit := o.maxPixels(); width > limit/height {
		return header{}, fmt.Errorf("%w: %s with %dx%d = %.1f megapixels, the limit is %.1f",
			ErrTooLarge, format, width, height, float64(width)*float64(height)/1e6, float64(limit)/1e6)
	}
	if smallest := c.smallest(r, width, height); r.Size() < smallest {
		return header{}, fmt.Errorf("%w: %s with %dx%d pixels needs at least %d bytes, the file has %d",
			ErrDamaged, format, width, height, smallest, r.Size())
	}
	return header{format, c, config.Width, config.Height}, nil
}

// decode reads the pixels behind the header, checks them and turns them
// upright.
func decode(r *io.SectionReader, o *Options) (*Picture, error) {
	h, err := readHeader(r, o)
	if err != nil {
		return nil, err
	}
	var img image.Image
	if h.codec.check != nil {
		err = h.codec.check(r, h, o)
	}
	if err == nil {
		if img, err = pixels(h.codec, r); err != nil {
			err = classify(h.format, "pixels", err)
		}
	}
	var truncated *TruncatedError
	if err != nil {
		if o == nil || !o.Partial || errors.Is(err, ErrFormat) || errors.Is(err, ErrTooLarge) || o.ended() != nil {
			return nil, err
		}
		p := readPart(h, r)
		if p == nil || o.ended() != nil {
			return nil, err
		}
		img, truncated = p.image, &TruncatedError{Format: h.format, Rows: p.rows, Height: h.height, Coarse: p.coarse}
	}
	if img, err = onCanvas(img, h.width, h.height); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, h.format, err)
	}
	turn := h.codec.orientation(r)
	return &Picture{Image: upright(img, turn), Format: h.format, Orientation: turn, Truncated: truncated}, nil
}

// orientation returns what the file says about the way up, 1 to 8. A wrong
// note does not make the picture wrong: like every viewer, show it as it is
// stored.
func (c *codec) orientation(r *io.SectionReader) int {
	if c.exif == nil {
		return 1
	}
	turn, err := c.exif(r)
	if err != nil {
		return 1
	}
	return turn
}

// pixels decodes the whole picture. A decoder that panics on foreign bytes has
// a bug, but one strange file must not end a run over a thousand good ones.
func pixels(c *codec, r *io.SectionReader) (img image.Image, err error) {
	defer func() {
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("%w: the decoder gave up: %v", ErrDamaged, p)
		}
	}()
	return c.pixels(rewound(r))
}

// onCanvas checks that img is what the header promised. A GIF's first frame
// may cover a part of the picture only; it is put where it belongs.
func onCanvas(img image.Image, width, height int) (image.Image, error) {
	if p, ok := img.(*image.Paletted); ok {
		// Any use of a colour outside the palette would panic (compare
		// CVE-2023-36308), so look before handing the picture on.
		for y := range p.Rect.Dy() {
			row := p.Pix[y*p.Stride : y*p.Stride+p.Rect.Dx()]
			for x, index := range row {
				if int(index) >= len(p.Palette) {
					return nil, fmt.Errorf("pixel %d,%d has colour %d of a palette of %d", x, y, index, len(p.Palette))
				}
			}
		}
	}
	whole, b := image.Rect(0, 0, width, height), img.Bounds()
	if b == whole {
		return img, nil
	}
	frame, ok := img.(*image.Paletted)
	if !ok || !b.In(whole) {
		return nil, fmt.Errorf("the header says %dx%d pixels, the picture has %v", width, height, b)
	}
	canvas := image.NewNRGBA(whole) // transparent around the frame
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			canvas.Set(x, y, frame.At(x, y))
		}
	}
	return canvas, nil
}
