package augment

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/kernel/resize"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

// drawFace draws something with eyes, nose and mouth at the marks of
// FrontalFace in a window of side pixels at (x, y), with integers only.
func drawFace(img *image.Gray, x, y, side int) []samples.Point {
	marks := make([]samples.Point, 5)
	for i, m := range samples.FrontalFace.Marks {
		marks[i] = samples.Point{X: float64(x) + m.X*float64(side), Y: float64(y) + m.Y*float64(side)}
	}
	b := img.Rect
	for py := b.Min.Y; py < b.Max.Y; py++ {
		for px := b.Min.X; px < b.Max.X; px++ {
			level := 60 + (px*3+py*5)%50
			cx, cy := px-(x+side/2), py-(y+side*55/100)
			if cx*cx*4+cy*cy*3 < side*side*8/10 {
				level = 190 + cx*40/side
			}
			for i, m := range marks {
				dx, dy := px-int(m.X), py-int(m.Y)
				if dx*dx+dy*dy < side*side/200 {
					level = 30 + 20*i
				}
			}
			img.SetGray(px, py, color.Gray{uint8(level)})
		}
	}
	return marks
}

// drawnPhotos are photographs of a drawn face each, with marks and a box.
func drawnPhotos(t testing.TB, n int) []samples.Photo {
	t.Helper()
	dir := t.TempDir()
	var photos []samples.Photo
	for i := range n {
		img := image.NewGray(image.Rect(0, 0, 80, 80))
		side := 36 + i%9
		marks := drawFace(img, 18+i%7, 15+i%5, side)
		file := picturetest.Save(filepath.Join(dir, fmt.Sprintf("face%d.png", i)), img)
		photos = append(photos, samples.Photo{File: file, Objects: []samples.Object{{
			Box: image.Rect(18+i%7, 15+i%5, 18+i%7+side, 15+i%5+side), Marks: marks,
		}}})
	}
	return photos
}

func mustMake(t testing.TB, photos []samples.Photo, o *MakeOptions) []Window {
	t.Helper()
	return must.Get(Make(context.Background(), photos, o))
}

// A box of the window's size is copied, and one of a multiple averaged, without
// rounding errors.
func TestPlainWindowsAreExact(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 90, 70))
	drawFace(img, 20, 10, 40)
	file := picturetest.Save(filepath.Join(t.TempDir(), "a.png"), img)
	w := mustMake(t, []samples.Photo{{File: file, Objects: []samples.Object{
		{Box: image.Rect(31, 17, 55, 41)},
		{Box: image.Rect(6, 2, 54, 50)},
	}}}, nil)
	if len(w) != 2 {
		t.Fatalf("%d windows, want 2", len(w))
	}
	for y := range 24 {
		for x := range 24 {
			if got, want := w[0].Grey.GrayAt(x, y), img.GrayAt(31+x, 17+y); got != want {
				t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
			}
			sum := 0
			for i := range 4 {
				sum += int(img.GrayAt(6+2*x+i%2, 2+2*y+i/2).Y)
			}
			if got, want := int(w[1].Grey.GrayAt(x, y).Y), (sum+2)/4; got != want {
				t.Fatalf("averaged pixel %d,%d is %v, want %v", x, y, got, want)
			}
		}
	}
}

