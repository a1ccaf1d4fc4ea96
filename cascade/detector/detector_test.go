package detector_test

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/integral"
	"haarlem/internal/drawn"
	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/orient"
	"haarlem/models/face"
	"haarlem/models/facefast"
	"haarlem/models/frontalfaceopen"
)

// with returns an edited copy of c's settings.
func with(c *cascade.Cascade, edit func(*cascade.Search)) *cascade.Search {
	s := c.Search
	edit(&s)
	return &s
}

// newDetector returns a detector of faces, turned ones too, of which trees are sure.
func newDetector(t testing.TB, o *detector.Options) *detector.Detector {
	t.Helper()
	return must.Get(detector.New(o, must.Get(facefast.Router())))
}

// newUpright returns a detector of upright faces.
func newUpright(t testing.TB, o *detector.Options) *detector.Detector {
	t.Helper()
	return must.Get(detector.New(o, must.Get(frontalfaceopen.Cascade())))
}

func detectIn(t testing.TB, d *detector.Detector, m image.Image) []detector.Detection {
	t.Helper()
	return must.Get(d.Detect(context.Background(), m))
}

// group is the drawn image of eleven people, which nobody draws on.
var group = sync.OnceValue(func() image.Image {
	f := must.Get(os.Open("../../samples/group.png"))
	defer f.Close()
	return must.Get(png.Decode(f))
})

func greyCopy(m image.Image) *image.Gray {
	g := image.NewGray(m.Bounds())
	draw.Draw(g, g.Rect, m, m.Bounds().Min, draw.Src)
	return g
}

// noise is a picture of random pixels.
func noise(rng *rand.Rand, r image.Rectangle) *image.Gray {
	g := image.NewGray(r)
	for i := range g.Pix {
		g.Pix[i] = byte(rng.Uint32())
	}
	return g
}

// covered reports whether some box has about the centre and the size of r.
func covered(found []detector.Detection, r image.Rectangle) bool {
	return slices.ContainsFunc(found, func(d detector.Detection) bool {
		c, k := d.Box.Min.Add(d.Box.Max).Div(2), r.Min.Add(r.Max).Div(2)
		near := math.Hypot(float64(c.X-k.X), float64(c.Y-k.Y)) < 0.3*float64(r.Dx())
		return near && d.Box.Dx() < 2*r.Dx() && r.Dx() < 2*d.Box.Dx()
	})
}

// A plain is an image of an unknown type.
type plain struct{ m image.Image }

func (p plain) ColorModel() color.Model { return p.m.ColorModel() }
func (p plain) Bounds() image.Rectangle { return p.m.Bounds() }
func (p plain) At(x, y int) color.Color { return p.m.At(x, y) }

// kinds are the image types of the standard library, and one other.
func kinds(r image.Rectangle) map[string]draw.Image {
	grey := make(color.Palette, 256)
	for i := range grey {
		grey[i] = color.Gray{Y: uint8(i)}
	}
	return map[string]draw.Image{
		"Gray": image.NewGray(r), "Gray16": image.NewGray16(r), "RGBA": image.NewRGBA(r), "NRGBA": image.NewNRGBA(r),
		"RGBA64": image.NewRGBA64(r), "NRGBA64": image.NewNRGBA64(r), "CMYK": image.NewCMYK(r), "Paletted": image.NewPaletted(r, grey),
	}
}

