package main

import (
	"image"
	"image/color"
	"testing"

	"haarlem/internal/must"
)

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
