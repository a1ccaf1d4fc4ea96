package picture

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"
)

// A Format is a way to store pictures in files.
type Format string

// The formats that can be read.
const (
	JPEG Format = "JPEG"
	PNG  Format = "PNG"
	GIF  Format = "GIF"
	BMP  Format = "BMP"
	TIFF Format = "TIFF"
	WebP Format = "WebP"
)

// Extensions are the endings of file names, in lower case, under which these
// formats are usually kept. Reading does not look at them.
func Extensions() []string {
	return []string{".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".gif", ".bmp", ".dib", ".tif", ".tiff", ".webp"}
}

// A codec is what there is to know about one format.
type codec struct {
	// match reports whether a file may begin so.
	match func(head string) bool

	// config reads the header; pixels reads everything.
	config func(io.Reader) (image.Config, error)
	pixels func(io.Reader) (image.Image, error)

	// least returns a lower bound of the size in bytes of a file with so many
	// pixels, 0 where compression knows none. It is what a header that lies
	// is caught with: without it, 50 bytes can ask for 800 megabytes.
	least func(r io.ReaderAt, width, height int64) int64

	// exif returns the orientation, 1 to 8. Nil: the format has no place for it.
	exif func(*io.SectionReader) (int, error)
}

var codecs = map[Format]*codec{
	JPEG: {starts("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, leastJPEG, exifInJPEG},
	PNG:  {starts("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, leastPNG, exifInPNG},
	GIF:  {starts("GIF87a", "GIF89a"), gif.DecodeConfig, gif.Decode, noLeast, nil},
	BMP:  {starts("BM"), bmp.DecodeConfig, bmp.Decode, leastBMP, nil},
	TIFF: {starts("II*\x00", "MM\x00*"), tiff.DecodeConfig, tiff.Decode, leastTIFF, exifInTIFF},
	WebP: {isWebP, webp.DecodeConfig, webp.Decode, noLeast, exifInWebP},
}

func starts(signatures ...string) func(string) bool {
	return func(head string) bool {
		for _, s := range signatures {
			if strings.HasPrefix(head, s) {
				return true
			}
		}
		return false
	}
}

func isWebP(head string) bool {
	return len(head) >= 12 && head[:4] == "RIFF" && head[8:12] == "WEBP"
}

// sniff tells the format from the first bytes.
func sniff(r io.ReaderAt) (Format, error) {
	head := make([]byte, 12)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	if n == 0 {
		return "", fmt.Errorf("%w: the file is empty", ErrFormat)
	}
	for format, c := range codecs {
		if c.match(string(head[:n])) {
			return format, nil
		}
	}
	return "", fmt.Errorf("%w: it begins with %q; want JPEG, PNG, GIF, BMP, TIFF or WebP", ErrFormat, head[:min(n, 8)])
}

// rewound returns a reader from the start of r that also reads at places,
// which spares the TIFF decoder a copy of the file.
func rewound(r *io.SectionReader) *io.SectionReader {
	return io.NewSectionReader(r, 0, r.Size())
}

func (c *codec) header(r *io.SectionReader) (config image.Config, err error) {
	defer func() { // as in pixels
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: the decoder gave up: %v", ErrDamaged, p)
		}
	}()
	return c.config(rewound(r))
}

// classify wraps a decoder's error into ours.
func classify(format Format, part string, err error) error {
	var (
		jpegKind jpeg.UnsupportedError
		pngKind  png.UnsupportedError
		tiffKind tiff.UnsupportedError
	)
	switch {
	case errors.Is(err, ErrDamaged):
		return fmt.Errorf("%s %s: %w", format, part, err)
	case errors.As(err, &jpegKind), errors.As(err, &pngKind), errors.As(err, &tiffKind), errors.Is(err, bmp.ErrUnsupported):
		return fmt.Errorf("%w: %s %s: %w", ErrFormat, format, part, err)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: %s %s: the file ends too early", ErrDamaged, format, part)
	}
	return fmt.Errorf("%w: %s %s: %w", ErrDamaged, format, part, err)
}

func noLeast(io.ReaderAt, int64, int64) int64 { return 0 }

// deflateRatio is the most that deflate can compress: 258 bytes in 2 bits.
const deflateRatio = 1032

// leastJPEG: the first scan spends at least one bit on every block of the
// finest component, and blocks are never coarser than 16x16 pixels.
func leastJPEG(_ io.ReaderAt, width, height int64) int64 { return width * height / (16 * 16 * 8) }

// leastPNG: deflated rows, whose width in bits follows from the header.
func leastPNG(r io.ReaderAt, width, height int64) int64 {
	var h [26]byte
	if _, err := r.ReadAt(h[:], 0); err != nil {
		return 0
	}
	depth, samples := int64(h[24]), int64(1)
	switch h[25] {
	case 2: // red, green, blue
		samples = 3
	case 4: // grey, alpha
		samples = 2
	case 6: // red, green, blue, alpha
		samples = 4
	}
	return height * (width * depth * samples / 8) / deflateRatio
}

// leastBMP: what is read here is not compressed.
func leastBMP(r io.ReaderAt, width, height int64) int64 {
	var depth [2]byte
	if _, err := r.ReadAt(depth[:], 28); err != nil {
		return 0
	}
	return height * (width * int64(binary.LittleEndian.Uint16(depth[:])) / 8)
}

// leastTIFF depends on the compression.
func leastTIFF(r io.ReaderAt, width, height int64) int64 {
	d, err := readDirectory(r)
	if err != nil {
		return 0
	}
	ratio := int64(0)
	switch c, _ := d.value(tagCompression, 1); c {
	case 1: // none
		ratio = 1
	case 5: // LZW: at most 4096 bytes behind a code of 12 bits
		ratio = 4096
	case 8, 32946: // deflate
		ratio = deflateRatio
	case 32773: // PackBits: 128 bytes in 2
		ratio = 64
	default: // fax codes spend a bit on a row, however wide it is
		return height / 8
	}
	bits, _ := d.value(tagBitsPerSample, 1) // of the first sample
	samples, _ := d.value(tagSamplesPerPixel, 1)
	if bits > 16 || samples > 8 { // not supported; the decoder will say so
		return 0
	}
	return height * (width * int64(bits) * int64(samples) / 8) / ratio
}