// TestColourModels finds the same faces in every type of image, in images whose
// origin is not zero, and in parts of them.
func TestColourModels(t *testing.T) {
	const dx, dy = -70, 1000
	grey := greyCopy(group())
	r := grey.Rect.Add(image.Pt(dx, dy))
	d := newDetector(t, &detector.Options{MinSize: image.Pt(30, 30)})
	want := detectIn(t, d, grey)
	if len(want) < 10 {
		t.Fatalf("%d faces, want at least 10", len(want))
	}
	for i := range want {
		want[i].Box = want[i].Box.Add(image.Pt(dx, dy))
	}
	cut := image.Rect(300+dx, 120+dy, 700+dx, 420+dy)
	cutGrey := image.NewGray(image.Rect(0, 0, cut.Dx(), cut.Dy()))
	draw.Draw(cutGrey, cutGrey.Rect, grey, cut.Min.Sub(image.Pt(dx, dy)), draw.Src)
	wantCut := detectIn(t, d, cutGrey)
	for i := range wantCut {
		wantCut[i].Box = wantCut[i].Box.Add(cut.Min)
	}
	check := func(name string, m image.Image) {
		t.Helper()
		if got := detectIn(t, d, m); !slices.EqualFunc(got, want, detector.Detection.Equal) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
		if s, ok := m.(interface {
			SubImage(image.Rectangle) image.Image
		}); ok {
			if got := detectIn(t, d, s.SubImage(cut)); !slices.EqualFunc(got, wantCut, detector.Detection.Equal) {
				t.Errorf("part of %s: %v, want %v", name, got, wantCut)
			}
		}
	}
	for name, m := range kinds(r) {
		draw.Draw(m, r, grey, image.Point{}, draw.Src)
		check(name, m)
		if testing.Short() {
			continue
		}
		check(name+" behind an interface", plain{m})
	}
	y := image.NewYCbCr(r, image.YCbCrSubsampleRatio420)
	a := image.NewNYCbCrA(r, image.YCbCrSubsampleRatio444)
	for i := range grey.Pix {
		y.Y[i], a.Y[i], a.A[i] = grey.Pix[i], grey.Pix[i], 255
	}
	for i := range y.Cb {
		y.Cb[i], y.Cr[i] = 128, 128
	}
	for i := range a.Cb {
		a.Cb[i], a.Cr[i] = 128, 128
	}
	check("YCbCr", y)
	check("opaque NYCbCrA", a)
	a.A[0] = 254 // one pixel of 400,000: colours are converted one by one
	if got := detectIn(t, d, a); !slices.EqualFunc(got, want, detector.Detection.Equal) {
		t.Errorf("NYCbCrA: %v, want %v", got, want)
	}
}

// TestGreyInBands compares the grey levels of Detect, made band by band and
// only where needed, with luma.Of's of the whole image.
func TestGreyInBands(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it depends on the processor")
	}
	r := image.Rect(-5, 3, 596, 503) // several bands, the last one short
	for name, m := range kinds(r) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				h := drawn.Scramble(8, x/5, y/7)
				m.Set(x, y, color.NRGBA{uint8(h), uint8(h >> 8), uint8(h >> 16), uint8(h>>24 | 0x80)})
			}
		}
		for _, m := range []image.Image{m, plain{m}} {
			c := barCascade()
			d := must.Get(detector.New(&detector.Options{Scale: 1.5, Ungrouped: true}, c))
			g, _ := luma.Of(m, nil)
			want := must.Get(d.AppendDetect(context.Background(), nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: r}))
			if got := detectIn(t, d, m); len(want) == 0 || !slices.EqualFunc(got, want, detector.Detection.Equal) {
				t.Errorf("%s: %d candidates, want %d, or others", name, len(got), len(want))
			}
		}
	}
}

// TestSmallImages: no window fits, and nothing fails.
func TestSmallImages(t *testing.T) {
	for _, angles := range [][]float64{nil, {0, 33, 90}} {
		d := newUpright(t, &detector.Options{Angles: angles, Workers: 2})
		for _, size := range []image.Point{{0, 0}, {0, 9}, {9, 0}, {1, 1}, {500, 1}, {1, 500}, {23, 24}, {24, 23}, {24, 24}, {25, 24}, {24, 300}} {
			r := image.Rectangle{Max: size}.Add(image.Pt(7, -9))
			for name, m := range kinds(r) {
				if found := detectIn(t, d, m); len(found) != 0 {
					t.Errorf("%s of %v: %v", name, size, found)
				}
			}
			if found, err := d.AppendDetect(context.Background(), nil, image.NewGray(r)); err != nil || len(found) != 0 {
				t.Errorf("grey, %v: %v, %v", size, found, err)
			}
		}
	}
}

