package video

import (
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"math"
	"math/bits"
	"slices"
	"time"
)

// NewMatroska returns a writer of uncompressed 4:2:0 video with a time for each frame,
// to the nanosecond: what programs such as ffmpeg read from a pipe without losing times.
// Matroska is described in RFC 9559, its encoding EBML in RFC 8794. fullRange says that
// levels go from 0 to 255; aspect is the shape of a pixel, width by height, 0 for
// square.
func NewMatroska(w io.Writer, fullRange bool, aspect float64) Writer {
	return &matroska{w: w, fullRange: fullRange, aspect: aspect}
}

type matroska struct {
	sameSize
	w         io.Writer
	fullRange bool
	aspect    float64
	buf       []byte
}

func (m *matroska) Write(img image.Image, at time.Duration) error {
	if err := m.check(img); err != nil {
		return err
	}
	if at < 0 {
		return fmt.Errorf("frame %d: at %v, before the beginning", m.written-1, at)
	}
	planes := To420(img)
	m.buf = m.buf[:0]
	if m.written == 1 {
		m.buf = m.header(m.buf)
	}
	// A cluster a frame, since times within one reach over 32767 ticks only. The
	// block has the track's number, its time in the cluster, and the flag of a key
	// frame.
	p := newPlanes(m.size.X, m.size.Y, image.YCbCrSubsampleRatio420, false)
	block := p.bytes() + 4
	clock := element(nil, 0xE7, number(uint64(at)))
	m.buf = size(append(m.buf, 0x1F, 0x43, 0xB6, 0x75), uint64(len(clock)+1+8+block))
	m.buf = append(m.buf, clock...)
	m.buf = size(append(m.buf, 0xA3), uint64(block))
	m.buf = append(m.buf, 0x81, 0, 0, 0x80)
	m.buf = appendPlanes(m.buf, planes)
	_, err := m.w.Write(m.buf)
	return err
}

func (m *matroska) Close() error { return nil }

func (m *matroska) header(to []byte) []byte {
	text := func(s string) []byte { return []byte(s) }
	e := func(id uint32, content []byte) []byte { return element(nil, id, content) }
	to = element(to, 0x1A45DFA3, slices.Concat( // EBML
		e(0x4286, number(1)), e(0x42F7, number(1)), e(0x42F2, number(4)), e(0x42F3, number(8)),
		e(0x4282, text("matroska")), e(0x4287, number(4)), e(0x4285, number(2))))
	to = append(to, 0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF) // Segment of unknown size
	to = element(to, 0x1549A966, slices.Concat(                                             // Info
		e(0x2AD7B1, number(1)), // a tick is a nanosecond
		e(0x4D80, text("haarlem")), e(0x5741, text("haarlem"))))
	picture := slices.Concat(e(0xB0, number(uint64(m.size.X))), e(0xBA, number(uint64(m.size.Y))), e(0x2EB524, text("I420")))
	if m.aspect > 0 && m.aspect != 1 {
		picture = slices.Concat(picture, e(0x54B0, number(uint64(max(1, math.Round(float64(m.size.X)*m.aspect))))), e(0x54BA, number(uint64(m.size.Y))))
	}
	if m.fullRange {
		picture = slices.Concat(picture, e(0x55B0, e(0x55B9, number(2))))
	}
	return element(to, 0x1654AE6B, e(0xAE, slices.Concat( // Tracks, TrackEntry
		e(0xD7, number(1)), e(0x73C5, number(1)), e(0x83, number(1)), e(0x9C, number(0)),
		e(0x86, text("V_UNCOMPRESSED")), e(0xE0, picture))))
}

// element appends an element of EBML. Identifiers hold their own length.
func element(to []byte, id uint32, content []byte) []byte {
	var all [4]byte
	binary.BigEndian.PutUint32(all[:], id)
	to = append(to, all[4-(bits.Len32(id)+7)/8:]...)
	to = size(to, uint64(len(content)))
	return append(to, content...)
}

// size appends a length in eight bytes.
func size(to []byte, n uint64) []byte { return binary.BigEndian.AppendUint64(to, n|1<<56) }

// number is an unsigned integer in as few bytes as it takes.
func number(n uint64) []byte {
	var all [8]byte
	binary.BigEndian.PutUint64(all[:], n)
	return all[8-max(1, (bits.Len64(n)+7)/8):]
}
