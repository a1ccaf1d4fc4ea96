package main

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade/detector"
)

// A layout that is accepted says how many bytes there are from the first pixel in
// memory to the last, and what cannot be is an error, without an overflow.
func TestCheckLayout(t *testing.T) {
	for _, c := range []struct {
		f                     format
		width, height, stride int
		want                  int
		err                   error
	}{
		{grey, 10, 3, 10, 30, nil},
		{grey, 10, 3, 16, 42, nil},
		{grey, 10, 3, -16, 42, nil},
		{grey, 10, 3, 0, 10, nil},
		{bgr, 10, 3, 30, 90, nil},
		{rgba, 10, 3, 50, 140, nil},
		{grey, 10, 1, math.MinInt, 0, errArgument},
		{grey, 0, 3, 99, 0, nil},
		{grey, 3, 0, 99, 0, nil},
		{0, 3, 3, 3, 0, errArgument},
		{6, 0, 0, 3, 0, errArgument},
		{grey, -1, 3, 3, 0, errArgument},
		{grey, 3, -1, 3, 0, errArgument},
		{grey, 10, 3, math.MaxInt, 0, errArgument},
		{grey, 10, 3, math.MinInt, 0, errArgument},
		{grey, math.MaxInt32, 2, 1, 0, detector.ErrImageTooLarge},
	} {
		if c.height == 1 { // strides of one row do not matter
			c.want, c.err = c.width*c.f.bytes(), nil
		}
		got, err := checkLayout(c.f, c.width, c.height, c.stride)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%+v: %d, %v", c, got, err)
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	value := func() int { return int(r.Int64() >> (64 - bits.UintSize + r.IntN(bits.UintSize))) }
	for range 100_000 {
		f, width, height, stride := format(r.IntN(7)), value(), value(), value()
		n, err := checkLayout(f, width, height, stride)
		if err != nil && n != 0 || n < 0 || err == nil && width > 0 && height > 0 && n < width*f.bytes() {
			t.Fatalf("%d, %d x %d, %d apart: %d, %v", f, width, height, stride, n, err)
		}
	}
}

// Grey rows that follow one another are not copied. Colours become grey as OpenCV's
// cvtColor makes them; these were made by OpenCV 4.14.
func TestGrey(t *testing.T) {
	pix := make([]byte, 5*12+9)
	for i := range pix {
		pix[i] = byte(i * 37)
	}
	var buf []byte
	p := pixels{format: grey, width: 9, height: 6, stride: 12, pix: pix}
	if g := p.grey(&buf); &g.Pix[0] != &pix[0] || g.Stride != 12 || buf != nil {
		t.Errorf("a copy was made")
	}
	p.stride = -12
	up := p.grey(&buf)
	for y := range 6 {
		if !slices.Equal(up.Pix[9*y:9*y+9], pix[12*(5-y):12*(5-y)+9]) {
			t.Errorf("row %d of a picture whose last comes first: %d", y, up.Pix[9*y:9*y+9])
		}
	}

	blueGreenRed := [][3]byte{{0, 0, 0}, {255, 255, 255}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {1, 2, 3}, {200, 100, 50}, {17, 19, 23}, {254, 1, 128}}
	want := []byte{0, 255, 29, 150, 76, 2, 96, 20, 68}
	for f := bgr; f <= rgba; f++ {
		var row []byte
		for _, c := range blueGreenRed {
			if f == rgb || f == rgba {
				c[0], c[2] = c[2], c[0]
			}
			row = append(row, c[:]...)
			if f.bytes() == 4 {
				row = append(row, 99)
			}
		}
		p := pixels{format: f, width: len(want), height: 1, stride: len(row), pix: row}
		if g := p.grey(&buf); !slices.Equal(g.Pix, want) {
			t.Errorf("format %d: %d, want %d", f, g.Pix, want)
		}
	}
}
