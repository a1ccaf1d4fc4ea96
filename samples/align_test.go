package samples

import (
	"image"
	"math"
	"strings"
	"testing"
)

// Marks that are the template, shifted, turned and scaled, are hit exactly.
func TestAlignUndoesASimilarity(t *testing.T) {
	for _, tall := range []float64{1, 1.5} {
		sin, cos := math.Sincos(0.3)
		want := placement{a: 40 * cos, b: 40 * sin, x: 100, y: 70}
		var marks []Point
		for _, m := range FrontalFace.Marks {
			f := middled(m, tall)
			marks = append(marks, Point{want.a*f.X - want.b*f.Y + want.x, want.b*f.X + want.a*f.Y + want.y})
		}
		check := func(what string) {
			t.Helper()
			got, err := FrontalFace.align(marks, tall)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for _, d := range []float64{got.a - want.a, got.b - want.b, got.x - want.x, got.y - want.y} {
				if math.Abs(d) > 1e-9 {
					t.Errorf("%s: %+v, want %+v", what, got, want)
					break
				}
			}
			if math.Abs(got.side()-40) > 1e-9 {
				t.Errorf("%s: side %v, want 40", what, got.side())
			}
		}
		check("all marks")
		marks[2].X = math.NaN()
		check("no nose")
		marks[3].Y, marks[4].Y = math.NaN(), math.NaN()
		check("eyes alone")
	}
}

// Least squares: no small change of the answer brings the marks closer.
func TestAlignIsLeastSquares(t *testing.T) {
	marks := []Point{{31, 34}, {49, 36}, {41, 47}, {33, 52}, {44, 57}}
	p, err := FrontalFace.align(marks, 1)
	if err != nil {
		t.Fatal(err)
	}
	cost := func(p placement) (sum float64) {
		for i, m := range marks {
			f := middled(FrontalFace.Marks[i], 1)
			sum += math.Pow(p.a*f.X-p.b*f.Y+p.x-m.X, 2) + math.Pow(p.b*f.X+p.a*f.Y+p.y-m.Y, 2)
		}
		return sum
	}
	best := cost(p)
	for _, d := range []placement{{a: .1}, {a: -.1}, {b: .1}, {b: -.1}, {x: .1}, {x: -.1}, {y: .1}, {y: -.1}} {
		if c := cost(placement{p.a + d.a, p.b + d.b, p.x + d.x, p.y + d.y}); c <= best {
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
		if _, err := FrontalFace.align(marks, 1); err == nil || err.Error() != want {
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
		again, err := ParseTemplate(got.String())
		if err != nil || again.String() != got.String() {
			t.Errorf("%q comes back as %q, %v", got, again, err)
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

// What boxes become: enlarged on each side, and made the window's shape by
// growing.
func TestPlaceOfBoxes(t *testing.T) {
	ob := Object{Box: image.Rect(10, 20, 50, 60)}
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
		if err != nil || worn != nil || p != (placement{a: c.want, x: 30, y: 40}) {
			t.Errorf("%+v: %+v, %v, want a side of %v", c.o, p, err, c.want)
		}
	}
	for want, ob := range map[string]Object{
		"neither a box nor marks say where it is":                       {},
		"it has 2 marks and no box: a template must say where marks go": {Marks: []Point{{1, 2}, {3, 4}}},
	} {
		o := MakeOptions{Width: 24, Height: 24}
		if _, _, err := o.place(&ob); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	o := MakeOptions{Width: 24, Height: 24, Template: FrontalFace}
	if _, _, err := o.place(&Object{Marks: []Point{{1, 2}, {3, 4}}}); err == nil || !strings.Contains(err.Error(), "it has 2 marks and no box, and the template has 5 marks") {
		t.Error(err)
	}
}
