package picture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// maxScans is the largest number of scans of a JPEG file. Encoders write about ten. Each
// costs time in proportion to the pixels, however few bytes it has.
const maxScans = 100

// fullScans is the same for a picture of [Options].MaxPixels: scans times pixels are held to
// as many, so that no picture takes more than a few seconds.
const fullScans = 32

// A jpegScan is one scan of a file.
type jpegScan struct {
	at         int64  // of its marker
	components []byte // identifiers
	first      int    // coefficient
}

// A jpegLayout says where things are in a file.
type jpegLayout struct {
	heightAt    int64
	components  []byte // identifiers
	rows        int    // of pixels in a row of blocks
	progressive bool
	scans       []jpegScan

	whole bool  // there is an end mark
	end   int64 // of what is complete, but for the last scan, if there is none
}

// Markers.
const (
	sof0, sof1, sof2 = 0xC0, 0xC1, 0xC2
	soi, eoi, sos    = 0xD8, 0xD9, 0xDA
	rst0, rst7       = 0xD0, 0xD7
)

// A jpegWalker goes through a file from marker to marker, as decoders do, but decodes
// nothing.
type jpegWalker struct {
	r      *io.SectionReader
	memory []byte
	buf    []byte // from at on
	at     int64
}

// from returns bytes from a place on: n or more if the file has them.
func (w *jpegWalker) from(at int64, n int) []byte {
	if at < w.at || at+int64(n) > w.at+int64(len(w.buf)) {
		have, _ := w.r.ReadAt(w.memory, at) // what is missing is missed below
		w.buf, w.at = w.memory[:have], at
	}
	return w.buf[at-w.at:]
}

// marker returns the place of the next marker. ended says that there is none before the
// place, where the file ends.
func (w *jpegWalker) marker(at int64) (next int64, ended bool) {
	for {
		b := w.from(at, 2)
		skip := bytes.IndexByte(b, 0xFF)
		switch {
		case len(b) == 0 || len(b) == 1 && skip == 0:
			return at, true
		case skip < 0:
			at += int64(len(b))
		case skip > 0:
			at += int64(skip)
		case b[1] == 0xFF: // fill
			at++
		case b[1] == 0 || b[1] >= rst0 && b[1] <= rst7:
			at += 2
		default:
			return at, false
		}
	}
}

// layoutOfJPEG walks through a file: as far as decoders would go, or until it has more
// than maxScans scans.
func layoutOfJPEG(r *io.SectionReader) (*jpegLayout, error) {
	l := &jpegLayout{}
	w := &jpegWalker{r: r, memory: make([]byte, min(1<<17, r.Size()))}
	for at := int64(2); ; {
		var ended bool
		if at, ended = w.marker(at); ended {
			l.end = at
			return l, nil
		}
		h := w.from(at, 4)
		if len(h) < 2 { // it was there a moment ago
			return nil, errEnd
		}
		marker := h[1]
		if marker == eoi {
			l.whole = true
			return l, nil
		}
		length := int64(2)
		if len(h) >= 4 {
			length = int64(binary.BigEndian.Uint16(h[2:]))
		}
		if len(h) < 4 || at+2+length > r.Size() {
			l.end = at
			return l, nil
		}
		body := w.from(at+4, int(max(length-2, 0)))[:max(length-2, 0)]
		switch {
		case marker >= sof0 && marker <= sof2:
			if len(body) < 6 || len(body) < 6+3*int(body[5]) || l.heightAt != 0 {
				return nil, errLayout
			}
			l.progressive = marker == sof2
			l.heightAt, l.rows = at+5, 8
			for c := range int(body[5]) {
				l.components = append(l.components, body[6+3*c])
				if body[5] > 1 { // alone, its factors mean nothing
					l.rows = max(l.rows, 8*int(body[7+3*c]&15))
				}
			}
		case marker == sos:
			if len(body) < 4 || len(body) != 4+2*int(body[0]) {
				return nil, errLayout
			}
			if len(l.scans) == maxScans {
				return nil, fmt.Errorf("%w: JPEG with more than %d scans", ErrTooLarge, maxScans)
			}
			s := jpegScan{at: at, first: int(body[len(body)-3])}
			for c := range int(body[0]) {
				s.components = append(s.components, body[1+2*c])
			}
			l.scans = append(l.scans, s)
		}
		at += 2 + length
	}
}

// errLayout is about files which no decoder gets past that place either.
var errLayout = fmt.Errorf("%w: JPEG header: a segment contradicts itself", ErrDamaged)

// errEnd is about a file without an end mark.
var errEnd = fmt.Errorf("%w: JPEG pixels: the file ends too early", ErrDamaged)

// Memory of a progressive picture of four colours: coefficients of 16 bytes, and two
// copies of pixels, of 4 bytes each, beside a plane. Of all others, up to fifteen bytes a
// pixel.
const cmykBytes, pixelBytes = 25, 16

// checkJPEG is a codec's check.
func checkJPEG(r *io.SectionReader, h header, o *Options) error {
	l, err := layoutOfJPEG(r)
	if err != nil {
		return err
	}
	pixels, limit := float64(h.width)*float64(h.height), float64(o.maxPixels())
	if pixels*float64(len(l.scans)) > limit*fullScans {
		return fmt.Errorf("%w: JPEG with %dx%d = %.1f megapixels and %d scans, the limit for these is %.0f",
			ErrTooLarge, h.width, h.height, pixels/1e6, len(l.scans), math.Floor(limit*fullScans/pixels))
	}
	if l.progressive && len(l.components) == 4 && pixels*cmykBytes > limit*pixelBytes {
		return fmt.Errorf("%w: progressive JPEG of CMYK with %dx%d = %.1f megapixels, the limit for these is %.1f, since they take more memory than others",
			ErrTooLarge, h.width, h.height, pixels/1e6, limit*pixelBytes/cmykBytes/1e6)
	}
	if !l.whole {
		return errEnd
	}
	return nil
}