// At any rotation and size of a face, its eyes come to the template's
// positions.
func TestMakeAligns(t *testing.T) {
	img := picturetest.Even(200, 160, 200)
	picturetest.Fill(img, image.Rect(76, 56, 84, 64), 0)
	picturetest.Fill(img, image.Rect(100, 88, 108, 96), 0) // 40 pixels apart, turned by 53 degrees
	file := picturetest.Save(filepath.Join(t.TempDir(), "a.png"), img)
	eyes := samples.Template{Marks: samples.FrontalFace.Marks[:2]}
	w := mustMake(t, []samples.Photo{{File: file, Objects: []samples.Object{{Marks: []samples.Point{{X: 80, Y: 60}, {X: 104, Y: 92}}}}}}, &MakeOptions{Template: eyes, Width: 40, Height: 40, Mirror: true})
	if len(w) != 2 || w[0].Mirrored || !w[1].Mirrored {
		t.Fatalf("%d windows", len(w))
	}
	for _, v := range w {
		for side, want := range []float64{0.30 * 40, 0.70 * 40} {
			var dark, sx, sy float64
			for y := range 40 {
				for x := 20 * side; x < 20*side+20; x++ {
					d := 200 - float64(v.Grey.GrayAt(x, y).Y)
					dark, sx, sy = dark+d, sx+d*(float64(x)+0.5), sy+d*(float64(y)+0.5)
				}
			}
			if x, y := sx/dark, sy/dark; x < want-0.3 || x > want+0.3 || y < 0.38*40-0.3 || y > 0.38*40+0.3 {
				t.Errorf("mirrored %v: eye at %.2f,%.2f, want %v,%v", v.Mirrored, x, y, want, 0.38*40)
			}
		}
	}
}

func flipped(img *image.Gray) *image.Gray {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	return picturetest.Grey(w, h, func(x, y int) uint8 { return img.GrayAt(w-1-x, y).Y })
}

func TestMirror(t *testing.T) {
	photos := drawnPhotos(t, 2)
	w := mustMake(t, photos, &MakeOptions{Mirror: true, Variants: 3, Effects: Default, Template: samples.FrontalFace})
	if len(w) != 2*3*2 {
		t.Fatalf("%d windows, want 12", len(w))
	}
	for i, v := range w {
		if v.Source != photos[i/6].File || v.Object != 0 || v.Variant != i%6/2 || v.Mirrored != (i%2 == 1) {
			t.Errorf("window %d is %+v", i, v)
		}
	}
	// Plain ones of a box are each other's mirror image.
	w = mustMake(t, photos[:1], &MakeOptions{Mirror: true, Width: photos[0].Objects[0].Box.Dx(), Height: photos[0].Objects[0].Box.Dy()})
	if !bytes.Equal(flipped(w[0].Grey).Pix, w[1].Grey.Pix) {
		t.Error("the mirrored window is not the mirrored window")
	}
}

// TestFlip compares flipped objects with the mirrored ones of Mirror.
func TestFlip(t *testing.T) {
	photos := drawnPhotos(t, 2)
	both := mustMake(t, photos, &MakeOptions{Mirror: true, Template: samples.FrontalFace})
	w := mustMake(t, photos, &MakeOptions{Template: samples.FrontalFace, Flip: func(ob *samples.Object) bool { return ob == &photos[1].Objects[0] }})
	if len(w) != 2 || w[0].Mirrored || !w[1].Mirrored {
		t.Fatalf("%+v, want two windows, the second mirrored", w)
	}
	if !bytes.Equal(w[0].Grey.Pix, both[0].Grey.Pix) || !bytes.Equal(w[1].Grey.Pix, both[3].Grey.Pix) {
		t.Error("the first should be as it is, the second mirrored")
	}
}

