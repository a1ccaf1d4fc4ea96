package facemodel

import (
	"hash/crc32"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
)

// goldenDraw is the checksum of what TestDrawnBytes draws. A new built-in model
// changes it; the test prints the new one.
const goldenDraw uint32 = 0xcb4a7042

// The same bytes on every machine: CI runs this on other processors too.
func TestDrawnBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	g := image.NewGray(image.Rect(0, 0, 160, 120))
	for i := range 6 {
		f := Builtin().Draw(rng)
		f.Tilt = float64(i-3) / 50
		f.Paint(g, image.Rect(0, 0, 20+9*i, 20+9*i).Add(image.Pt(40*(i%3), 60*(i/3)-10)))
	}
	if got := crc32.ChecksumIEEE(g.Pix); got != goldenDraw {
		t.Errorf("checksum %08x, want %08x", got, goldenDraw)
	}
}

// window returns a face as a detection window of side pixels, on a uniform grey.
func window(f *Face, side int) *image.Gray {
	g := picturetest.Even(side, side, uint8(min(max(f.Mean, 0), 255)))
	f.Paint(g, g.Rect)
	return g
}

func meanSD(g *image.Gray) (mean, sd float64) {
	for _, v := range g.Pix {
		mean += float64(v) / float64(len(g.Pix))
	}
	for _, v := range g.Pix {
		sd += (float64(v) - mean) * (float64(v) - mean) / float64(len(g.Pix))
	}
	return mean, math.Sqrt(sd)
}

// Draws differ from each other about as much as faces do, have contrast, and
// have dark eyes at their marks.
func TestDrawsAreFaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const n, side = 300, 40
	var before *image.Gray
	darkEyes, alike := 0, 0
	for range n {
		f := Builtin().Draw(rng)
		g := window(f, side)
		if _, sd := meanSD(g); sd < 5 {
			t.Errorf("a face with a standard deviation of %.1f levels", sd)
		}
		at := func(p samples.Point) int {
			sum := 0
			for y := -1; y <= 1; y++ {
				for x := -1; x <= 1; x++ {
					sum += int(g.GrayAt(int(p.X*side)+x, int(p.Y*side)+y).Y)
				}
			}
			return sum
		}
		eyes := at(f.Marks[0]) + at(f.Marks[1])
		cheeks := at(samples.Point{X: f.Marks[0].X, Y: f.Marks[2].Y}) + at(samples.Point{X: f.Marks[1].X, Y: f.Marks[2].Y})
		if eyes < cheeks {
			darkEyes++
		}
		if before != nil {
			diff := 0
			for i := range g.Pix {
				diff += max(int(g.Pix[i])-int(before.Pix[i]), int(before.Pix[i])-int(g.Pix[i]))
			}
			if diff < 5*len(g.Pix) {
				alike++
			}
		}
		before = g
		for i, p := range f.Marks {
			want := samples.FrontalFace.Marks[i]
			if d := math.Hypot(p.X-want.X, p.Y-want.Y); d > 0.25 {
				t.Errorf("mark %d is at %v, %.2f windows off", i, p, d)
			}
		}
	}
	if darkEyes < n*90/100 {
		t.Errorf("%d of %d faces have eyes darker than cheeks", darkEyes, n)
	}
	if alike > n/50 {
		t.Errorf("%d of %d draws are like the one before", alike, n)
	}
}

// Painting is clipped at the image, and otherwise unchanged.
func TestPaintClips(t *testing.T) {
	f := Builtin().Draw(rand.New(rand.NewPCG(3, 3)))
	f.Tilt = 0.05
	whole := image.NewGray(image.Rect(-100, -100, 100, 100))
	f.Paint(whole, image.Rect(-30, -20, 20, 30))
	part := image.NewGray(image.Rect(-10, -10, 12, 13))
	f.Paint(part, image.Rect(-30, -20, 20, 30))
	for y := -10; y < 13; y++ {
		for x := -10; x < 12; x++ {
			if whole.GrayAt(x, y) != part.GrayAt(x, y) {
				t.Fatalf("(%d,%d): %v and %v", x, y, whole.GrayAt(x, y), part.GrayAt(x, y))
			}
		}
	}
	// The area that Paint visits contains the whole face.
	for i, v := range whole.Pix {
		if x, y := i%200, i/200; v != 0 && (x == 0 || y == 0 || x == 199 || y == 199) {
			t.Fatal("the face reaches the border of a picture four times its size")
		}
	}
	if must.Recover(func() { f.Paint(part, image.Rect(0, 0, 10, 11)) }) == nil {
		t.Error("a box that is no square does not panic")
	}
}

// A warp moves its marks near their targets, and keeps what is far.
func TestWarp(t *testing.T) {
	frontal := [NumMarks]samples.Point(samples.FrontalFace.Marks)
	to := frontal
	to[2].X += 0.05
	to[3].Y -= 0.03
	w := newWarp(frontal, to)
	for i, p := range frontal {
		if q := w.at(p); math.Hypot(q.X-to[i].X, q.Y-to[i].Y) > 0.003 {
			t.Errorf("mark %d goes to %v, want %v", i, q, to[i])
		}
	}
	if far := (samples.Point{X: 3, Y: 3}); w.at(far) != far {
		t.Error("a point that is far moves")
	}
}

func BenchmarkDraw(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	g := image.NewGray(image.Rect(0, 0, 48, 48))
	for b.Loop() {
		Builtin().Draw(rng).Paint(g, g.Rect)
	}
}