// TestEndlessImage: an image.Uniform is two billion pixels wide and high. That
// is an error instead of exhausted memory; a region of it can be searched.
func TestEndlessImage(t *testing.T) {
	endless := image.NewUniform(color.White)
	if found, err := newDetector(t, nil).Detect(context.Background(), endless); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("%v, %v; want ErrImageTooLarge", found, err)
	}
	part := &detector.Options{Region: image.Rect(-50, -50, 50, 50)}
	if found, err := newDetector(t, part).Detect(context.Background(), endless); err != nil || len(found) != 0 {
		t.Errorf("in a region: %v, %v", found, err)
	}
	// A network looks beyond the region, and a picture of this type is converted whole.
	if found, err := must.Get(detector.New(part, must.Get(face.Cascade()))).Detect(context.Background(), endless); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("in a region, with a network: %v, %v; want ErrImageTooLarge", found, err)
	}
}

// TestRegion: a region is searched like an image of its own, and boxes stay in
// the image's coordinates.
func TestRegion(t *testing.T) {
	whole := group()
	rgba := image.NewRGBA(whole.Bounds().Add(image.Pt(40, -300)))
	draw.Draw(rgba, rgba.Rect, whole, whole.Bounds().Min, draw.Src)
	region := image.Rect(-100, -60, 240, 200) // the lower left corner, and beyond
	inside := region.Intersect(rgba.Rect)
	want := detectIn(t, newDetector(t, nil), rgba.SubImage(inside))
	if len(want) == 0 {
		t.Fatal("no face in the region")
	}
	d := newDetector(t, &detector.Options{Region: region})
	if got := detectIn(t, d, rgba); !slices.EqualFunc(got, want, detector.Detection.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, err := d.AppendDetect(context.Background(), nil, greyCopy(rgba)); err != nil || !slices.EqualFunc(got, want, detector.Detection.Equal) {
		t.Errorf("grey: %v, %v, want %v", got, err, want)
	}
	for _, box := range want {
		if !box.Box.In(inside) {
			t.Errorf("%v is not in the region %v", box.Box, inside)
		}
	}
	d = newDetector(t, &detector.Options{Region: image.Rect(5000, 0, 5100, 90)})
	if got := detectIn(t, d, rgba); len(got) != 0 {
		t.Errorf("beside the image: %v", got)
	}
}

// turned returns m rotated clockwise about its centre, on a square canvas that
// holds all of it, and a function that maps points of m there.
func turned(m *image.Gray, degrees float64) (*image.Gray, func(x, y float64) (float64, float64)) {
	w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
	n := int(math.Ceil(math.Hypot(w, h)))
	g := image.NewGray(image.Rect(0, 0, n, n))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	half := float64(n) / 2
	for y := range n {
		for x := range n {
			dx, dy := float64(x)+0.5-half, float64(y)+0.5-half
			sx, sy := int(math.Floor(cos*dx+sin*dy+w/2)), int(math.Floor(-sin*dx+cos*dy+h/2))
			g.Pix[y*g.Stride+x] = m.GrayAt(min(max(sx, 0), int(w)-1), min(max(sy, 0), int(h)-1)).Y
		}
	}
	return g, func(x, y float64) (float64, float64) {
		x, y = x-w/2, y-h/2
		return cos*x - sin*y + half, sin*x + cos*y + half
	}
}

// TestAngles rotates the group, and finds its faces in the rotated image's
// coordinates, whatever its origin.
func TestAngles(t *testing.T) {
	grey := greyCopy(group())
	// Upside-down faces get a medium score.
	const sure = 0.9
	upright := newUpright(t, &detector.Options{MinSize: image.Pt(60, 60), MinScore: sure})
	faces := detectIn(t, upright, grey)
	if len(faces) < 7 {
		t.Fatalf("%d upright faces, want at least 7", len(faces))
	}
	for _, degrees := range []float64{90, 180, 270, -90, 30, 40, -45} {
		m, gone := turned(grey, degrees)
		shift := image.Pt(-300, 77)
		m.Rect = m.Rect.Add(shift)
		d := newUpright(t, &detector.Options{MinSize: image.Pt(60, 60), MinScore: sure, Angles: []float64{degrees}})
		found := detectIn(t, d, m)
		missed := 0
		for _, f := range faces {
			x, y := gone(float64(f.Box.Min.X+f.Box.Max.X)/2, float64(f.Box.Min.Y+f.Box.Max.Y)/2)
			half := f.Box.Dx() / 2
			c := image.Pt(int(x), int(y)).Add(shift)
			if !covered(found, image.Rectangle{Min: c.Sub(image.Pt(half, half)), Max: c.Add(image.Pt(half, half))}) {
				missed++
			}
		}
		if missed > 1 {
			t.Errorf("%v degrees: %d of %d faces missed among %v", degrees, missed, len(faces), found)
		}
		// The model finds half of them at 30 degrees.
		if n := len(detectIn(t, upright, m)); n >= len(found) || degrees != 30 && n > len(faces)/3 {
			t.Errorf("%v degrees: %d faces are found upright, so they are hardly turned", degrees, n)
		}
	}
}

// TestChoices tests each of the simple options.
func TestChoices(t *testing.T) {
	grey := greyCopy(group())
	c := must.Get(facefast.Router())
	any := with(c, func(s *cascade.Search) { s.MinScore = 0 })
	every := with(c, func(s *cascade.Search) { s.MinCandidates, s.MinScore = 1, 0 })
	all := detectIn(t, newDetector(t, &detector.Options{Search: every}), grey)
	if !slices.IsSortedFunc(all, func(a, b detector.Detection) int { return cmp.Compare(b.Score, a.Score) }) {
		t.Errorf("not best first: %v", all)
	}
	only := func(keep func(d detector.Detection) bool) (some []detector.Detection) {
		for _, d := range all {
			if keep(d) {
				some = append(some, d)
			}
		}
		return some
	}
	middle := all[len(all)/2].Score
	want := only(func(d detector.Detection) bool { return d.Score >= middle })
	if got := detectIn(t, newDetector(t, &detector.Options{Search: every, MinScore: middle}), grey); !slices.EqualFunc(got, want, detector.Detection.Equal) {
		t.Errorf("MinScore %v: %v, want %v", middle, got, want)
	}
	for _, n := range []int{1, 6, 40} {
		want := only(func(d detector.Detection) bool { return d.Neighbors > n })
		if got := detectIn(t, newDetector(t, &detector.Options{MinNeighbors: n, Search: any}), grey); !slices.EqualFunc(got, want, detector.Detection.Equal) {
			t.Errorf("MinNeighbors %d: %v, want %v", n, got, want)
		}
	}
	sum := 0
	for _, d := range all {
		sum += d.Neighbors
	}
	raw := detectIn(t, newDetector(t, &detector.Options{Ungrouped: true, Search: any}), grey)
	if len(raw) < sum || sum == 0 {
		t.Errorf("%d candidates, want at least the %d of the groups", len(raw), sum)
	}
	lowest, upper := image.Pt(50, 50), image.Pt(100, 100)
	sized := detectIn(t, newDetector(t, &detector.Options{Ungrouped: true, Search: any, MinSize: lowest, MaxSize: upper}), grey)
	wantSized := 0
	for _, d := range raw {
		if d.Box.Dx() >= lowest.X && d.Box.Dx() <= upper.X && d.Box.In(image.Rect(1, 1, 799, 499)) {
			wantSized++
		}
	}
	if len(sized) < wantSized || len(sized) == 0 || len(sized) >= len(raw) {
		t.Errorf("%d candidates of 50 to 100 pixels, want %d of %d", len(sized), wantSized, len(raw))
	}
	for _, d := range sized {
		if s := d.Box.Size(); s.X > upper.X || s.Y > upper.Y {
			t.Errorf("a box of %v, want at most %v", s, upper)
		}
	}
	coarse := detectIn(t, newDetector(t, &detector.Options{Ungrouped: true, Search: with(c, func(s *cascade.Search) { s.Stride = 4 })}), grey)
	if len(coarse) == 0 || len(coarse)*2 > len(raw) {
		t.Errorf("Stride 4: %d candidates, want far fewer than %d", len(coarse), len(raw))
	}
}

func TestBadOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for field, some := range map[string][]detector.Options{
		"Scale":        {{Scale: 1}, {Scale: 0.5}, {Scale: -2}, {Scale: nan}, {Scale: inf}},
		"MinSize":      {{MinSize: image.Pt(-1, 0)}, {MinSize: image.Pt(0, -1)}},
		"MaxSize":      {{MaxSize: image.Pt(-1, 0)}, {MaxSize: image.Pt(0, -1)}},
		"MinNeighbors": {{MinNeighbors: -1}, {MinNeighbors: -2}},
		"Search.Pad":   {{Search: &cascade.Search{Pad: -0.1}}, {Search: &cascade.Search{Pad: 1.5}}, {Search: &cascade.Search{Pad: nan}}},
		"MinScore":     {{MinScore: -1}, {MinScore: nan}, {MinScore: inf}, {MinScore: -inf}},
		"Stride":       {{Search: &cascade.Search{Stride: -1}}, {Search: &cascade.Search{Stride: 25}}, {Search: &cascade.Search{Stride: math.MaxInt}}},
		"Workers":      {{Workers: -1}},
		"Windows":      {{Windows: 3}},
		"Router":       {{Router: barCascade()}},
		"angle":        {{Angles: []float64{0, nan}}, {Angles: []float64{361}}, {Angles: []float64{-inf}}},
	} {
		for _, o := range some {
			d, err := detector.New(&o, barCascade())
			if d != nil || !errors.Is(err, detector.ErrOptions) || !strings.Contains(err.Error(), field) {
				t.Errorf("%+v: %v, want ErrOptions that names %s", o, err, field)
			}
		}
	}
	bad := barCascade()
	bad.Weak[0].Nodes[0].Feature = 1
	if d, err := detector.New(nil, bad); d != nil || !errors.Is(err, cascade.ErrModel) {
		t.Errorf("a cascade without its feature: %v, want ErrModel", err)
	}
}

