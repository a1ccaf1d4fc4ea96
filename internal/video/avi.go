package video

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"
)

// newAVI reads the header of an AVI file up to its frames (Microsoft, "AVI RIFF File
// Reference"). Only Motion JPEG is read; other streams, such as sound, and the index
// are passed over, so a pipe will do.
func newAVI(b *bufio.Reader, o *Options) (*Reader, error) {
	a := &avi{b: b, limits: *o, stream: -1}
	r := &Reader{next: a.next, form: func(data []byte, index int) (image.Image, error) { return Picture(data, &a.limits, index) }}
	for a.movi == 0 {
		if err := a.header(); err != nil {
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("%w: an AVI file that ends before its frames", ErrDamaged)
			}
			return nil, err
		}
	}
	if a.stream < 0 {
		return nil, fmt.Errorf("%w: an AVI file without Motion JPEG (its pictures are %q)", ErrFormat, a.other)
	}
	r.info = Info{Kind: "AVI with Motion JPEG", Width: a.width, Height: a.height, Rate: a.rate, Frames: a.frames}
	return r, nil
}

// An avi is an AVI file that is read.
type avi struct {
	b      *bufio.Reader
	limits Options

	streams int    // headers of streams seen
	stream  int    // the one with pictures; -1: none yet
	other   string // the codec of a stream with pictures of another kind
	isVideo bool   // the stream of the last header is the one with pictures
	rate    Rate
	frames  int
	width   int
	height  int

	movi int // lists of frames seen
}

const maxHeader = 1 << 16 // of a chunk in the header that is looked at

// header reads a chunk of the header. It returns within a list of frames.
func (a *avi) header() error {
	id, size, err := a.chunk()
	if err != nil {
		return err
	}
	switch id {
	case "RIFF", "LIST":
		kind, err := full(a.b, 4, false)
		if err != nil {
			return err
		}
		if string(kind) == "movi" {
			a.movi++
		}
		return nil // what is in it comes next
	case "strh", "strf":
		if size > maxHeader {
			return fmt.Errorf("%w: a header of %d bytes in an AVI file", ErrDamaged, size)
		}
		data, err := full(a.b, int(size+size&1), false)
		if err != nil {
			return err
		}
		if id == "strh" {
			return a.streamHeader(data[:size])
		}
		if a.isVideo && size >= 20 { // BITMAPINFOHEADER
			a.width = int(int32(binary.LittleEndian.Uint32(data[4:])))
			a.height = int(int32(binary.LittleEndian.Uint32(data[8:])))
			if a.height == math.MinInt32 {
				a.height = 0
			}
			a.height = max(a.height, -a.height)
			return a.limits.size(a.width, a.height)
		}
		return nil
	}
	return a.skip(size)
}

// streamHeader reads an AVISTREAMHEADER.
func (a *avi) streamHeader(data []byte) error {
	a.isVideo = false
	number := a.streams
	a.streams++
	if len(data) < 36 || string(data[:4]) != "vids" || a.stream >= 0 {
		return nil
	}
	if codec := strings.ToUpper(string(data[4:8])); codec != "MJPG" && codec != "JPEG" && codec != "AVRN" && codec != "\x00\x00\x00\x00" {
		a.other = string(data[4:8])
		return nil
	}
	a.isVideo, a.stream = true, number
	scale, rate := binary.LittleEndian.Uint32(data[20:]), binary.LittleEndian.Uint32(data[24:])
	if scale <= math.MaxInt32 && rate <= math.MaxInt32 && (Rate{int(rate), int(scale)}).ok() {
		a.rate = Rate{int(rate), int(scale)}
	}
	if n := binary.LittleEndian.Uint32(data[32:]); n <= math.MaxInt32 {
		a.frames = int(n)
	}
	return nil
}

// next reads the next frame of the stream with pictures.
func (a *avi) next() ([]byte, error) {
	for {
		id, size, err := a.chunk()
		if err != nil {
			return nil, err
		}
		switch {
		case id == "RIFF" || id == "LIST": // files of more than a gigabyte go on so
			if err := a.skip(4); err != nil {
				return nil, err
			}
		case size > 0 && (id == fmt.Sprintf("%02ddc", a.stream) || id == fmt.Sprintf("%02ddb", a.stream)):
			if size > int64(a.limits.MaxFrameBytes) {
				return nil, fmt.Errorf("%w: %d bytes, the limit is %d", ErrTooLarge, size, a.limits.MaxFrameBytes)
			}
			t := &taker{b: a.b, limit: a.limits.MaxFrameBytes + 1}
			data, err := t.take(int(size + size&1))
			if err != nil {
				return nil, err
			}
			return data[:size], nil
		default:
			if err := a.skip(size); err != nil {
				return nil, err
			}
		}
	}
}

// chunk reads the head of a chunk. The end of a file between two is io.EOF.
func (a *avi) chunk() (id string, size int64, err error) {
	head, err := full(a.b, 8, true)
	if err != nil {
		return "", 0, err
	}
	return string(head[:4]), int64(binary.LittleEndian.Uint32(head[4:])), nil
}

// skip passes over a chunk, and the byte behind one of odd size.
func (a *avi) skip(size int64) error {
	n, err := io.CopyN(io.Discard, a.b, size+size&1)
	if errors.Is(err, io.EOF) && n < size {
		return fmt.Errorf("%w: it ends after %d of %d bytes of a chunk", ErrDamaged, n, size)
	}
	return err
}
