package samples

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/image/bmp"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/picture"
)

// doubled enlarges by a whole number.
func doubled(m *image.Gray) *image.Gray {
	return picturetest.Grey(2*m.Rect.Dx(), 2*m.Rect.Dy(), func(x, y int) byte { return m.Pix[y/2*m.Stride+x/2] })
}

// deep has 16 bits a pixel.
func deep(m *image.Gray) *image.Gray16 {
	out := image.NewGray16(m.Rect)
	for i, p := range m.Pix {
		out.SetGray16(i%m.Stride, i/m.Stride, color.Gray16{uint16(p)<<8 | 0x80})
	}
	return out
}

func TestCheckPositives(t *testing.T) {
	a := textured(64, 48, 1)
	half := textured(64, 48, 3)
	picturetest.Fill(half, image.Rect(0, 0, 32, 48), 90)
	put(t, map[string][]byte{
		"a.png": picturetest.PNG(a), "copy.png": picturetest.PNG(a), "copy.bmp": must.Bytes(func(w io.Writer) error { return bmp.Encode(w, a) }), "large.png": picturetest.PNG(doubled(a)), "deep.png": picturetest.PNG(deep(textured(64, 48, 5))),
		"again.jpg": picturetest.JPEG(a, jpeg.DefaultQuality), "other.png": picturetest.PNG(textured(64, 48, 2)), "half.png": picturetest.PNG(half),
		"blank.png": picturetest.PNG(picturetest.Even(64, 48, 9)), "small.png": picturetest.PNG(textured(23, 60, 1)), "one.png": picturetest.PNG(picturetest.Even(1, 1, 9)),
		"text.png": []byte("hello"), "cut.png": picturetest.PNG(a)[:20],
	})
	box := func(x, y, w, h int) Object { return Object{Box: image.Rect(x, y, x+w, y+h)} }
	photos := []Photo{
		{"a.png", []Object{box(2, 3, 30, 30)}},
		{"absent.png", []Object{box(1, 1, 30, 30)}},
		{"text.png", []Object{box(1, 1, 30, 30)}},
		{"cut.png", []Object{box(1, 1, 30, 30)}},
		{"one.png", []Object{box(0, 0, 1, 1)}},
		{"small.png", nil},
		{"blank.png", []Object{box(1, 1, 30, 30)}},
		{"copy.png", []Object{box(3, 3, 30, 30)}},
		{"copy.bmp", []Object{box(34, 10, 30, 30)}},
		{"large.png", []Object{{Box: image.Rect(60, 0, 90, 20), Ignore: true}}},
		{"again.jpg", []Object{box(2, 3, 30, 30)}},
		{"deep.png", []Object{box(40, 0, 30, 30), box(60, 0, 30, 30), box(-30, 0, 30, 30), {}, {Marks: []Point{{1, 1}, {70, 2}}}, {Marks: []Point{{-1, 1}, {70, 2}, {3, 3}}}}},
		{"half.png", []Object{box(2, 2, 28, 28), box(40, 2, 24, 23)}},
	}
	before := len(photos[11].Objects)
	kept, r := must.Get2(CheckPositives(context.Background(), photos, nil))
	want := []Photo{
		{"a.png", []Object{box(2, 3, 30, 30), box(34, 10, 30, 30), {Box: image.Rect(30, 0, 45, 10), Ignore: true}}},
		{"again.jpg", []Object{box(2, 3, 30, 30)}},
		{"deep.png", []Object{box(40, 0, 24, 30), {Box: image.Rect(60, 0, 64, 30), Ignore: true}, {Marks: []Point{{1, 1}, {70, 2}}}}},
		{"half.png", []Object{{Box: image.Rect(2, 2, 30, 30), Ignore: true}, box(40, 2, 24, 23)}},
	}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("got  %+v\nwant %+v", kept, want)
	}
	const table = `13 photographs, 4 kept; 17 objects to learn, 6 kept
        3 unreadable files                  left out                 absent.png: no such file or directory, text.png: not a picture that can be read: it is a text file, want JPEG, PNG, GIF, BMP, TIFF, WebP or PNM, cut.png: damaged picture: PNG header: the file ends too early
          convert or remove them
        2 pictures smaller than the window  left out                 one.png (1x1), small.png (23x60)
          use larger pictures
        1 blank pictures                    left out                 blank.png
          remove them
        3 duplicates                        left out                 copy.png (as a.png), copy.bmp (as a.png), large.png (as a.png)
          remove them
        1 boxes over the edge               clipped                  deep.png (object 1: (40,0) 30x30 in 64x48)
          nothing, if the edge cuts the object off
        1 boxes mostly outside              ignored                  deep.png (object 2: (60,0) 30x30 in 64x48)
          draw them anew; they may be of another size of the picture
        2 labels outside the picture        dropped                  deep.png (object 3: (-30,0) 30x30 in 64x48), deep.png (object 6: 1 of 3 landmarks in 64x48)
          draw them anew; they may be of another size of the picture
        1 blank boxes                       ignored                  half.png (object 1: (2,2) 28x28 in 64x48)
          check whether they show an object
        1 boxes smaller than the window     kept; they are enlarged  half.png (object 2: (40,2) 24x23 in 64x48)
          nothing, or train with a smaller window
        1 objects without box or landmarks  dropped                  deep.png (object 4)
          give them a box, or remove them
`
	if r.String() != table {
		t.Errorf("got\n%s\nwant\n%s", r, table)
	}
	if len(photos[11].Objects) != before || photos[11].Objects[1].Ignore {
		t.Error("the photographs that were given have changed")
	}
	for _, workers := range []int{1, 5} {
		again, r2, err := CheckPositives(context.Background(), photos, &CheckOptions{Workers: workers})
		if err != nil || !reflect.DeepEqual(again, kept) || !reflect.DeepEqual(r2, r) {
			t.Errorf("%d workers: another result: %v", workers, err)
		}
	}
}

