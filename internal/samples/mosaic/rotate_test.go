package mosaic

import (
	"hash/fnv"
	"image"
	"math/rand/v2"
	"testing"

	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// Rotations by 90 degrees about the centre are exact, and so are boxes.
func TestTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	const n = 40
	src := image.NewGray(image.Rect(0, 0, n, n))
	for i := range src.Pix {
		src.Pix[i] = byte(rng.Uint32())
	}
	box := image.Rect(3, 10, 9, 16)
	for degrees, place := range map[float64]func(x, y int) (int, int){
		0:   func(x, y int) (int, int) { return x, y },
		90:  func(x, y int) (int, int) { return n - 1 - y, x },
		-90: func(x, y int) (int, int) { return y, n - 1 - x },
		180: func(x, y int) (int, int) { return n - 1 - x, n - 1 - y },
	} {
		got, boxes := rotated(src, samples.Point{X: n / 2, Y: n / 2}, degrees, []image.Rectangle{box})
		for y := range n {
			for x := range n {
				u, v := place(x, y)
				if got.GrayAt(u, v) != src.GrayAt(x, y) {
					t.Fatalf("%v degrees: the pixel at %d,%d is not at %d,%d", degrees, x, y, u, v)
				}
			}
		}
		u, v := place(box.Min.X, box.Min.Y)
		x, y := place(box.Max.X-1, box.Max.Y-1)
		want := image.Rect(min(u, x), min(v, y), max(u, x)+1, max(v, y)+1)
		if len(boxes) != 1 || boxes[0] != want {
			t.Errorf("%v degrees: box at %v, want %v", degrees, boxes, want)
		}
	}
}

// A spot at the centre of rotation stays, and others move on a circle; outside,
// the edge is repeated.
func TestTurnedByAngles(t *testing.T) {
	src := image.NewGray(image.Rect(0, 0, 81, 61))
	for i := range src.Pix {
		src.Pix[i] = 50
	}
	spot := func(g *image.Gray) (at image.Point) {
		for y := range 61 {
			for x := range 81 {
				if g.GrayAt(x, y).Y > g.GrayAt(at.X, at.Y).Y {
					at = image.Pt(x, y)
				}
			}
		}
		return at
	}
	src.Pix[20*src.Stride+60] = 250
	for _, test := range []struct {
		about samples.Point
		turn  float64
		want  image.Point
	}{
		{samples.Point{X: 60.5, Y: 20.5}, 17, image.Pt(60, 20)},
		{samples.Point{X: 40.5, Y: 20.5}, 30, image.Pt(57, 30)}, // 20 to the right, clockwise
		{samples.Point{X: 40.5, Y: 20.5}, -30, image.Pt(57, 10)},
	} {
		g, _ := rotated(src, test.about, test.turn, nil)
		if at := spot(g); at != test.want {
			t.Errorf("%+v: the spot is at %v", test, at)
		}
		if g.Rect != src.Rect || g.GrayAt(0, 0).Y != 50 || g.GrayAt(80, 60).Y != 50 {
			t.Errorf("%+v: a corner is dark, or the size has changed: %v", test, g.Rect)
		}
	}
	// The same bytes on every processor.
	g := ramp(61, 43)
	h := fnv.New64a()
	for k := range 20 {
		turnedRamp, _ := rotated(g, samples.Point{X: 30.3, Y: 20.7}, float64(k)*1.7-15, nil)
		h.Write(turnedRamp.Pix)
	}
	if got := h.Sum64(); got != 0x8244b5dc4982c5f5 {
		t.Errorf("%#x", got)
	}
}

// Rotated mosaics are other images with the same boxes.
func TestMosaicTurn(t *testing.T) {
	photos, backgrounds := scene(t)
	o := Options{MinSize: 20, MaxSize: 90, Smallest: 100, Seed: 1}
	_, plain := mosaicsOf(t, photos, backgrounds, o)
	o.Turn = 20
	all, sum := mosaicsOf(t, photos, backgrounds, o)
	if sum == plain {
		t.Error("the same pictures as without a turn")
	}
	if _, again := mosaicsOf(t, photos, backgrounds, o); again != sum {
		t.Error("other pictures the second time")
	}
	objects := 0
	for _, m := range all {
		for _, b := range m.Objects {
			if !b.Ignore {
				objects++
			}
		}
	}
	if objects != 7 {
		t.Errorf("%d objects, want 7", objects)
	}
}

// The red of colour mosaics is what grey pictures of the red give, with the same
// random numbers, and so is the green.
func TestMosaicColour(t *testing.T) {
	photos, backgrounds := scene(t)
	o := Options{MinSize: 20, MaxSize: 90, Smallest: 100, Turn: 20, Seed: 1, Effects: augment.Effects{Light: 0.5}}
	grey, _ := mosaicsOf(t, photos, backgrounds, o)
	tint := func(file string) string {
		g, err := samples.ReadGrey(file)
		if err != nil {
			t.Fatal(err)
		}
		c := image.NewNRGBA(g.Rect)
		for i, v := range g.Pix {
			copy(c.Pix[4*i:], []byte{v, v, 0, 255})
		}
		return savePNG(t, file, c)
	}
	for _, p := range photos {
		tint(p.File)
	}
	for _, b := range backgrounds {
		tint(b)
	}
	o.Colour = true
	coloured, _ := mosaicsOf(t, photos, backgrounds, o)
	if len(coloured) != len(grey) {
		t.Fatalf("%d pictures, %d in grey", len(coloured), len(grey))
	}
	for i, m := range coloured {
		for k, want := range grey[i].Picture.Pix {
			if p := m.Colour.Pix[4*k:]; p[0] != want || p[1] != want || p[2] > 60 || p[3] != 255 {
				t.Fatalf("picture %d, pixel %d: %v, want red and green of %d and no blue", i, k, p[:4], want)
			}
		}
	}
}

func ramp(w, h int) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			g.Pix[y*g.Stride+x] = byte(3*x + 2*y)
		}
	}
	return g
}