// TestManyCallers uses two detectors, with trees and with a network, from many
// goroutines for images of different sizes. Run it with -race.
func TestManyCallers(t *testing.T) {
	grey := greyCopy(group())
	var parts []*image.Gray
	var want [][]detector.Detection
	kinds := [2]func(testing.TB, *detector.Options) *detector.Detector{newDetector, newUpright}
	for i := range 4 {
		parts = append(parts, grey.SubImage(image.Rect(40*i, 25*i, 800-60*i, 500-20*i)).(*image.Gray))
		d := kinds[i%2](t, &detector.Options{MinSize: image.Pt(48, 48), Workers: 1})
		want = append(want, detectIn(t, d, parts[i]))
	}
	o := detector.Options{MinSize: image.Pt(48, 48), Workers: 2}
	d := [2]*detector.Detector{kinds[0](t, &o), kinds[1](t, &o)}
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			var dst []detector.Detection
			for i := range parts {
				i = (i + k) % len(parts)
				var err error
				dst, err = d[i%2].AppendDetect(context.Background(), dst[:0], parts[i])
				if err != nil || !slices.EqualFunc(dst, want[i], detector.Detection.Equal) {
					t.Errorf("picture %d: %v, %v, want %v", i, dst, err, want[i])
				}
			}
		})
	}
	wg.Wait()
}