func TestCheckBackgrounds(t *testing.T) {
	a, crop := textured(64, 48, 1), textured(30, 30, 7)
	put(t, map[string][]byte{
		"a.png": picturetest.PNG(a), "b.png": picturetest.PNG(textured(64, 48, 2)), "bg/renamed.png": picturetest.PNG(a), "bg/large.png": picturetest.PNG(doubled(textured(64, 48, 2))),
		"crop.png": picturetest.PNG(crop), "bg/crop.bmp": must.Bytes(func(w io.Writer) error { return bmp.Encode(w, crop) }), "bg/good.png": picturetest.PNG(textured(80, 48, 3)), "bg/same.png": picturetest.PNG(textured(80, 48, 3)),
		"bg/small.png": picturetest.PNG(textured(20, 20, 4)), "bg/blank.png": picturetest.PNG(picturetest.Even(99, 99, 200)), "bg/broken.jpg": []byte("\xff\xd8\xff"),
	})
	photos := []Photo{
		{"a.png", []Object{{Box: image.Rect(2, 3, 20, 21)}}},
		{"b.png", []Object{{Box: image.Rect(1, 2, 20, 21)}, {Box: image.Rect(40, 2, 50, 12), Ignore: true}}},
		{"crop.png", []Object{{Box: image.Rect(0, 0, 30, 30)}}},
		{"bg/good.png", nil}, // a photograph without objects is a background
	}
	back := must.Get(Backgrounds([]string{"bg"}, photos[1:2]))
	o := &CheckOptions{Workers: 3}
	var calls int
	o.Progress = func(done, of int) { calls++ }
	kept, r := must.Get2(CheckBackgrounds(context.Background(), back, photos, o))
	want := []Background{
		{"bg/good.png", nil},
		{"bg/large.png", []image.Rectangle{image.Rect(2, 4, 40, 42), image.Rect(80, 4, 100, 24)}},
		{"bg/renamed.png", []image.Rectangle{image.Rect(2, 3, 20, 21)}},
	}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("got  %+v\nwant %+v", kept, want)
	}
	const table = `9 backgrounds, 3 kept
        1 unreadable files                  left out              bg/broken.jpg: damaged picture: JPEG header: the file ends too early
          convert or remove them
        1 pictures smaller than the window  left out              bg/small.png (20x20)
          use larger pictures
        1 blank pictures                    left out              bg/blank.png
          remove them
        2 duplicates                        left out              bg/same.png (as bg/good.png), b.png (as bg/large.png)
          remove them
        2 backgrounds that show objects     the objects left out  bg/large.png (as b.png), bg/renamed.png (as a.png)
          take them out of the backgrounds
        1 backgrounds that are an object    left out              bg/crop.bmp
          take them out of the backgrounds
`
	if r.String() != table {
		t.Errorf("got\n%s\nwant\n%s", r, table)
	}
	if calls != 11 { // 4 photographs and 9 backgrounds, but good.png and b.png are both
		t.Errorf("%d files were read, want 11", calls)
	}

	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := CheckBackgrounds(ctx, back, photos, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if _, _, err := CheckPositives(ctx, photos, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

func TestCheckCrops(t *testing.T) {
	whole := textured(50, 50, 4)
	a := whole.SubImage(image.Rect(5, 5, 29, 29)).(*image.Gray)
	same := picturetest.Grey(24, 24, func(x, y int) byte { return a.GrayAt(5+x, 5+y).Y })
	kept, r := CheckCrops([]*image.Gray{a, picturetest.Even(24, 24, 3), textured(24, 24, 9), same})
	if len(kept) != 2 || kept[0] != a {
		t.Errorf("%d kept", len(kept))
	}
	const table = `4 windows, 2 kept
        1 blank pictures  left out  window 1
          remove them
        1 duplicates      left out  window 3 (as 0)
          remove them
`
	if r.String() != table {
		t.Errorf("got\n%s\nwant\n%s", r, table)
	}
}

// Reports list ten names of each kind, and the table three.
func TestReportNames(t *testing.T) {
	r := Report{What: "things", Given: 20, Kept: 1}
	for i := range 12 {
		r.add(Tiny, string(rune('a'+i)))
	}
	r.add(Unreadable, "e\x1bvil")
	if n := r.Findings[1].Names; len(n) != 10 || n[9] != "j" {
		t.Errorf("%q", n)
	}
	const want = "20 things, 1 kept\n" +
		"        1 unreadable files                  left out  \"e\\x1bvil\"\n          convert or remove them\n" +
		"       12 pictures smaller than the window  left out  a, b, c and 9 more\n          use larger pictures\n"
	if r.String() != want {
		t.Errorf("got\n%s\nwant\n%s", r.String(), want)
	}
}

func TestThumbnail(t *testing.T) {
	a := textured(64, 48, 1)
	if thumbnail(a) != thumbnail(doubled(a)) || fingerprint(a) != fingerprint(doubled(a)) {
		t.Error("an enlargement by a whole number has another thumbnail")
	}
	b := textured(64, 48, 1)
	b.Pix[5] ^= 0x80
	if fingerprint(a) == fingerprint(b) {
		t.Error("a picture with another corner has the same fingerprint")
	}
	// Uniform print: the averages are alike, the pages are not.
	p, q := picturetest.Even(64, 64, 255), picturetest.Even(64, 64, 255)
	for i := range p.Pix {
		p.Pix[i] = byte(i % 2 * 255)
		q.Pix[i] = byte((i + i/64) % 2 * 255)
	}
	if thumbnail(p) != thumbnail(q) {
		t.Fatal("the pages should have one thumbnail")
	}
	if fingerprint(p) == fingerprint(q) {
		t.Error("two pages with one thumbnail are one")
	}
	if one := thumbnail(picturetest.Even(1, 1, 77)); one[0] != 77 || one[255] != 77 {
		t.Error(one)
	}
}

func TestForbids(t *testing.T) {
	b := Background{Exclude: []image.Rectangle{image.Rect(1000, 1000, 1001, 1001), image.Rect(100, 100, 140, 140)}}
	for _, test := range []struct {
		what string
		box  image.Rectangle
		want bool
	}{
		{"the object", image.Rect(100, 100, 140, 140), true},
		{"far away", image.Rect(0, 0, 40, 40), false},
		{"a touching neighbour", image.Rect(140, 100, 180, 140), false},
		{"overlap 0.2", image.Rect(100, 100, 140, 108), true},
		{"overlap less than 0.2", image.Rect(100, 100, 140, 107), false},
		{"moved by half", image.Rect(120, 100, 160, 140), true},
		{"moved by three quarters", image.Rect(130, 100, 170, 140), false},
		{"an eye", image.Rect(105, 105, 120, 120), false},
		{"three times as large, the object at its corner", image.Rect(100, 100, 220, 220), true},
		{"a little larger than that", image.Rect(100, 100, 221, 221), false},
		{"the same with a third of the object outside", image.Rect(112, 100, 222, 210), true},
		{"and more", image.Rect(114, 100, 224, 210), false},
		{"ten times as large", image.Rect(0, 0, 400, 400), false},
		{"small, in the middle", image.Rect(112, 112, 128, 128), true},
		{"smaller", image.Rect(113, 113, 128, 128), false},
		{"empty", image.Rectangle{}, false},
	} {
		if got := b.Forbids(test.box); got != test.want {
			t.Errorf("%s, %v: %v", test.what, test.box, got)
		}
	}
	if (&Background{}).Forbids(image.Rect(0, 0, 9, 9)) {
		t.Error("nothing is excluded, and yet something is forbidden")
	}
}

func TestBackgrounds(t *testing.T) {
	put(t, map[string][]byte{"bg/a.png": nil, "bg/b.png": nil, "c.png": nil, "bg.txt": []byte("bg/b.png\n")})
	photos := []Photo{
		{"./bg/../bg/b.png", []Object{{Box: image.Rect(1, 1, 5, 5)}, {Ignore: true, Box: image.Rect(7, 7, 9, 9)}}},
		{"c.png", []Object{{Marks: []Point{{10, 10}, {20, 10}, {15, 18}}}, {}}},
	}
	got, err := Backgrounds([]string{"bg", "bg.txt"}, photos)
	boxes := []image.Rectangle{image.Rect(1, 1, 5, 5), image.Rect(7, 7, 9, 9)}
	want := []Background{{"bg/a.png", nil}, {"bg/b.png", boxes}, {"bg/b.png", boxes}, {"c.png", []image.Rectangle{image.Rect(5, 4, 25, 24)}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	sameError(t, "absent", errorOf(Backgrounds([]string{"bg", "absent"}, nil)), "absent: no such file or directory")
}

// ReadGrey converts pictures that are not grey with 8 bits.
func TestGrey(t *testing.T) {
	r := image.Rect(0, 0, 5, 4)
	deep, inks := image.NewGray16(r), image.NewNRGBA64(r)
	for i := range 20 {
		deep.SetGray16(i%5, i/5, color.Gray16{uint16(i*3000 + 255)})
		inks.SetNRGBA64(i%5, i/5, color.NRGBA64{uint16(i * 3000), 1000, 60000, 0xffff})
	}
	put(t, map[string][]byte{"deep.png": picturetest.PNG(deep), "colour.png": picturetest.PNG(inks), "one.png": picturetest.PNG(picturetest.Even(1, 1, 3)), "inks.jpg": picturetest.CMYK(8, "00"), "grey.jpg": picturetest.JPEG(textured(19, 13, 1), jpeg.DefaultQuality)})
	g, err := (&Background{File: "deep.png"}).Grey()
	if err != nil || g.Rect != r || g.GrayAt(3, 2).Y != byte((13*3000+255)>>8) {
		t.Errorf("16 bits: %v, %v", g, err)
	}
	g, err = ReadGrey("colour.png")
	if want := byte((299*39000 + 587*1000 + 114*60000) / 1000 >> 8); err != nil || g.GrayAt(3, 2).Y != want {
		t.Errorf("16 bits in colour: %v, %v, want %d", g, err, want)
	}
	if g, err = ReadGrey("one.png"); err != nil || g.Rect != image.Rect(0, 0, 1, 1) || g.Pix[0] != 3 {
		t.Errorf("1x1: %v, %v", g, err)
	}
	// (255-128)/255 of white through half black: 63 of 255.
	if g, err = ReadGrey("inks.jpg"); err != nil || g.Rect != image.Rect(0, 0, 8, 8) || g.Pix[9] < 62 || g.Pix[9] > 65 {
		t.Errorf("CMYK: %v, %v", g, err)
	}
	g, err = ReadGrey("grey.jpg")
	p, err2 := picture.Open("grey.jpg", nil)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if len(g.Pix) > 0 && g.GrayAt(18, 12) != p.Image.(*image.Gray).GrayAt(18, 12) {
		t.Error("a grey JPEG has other pixels")
	}
	sameError(t, "absent", errorOf(ReadGrey("absent.png")), "absent.png: no such file or directory")
}

func TestCrops(t *testing.T) {
	put(t, map[string][]byte{"a.png": nil, "bad.png": []byte("x")})
	got := Crops([]string{"a.png", "bad.png"})
	want := []Photo{{"a.png", []Object{{Box: image.Rect(0, 0, 40, 30)}}}, {"bad.png", []Object{{Ignore: true}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

// The repository's own pictures agree with their truth.
func TestOwnSamples(t *testing.T) {
	photos, err := ReadTruth("../../samples/group.csv", Auto)
	if err != nil || len(photos) != 1 || len(photos[0].Objects) != 11 {
		t.Fatalf("%+v, %v", photos, err)
	}
	w, h := must.Get2(size(photos[0].File))
	for _, o := range photos[0].Objects {
		if !o.Box.In(image.Rect(0, 0, w, h)) {
			t.Errorf("%v is not inside %dx%d", o.Box, w, h)
		}
	}
	if _, err := os.Stat(filepath.Join("..", "..", "samples", "found", "group.png")); err != nil {
		t.Error(err)
	}
}

// Marks that are the shifted, rotated and scaled template are matched exactly.
func TestAlignUndoesASimilarity(t *testing.T) {
	for _, tall := range []float64{1, 1.5} {
		sin, cos := math.Sincos(0.3)
		want := Similarity{A: 40 * cos, B: 40 * sin, X: 100, Y: 70}
		var marks []Point
		for _, f := range FrontalFace.Middled(tall) {
			marks = append(marks, Point{want.A*f.X - want.B*f.Y + want.X, want.B*f.X + want.A*f.Y + want.Y})
		}
		check := func(what string) {
			t.Helper()
			got, err := FrontalFace.Align(marks, tall)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, d := range []float64{got.A - want.A, got.B - want.B, got.X - want.X, got.Y - want.Y} {
				if math.Abs(d) > 1e-9 {
					t.Errorf("%s: %+v, want %+v", what, got, want)
					break
				}
			}
			if math.Abs(got.Side()-40) > 1e-9 {
				t.Errorf("%s: side %v, want 40", what, got.Side())
			}
		}
		check("all marks")
		marks[2].X = math.NaN()
		check("no nose")
		marks[3].Y, marks[4].Y = math.NaN(), math.NaN()
		check("eyes alone")
	}
}

// Least squares: no small change of the result brings the marks closer.
func TestAlignIsLeastSquares(t *testing.T) {
	marks := []Point{{31, 34}, {49, 36}, {41, 47}, {33, 52}, {44, 57}}
	p := must.Get(FrontalFace.Align(marks, 1))
	cost := func(p Similarity) (sum float64) {
		for i, m := range marks {
			f := FrontalFace.middled(i, 1)
			sum += math.Pow(p.A*f.X-p.B*f.Y+p.X-m.X, 2) + math.Pow(p.B*f.X+p.A*f.Y+p.Y-m.Y, 2)
		}
		return sum
	}
	best := cost(p)
	for _, d := range []Similarity{{A: .1}, {A: -.1}, {B: .1}, {B: -.1}, {X: .1}, {X: -.1}, {Y: .1}, {Y: -.1}} {
		if c := cost(Similarity{p.A + d.A, p.B + d.B, p.X + d.X, p.Y + d.Y}); c <= best {
			t.Errorf("%+v away costs %v, and the answer %v", d, c, best)
		}
	}
}

func TestAlignErrors(t *testing.T) {
	nan := Point{math.NaN(), math.NaN()}
	for want, marks := range map[string][]Point{
		"4 marks, the template has 5":                    {{1, 2}, {3, 4}, {5, 6}, {7, 8}},
		"1 marks are there, want at least 2 to align by": {{1, 2}, nan, nan, nan, nan},
	} {
		if _, err := FrontalFace.Align(marks, 1); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestParseTemplate(t *testing.T) {
	for text, marks := range map[string]int{"frontalface": 5, "": 0, "0.3,0.38 0.7,0.38  0.5,0.8": 3} {
		got, err := ParseTemplate(text)
		if err != nil || len(got.Marks) != marks {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"face":            `template "face": mark 1 is "face", want frontalface, or marks like 0.3,0.38 with blanks between them`,
		"0.3,0.4 x,0.4":   `template "0.3,0.4 x,0.4": mark 2 is "x,0.4", want frontalface, or marks like 0.3,0.38 with blanks between them`,
		"30,38 70,38":     "template: mark 1 is 30,38, want shares of the window's width and height, mostly 0 to 1",
		"NaN,0.5 0.7,0.5": "template: mark 1 is NaN,0.5, want shares of the window's width and height, mostly 0 to 1",
		"0.5,0.5 0.5,0.5": "template: 2 marks in one place do not say how large an object is; want two places at least",
		"0.5,0.5":         "template: 1 marks in one place do not say how large an object is; want two places at least",
	} {
		if _, err := ParseTemplate(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

// A face like the template gets its box, at any rotation.
func TestSquareOfTurnedMarks(t *testing.T) {
	for degrees := -40; degrees <= 40; degrees += 20 {
		sin, cos := math.Sincos(float64(degrees) * math.Pi / 180)
		const side, cx, cy = 50, 200, 100
		var marks []Point
		for _, f := range FrontalFace.Marks {
			u, v := (f.X-0.5)*side, (f.Y-0.5)*side
			marks = append(marks, Point{X: cx + u*cos - v*sin, Y: cy + u*sin + v*cos})
		}
		c, s, err := FrontalFace.Square(marks)
		if err != nil || math.Abs(c.X-cx) > 1e-9 || math.Abs(c.Y-cy) > 1e-9 || math.Abs(s-side) > 1e-9 {
			t.Errorf("%d degrees: centre %v, side %v, %v", degrees, c, s, err)
		}
		marks[2].X = math.NaN() // a missing one
		if b, err := FrontalFace.Box(marks); err != nil || b != image.Rect(175, 75, 225, 125) {
			t.Errorf("%d degrees: box %v, %v", degrees, b, err)
		}
	}
}

// A profile's landmarks are close together horizontally, but its face is as
// large.
func TestSquareOfProfile(t *testing.T) {
	var marks []Point
	for _, f := range FrontalFace.Marks {
		marks = append(marks, Point{X: 100 * f.X * 0.3, Y: 100 * f.Y})
	}
	if _, side, err := FrontalFace.Square(marks); err != nil || side < 85 || side > 115 {
		t.Errorf("side %v, want about 100; %v", side, err)
	}
}

func TestSquareErrors(t *testing.T) {
	gone := Point{X: math.NaN()}
	if _, _, err := FrontalFace.Square([]Point{gone, gone, {X: 1}, gone, gone}); !errors.Is(err, errMarks) {
		t.Errorf("all but one missing: %v", err)
	}
	one := make([]Point, 5)
	if _, _, err := FrontalFace.Square(one); !errors.Is(err, errMarks) {
		t.Errorf("all on one point: %v", err)
	}
	if _, err := FrontalFace.Box(one[:2]); !errors.Is(err, errMarks) || err.Error() != "landmarks do not fit the template: 2 landmarks, want 5" {
		t.Errorf("two of five: %v", err)
	}
}
