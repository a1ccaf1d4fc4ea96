package samples

import (
	"errors"
	"image"
	"math"
	"testing"

	"haarlem/internal/must"
)

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
