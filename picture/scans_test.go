package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/tiff"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// A picture of more scans than any encoder writes is refused before it is decoded: each
// costs as much time as a picture, and a few bytes.
func TestScansAreCounted(t *testing.T) {
	for _, test := range []struct {
		scans int
		junk  string
		want  error
	}{{12, "", nil}, {maxScans, "", nil}, {maxScans + 1, "", ErrTooLarge}, {maxScans + 1, strings.Repeat("\xff\x00\x00\xff\xff\xd0", 1<<17), ErrTooLarge}} {
		data := picturetest.Progressive(64, 48, 1, test.scans)
		at := bytes.Index(data, []byte{0xFF, 0xDA})
		data = append(append(bytes.Clone(data[:at]), test.junk...), data[at:]...)
		for _, o := range []*Options{nil, {Partial: true}} {
			if _, err := Read(bytes.NewReader(data), "x", o); !errors.Is(err, test.want) {
				t.Errorf("%d scans behind %d bytes: %v, want %v", test.scans, len(test.junk), err, test.want)
			}
		}
	}
	// As large as pictures may be, one may have fewer.
	for scans, want := range map[int]error{fullScans: nil, fullScans + 1: ErrTooLarge} {
		_, err := Read(bytes.NewReader(picturetest.Progressive(64, 48, 1, scans)), "x", &Options{MaxPixels: 64 * 48})
		if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), "scans") {
			t.Errorf("%d scans of as many pixels as may be: %v, want %v", scans, err, want)
		}
	}
	began := time.Now()
	if _, err := Read(bytes.NewReader(picturetest.Progressive(5000, 5000, 1, 6000)), "x", nil); !errors.Is(err, ErrTooLarge) || time.Since(began) > 2*time.Second {
		t.Errorf("25 megapixels with 6000 scans: %v after %v", err, time.Since(began))
	}
}

// An end in time ends the decoding, of a truncated picture too, and is no damage.
func TestDecodingHasAnEnd(t *testing.T) {
	whole := picturetest.Progressive(5000, 5000, 1, maxScans)
	for name, data := range map[string][]byte{"whole": whole, "truncated": whole[:len(whole)-2]} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		_, err := Read(bytes.NewReader(data), "x", &Options{Context: ctx, Partial: true})
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, want that the time is over", name, err)
		}
	}
}

// A JPEG that ends too early is known before it is decoded.
func TestTruncatedIsNotDecodedTwice(t *testing.T) {
	data := picturetest.Progressive(640, 480, 1, 5)
	data = data[:len(data)-2]
	reads := &countedReads{r: bytes.NewReader(data)}
	if _, err := read(io.NewSectionReader(reads, 0, int64(len(data))), "x", nil); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the file ends too early") {
		t.Errorf("%v", err)
	}
	if reads.pixels > 0 {
		t.Errorf("%d reads of a decoder", reads.pixels)
	}
}

// countedReads counts reads of the size of a decoder's buffer beyond the header.
type countedReads struct {
	r      io.ReaderAt
	pixels int
}

func (c *countedReads) ReadAt(p []byte, at int64) (int, error) {
	if len(p) <= 4096 && at >= 4096 {
		c.pixels++
	}
	return c.r.ReadAt(p, at)
}

// A walk through a file ends when its time is over, wherever it is.
func TestWalkHasAnEnd(t *testing.T) {
	data := picturetest.Progressive(64, 48, 1, 2)
	at := bytes.Index(data, []byte{0xFF, 0xDA})
	data = slices.Insert(data, at, make([]byte, 1<<17-at)...) // only the marker is in what is read first
	for n := range 60 {
		ctx := &endsAfter{Context: t.Context(), left: n}
		if _, err := Read(bytes.NewReader(data), "x", &Options{Context: ctx, Partial: true}); ctx.left < 0 && (!errors.Is(err, context.Canceled) || errors.Is(err, ErrDamaged)) {
			t.Errorf("the time is over after %d reads: %v", n, err)
		}
	}
}

// endsAfter is done after a number of questions.
type endsAfter struct {
	context.Context
	left int
}

func (e *endsAfter) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A progressive picture of four colours takes more memory than others of its size, and is
// held to fewer pixels.
func TestProgressiveCMYKIsBounded(t *testing.T) {
	data := picturetest.Progressive(100, 100, 4, 1)
	if _, err := Read(bytes.NewReader(data), "x", &Options{MaxPixels: 15625}); err != nil {
		t.Error(err)
	}
	if _, err := Read(bytes.NewReader(data), "x", &Options{MaxPixels: 15624}); !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "CMYK") {
		t.Errorf("%v, want that it is too large", err)
	}
}

// This file makes the picture files of the tests, byte by byte where no
// encoder would write such a thing.

// A tag is one entry of a TIFF directory whose value is short or long.
type tag struct {
	id, kind uint16
	values   []uint32
}

func short(id uint16, v ...uint32) tag { return tag{id, 3, v} }
func long(id uint16, v ...uint32) tag  { return tag{id, 4, v} }

