package picture

import (
	"bytes"
	"context"
	"errors"
	"haarlem/internal/picturetest"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
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
