package video

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"sync"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

// newFiles reads picture files that follow each other without anything between.
func newFiles(b *bufio.Reader, kind string, o *Options, next func(*bufio.Reader, int) ([]byte, error)) *Reader {
	limits := *o
	return &Reader{
		info: Info{Kind: kind},
		next: func() ([]byte, error) { return next(b, limits.MaxFrameBytes) },
		form: func(data []byte, index int) (image.Image, error) { return Picture(data, &limits, index) },
	}
}

// Picture decodes a JPEG or PNG file that is frame index of a video.
func Picture(data []byte, o *Options, index int) (img image.Image, err error) {
	v := o.withDefaults()
	defer func() { // foreign bytes, and decoders have bugs
		if p := recover(); p != nil {
			img, err = nil, fmt.Errorf("frame %d: %w: the decoder gave up: %v", index, ErrDamaged, p)
		}
	}()
	config, decode := jpeg.DecodeConfig, jpeg.Decode
	if bytes.HasPrefix(data, []byte(pngSignature)) {
		config, decode = png.DecodeConfig, png.Decode
	}
	c, err := config(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("frame %d: %w: %w", index, ErrDamaged, err)
	}
	if err := v.size(c.Width, c.Height); err != nil {
		return nil, fmt.Errorf("frame %d: %w", index, err)
	}
	// Either format takes a bit or more for 8x8 pixels.
	if smallest := c.Width / 64 * c.Height / 8; len(data) < smallest/64 {
		return nil, fmt.Errorf("frame %d: %w: %d bytes for %dx%d pixels", index, ErrDamaged, len(data), c.Width, c.Height)
	}
	if img, err = decode(bytes.NewReader(withTables(data))); err != nil {
		return nil, fmt.Errorf("frame %d: %w: %w", index, ErrDamaged, err)
	}
	return img, nil
}

// A taker reads a file piece by piece, and keeps it.
type taker struct {
	b     *bufio.Reader
	data  []byte
	limit int
}

func (t *taker) take(n int) ([]byte, error) {
	if n < 0 || n > t.limit-len(t.data) {
		return nil, fmt.Errorf("%w: a frame of more than %d bytes", ErrTooLarge, t.limit)
	}
	from := len(t.data)
	for n > 0 { // no more memory at once than bytes are there
		part := min(n, 1<<16)
		at := len(t.data)
		t.data = append(t.data, make([]byte, part)...)
		got, err := io.ReadFull(t.b, t.data[at:])
		if err != nil {
			t.data = t.data[:at+got]
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				err = fmt.Errorf("%w: it ends within a frame, after %d bytes of it", ErrDamaged, len(t.data))
			}
			return nil, err
		}
		n -= part
	}
	return t.data[from:], nil
}

// nextJPEG reads one JPEG file, marker by marker (ITU T.81, annex B), so that a
// thumbnail in it is not taken for its end.
func nextJPEG(b *bufio.Reader, limit int) ([]byte, error) {
	t := &taker{b: b, limit: limit}
	// Some programs put zeros between files, others FF.
	for {
		head, err := b.Peek(2)
		if len(head) == 0 && errors.Is(err, io.EOF) {
			return nil, io.EOF
		}
		if head[0] == 0 || head[0] == 0xFF && len(head) == 2 && head[1] == 0xFF {
			_, _ = b.Discard(1) // it was there a line above
			continue
		}
		if err != nil || head[0] != 0xFF || head[1] != 0xD8 {
			return nil, fmt.Errorf("%w: % x where a JPEG should begin", ErrDamaged, head)
		}
		break
	}
	if _, err := t.take(2); err != nil {
		return nil, err
	}
	for {
		marker, err := t.marker()
		if err != nil {
			return nil, err
		}
		switch {
		case marker == 0xD9: // end of image
			return t.data, nil
		case marker == 0xD8:
			return nil, fmt.Errorf("%w: a JPEG begins within another", ErrDamaged)
		case marker == 0x01 || marker >= 0xD0 && marker <= 0xD7: // without a segment
			continue
		}
		size, err := t.take(2)
		if err != nil {
			return nil, err
		}
		n := int(binary.BigEndian.Uint16(size))
		if n < 2 {
			return nil, fmt.Errorf("%w: a segment of %d bytes in a JPEG", ErrDamaged, n)
		}
		if _, err := t.take(n - 2); err != nil {
			return nil, err
		}
		if marker == 0xDA {
			if err := t.scan(); err != nil {
				return nil, err
			}
		}
	}
}