// tiffFile puts tags, sorted by id, in front of pixels; offset, if not 0, is
// the tag that is to point at them.
func tiffFile(order binary.ByteOrder, tags []tag, offset uint16, pixels []byte) []byte {
	size := func(t tag) int {
		if t.kind == 3 {
			return 2 * len(t.values)
		}
		return 4 * len(t.values)
	}
	extra := 8 + 2 + 12*len(tags) + 4 // where long values go
	total := extra
	for _, t := range tags {
		if n := size(t); n > 4 {
			total += n
		}
	}
	out := make([]byte, total)
	copy(out, "II*\x00")
	if order == binary.BigEndian {
		copy(out, "MM\x00*")
	}
	order.PutUint32(out[4:], 8)
	order.PutUint16(out[8:], uint16(len(tags)))
	for i, t := range tags {
		e := out[10+12*i:]
		order.PutUint16(e, t.id)
		order.PutUint16(e[2:], t.kind)
		order.PutUint32(e[4:], uint32(len(t.values)))
		to := e[8:]
		if n := size(t); n > 4 {
			order.PutUint32(to, uint32(extra))
			to = out[extra:]
			extra += n
		}
		for k, v := range t.values {
			if offset != 0 && t.id == offset {
				v = uint32(total)
			}
			if t.kind == 3 {
				order.PutUint16(to[2*k:], uint16(v))
			} else {
				order.PutUint32(to[4*k:], v)
			}
		}
	}
	return append(out, pixels...)
}

// exifBlock is EXIF that says nothing but the orientation.
func exifBlock(order binary.ByteOrder, orientation int) []byte {
	return tiffFile(order, []tag{long(256, 1), short(tagOrientation, uint32(orientation))}, 0, nil)
}

// jpegWithExif puts EXIF behind the first marker of a JPEG file.
func jpegWithExif(data, exif []byte) []byte {
	body := append([]byte(exifMark), exif...)
	head := []byte{0xFF, 0xD8, 0xFF, 0xE1, byte((len(body) + 2) >> 8), byte(len(body) + 2)}
	return append(append(head, body...), data[2:]...)
}

func pngChunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// pngWithExif puts EXIF in front of the last chunk, IEND, of a PNG file.
func pngWithExif(data, exif []byte) []byte {
	end := len(data) - 12
	return append(append(append([]byte(nil), data[:end]...), pngChunk("eXIf", exif)...), data[end:]...)
}

// bits packs numbers, the lowest bit first, as lossless WebP wants them.
type bits struct {
	out  []byte
	have uint
}

func (b *bits) put(v, n uint) {
	for i := range n {
		if b.have%8 == 0 {
			b.out = append(b.out, 0)
		}
		b.out[len(b.out)-1] |= byte(v>>i&1) << (b.have % 8)
		b.have++
	}
}

// webpFile is a lossless WebP of one colour. Every Huffman code in it has one
// symbol, so that pixels need no bits at all.
func webpFile(width, height int, c color.NRGBA, exif []byte) []byte {
	var b bits
	b.put(0x2F, 8)
	b.put(uint(width-1), 14)
	b.put(uint(height-1), 14)
	b.put(0, 1+3) // no alpha, version 0
	b.put(0, 3)   // no transform, no colour cache, one group of codes
	for _, symbol := range []uint8{c.G, c.R, c.B, c.A} {
		b.put(0b101, 3) // a simple code, of one symbol, which has 8 bits
		b.put(uint(symbol), 8)
	}
	b.put(0b0001, 4) // distances: a simple code, one symbol, of 1 bit: 0
	chunk := func(kind string, body []byte) []byte {
		out := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body)))
		out = append(out, body...)
		if len(body)%2 == 1 {
			out = append(out, 0)
		}
		return out
	}
	var body []byte
	if exif != nil {
		x := make([]byte, 10) // the extended header: flags, canvas less one
		x[0] = 1 << 3
		x[4], x[5], x[7], x[8] = byte(width-1), byte((width-1)>>8), byte(height-1), byte((height-1)>>8)
		body = chunk("VP8X", x)
	}
	body = append(body, chunk("VP8L", b.out)...)
	if exif != nil {
		body = append(body, chunk("EXIF", exif)...)
	}
	return chunk("RIFF", append([]byte("WEBP"), body...))
}

// picked is a small picture in which every pixel tells where it is.
func picked(w, h int) *image.Gray {
	return picturetest.Grey(w, h, func(x, y int) uint8 { return uint8(37*(y*w+x) + 11) })
}

// stored lays an upright picture down so that the given orientation brings it
// up again. Unlike the package under test it asks where each corner goes.
func stored(m *image.Gray, orientation int) *image.Gray {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, w, h))
	if orientation >= 5 {
		out = image.NewGray(image.Rect(0, 0, h, w))
	}
	for y := range h {
		for x := range w {
			// EXIF names the sides of the scene on which row 0 and column 0
			// of the file lie.
			left, right, top, bottom := x, w-1-x, y, h-1-y
			at := [][2]int{1: {top, left}, {top, right}, {bottom, right}, {bottom, left}, {left, top}, {right, top}, {right, bottom}, {left, bottom}}[orientation]
			out.SetGray(at[1], at[0], m.GrayAt(x, y))
		}
	}
	return out
}

func encodeTIFF(m image.Image, o *tiff.Options) []byte {
	return must.Bytes(func(w io.Writer) error { return tiff.Encode(w, m, o) })
}