// largePicture is 24 megapixels of texture.
func largePicture() *image.Gray {
	small := picture{"texture", 600, 400, 3}.draw()
	g := image.NewGray(image.Rect(0, 0, 6000, 4000))
	for y := range 4000 {
		row := g.Pix[y*g.Stride:][:6000]
		for x := 0; x < 6000; x += 600 {
			copy(row[x:], small.Pix[y%400*600:][:600])
		}
	}
	return g
}

// TestAllocations: after warm-up AppendDetect allocates nothing, whatever the
// number of workers, the options and the settings of the search.
func TestAllocations(t *testing.T) {
	if raceDetector { // which makes sync.Pool forget on purpose
		t.Skip("the race detector allocates")
	}
	grey := greyCopy(group())
	part := grey.SubImage(image.Rect(140, 160, 320, 300)).(*image.Gray)
	_, router := faceAndRouter(t)
	frontal := must.Get(frontalfaceopen.Cascade())
	levels, pad := frontal.Search, router.Search
	levels.InterLevel, levels.DenseFrom, pad.Pad = 400, 0, 0.3
	for _, test := range []struct {
		c *cascade.Cascade // nil: the default
		o detector.Options
		g *image.Gray
	}{
		{nil, detector.Options{Workers: 1}, part},
		{nil, detector.Options{Workers: 2}, part},
		{nil, detector.Options{Workers: 2, Ungrouped: true}, part},
		{nil, detector.Options{Workers: 1, Angles: []float64{0, 30}}, part},
		{nil, detector.Options{Workers: 1, Angles: []float64{0, 30}, Router: router}, part},
		{frontal, detector.Options{Workers: 1, Search: &levels}, grey},
		{frontal, detector.Options{Workers: 2, Search: &levels}, grey},
		{router, detector.Options{Workers: 1, Search: &pad}, part},
		{must.Get(face.Cascade()), detector.Options{Workers: 1}, part}, // a network of two steps
		{must.Get(face.Cascade()), detector.Options{Workers: 1, Angles: []float64{0, 30}}, part},
	} {
		d := newDetector(t, &test.o)
		if test.c != nil {
			d = must.Get(detector.New(&test.o, test.c))
		}
		var dst []detector.Detection
		run := func() {
			var err error
			if dst, err = d.AppendDetect(context.Background(), dst[:0], test.g); err != nil || len(dst) == 0 {
				t.Fatal(len(dst), err)
			}
		}
		// Workers share the work in another way each time, so that their lists still grow.
		n := 1.0
		for try := 0; try < 5 && n != 0; try++ {
			n = testing.AllocsPerRun(5, run)
		}
		if n != 0 {
			t.Errorf("%+v: %v allocations a call, want none", test.o, n)
		}
	}
}

