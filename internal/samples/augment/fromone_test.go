package augment

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

func mustMakeFromOne(t *testing.T, img image.Image, b []samples.Background, n int, o *OneOptions) []Window {
	t.Helper()
	return must.Get(MakeFromOne(context.Background(), img, b, n, o))
}

// disc is a light disc with a dark bar on black.
func disc(side int) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			dx, dy := 2*x+1-side, 2*y+1-side
			switch {
			case dx*dx+dy*dy > side*side*8/10:
			case y > side/2 && y < side*5/8:
				img.SetGray(x, y, color.Gray{120})
			default:
				img.SetGray(x, y, color.Gray{200})
			}
		}
	}
	return img
}

func backgroundsOf(t *testing.T, levels ...uint8) []samples.Background {
	t.Helper()
	dir := t.TempDir()
	var all []samples.Background
	for i, level := range levels {
		file := filepath.Join(dir, fmt.Sprintf("%d.png", i))
		writePNG(t, file, even(60, 50, level))
		all = append(all, samples.Background{File: file})
	}
	return all
}

// Without rotation and effects, the image fills the window unchanged.
func TestFromOnePlain(t *testing.T) {
	img := disc(72)
	w := mustMakeFromOne(t, img, nil, 2, nil)
	for y := range 24 {
		for x := range 24 {
			sum := 0
			for i := range 9 {
				sum += int(img.GrayAt(3*x+i%3, 3*y+i/3).Y)
			}
			if e := int(w[0].Grey.GrayAt(x, y).Y) - sum/9; e < -1 || e > 1 {
				t.Fatalf("pixel %d,%d is %d, want about %d", x, y, w[0].Grey.GrayAt(x, y).Y, sum/9)
			}
		}
	}
	if !bytes.Equal(w[0].Grey.Pix, w[1].Grey.Pix) {
		t.Error("nothing is random, and windows differ")
	}
	inverse := mustMakeFromOne(t, img, nil, 1, &OneOptions{Invert: true})
	for i, v := range w[0].Grey.Pix {
		if e := int(inverse[0].Grey.Pix[i]) + int(v) - 255; e < -1 || e > 1 {
			t.Fatalf("pixel %d is %d, and inverted %d", i, v, inverse[0].Grey.Pix[i])
		}
	}
}

// The ground is transparent, each background is used equally often, and the
// middle of the image is opaque.
func TestFromOneOverBackgrounds(t *testing.T) {
	b := backgroundsOf(t, 50, 90, 250)
	o := &OneOptions{Ground: &Key{0, 30}, MaxX: 0.6, MaxY: 0.6, MaxZ: math.Pi}
	w := mustMakeFromOne(t, disc(60), b, 12, o)
	for i, v := range w {
		if v.Source != b[i%3].File || v.Variant != i {
			t.Errorf("window %d is %+v", i, v)
		}
		level := []uint8{50, 90, 250}[i%3]
		for _, corner := range []image.Point{{0, 0}, {23, 0}, {0, 23}, {23, 23}} {
			if got := v.Grey.GrayAt(corner.X, corner.Y).Y; got != level {
				t.Errorf("window %d: corner %v is %d, want %d", i, corner, got, level)
			}
		}
		if got := v.Grey.GrayAt(12, 12).Y; got < 118 || got > 202 {
			t.Errorf("window %d: the middle is %d, want 120 to 200", i, got)
		}
		if i >= 3 && bytes.Equal(v.Grey.Pix, w[i-3].Grey.Pix) {
			t.Errorf("windows %d and %d are the same", i, i-3)
		}
	}
	// Fewer windows than backgrounds: from the whole list.
	w = mustMakeFromOne(t, disc(60), backgroundsOf(t, 1, 2, 3, 4, 5, 6), 2, o)
	if filepath.Base(w[0].Source) != "0.png" || filepath.Base(w[1].Source) != "3.png" {
		t.Errorf("backgrounds %s and %s, want 0.png and 3.png", w[0].Source, w[1].Source)
	}
}

