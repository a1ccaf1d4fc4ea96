package opencv

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	_ "image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

const stages = "../models/frontalfaceopencv/frontalface-opencv.xml"

func load(t testing.TB, path string) *CascadeClassifier {
	t.Helper()
	c := NewCascadeClassifier()
	if !c.Load(path) {
		t.Fatalf("%s is not loaded", path)
	}
	return &c
}

func sample(t testing.TB) image.Image {
	t.Helper()
	f := must.Get(os.Open("../samples/group.png"))
	defer f.Close()
	img, _ := must.Get2(image.Decode(f))
	return img
}

// The results are those of the detector's OpenCV mode, in the image's coordinates.
func TestDetectMultiScale(t *testing.T) {
	c, img := load(t, stages), sample(t).(*image.RGBA).SubImage(image.Rect(240, 120, 480, 290))
	model := must.Get(cascade.Open(stages))
	for _, s := range []struct {
		scale     float64
		neighbors int
		min, max  image.Point
		want      detector.Options
	}{
		{1.1, 3, image.Point{}, image.Point{}, detector.Options{MinNeighbors: 3}},
		{1.3, 0, image.Pt(-1, 30), image.Pt(0, 9), detector.Options{Scale: 1.3, Ungrouped: true, MinSize: image.Pt(0, 30)}},
		{5000, -1, image.Point{}, image.Pt(300, 300), detector.Options{Scale: 1024, Ungrouped: true, MaxSize: image.Pt(300, 300)}},
		{1.2, 1, image.Point{}, image.Pt(-5, 300), detector.Options{Scale: 1.2, MinNeighbors: 1, MaxSize: image.Pt(1, 300)}},
	} {
		d := must.Get(detector.New(&s.want, model))
		found := must.Get(d.AppendOpenCV(context.Background(), nil, grey(img)))
		var want []image.Rectangle
		for _, f := range found {
			want = append(want, f.Box)
		}
		for range 2 { // the second with the detector that is kept
			if got := c.DetectMultiScaleWithParams(img, s.scale, s.neighbors, 8, s.min, s.max); !slices.Equal(got, want) {
				t.Errorf("%+v: %v, want %v", s, got, want)
			}
		}
	}
	whole := c.DetectMultiScale(img)
	if len(whole) < 3 {
		t.Errorf("%d faces, want at least 3", len(whole))
	}
	moved := image.NewRGBA(img.Bounds().Add(image.Pt(-70, 40)))
	draw.Draw(moved, moved.Rect, img, img.Bounds().Min, draw.Src)
	for i, r := range c.DetectMultiScale(moved) {
		if want := whole[i].Add(image.Pt(-70, 40)); r != want {
			t.Errorf("face %d of the picture whose origin is elsewhere is at %v, want %v", i, r, want)
		}
	}
	if got := c.DetectMultiScale(image.NewGray(image.Rectangle{})); got == nil || len(got) != 0 {
		t.Errorf("in an empty picture there is %v", got)
	}
}

func panicOf(f func()) (err error) {
	defer func() { err, _ = recover().(error) }()
	f()
	return nil
}

// A huge is an image of which no pixel may be asked for.
type huge struct{ image.Uniform }

func (*huge) Bounds() image.Rectangle { return image.Rect(0, 0, 1<<30, 1<<30) }

func TestLoading(t *testing.T) {
	c := NewCascadeClassifier()
	copied := c
	img := image.NewGray(image.Rect(0, 0, 50, 50))
	search := func() { copied.DetectMultiScale(img) }
	for _, path := range []string{"nowhere.xml", "../LICENSE"} {
		if c.Load(stages) && c.Load(path) || !errors.Is(panicOf(search), errEmpty) {
			t.Errorf("after %s there is a cascade", path)
		}
	}
	if !c.Load(stages) || panicOf(search) != nil {
		t.Error("a copy does not have what was loaded")
	}
	if err := panicOf(func() { c.DetectMultiScaleWithParams(img, 1, 3, 0, image.Point{}, image.Point{}) }); err == nil || !strings.Contains(err.Error(), "scale") {
		t.Errorf("a scale of 1: %v", err)
	}
	if err := panicOf(func() { c.DetectMultiScale(&huge{}) }); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("a huge picture: %v", err)
	}
	// What OpenCV cannot have is searched too.
	if soft := load(t, filepath.Join("..", "models", "facefast", "face-fast.cascade")); len(soft.DetectMultiScale(sample(t))) < 8 {
		t.Error("a soft cascade finds less than 8 faces")
	}
	if err := c.Close(); err != nil || !errors.Is(panicOf(search), errEmpty) {
		t.Errorf("closing: %v", err)
	}
	var zero CascadeClassifier
	if !errors.Is(panicOf(func() { zero.DetectMultiScale(img) }), errEmpty) || !zero.Load(stages) {
		t.Error("the zero value is no classifier without a cascade")
	}
}

// Types of images are grey as their colours are.
func TestGrey(t *testing.T) {
	r := image.Rect(3, 5, 40, 30)
	rgba := image.NewRGBA(r)
	for i := range rgba.Pix {
		rgba.Pix[i] = byte(rand.IntN(256)) | byte(i%4/3*255)
	}
	nrgba := &image.NRGBA{Pix: rgba.Pix, Stride: rgba.Stride, Rect: rgba.Rect} // opaque: the same
	for _, img := range []image.Image{rgba, nrgba} {
		g := grey(img)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				c := rgba.RGBAAt(x, y)
				want := byte((3735*uint32(c.B) + 19235*uint32(c.G) + 9798*uint32(c.R) + 1<<14) >> 15)
				if g.GrayAt(x, y) != (color.Gray{Y: want}) {
					t.Fatalf("%T at %d, %d: %v, want %d", img, x, y, g.GrayAt(x, y), want)
				}
			}
		}
	}
}

func TestGroupRectangles(t *testing.T) {
	near := func(x, n int) (all []image.Rectangle) {
		for i := range n {
			all = append(all, image.Rect(x+i%2, 10, x+i%2+20, 30))
		}
		return all
	}
	inside := image.Rect(12, 12, 20, 20)
	for _, s := range []struct {
		name      string
		rects     []image.Rectangle
		threshold int
		eps       float64
		want      []image.Rectangle
	}{
		{"none", nil, 2, 0.2, nil},
		{"no grouping", near(10, 3), 0, 0.2, near(10, 3)},
		{"two groups in the order of their first", slices.Concat(near(100, 3), near(10, 4)), 2, 0.2, []image.Rectangle{image.Rect(100, 10, 120, 30), image.Rect(10, 10, 30, 30)}},
		{"too few", near(10, 2), 2, 0.2, nil},
		{"inside a stronger one", append(near(10, 4), inside), 1, 0.2, []image.Rectangle{image.Rect(10, 10, 30, 30)}},
		{"inside, but of three", slices.Concat(near(10, 3), []image.Rectangle{inside, inside, inside}), 1, 0.2, []image.Rectangle{image.Rect(10, 10, 30, 30), inside}},
		{"nothing is similar", near(10, 4), 1, 0, []image.Rectangle{image.Rect(10, 10, 30, 30), image.Rect(11, 10, 31, 30)}},
	} {
		if got := GroupRectangles(s.rects, s.threshold, s.eps); !slices.Equal(got, s.want) {
			t.Errorf("%s: %v, want %v", s.name, got, s.want)
		}
	}
}
