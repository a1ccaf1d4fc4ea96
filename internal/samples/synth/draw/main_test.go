package main

import (
	"bytes"
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"haarlem/internal/must"
)

// drawn is the group, which takes a while, once for all tests.
var drawn = sync.OnceValue(drawGroup)

func init() { samples[0].draw = drawn }

// The images in the repository are what the program draws.
func TestSamplesAreRedrawn(t *testing.T) {
	for _, s := range samples {
		files := must.Get(s.files())
		for _, f := range files {
			path := filepath.Join("..", "..", "..", "..", "samples", f.name)
			kept, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; draw it with `go run ./internal/samples/synth/draw`", err)
			}
			if bytes.Equal(kept, f.data) {
				continue
			}
			if filepath.Ext(f.name) == ".png" && equalPixels(t, kept, f.data) {
				t.Errorf("%s has the right pixels in other bytes: this compiler packs PNG differently", path)
				continue
			}
			t.Errorf("%s is not what the program draws; run `go run ./internal/samples/synth/draw` and look at it", path)
		}
	}
}

func equalPixels(t *testing.T, a, b []byte) bool {
	decode := func(data []byte) image.Image {
		m, _ := must.Get2(image.Decode(bytes.NewReader(data)))
		return m
	}
	p, q := decode(a), decode(b)
	if p.Bounds() != q.Bounds() {
		return false
	}
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			if p.At(x, y) != q.At(x, y) {
				return false
			}
		}
	}
	return true
}

// Faces that overlap, or that the border cuts off, would make a bad truth.
func TestFacesStandApartInside(t *testing.T) {
	for _, s := range samples {
		for i, f := range s.faces {
			b := f.box()
			if !b.In(image.Rect(0, 0, pictureWidth, pictureHeight)) {
				t.Errorf("%s: face %d at %v is not wholly inside the picture", s.name, i, b)
			}
			for j, g := range s.faces[:i] {
				if b.Overlaps(g.box()) {
					t.Errorf("%s: faces %d and %d overlap", s.name, j, i)
				}
			}
		}
	}
}

// A face has what detectors look for: eyes darker than cheeks and forehead,
// a nose brighter than the eyes beside it.
func TestFacesHaveContrast(t *testing.T) {
	v := drawn()
	for i, f := range group {
		mean := func(x0, y0, x1, y1 float64) float64 { // in half boxes
			h, sum, n := f.size/2, 0.0, 0
			for y := int(f.y + y0*h); y <= int(f.y+y1*h); y++ {
				for x := int(f.x + x0*h); x <= int(f.x+x1*h); x++ {
					c := v.pix[y*v.width+x]
					sum += 0.299*c.r + 0.587*c.g + 0.114*c.b
					n++
				}
			}
			return sum / float64(n)
		}
		left, right := mean(-0.55, -0.32, -0.25, -0.12), mean(0.25, -0.32, 0.55, -0.12)
		if cheek := mean(-0.55, 0.05, -0.30, 0.25); left > 0.85*cheek {
			t.Errorf("face %d: left eye %.2f is not darker than the cheek %.2f", i, left, cheek)
		}
		if nose := mean(-0.07, -0.20, 0.03, 0.05); left > nose || right > nose {
			t.Errorf("face %d: eyes %.2f, %.2f are not darker than the nose %.2f", i, left, right, nose)
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	for b.Loop() {
		drawGroup()
	}
}
