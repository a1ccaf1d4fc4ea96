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
	"slices"
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
	PNM  Format = "PNM" // PBM, PGM, PPM and PAM of Netpbm
)

// Extensions are the endings of file names, in lower case, under which these
// formats are usually kept. Reading does not look at them.
func Extensions() []string {
	return []string{".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".gif", ".bmp", ".dib", ".tif", ".tiff", ".webp", ".pbm", ".pgm", ".ppm", ".pnm", ".pam"}
}

// A codec is what there is to know about one format.
type codec struct {
	// match reports whether a file may begin so.
	match func(head string) bool

	// config reads the header; pixels reads everything.
	config func(io.Reader) (image.Config, error)
	pixels func(io.Reader) (image.Image, error)

	// smallest returns a lower bound of the size in bytes of a file with so many
	// pixels, 0 where compression knows none. It is what a header that lies
	// is caught with: without it, 50 bytes can ask for 800 megabytes.
	smallest func(r io.ReaderAt, width, height int64) int64

	// check refuses what the header does not show. Nil: nothing.
	check func(*io.SectionReader, header, *Options) error

	// exif returns the orientation, 1 to 8. Nil: the format has no place for it.
	exif func(*io.SectionReader) (int, error)

	// partial reads what there is of a file that ends too early. Nil: nothing.
	partial func(r *io.SectionReader, width, height int) *part
}

var codecs = map[Format]*codec{
	JPEG: {starts("\xff\xd8\xff"), jpeg.DecodeConfig, jpeg.Decode, minJPEG, checkJPEG, exifInJPEG, partOfJPEG},
	PNG:  {starts("\x89PNG\r\n\x1a\n"), png.DecodeConfig, png.Decode, minPNG, nil, exifInPNG, partOfPNG},
	GIF:  {starts("GIF87a", "GIF89a"), gif.DecodeConfig, gif.Decode, noMin, nil, nil, nil},
	BMP:  {isBMP, bmp.DecodeConfig, bmp.Decode, minBMP, nil, nil, nil},
	TIFF: {starts("II*\x00", "MM\x00*"), tiff.DecodeConfig, tiff.Decode, minTIFF, nil, exifInTIFF, nil},
	WebP: {isWebP, webp.DecodeConfig, decodeWebP, noMin, nil, exifInWebP, nil},
	PNM:  {isPNM, pnmConfig, decodePNM, minPNM, nil, nil, nil},
}

func starts(signatures ...string) func(string) bool {
	return func(head string) bool {
		return slices.ContainsFunc(signatures, func(s string) bool { return strings.HasPrefix(head, s) })
	}
}

func isWebP(head string) bool {
	return len(head) >= 12 && head[:4] == "RIFF" && head[8:12] == "WEBP"
}

// isBMP tells a header from text that begins with the same two letters: behind
// them stands which of a few kinds of header it is.
func isBMP(head string) bool {
	if len(head) < 18 {
		return strings.HasPrefix(head, "BM") && strings.Contains(head, "\x00")
	}
	switch binary.LittleEndian.Uint32([]byte(head[14:18])) {
	case 12, 16, 40, 52, 56, 64, 108, 124:
		return head[:2] == "BM"
	}
	return false
}

// wanted names the formats in errors.
const wanted = "JPEG, PNG, GIF, BMP, TIFF, WebP or PNM"

// sniffed is how many bytes of a file say what it is.
const sniffed = 1024

// sniff tells the format from the first bytes.
func sniff(r io.ReaderAt) (Format, error) {
	head := make([]byte, sniffed)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return "", err
	}
	text := string(head[:n])
	for format, c := range codecs {
		if !c.match(text) {
			continue
		}
		if k, other := within(format, r, text); other {
			return "", &KindError{k}
		}
		return format, nil
	}
	if k, known := kindOf(text); known {
		return "", &KindError{k}
	}
	return "", fmt.Errorf("%w: it begins with %q, want %s", ErrFormat, text[:min(n, 8)], wanted)
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

func noMin(io.ReaderAt, int64, int64) int64 { return 0 }

// deflateRatio is how far deflate can compress: 258 bytes in 2 bits.
const deflateRatio = 1032

// minJPEG: the first scan spends at least one bit on every block of the
// finest component, and blocks are never coarser than 16x16 pixels.
func minJPEG(_ io.ReaderAt, width, height int64) int64 { return width * height / (16 * 16 * 8) }

// minPNG: deflated rows, whose width in bits follows from the header.
func minPNG(r io.ReaderAt, width, height int64) int64 {
	var h [26]byte
	if _, err := r.ReadAt(h[:], 0); err != nil {
		return 0
	}
	return height * (width * int64(bitsOfPNG(h[24], h[25])) / 8) / deflateRatio
}

// bitsOfPNG is the size of a pixel with samples of so many bits.
func bitsOfPNG(depth, colour byte) int {
	samples := 1 // grey, or of a palette
	switch colour {
	case 2: // red, green, blue
		samples = 3
	case 4: // grey, alpha
		samples = 2
	case 6: // red, green, blue, alpha
		samples = 4
	}
	return int(depth) * samples
}

// minBMP: what is read here is not compressed.
func minBMP(r io.ReaderAt, width, height int64) int64 {
	var depth [2]byte
	if _, err := r.ReadAt(depth[:], 28); err != nil {
		return 0
	}
	return height * (width * int64(binary.LittleEndian.Uint16(depth[:])) / 8)
}

// minTIFF depends on the compression.
func minTIFF(r io.ReaderAt, width, height int64) int64 {
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
