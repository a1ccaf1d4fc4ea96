package main

import (
	"context"
	"image"
	"image/color"
	"slices"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/track"
)

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
	if other, err := l.find(s, &p, "frontalface", box); err != nil || slices.Equal(got, other) {
		t.Errorf("boxes of frontalface frame the same as those of face: %v", err)
	}
}

func equal(a, b detector.Detection) bool {
	return a.Box == b.Box && a.Score == b.Score && a.Neighbors == b.Neighbors
}

// upsideDown returns rows from the last to the first.
func upsideDown(pix []byte, row int) []byte {
	var out []byte
	for at := len(pix) - row; at >= 0; at -= row {
		out = append(out, pix[at:at+row]...)
	}
	return out
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
