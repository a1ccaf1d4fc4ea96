package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func TestInfoDat(t *testing.T) {
	put(t, map[string][]byte{
		"photos/a.png": nil, "photos/my face 1.png": nil, "photos/odd 1 0 0 2 2": nil, "elsewhere.png": nil, "photos/sub/w.png": nil,
		"photos/info.dat": []byte("\ufeff# made by hand\r\na.png 2 1 2 10 20 30 5 6 7\r\n\r\nmy face 1.png  1  0 0 9 9\n" +
			"elsewhere.png\t0\na.png 1 -3 0 5.6 4\nodd 1 0 0 2 2 1 3 3 4 4\n\"sub\\w.png\" 1 1 1 2 2\n"),
	})
	got := must.Get(ReadTruth("photos/info.dat", Auto))
	box := func(x, y, w, h int) Object { return Object{Box: image.Rect(x, y, x+w, y+h)} }
	want := []Photo{
		{"photos/a.png", []Object{box(1, 2, 10, 20), box(30, 5, 6, 7), box(-3, 0, 6, 4)}},
		{"photos/my face 1.png", []Object{box(0, 0, 9, 9)}},
		{"elsewhere.png", nil},
		{"photos/odd 1 0 0 2 2", []Object{box(3, 3, 4, 4)}},
		{"photos/sub/w.png", []Object{box(1, 1, 2, 2)}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestInfoDatErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"a.png", "t.dat:1: a name alone, want the number of boxes behind it: NAME COUNT and X Y WIDTH HEIGHT of each"},
		{"\"a b.png\"", "t.dat:1: a name alone, want the number of boxes behind it: NAME COUNT and X Y WIDTH HEIGHT of each"},
		{"\"a b.png 1 2 3 4 5", `t.dat:1: a name in quotes, want "NAME" and then the number of boxes`},
		{"#\na.png 2 1 2 3 4 5 6 7", "t.dat:2: 2 boxes need 8 numbers (x y width height of each), found 7"},
		{"a.png one 1 2 3 4", "t.dat:1: 1 boxes need 4 numbers (x y width height of each), found 3"},
		{"a.png one", `t.dat:1: "one", want the number of boxes: NAME COUNT and X Y WIDTH HEIGHT of each`},
		{"a.png -1", `t.dat:1: "-1", want the number of boxes: NAME COUNT and X Y WIDTH HEIGHT of each`},
		{"a.png 1 1 2 NaN 4", `t.dat:1: box 1, width: "NaN", want a number`},
		{"a.png 2 1 2 3 4 1 2 3 1e9", "t.dat:1: box 2, height: 1e9, want a number from -1000000 to 1000000"},
		{"a.png 1 1 2 0 4", "t.dat:1: box 1: width 0, want more than 0"},
		{"a.png 1 1 2 3 -4", "t.dat:1: box 1: height -4, want more than 0"},
		{"a\x00.png 1 1 2 3 4", "t.dat:1: a zero byte: this is not text (or UTF-16: save it as UTF-8)"},
		{strings.Repeat("x", maxLine+1), "t.dat:1: a line of more than 1048576 bytes: over the limit"},
	} {
		_, err := readInfoDat(strings.NewReader(test.text), "t.dat", func(string) bool { return false })
		sameError(t, clip(test.text), err, test.want)
	}
}

func FuzzInfoDat(f *testing.F) {
	for _, s := range []string{"a.png 1 2 3 4 5\n", "a b 1 c.png 2 1 2 3 4 5 6 7 8\r\n", "\"x y\" 0", "# c\n\ufeffa 0", "a 1 1 1 1 1e400", "a 4 1 4 1 4 1 4 1 4 1 4 1 4 1 4 0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		photos, err := readInfoDat(strings.NewReader(s), "t.dat", func(n string) bool { return len(n)%2 == 0 })
		sound(t, photos, err)
	})
}

// sound checks the invariants of every reader's result.
func sound(t *testing.T, photos []Photo, err error) {
	t.Helper()
	if err != nil {
		return
	}
	seen := map[string]bool{}
	for _, p := range photos {
		if p.File == "" || seen[p.File] {
			t.Errorf("photograph %q is empty or there twice", p.File)
		}
		seen[p.File] = true
		for _, o := range p.Objects {
			if o.Box.Empty() && len(o.Marks) == 0 {
				t.Errorf("%q: an object without a place: %+v", p.File, o)
			}
			if b := o.Box; b.Min.X < -maxPlace-1 || b.Min.Y < -maxPlace-1 || b.Max.X > 2*maxPlace+1 || b.Max.Y > 2*maxPlace+1 {
				t.Errorf("%q: %v", p.File, b)
			}
			for _, m := range o.Marks {
				if checkPlace(m.X) != nil || checkPlace(m.Y) != nil {
					t.Errorf("%q: landmark %v", p.File, m)
				}
			}
		}
	}
}