// marker reads FF, any number of times, and the byte behind it.
func (t *taker) marker() (byte, error) {
	c, err := t.take(1)
	if err != nil {
		return 0, err
	}
	if c[0] != 0xFF {
		return 0, fmt.Errorf("%w: %#x where a marker of a JPEG should be", ErrDamaged, c[0])
	}
	for c[0] == 0xFF {
		if c, err = t.take(1); err != nil {
			return 0, err
		}
	}
	return c[0], nil
}

// scan reads the coded pixels up to the next marker that is none of theirs.
func (t *taker) scan() error {
	for {
		head, err := t.b.Peek(1)
		if len(head) == 0 {
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("%w: it ends within a frame, after %d bytes of it", ErrDamaged, len(t.data))
			}
			return err
		}
		head, _ = t.b.Peek(t.b.Buffered())
		at := bytes.IndexByte(head, 0xFF)
		if at != 0 {
			if at < 0 {
				at = len(head)
			}
			if _, err := t.take(at); err != nil {
				return err
			}
			continue
		}
		two, _ := t.b.Peek(2)
		if len(two) == 2 && two[1] != 0 && (two[1] < 0xD0 || two[1] > 0xD7) {
			return nil
		}
		if _, err := t.take(2); err != nil {
			return err
		}
	}
}

// nextPNG reads one PNG file, chunk by chunk.
func nextPNG(b *bufio.Reader, limit int) ([]byte, error) {
	t := &taker{b: b, limit: limit}
	if head, err := b.Peek(1); len(head) == 0 {
		return nil, err
	}
	head, err := t.take(len(pngSignature))
	if err != nil {
		return nil, err
	}
	if string(head) != pngSignature {
		return nil, fmt.Errorf("%w: %.8q where a PNG should begin", ErrDamaged, head)
	}
	for {
		head, err := t.take(8)
		if err != nil {
			return nil, err
		}
		n, name := binary.BigEndian.Uint32(head), string(head[4:])
		if int64(n) > int64(limit) {
			return nil, fmt.Errorf("%w: a chunk of %d bytes in a PNG, the limit is %d", ErrTooLarge, n, limit)
		}
		if _, err := t.take(int(n) + 4); err != nil {
			return nil, err
		}
		if name == "IEND" {
			return t.data, nil
		}
	}
}

// usualTables is the segment with the Huffman tables of ITU T.81, annex K.3. Many
// cameras and AVI files leave it out, since everybody knows it; package image/jpeg
// writes it and wants to read it.
var usualTables = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewRGBA(image.Rect(0, 0, 8, 8)), nil); err != nil {
		panic("video: encoding an empty picture: " + err.Error())
	}
	data := b.Bytes()
	at := segment(data, 0xC4)
	return data[at : at+2+int(binary.BigEndian.Uint16(data[at+2:]))]
})

// withTables puts the usual Huffman tables into a JPEG that has none.
func withTables(data []byte) []byte {
	at := segment(data, 0xDA)
	if at < 0 || segment(data, 0xC4) >= 0 || segment(data, 0xCC) >= 0 {
		return data
	}
	whole := make([]byte, 0, len(data)+len(usualTables()))
	whole = append(whole, data[:at]...)
	whole = append(whole, usualTables()...)
	return append(whole, data[at:]...)
}

// segment is where a JPEG's first segment of a kind begins, before the pixels; -1 if
// there is none.
func segment(data []byte, marker byte) int {
	for at := 2; at+4 <= len(data) && data[at] == 0xFF; {
		m := data[at+1]
		switch {
		case m == marker:
			return at
		case m == 0xDA:
			return -1
		case m == 0xFF:
			at++
			continue
		}
		at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
	}
	return -1
}