// The corners of a rotated image lie on the window's edge, and map back to the
// corners.
func TestTurnedFillsTheWindow(t *testing.T) {
	one := &cutout{width: 40, height: 30}
	d := splitmix.New(1, "")
	for range 200 {
		tall := d.Between(0.5, 2)
		m := newTurned(one, d.Between(-1.4, 1.4), d.Between(-1.4, 1.4), d.Between(-3, 3), d.Between(3, 4), tall)
		// Walk along the window's edge: nothing of the image may be beyond it,
		// and some of it must touch it.
		touch := math.Inf(1)
		for i := range 400 {
			s := float64(i%100)/100 - 0.5
			p := [4]samples.Point{{X: s, Y: -tall / 2}, {X: s, Y: tall / 2}, {X: -0.5, Y: s * tall}, {X: 0.5, Y: s * tall}}[i/100]
			x, y := m.back(p.X*1.0001, p.Y*1.0001)
			away := max(-x, x-40, -y, y-30)
			if away < -0.02 {
				t.Fatalf("%v of the window is at %.3f,%.3f of the picture: it is cut off", p, x, y)
			}
			touch = min(touch, away)
		}
		if touch > 3 {
			t.Fatalf("the picture stays %.2f pixels away from the window's edge", touch)
		}
		if x, y := m.back((-m.u)/m.size, (-m.v)/m.size); math.Abs(x-20) > 1e-9 || math.Abs(y-15) > 1e-9 {
			t.Fatalf("its middle is at %v,%v, want 20,15", x, y)
		}
	}
}

func TestFromOneSameSeedSameBytes(t *testing.T) {
	b := backgroundsOf(t, 50, 90, 250)
	o := OneOptions{Ground: &Key{0, 30}, MaxX: 0.6, MaxY: 0.6, MaxZ: 1, MaxDeviation: 30, InvertRandom: true, Effects: OldPrint, Workers: 1}
	want := mustMakeFromOne(t, disc(60), b, 40, &o)
	if got := sum(want); got != "53163c4d5646f00e" {
		t.Errorf("sum %s, want 53163c4d5646f00e", got)
	}
	o.Workers = 5
	if sum(mustMakeFromOne(t, disc(60), b, 40, &o)) != sum(want) {
		t.Error("five workers make other windows")
	}
	o.Seed = 1
	if sum(mustMakeFromOne(t, disc(60), b, 40, &o)) == sum(want) {
		t.Error("the seed is of no matter")
	}
}

func TestFromOneErrors(t *testing.T) {
	whole := backgroundsOf(t, 50)
	whole[0].Exclude = []image.Rectangle{image.Rect(0, 0, 60, 50), image.Rect(0, 0, 30, 30), image.Rect(30, 0, 60, 30), image.Rect(0, 20, 30, 50), image.Rect(30, 20, 60, 50), image.Rect(15, 10, 45, 40)}
	for want, c := range map[string]struct {
		img image.Image
		b   []samples.Background
		n   int
		o   OneOptions
	}{
		"augment: a picture of 1x9 pixels, want 2x2 at least":                           {img: even(1, 9, 0), n: 1},
		"augment: -1 windows wanted":                                                    {img: disc(9), n: -1},
		"augment: turns of at most 1.5, 0 and 0 radians, want 0 to 1.4, 1.4 and 3.1416": {img: disc(9), o: OneOptions{MaxX: 1.5}},
		"augment: a deviation of 256 grey levels, want 0 to 255":                        {img: disc(9), o: OneOptions{MaxDeviation: 256}},
		"augment: a window of 24x2, want 4 to 512 pixels a side":                        {img: disc(9), o: OneOptions{Height: 2}},
		"gone.png: no such file or directory":                                           {img: disc(9), n: 1, b: []samples.Background{{File: "gone.png"}}},
		"0.png: no position without objects was found for a window":                     {img: disc(9), n: 1, b: whole},
	} {
		if _, err := MakeFromOne(context.Background(), c.img, c.b, c.n, &c.o); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// even is a constant image.
func even(w, h int, level uint8) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = level
	}
	return m
}
