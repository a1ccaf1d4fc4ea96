package main

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/track"
)

// A text for C is cut between characters, and has no zero byte.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		largest uint64
		want    string
	}{
		{"abc", 3, "abc"}, {"abc", 2, "ab"}, {"abc", 0, ""}, {"aé", 2, "a"}, {"aé", 3, "aé"}, {"a\x00b", 9, "a?b"}, {"\xff\xff\xff", 2, "\xff\xff"}, {"x", math.MaxUint64, "x"},
	} {
		if got := cut(c.text, c.largest); got != c.want {
			t.Errorf("cut(%q, %d) is %q, want %q", c.text, c.largest, got, c.want)
		}
	}
}

// A model with a network sees the colours of a picture in every format, and landmarks
// are those of the detector's own search.
func TestColours(t *testing.T) {
	m, err := openBuiltin("")
	if err != nil || !m.colour {
		t.Fatalf("the default model has no network (%v)", err)
	}
	const width, height = 160, 120
	img := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio444)
	bytes := make([]byte, 0, 4*width*height)
	for y := range height {
		for x := range width {
			r, g, b := byte(x*y), byte(3*x), byte(5*y^x)
			// A disc of skin with two eyes, which the cascade proposes and the
			// network judges by its colour.
			if dx, dy := x-80, y-60; dx*dx+dy*dy*3/4 < 900 {
				r, g, b = 220, 170, 140
				if dy < -2 && dy > -12 && (dx > 8 && dx < 20 || dx < -8 && dx > -20) || dy > 14 && dy < 20 && dx*dx < 120 {
					r, g, b = 70, 40, 30
				}
			}
			bytes = append(bytes, b, g, r, 255)
			var grey [1]byte
			convert(grey[:], []byte{b, g, r}, bgr)
			_, cb, cr := color.RGBToYCbCr(r, g, b)
			img.Y[y*width+x], img.Cb[y*width+x], img.Cr[y*width+x] = grey[0], cb, cr
		}
	}
	c := must.Get(models.Open(models.Default))
	o := settings{minScore: 1e-6, workers: 1}
	d := must.Get(detector.New(&detector.Options{MinScore: o.minScore, Workers: 1}, c))
	want, err := d.Detect(context.Background(), img)
	if err != nil || len(want) == 0 {
		t.Fatalf("%d detections: %v", len(want), err)
	}
	withoutColour, err := d.Detect(context.Background(), &image.Gray{Pix: img.Y, Stride: width, Rect: img.Rect})
	if err != nil || slices.EqualFunc(want, withoutColour, equal) {
		t.Fatalf("colours do not matter here: %v", err)
	}
	s := new(scratch)
	for _, p := range []pixels{
		{format: bgra, width: width, height: height, stride: 4 * width, pix: bytes},
		{format: bgra, width: width, height: height, stride: -4 * width, pix: upsideDown(bytes, 4*width)},
	} {
		if err := m.detect(s, &p, o); err != nil || !slices.EqualFunc(s.found, want, equal) {
			t.Errorf("stride %d: %v (%v), want %v", p.stride, s.found, err, want)
		}
	}
	l := must.Get(openLandmark(""))
	p := pixels{format: bgra, width: width, height: height, stride: 4 * width, pix: bytes}
	box := image.Rect(50, 25, 110, 95)
	got := must.Get(l.find(s, &p, models.Default, box))
	by := must.Get(l.predictor(models.Default))
	if want := by.PointsIn(nil, &image.Gray{Pix: img.Y, Stride: width, Rect: img.Rect}, box, 0); len(got) != 5 || !slices.Equal(got, want) {
		t.Errorf("points %v, want %v", got, want)
	}
	// Grey levels of an earlier picture are in the memory, except near the box.
	for x := range 40 {
		box := image.Rect(x*7-60, 90-x*5, x*7+20+x, 150-x*4)
		for i := range s.grey {
			s.grey[i] = byte(i * i)
		}
		got := must.Get(l.find(s, &p, models.Default, box))
		if want := by.PointsIn(nil, &image.Gray{Pix: img.Y, Stride: width, Rect: img.Rect}, box, 0); !slices.Equal(got, want) {
			t.Errorf("box %v: points %v, want %v", box, got, want)
		}
	}
	if other, err := l.find(s, &p, "frontalface-opencv", box); err != nil || slices.Equal(got, other) {
		t.Errorf("boxes of frontalface-opencv frame the same as those of face: %v", err)
	}
}

func equal(a, b detector.Detection) bool {
	return a.Box == b.Box && a.Score == b.Score && a.Neighbors == b.Neighbors
}

// upsideDown returns rows from the last to the first.
func upsideDown(pix []byte, row int) []byte {
	rows := slices.Collect(slices.Chunk(pix, row))
	slices.Reverse(rows)
	return slices.Concat(rows...)
}

// Tracks have the numbers and boxes of package track.
func TestTracker(t *testing.T) {
	tr := must.Get(newTracker(0, new(track.Options)))
	s := new(scratch)
	at := func(x int) []detector.Detection {
		return []detector.Detection{{Box: image.Rect(x, 10, x+40, 50), Score: 0.9}}
	}
	for i, want := range []struct{ tracks, index, misses int }{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, -1, 1}, {1, 0, 0}} {
		found := at(10 + 2*i)
		if want.index < 0 {
			found = nil
		}
		all, err := tr.update(s, float64(i)/25, &pixels{}, found)
		if err != nil || len(all) != want.tracks {
			t.Fatalf("frame %d: %v, %v", i, all, err)
		}
		if len(all) > 0 && (all[0].number != 1 || all[0].index != want.index || all[0].misses != want.misses || all[0].score != 0.9) {
			t.Errorf("frame %d: %+v, want %+v", i, all[0], want)
		}
	}
	if _, err := tr.update(s, 0, &pixels{}, nil); statusOf(err) != statusArgument {
		t.Errorf("back in time: %v", err)
	}
}

// A model keeps detectors for the settings used last, and gives what the detector does.
func TestModel(t *testing.T) {
	m := must.Get(openBuiltin("frontalface-opencv"))
	first := must.Get(m.detector(settings{}))
	for i := range 2 * maxPrepared {
		must.Get(m.detector(settings{minNeighbors: 1 + i}))
		again, err := m.detector(settings{})
		if err != nil || again != first {
			t.Fatalf("what is used again and again is made anew after %d others: %v", i+1, err)
		}
	}
	if len(m.recent) != maxPrepared {
		t.Errorf("%d detectors are kept, want %d", len(m.recent), maxPrepared)
	}
	if _, err := m.detector(settings{scale: 0.5}); statusOf(err) != statusArgument {
		t.Errorf("scale 0.5: %v", err)
	}
	s := new(scratch)
	g := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range g.Pix {
		g.Pix[i] = color.GrayModel.Convert(color.RGBA{byte(i), byte(3 * i), byte(i >> 3), 255}).(color.Gray).Y
	}
	p := pixels{format: grey, width: 64, height: 64, stride: 64, pix: g.Pix}
	o := settings{opencv: true, ungrouped: true, workers: 1}
	must.Do(m.detect(s, &p, o))
	if n := testing.AllocsPerRun(20, func() {
		if err := m.detect(s, &p, o); err != nil {
			t.Error(err)
		}
	}); n > 2 && !raceDetector { // the picture's header, and the method's value
		t.Errorf("%v allocations a search", n)
	}
}

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