// corners is a PointFinder that returns the box's upper left corner, and the angle.
type corners struct{}

func (corners) PointsIn(dst []integral.Point, g *image.Gray, box image.Rectangle, angle float64) []integral.Point {
	if !box.In(image.Rect(0, 0, g.Rect.Dx(), g.Rect.Dy())) {
		panic("a box outside the plane")
	}
	return append(dst, integral.Point{X: float64(box.Min.X), Y: float64(box.Min.Y)}, integral.Point{X: angle})
}

// Points are found in the boxes of the cascade, whatever the box in the result frames,
// and are in the image's coordinates.
func TestPoints(t *testing.T) {
	grey := greyCopy(group())
	moved := &image.Gray{Pix: grey.Pix, Stride: grey.Stride, Rect: grey.Rect.Add(image.Pt(-300, 7))}
	for _, region := range []image.Rectangle{{}, image.Rect(-200, 50, 400, 450)} {
		o := detector.Options{Region: region}
		want := detectIn(t, newUpright(t, &o), moved)
		if len(want) < 3 {
			t.Fatalf("%d faces", len(want))
		}
		o.Points = corners{}
		f := cascade.Framing{Down: 0.05, Width: 0.5, Height: 0.6}
		for _, framed := range []bool{false, true} {
			if framed {
				o.Framing = f
			}
			got := detectIn(t, newUpright(t, &o), moved)
			if len(got) != len(want) {
				t.Fatalf("%d faces with points, %d without", len(got), len(want))
			}
			for i, d := range got {
				box := want[i].Box
				if p := d.Points[0]; p.X != float64(box.Min.X) || p.Y != float64(box.Min.Y) {
					t.Errorf("face %d: points %v in the box %v", i, d.Points, box)
				}
				if framed {
					box = f.Of(box, 0)
				}
				if d.Box != box || d.Score != want[i].Score || d.Angle != 0 {
					t.Errorf("face %d: %v, want the box %v and the score %v", i, d, box, want[i].Score)
				}
			}
		}
	}
}

// Detections in a rotated image have the angle, and points are searched at it.
func TestAngle(t *testing.T) {
	grey := quarterTurned(greyCopy(group()))
	o := &detector.Options{Angles: []float64{0, 90, 180, 270}, Points: corners{}}
	found := detectIn(t, newUpright(t, o), grey)
	if len(found) < 10 {
		t.Fatalf("%d faces, want those of the group", len(found))
	}
	for _, d := range found {
		if d.Angle != 90 || d.Points[1].X != 90 {
			t.Errorf("%v: angle %v, points at %v, want 90", d.Box, d.Angle, d.Points[1].X)
		}
	}
}

