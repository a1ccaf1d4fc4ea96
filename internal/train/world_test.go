package train

import (
	"bytes"
	"context"
	"image"
	"math/rand/v2"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// side is the width and height of windows in these tests, whose objects are
// crosses, dark or bright, on noise.
const side = 14

// cross draws one into a window.
func cross(rng *rand.Rand) *image.Gray {
	g := noise(rng, side, side)
	drawCross(g, 0, 0, rng)
	return g
}

func drawCross(g *image.Gray, x0, y0 int, rng *rand.Rand) {
	bright := byte(130 + rng.IntN(60))
	for y := range side {
		for x := range side {
			if (x >= 5 && x < 9 && y >= 2 && y < 12) || (y >= 5 && y < 9 && x >= 2 && x < 12) {
				g.SetGray(x0+x, y0+y, shade(bright, rng))
			}
		}
	}
}

// noise is an image of smooth noise and a few bright bars, so that one arm of a
// cross is not enough to detect it.
func noise(rng *rand.Rand, w, h int) *image.Gray {
	g := picturetest.Grey(w, h, func(int, int) byte { return byte(60 + rng.IntN(80)) })
	for range 1 + w*h/150 {
		x, y := rng.IntN(w), rng.IntN(h)
		dx, dy := 10, 4
		if rng.IntN(2) == 0 {
			dx, dy = dy, dx
		}
		for v := y; v < min(h, y+dy); v++ {
			for u := x; u < min(w, x+dx); u++ {
				g.SetGray(u, v, shade(byte(130+rng.IntN(60)), rng))
			}
		}
	}
	return g
}

// world returns data for crosses.
func world(positives, validation, backgrounds int) *Data {
	rng := rand.New(rand.NewPCG(11, 0))
	d := &Data{Fingerprint: "crosses"}
	for range positives {
		d.Positives = append(d.Positives, cross(rng))
	}
	for range validation {
		d.Validation = append(d.Validation, cross(rng))
	}
	for range backgrounds {
		d.Backgrounds = append(d.Backgrounds, Plain{noise(rng, 60+rng.IntN(60), 60+rng.IntN(60))})
	}
	return d
}

func train(t *testing.T, d *Data, s *Settings, h *Hooks) *Result {
	t.Helper()
	r := must.Get(Run(context.Background(), d, s, h))
	if r.Cascade == nil {
		t.Fatalf("no cascade: %v", r.Reason)
	}
	must.Do(r.Cascade.Check())
	return r
}

func encoded(t *testing.T, c *cascade.Cascade) []byte {
	t.Helper()
	return must.Bytes(c.Encode)
}

// A record holds the states that a training saves.
type record [][]byte

func (r *record) save(s *State) error {
	*r = append(*r, must.Bytes(s.Encode))
	return nil
}

func (r record) state(i int) *State { return must.Get(DecodeState(bytes.NewReader(r[i]))) }

// finds returns how many of the n crosses of an image the cascade finds, and
// the number of false positives.
func finds(t *testing.T, c *cascade.Cascade, n int) (found, wrong int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(99, 0))
	g := noise(rng, 40*n, 60)
	var truth []image.Rectangle
	for i := range n {
		x, y := 40*i+5+rng.IntN(15), 5+rng.IntN(30)
		drawCross(g, x, y, rng)
		truth = append(truth, image.Rect(x, y, x+side, y+side))
	}
	d := must.Get(detector.New(&detector.Options{MaxSize: image.Pt(20, 20), Search: &cascade.Search{Stride: 1, MinCandidates: 1}, Windows: detector.WindowsAll}, c))
	all := must.Get(d.Detect(context.Background(), g))
	hit := make([]bool, n)
	for _, f := range all {
		ok := false
		for i, r := range truth {
			b := f.Box.Intersect(r)
			if 2*b.Dx()*b.Dy() > side*side {
				hit[i], ok = true, true
			}
		}
		if !ok {
			wrong++
		}
	}
	for _, h := range hit {
		if h {
			found++
		}
	}
	return found, wrong
}
