package samples

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"reflect"
	"testing"

	"golang.org/x/image/bmp"

	"haarlem/internal/must"
)

func jpegOf(m image.Image) []byte {
	var b bytes.Buffer
	must.Do(jpeg.Encode(&b, m, nil))
	return b.Bytes()
}

func bmpOf(m image.Image) []byte {
	var b bytes.Buffer
	must.Do(bmp.Encode(&b, m))
	return b.Bytes()
}

// doubled enlarges by a whole number.
func doubled(m *image.Gray) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, 2*m.Rect.Dx(), 2*m.Rect.Dy()))
	for i := range out.Pix {
		x, y := i%out.Stride, i/out.Stride
		out.Pix[i] = m.Pix[y/2*m.Stride+x/2]
	}
	return out
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
	for y := range 48 {
		for x := range 32 {
			half.Pix[y*64+x] = 90
		}
	}
	put(t, map[string][]byte{
		"a.png": pngOf(a), "copy.png": pngOf(a), "copy.bmp": bmpOf(a), "large.png": pngOf(doubled(a)), "deep.png": pngOf(deep(textured(64, 48, 5))),
		"again.jpg": jpegOf(a), "other.png": pngOf(textured(64, 48, 2)), "half.png": pngOf(half),
		"blank.png": pngOf(flat(64, 48, 9)), "small.png": pngOf(textured(23, 60, 1)), "one.png": pngOf(flat(1, 1, 9)),
		"text.png": []byte("hello"), "cut.png": pngOf(a)[:20],
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
	if r.Count(Duplicate) != 3 || r.Count(Shared) != 0 {
		t.Error(r.Count(Duplicate), r.Count(Shared))
	}
}

func TestCheckBackgrounds(t *testing.T) {
	a, crop := textured(64, 48, 1), textured(30, 30, 7)
	put(t, map[string][]byte{
		"a.png": pngOf(a), "b.png": pngOf(textured(64, 48, 2)), "bg/renamed.png": pngOf(a), "bg/large.png": pngOf(doubled(textured(64, 48, 2))),
		"crop.png": pngOf(crop), "bg/crop.bmp": bmpOf(crop), "bg/good.png": pngOf(textured(80, 48, 3)), "bg/same.png": pngOf(textured(80, 48, 3)),
		"bg/small.png": pngOf(textured(20, 20, 4)), "bg/blank.png": pngOf(flat(99, 99, 200)), "bg/broken.jpg": []byte("\xff\xd8\xff"),
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
	same := image.NewGray(image.Rect(0, 0, 24, 24))
	for i := range same.Pix {
		same.Pix[i] = a.GrayAt(5+i%24, 5+i/24).Y
	}
	kept, r := CheckCrops([]*image.Gray{a, flat(24, 24, 3), textured(24, 24, 9), same})
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
	p, q := flat(64, 64, 255), flat(64, 64, 255)
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
	if one := thumbnail(flat(1, 1, 77)); one[0] != 77 || one[255] != 77 {
		t.Error(one)
	}
}