// quarterTurned returns g rotated clockwise by 90 degrees.
func quarterTurned(g *image.Gray) *image.Gray {
	t := orient.Of(6, g.Rect.Dx(), g.Rect.Dy())
	return &image.Gray{Pix: t.Plane(nil, g.Pix, g.Stride, 1), Stride: t.Width, Rect: image.Rect(0, 0, t.Width, t.Height)}
}

// faceAndRouter are the model face and the router for it.
func faceAndRouter(t *testing.T) (c, router *cascade.Cascade) {
	t.Helper()
	return must.Get(face.Cascade()), must.Get(facefast.Router())
}

// largeFaces are those that a cascade finds in the picture of the group.
func largeFaces(t *testing.T, c *cascade.Cascade, o *detector.Options) []detector.Detection {
	t.Helper()
	found := detectIn(t, must.Get(detector.New(o, c)), greyCopy(group()))
	if len(found) < 9 {
		t.Fatalf("%d upright faces, want at least 9", len(found))
	}
	return found
}

// TestRouter: with a router the faces of a turned picture are found at about their angle,
// whatever the number of workers.
func TestRouter(t *testing.T) {
	grey := greyCopy(group())
	c, router := faceAndRouter(t)
	large := detector.Options{MinSize: image.Pt(40, 40), MinScore: 0.6}
	upright := largeFaces(t, c, &large)
	for _, degrees := range []float64{-110, 135} {
		m, gone := turned(grey, degrees)
		o := large
		o.Angles, o.Router, o.Workers = detector.AllAngles(), router, 1
		found := detectIn(t, must.Get(detector.New(&o, c)), m)
		right := 0
		for _, f := range upright {
			x, y := gone(float64(f.Box.Min.X+f.Box.Max.X)/2, float64(f.Box.Min.Y+f.Box.Max.Y)/2)
			if slices.ContainsFunc(found, func(d detector.Detection) bool {
				off := math.Abs(math.Remainder(d.Angle-degrees, 360))
				return image.Pt(int(x), int(y)).In(d.Box.Inset(d.Box.Dx()/4)) && off <= 25
			}) {
				right++
			}
		}
		if right < len(upright)-1 || len(found) > len(upright)+1 {
			t.Errorf("%v degrees: %d of %d faces found at their angle, among %d", degrees, right, len(upright), len(found))
		}
		o.Workers = 3
		if again := detectIn(t, must.Get(detector.New(&o, c)), m); !slices.EqualFunc(again, found, detector.Detection.Equal) {
			t.Errorf("%v degrees: 3 workers find others", degrees)
		}
	}
}

// TestRouted: with a router no candidate is found that is not found without, and no face
// goes without one.
func TestRouted(t *testing.T) {
	grey := greyCopy(group())
	c, router := faceAndRouter(t)
	faces := largeFaces(t, c, &detector.Options{MinSize: image.Pt(40, 40)})
	o := &detector.Options{MinSize: image.Pt(40, 40), Scale: 1.15, Ungrouped: true, Overlapping: true, Angles: []float64{0, 90}}
	c.Verifier, c.Network = nil, nil
	all := detectIn(t, must.Get(detector.New(o, c)), grey)
	o.Router = router
	some := detectIn(t, must.Get(detector.New(o, c)), grey)
	type key struct {
		box   image.Rectangle
		angle float64
	}
	known := map[key]float64{}
	for _, d := range all {
		known[key{d.Box, d.Angle}] = d.Score
	}
	for _, d := range some {
		if score, ok := known[key{d.Box, d.Angle}]; !ok || score != d.Score {
			t.Fatalf("%v is not found without a router", d)
		}
	}
	if len(some) >= len(all) {
		t.Errorf("%d of %d candidates", len(some), len(all))
	}
	for _, face := range faces {
		centre := face.Box.Min.Add(face.Box.Max).Div(2)
		if !slices.ContainsFunc(some, func(d detector.Detection) bool {
			return d.Angle == 0 && centre.In(d.Box.Inset(d.Box.Dx()/4)) && d.Box.Dx() > face.Box.Dx()/2 && d.Box.Dx() < face.Box.Dx()*2
		}) {
			t.Errorf("no candidate at the face %v", face.Box)
		}
	}
	flat := image.NewGray(image.Rect(0, 0, 200, 100))
	if found := detectIn(t, must.Get(detector.New(o, c)), flat); len(found) > 0 {
		t.Errorf("%d candidates where the router finds nothing", len(found))
	}
}

