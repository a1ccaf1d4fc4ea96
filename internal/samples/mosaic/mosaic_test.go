package mosaic

import (
	"context"
	"fmt"
	"hash/fnv"
	"image"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// scene writes photographs with a white square each, and two backgrounds.
func scene(t *testing.T) (photos []samples.Photo, backgrounds []string) {
	dir := t.TempDir()
	for i := range 7 {
		g := picturetest.Noise(60, 60, uint64(i))
		b := box(12+i, 15, 30)
		picturetest.Fill(g, b, 255)
		file := picturetest.Save(filepath.Join(dir, fmt.Sprintf("f%d.png", i)), g)
		photos = append(photos, samples.Photo{File: file, Objects: []samples.Object{{Box: b, Tags: map[string]string{"pose": fmt.Sprint(i % 3)}}}})
	}
	for i := range 2 {
		backgrounds = append(backgrounds, picturetest.Save(filepath.Join(dir, fmt.Sprintf("b%d.png", i)), picturetest.Noise(300, 200, uint64(90+i))))
	}
	return photos, backgrounds
}

func mosaicsOf(t *testing.T, photos []samples.Photo, backgrounds []string, o Options) (all []*Mosaic, sum uint64) {
	t.Helper()
	h := fnv.New64a()
	must.Do(Mosaics(context.Background(), photos, backgrounds, &o, func(m *Mosaic) error {
		all = append(all, m)
		h.Write(m.Picture.Pix)
		fmt.Fprint(h, filepath.Base(m.Background))
		for _, o := range m.Objects {
			fmt.Fprint(h, o.Box, o.Ignore, o.Tags["pose"])
		}
		return nil
	}))
	return all, h.Sum64()
}

func TestMosaics(t *testing.T) {
	photos, backgrounds := scene(t)
	o := Options{MinSize: 20, MaxSize: 50, Faces: 3, Smallest: 100, Seed: 5}
	all, sum := mosaicsOf(t, photos, backgrounds, o)
	seen := map[string]int{}
	for _, m := range all {
		if m.Picture.Rect != image.Rect(0, 0, 300, 200) {
			t.Errorf("a picture of %v", m.Picture.Rect)
		}
		for i, a := range m.Objects {
			if a.Ignore {
				continue
			}
			seen[a.Tags["source"]]++
			if n := a.Box.Dx(); n != a.Box.Dy() || n < 20 || n > 50 {
				t.Errorf("a box of %v", a.Box)
			}
			// The object is in its box: white inside, grey around it.
			in := a.Box.Inset(2)
			for _, p := range []image.Point{in.Min, in.Max.Sub(image.Pt(1, 1)), {X: in.Min.X, Y: in.Max.Y - 1}} {
				if v := m.Picture.GrayAt(p.X, p.Y).Y; v < 240 {
					t.Errorf("%v of %v is %d, want white", p, a.Box, v)
				}
			}
			ring := a.Box.Inset(-3)
			for _, p := range []image.Point{ring.Min, ring.Max.Sub(image.Pt(1, 1))} {
				if v := m.Picture.GrayAt(p.X, p.Y).Y; v > 130 {
					t.Errorf("%v outside of %v is %d, want grey", p, a.Box, v)
				}
			}
			for _, b := range m.Objects[i+1:] {
				if b.Ignore {
					c := image.Pt((a.Box.Min.X+a.Box.Max.X)/2, (a.Box.Min.Y+a.Box.Max.Y)/2)
					if c.In(b.Box) {
						t.Errorf("%v is to be ignored, but is in the midst of %v", b.Box, a.Box)
					}
				} else if a.Box.Overlaps(b.Box) {
					t.Errorf("%v lies on %v", a.Box, b.Box)
				}
			}
		}
	}
	if len(seen) != len(photos) {
		t.Errorf("%d of %d objects", len(seen), len(photos))
	}
	for file, n := range seen {
		if n != 1 {
			t.Errorf("%s is there %d times", file, n)
		}
	}
	o.Workers = 5
	if _, again := mosaicsOf(t, photos, backgrounds, o); again != sum {
		t.Error("another number of workers made other pictures")
	}
	o.Seed++
	if _, other := mosaicsOf(t, photos, backgrounds, o); other == sum {
		t.Error("another seed made the same pictures")
	}
}

// The bytes are the same on every processor and from version to version, so
// that sets can be made again for comparison.
func TestMosaicBytes(t *testing.T) {
	photos, backgrounds := scene(t)
	_, plain := mosaicsOf(t, photos, backgrounds, Options{MinSize: 20, MaxSize: 90, Smallest: 100, Seed: 1, Cut: 0.3})
	_, augmented := mosaicsOf(t, photos, backgrounds, Options{MinSize: 20, MaxSize: 90, Smallest: 100, Seed: 1, Effects: someEffects})
	if plain != wantPlain || augmented != wantEffects {
		t.Errorf("%#x and %#x, want %#x and %#x", plain, augmented, uint64(wantPlain), uint64(wantEffects))
	}
}

var someEffects = augment.Effects{Light: 0.3, Ink: 0.3, Posterise: 0.3, Noise: 10, Legible: 0.5}

const (
	wantPlain   = 0x815a6c9ed741c616
	wantEffects = 0xfe52d22b14892607
)

// With effects the same objects are in the same positions; tiles and
// backgrounds are degraded independently, for any number of workers.
func TestMosaicEffects(t *testing.T) {
	photos, backgrounds := scene(t)
	o := Options{MinSize: 20, MaxSize: 50, Faces: 3, Smallest: 100, Seed: 5}
	plain, _ := mosaicsOf(t, photos, backgrounds, o)
	o.Effects = augment.Effects{Faint: 1}
	degraded, sum := mosaicsOf(t, photos, backgrounds, o)
	if len(degraded) != len(plain) {
		t.Fatalf("%d pictures, %d without effects", len(degraded), len(plain))
	}
	levels := map[byte]bool{}
	for i, m := range degraded {
		if !slices.EqualFunc(m.Objects, plain[i].Objects, func(a, b samples.Object) bool { return a.Box == b.Box && a.Ignore == b.Ignore }) {
			t.Errorf("picture %d: other objects than without effects", i)
		}
		for _, ob := range m.Objects {
			if ob.Ignore {
				continue
			}
			c := image.Pt((ob.Box.Min.X+ob.Box.Max.X)/2, (ob.Box.Min.Y+ob.Box.Max.Y)/2)
			in, out := m.Picture.GrayAt(c.X, c.Y).Y, m.Picture.GrayAt(c.X, ob.Box.Min.Y-4).Y
			if d := int(in) - int(out); d < 1 || d > 60 { // of 145
				t.Errorf("%v: %d on %d, want a faint white", ob.Box, in, out)
			}
			levels[in] = true
		}
	}
	if len(levels) < 5 {
		t.Errorf("%d different tiles of 7", len(levels))
	}
	o.Workers = 5
	if _, again := mosaicsOf(t, photos, backgrounds, o); again != sum {
		t.Error("another number of workers made other pictures")
	}

	// Objects that extend beyond their photographs, one of them completely
	// outside.
	photos[0].Objects[0].Box = box(50, 20, 30)
	photos[1].Objects[0].Box = box(62, 20, 30)
	if got, _ := mosaicsOf(t, photos, backgrounds, o); len(got) == 0 {
		t.Error("no mosaics of objects outside of their photographs")
	}
}

// Backgrounds alone occur once each, degraded independently, for any number of
// workers.
func TestDegraded(t *testing.T) {
	_, backgrounds := scene(t)
	backgrounds = append(backgrounds, picturetest.Save(filepath.Join(t.TempDir(), "small.png"), picturetest.Noise(300, 99, 7)))
	degraded := func(o Options) (all []*Mosaic, sum uint64) {
		t.Helper()
		h := fnv.New64a()
		must.Do(Degraded(context.Background(), backgrounds, &o, func(m *Mosaic) error {
			all = append(all, m)
			h.Write(m.Picture.Pix)
			return nil
		}))
		return all, h.Sum64()
	}
	plain, undegraded := degraded(Options{Smallest: 100})
	var files []string
	for _, m := range plain {
		files = append(files, m.Background)
		if want, err := samples.ReadGrey(m.Background); err != nil || !slices.Equal(m.Picture.Pix, want.Pix) {
			t.Errorf("%s is not as it was, and nothing was to spoil it (%v)", m.Background, err)
		}
		if len(m.Objects) > 0 {
			t.Errorf("%d objects in %s, want none", len(m.Objects), m.Background)
		}
	}
	slices.Sort(files)
	if !slices.Equal(files, backgrounds[:2]) {
		t.Errorf("made of %v, want each of %v, and not what is too small", files, backgrounds[:2])
	}
	if all, _ := degraded(Options{Smallest: 50}); len(all) != 3 {
		t.Errorf("%d pictures, want 3", len(all))
	}
	sums := map[uint64]string{undegraded: "undegraded"}
	for name, o := range map[string]Options{
		"print and scan":          {Smallest: 100, PrintAndScan: true},
		"effects":                 {Smallest: 100, Effects: someEffects},
		"another seed":            {Smallest: 100, Effects: someEffects, Seed: 1},
		"ink":                     {Smallest: 100, Effects: augment.Effects{Ink: 1}},
		"ink about large objects": {Smallest: 100, Effects: augment.Effects{Ink: 1}, MinSize: 140},
		"effects and print":       {Smallest: 100, Effects: someEffects, PrintAndScan: true},
	} {
		_, sum := degraded(o)
		if was := sums[sum]; was != "" {
			t.Errorf("%s: the same pictures as %s", name, was)
		}
		sums[sum] = name
		o.Workers = 3
		if _, again := degraded(o); again != sum {
			t.Errorf("%s: another number of workers made other pictures", name)
		}
	}
	for _, c := range []struct {
		backgrounds []string
		o           Options
		want        string
	}{
		{backgrounds, Options{}, "none of the 3 backgrounds has 400 pixels on its shorter side"},
		{[]string{"no.png"}, Options{}, "no.png"},
		{backgrounds, Options{Effects: augment.Effects{Hat: 0.5}}, "mosaic: the jitter sets hat"},
	} {
		err := Degraded(context.Background(), c.backgrounds, &c.o, func(*Mosaic) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Degraded(ctx, backgrounds, &Options{Smallest: 100}, func(*Mosaic) error { return nil }); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestMosaicErrors(t *testing.T) {
	photos, backgrounds := scene(t)
	for _, c := range []struct {
		photos      []samples.Photo
		backgrounds []string
		o           Options
		want        string
	}{
		{photos, nil, Options{}, "no backgrounds for the mosaics"},
		{nil, backgrounds, Options{}, "no object for the mosaics"},
		{photos, backgrounds, Options{}, "none of the 2 backgrounds for the mosaics has 400 pixels on its shorter side"},
		{photos, backgrounds, Options{Smallest: 100, MinSize: 250, MaxSize: 280}, "7 objects of up to 280 pixels found no room on any background"},
		{photos, backgrounds, Options{MinSize: 30, MaxSize: 20}, "sizes of 30 to 20 pixels"},
		{photos, backgrounds, Options{Cut: 2}, "cut 2"},
		{photos, backgrounds, Options{Turn: 181}, "turned by 181 degrees"},
		{photos, backgrounds, Options{Effects: augment.Effects{Hat: 0.5}}, "mosaic: the jitter sets hat"},
		{photos, backgrounds, Options{Smallest: 100, Effects: augment.Effects{Ink: 3}}, "mosaic: jitter: ink is 3"},
		{photos, []string{"no.png"}, Options{}, "no.png"},
	} {
		err := Mosaics(context.Background(), c.photos, c.backgrounds, &c.o, func(*Mosaic) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Mosaics(ctx, photos, backgrounds, &Options{Smallest: 100}, func(*Mosaic) error { return nil }); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func box(x, y, side int) image.Rectangle { return image.Rect(x, y, x+side, y+side) }

// Rotations by 90 degrees about the centre are exact, and so are boxes.
func TestTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	const n = 40
	src := picturetest.Grey(n, n, func(int, int) byte { return byte(rng.Uint32()) })
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
	src := picturetest.Even(81, 61, 50)
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
	g := picturetest.Ramp(61, 43)
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
		g := must.Get(samples.ReadGrey(file))
		c := image.NewNRGBA(g.Rect)
		for i, v := range g.Pix {
			copy(c.Pix[4*i:], []byte{v, v, 0, 255})
		}
		return picturetest.Save(file, c)
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