func sum(windows []Window) string {
	h := sha256.New()
	for _, w := range windows {
		fmt.Fprintln(h, filepath.Base(w.Source), w.Object, w.Variant, w.Mirrored, w.Grey.Rect)
		h.Write(w.Grey.Pix)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// The same seed gives the same bytes: for any number of workers, whatever other
// photographs there are, on every machine and with every level of instructions
// (CI runs this test on several). The sums change with the effects' random
// numbers, and then retrained models change too: say so in the commit.
func TestSameSeedSameBytes(t *testing.T) {
	photos := drawnPhotos(t, 12)
	for _, c := range []struct {
		name    string
		effects Effects
		want    string
	}{
		{"default", Default, "e8232d398c62ff61"},
		{"press", OldPrint, "167a0935a4896cdf"},
		{"ink", Effects{Zoom: 2, Ink: 1, Posterise: 0.2, Legible: 0.5}, "2f991ca89bbd99fa"},
	} {
		o := MakeOptions{Variants: 6, Mirror: true, Effects: c.effects, Template: samples.FrontalFace, Seed: 5, Workers: 1}
		one := mustMake(t, photos, &o)
		if got := sum(one); got != c.want {
			t.Errorf("%s: sum %s, want %s", c.name, got, c.want)
		}
		o.Workers = 5
		if sum(mustMake(t, photos, &o)) != sum(one) {
			t.Errorf("%s: five workers make other windows", c.name)
		}
		if sum(mustMake(t, photos[7:9], &o)) != sum(one[7*12:9*12]) {
			t.Errorf("%s: other photographs beside it change a window", c.name)
		}
		o.Seed = 6
		if sum(mustMake(t, photos, &o)) == sum(one) {
			t.Errorf("%s: the seed is of no matter", c.name)
		}
	}
}

func TestMakeTakes(t *testing.T) {
	photos := drawnPhotos(t, 4)
	photos[1].Objects[0].Ignore = true
	photos[2].Objects[0].Tags = map[string]string{"pose": "1"}
	photos = append(photos, samples.Photo{File: "nowhere.png"}) // no objects: not opened
	done := 0
	w := mustMake(t, photos, &MakeOptions{
		Filter: func(o *samples.Object) bool { return o.Tags["pose"] != "1" },
		Progress: func(d, n int) {
			done++
			if d != done || n != 5 {
				t.Errorf("%d of %d done", d, n)
			}
		},
	})
	if len(w) != 2 || w[0].Source != photos[0].File || w[1].Source != photos[3].File || done != 5 {
		t.Errorf("%d windows, %d done", len(w), done)
	}
}

func TestMakeErrors(t *testing.T) {
	photos := drawnPhotos(t, 6)
	bad := func(i int, ob samples.Object) []samples.Photo {
		p := append([]samples.Photo(nil), photos...)
		p[i].Objects = append([]samples.Object{{Ignore: true}}, ob)
		return p
	}
	for want, c := range map[string]struct {
		photos []samples.Photo
		o      MakeOptions
	}{
		"face3.png: object 2: neither a box nor marks say where it is":                                        {photos: bad(3, samples.Object{})},
		"face2.png: object 2: it lies at 205,205, outside the picture of 80x80":                               {photos: bad(2, samples.Object{Box: image.Rect(200, 200, 210, 210)})},
		"face2.png: object 2: its window would be 4000 pixels wide, want 1 to 1280 in a picture of 80x80":     {photos: bad(2, samples.Object{Box: image.Rect(0, 0, 4000, 4000)})},
		"augment: a window of 3x24, want 4 to 512 pixels a side":                                              {o: MakeOptions{Width: 3}},
		"augment: -1 variants, want 1 or more":                                                                {o: MakeOptions{Variants: -1}},
		"augment: a margin of -0.5, want more than -0.5 and at most 10":                                       {o: MakeOptions{Margin: -0.5}},
		"augment: jitter: hat is 2, want 0 to 1":                                                              {o: MakeOptions{Effects: Effects{Hat: 2}}},
		"augment: -2 workers, want 1 or more":                                                                 {o: MakeOptions{Workers: -2}},
		"augment: template: 1 marks in one place do not say how large an object is; want two places at least": {o: MakeOptions{Template: samples.Template{Marks: []samples.Point{{X: 0, Y: 0}}}}},
	} {
		if _, err := Make(context.Background(), c.photos, &c.o); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	// Some of them, for any number of workers.
	for _, i := range []int{1, 4, 5} {
		photos[i].File = filepath.Join(t.TempDir(), fmt.Sprintf("gone%d.png", i))
	}
	for workers := 1; workers < 7; workers++ {
		_, err := Make(context.Background(), photos, &MakeOptions{Workers: workers})
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "gone1.png") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Make(ctx, photos, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Windows are scaled exactly as the detector scales images.
func TestFitIsTheDetectors(t *testing.T) {
	var m renderer
	d := splitmix.New(3, "")
	v := &view{width: 24, height: 20, levelWidth: 26, levelHeight: 22, left: 1, top: 2, canvasWidth: 61, canvasHeight: 50}
	for range v.canvasWidth * v.canvasHeight {
		m.bytes = append(m.bytes, byte(d.IntN(256)))
	}
	img := image.NewGray(image.Rect(0, 0, 24, 20))
	m.fit(img, v)
	ax, ay := resize.NewAxis(61, 26), resize.NewAxis(50, 22)
	for y := range 20 {
		for x := range 24 {
			at := func(i, j int) int { return int(m.bytes[(int(ay.Index[y+2])+j)*61+int(ax.Index[x+1])+i]) }
			px, py := int(ax.Part[x+1]), int(ay.Part[y+2])
			top, bottom := (256-px)*at(0, 0)+px*at(1, 0), (256-px)*at(0, 1)+px*at(1, 1)
			if got, want := int(img.GrayAt(x, y).Y), ((256-py)*top+py*bottom+32768)>>16; got != want {
				t.Fatalf("pixel %d,%d is %d, want %d", x, y, got, want)
			}
		}
	}
}

func BenchmarkMake(b *testing.B) {
	photos := drawnPhotos(b, 100)
	for _, c := range []struct {
		name    string
		effects Effects
	}{{"default", Default}, {"press", OldPrint}} {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n += len(mustMake(b, photos, &MakeOptions{Variants: 8, Effects: c.effects, Template: samples.FrontalFace}))
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "windows/s")
		})
	}
}

func mustMakeFromOne(t *testing.T, img image.Image, b []samples.Background, n int, o *OneOptions) []Window {
	t.Helper()
	return must.Get(MakeFromOne(context.Background(), img, b, n, o))
}

// disc is a light disc with a dark bar on black.
func disc(side int) *image.Gray {
	return picturetest.Grey(side, side, func(x, y int) uint8 {
		dx, dy := 2*x+1-side, 2*y+1-side
		switch {
		case dx*dx+dy*dy > side*side*8/10:
			return 0
		case y > side/2 && y < side*5/8:
			return 120
		}
		return 200
	})
}

func backgroundsOf(t *testing.T, levels ...uint8) []samples.Background {
	t.Helper()
	dir := t.TempDir()
	var all []samples.Background
	for i, level := range levels {
		file := picturetest.Save(filepath.Join(dir, fmt.Sprintf("%d.png", i)), picturetest.Even(60, 50, level))
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
		"augment: a picture of 1x9 pixels, want 2x2 at least":                           {img: picturetest.Even(1, 9, 0), n: 1},
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

// Boxes are enlarged on each side, and then along one to the window's shape.
func TestPlaceOfBoxes(t *testing.T) {
	ob := samples.Object{Box: image.Rect(10, 20, 50, 60)}
	for _, c := range []struct {
		o    MakeOptions
		want float64
	}{
		{MakeOptions{Width: 24, Height: 24}, 40},
		{MakeOptions{Width: 24, Height: 24, Margin: 0.25}, 60},
		{MakeOptions{Width: 24, Height: 48}, 40},
		{MakeOptions{Width: 48, Height: 24}, 80},
	} {
		p, worn, err := c.o.place(&ob)
		if err != nil || worn != nil || p != (samples.Similarity{A: c.want, X: 30, Y: 40}) {
			t.Errorf("%+v: %+v, %v, want a side of %v", c.o, p, err, c.want)
		}
	}
	for want, ob := range map[string]samples.Object{
		"neither a box nor marks say where it is":                       {},
		"it has 2 marks and no box: a template must say where marks go": {Marks: []samples.Point{{X: 1, Y: 2}, {X: 3, Y: 4}}},
	} {
		o := MakeOptions{Width: 24, Height: 24}
		if _, _, err := o.place(&ob); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	o := MakeOptions{Width: 24, Height: 24, Template: samples.FrontalFace}
	if _, _, err := o.place(&samples.Object{Marks: []samples.Point{{X: 1, Y: 2}, {X: 3, Y: 4}}}); err == nil || !strings.Contains(err.Error(), "it has 2 marks and no box, and the template has 5 marks") {
		t.Error(err)
	}
}