// AppendOpenCV has the reference's rectangles in its order, which is that of OpenCV
// with one thread. A level weight is the score of the last stage, and the largest of a
// group's; there are as many neighbors as windows in the group.
func TestAppendOpenCV(t *testing.T) {
	grouped, raw := 0, 0
	for _, golden := range goldens {
		c := must.Get(cascade.Open(filepath.Join(goldenFolder, golden.name+".xml")))
		last := float64(c.Exits[len(c.Exits)-1].Threshold)
		for _, p := range goldenPictures[:3] {
			g := p.draw()
			for _, s := range goldenSearches {
				d := detectorFor(t, c, s, 2)
				found := must.Get(d.AppendOpenCV(context.Background(), nil, g))
				if want := referenceDetect(c, g, s); !slices.Equal(boxes(found), want) {
					t.Errorf("%s on %s with %+v: %v, want %v", golden.name, p.name(), s, boxes(found), want)
				}
				var windows []image.Rectangle
				var weights []float64
				referenceVisits(c, g, s, func(f float32, x, y, stage int, margin float64) {
					if stage == len(c.Exits) {
						at := image.Pt(refRound32(float32(x)*f), refRound32(float32(y)*f))
						size := image.Pt(refRound32(float32(c.Width)*f), refRound32(float32(c.Height)*f))
						windows = append(windows, image.Rectangle{Min: at, Max: at.Add(size)})
						weights = append(weights, margin+last)
					}
				})
				if s.neighbors == 0 {
					raw += len(found)
					for i := range min(len(found), len(weights)) { // none is outside these pictures
						if found[i].Score != weights[i] || found[i].Neighbors != 1 {
							t.Errorf("%s on %s: window %d has weight %v and %d neighbors, want %v and 1", golden.name, p.name(), i, found[i].Score, found[i].Neighbors, weights[i])
						}
					}
					continue
				}
				grouped += len(found)
				class, mean, count := refClasses(windows)
				for _, f := range found {
					best, n := 0.0, 0
					for i, k := range class {
						if mean[k-1].Intersect(g.Rect) == f.Box && count[k-1] == f.Neighbors {
							if n == 0 || weights[i] > best {
								best = weights[i]
							}
							n++
						}
					}
					if n != f.Neighbors || best != f.Score {
						t.Errorf("%s on %s: %v, want weight %v of %d windows", golden.name, p.name(), f, best, n)
					}
				}
			}
		}
	}
	if grouped < 50 || raw < 500 {
		t.Errorf("%d groups and %d windows: too few to test anything", grouped, raw)
	}
}

// What OpenCV cannot have is an error.
func TestAppendOpenCVErrors(t *testing.T) {
	c := must.Get(cascade.Open(filepath.Join(goldenFolder, "upright-stumps.xml")))
	soft := c.Clone()
	for i := range soft.Exits {
		soft.Exits[i].Restart = false
	}
	g := image.NewGray(image.Rect(0, 0, 100, 100))
	for name, make := range map[string]func() (*detector.Detector, error){
		"a score that runs on": func() (*detector.Detector, error) { return detector.New(nil, soft) },
		"angles":               func() (*detector.Detector, error) { return detector.New(&detector.Options{Angles: []float64{0}}, c) },
	} {
		d := must.Get(make())
		if _, err := d.AppendOpenCV(context.Background(), nil, g); !errors.Is(err, detector.ErrOptions) {
			t.Errorf("%s: %v, want %v", name, err, detector.ErrOptions)
		}
	}
}
