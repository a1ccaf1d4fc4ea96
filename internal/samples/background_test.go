package samples

import (
	"image"
	"image/color"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/picture"
)

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
	_, err = Backgrounds([]string{"bg", "absent"}, nil)
	sameError(t, "absent", err, "absent: no such file or directory")
}

// ReadGrey converts pictures that are not grey with 8 bits.
func TestGrey(t *testing.T) {
	r := image.Rect(0, 0, 5, 4)
	deep, inks := image.NewGray16(r), image.NewNRGBA64(r)
	for i := range 20 {
		deep.SetGray16(i%5, i/5, color.Gray16{uint16(i*3000 + 255)})
		inks.SetNRGBA64(i%5, i/5, color.NRGBA64{uint16(i * 3000), 1000, 60000, 0xffff})
	}
	put(t, map[string][]byte{"deep.png": pngOf(deep), "colour.png": pngOf(inks), "one.png": pngOf(flat(1, 1, 3)), "inks.jpg": picturetest.CMYK(8, "00"), "grey.jpg": jpegOf(textured(19, 13, 1))})
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
	_, err = ReadGrey("absent.png")
	sameError(t, "absent", err, "absent.png: no such file or directory")
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
