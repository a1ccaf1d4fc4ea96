package samples

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"
)

// A Template says where an object's landmarks are in a detection window, as
// fractions of its width and height: (0, 0) is the upper left corner and (1, 1)
// the lower right one. The zero value has no marks.
//
// [Template.Align] finds the window of an object for training, and
// [Template.Square] its box for measuring.
type Template struct {
	// Marks are in the order of the truth file's.
	Marks []Point
}

// FrontalFace frames a face as OpenCV's frontal cascades do: the eyes 0.4 of
// the width apart, at 0.38 of the height. Its marks are left eye, right eye,
// nose, left and right corner of the mouth, left and right as seen in the
// image. The positions of nose and mouth are the mean of the 7,445 frontal
// faces of MTFL (Zhang, Luo, Loy, Tang, ECCV 2014).
var FrontalFace = Template{Marks: []Point{{0.30, 0.38}, {0.70, 0.38}, {0.50, 0.615}, {0.327, 0.803}, {0.673, 0.803}}}

// ParseTemplate parses a template of a command line: a name, which is
// "frontalface", or the marks, as in "0.3,0.38 0.7,0.38 0.5,0.8". An empty text
// is the template without marks.
func ParseTemplate(s string) (Template, error) {
	if s == "frontalface" {
		return FrontalFace, nil
	}
	var t Template
	for i, field := range strings.Fields(s) {
		left, right, ok := strings.Cut(field, ",")
		x, err1 := strconv.ParseFloat(left, 64)
		y, err2 := strconv.ParseFloat(right, 64)
		if !ok || err1 != nil || err2 != nil {
			return Template{}, fmt.Errorf("template %q: mark %d is %q, want frontalface, or marks like 0.3,0.38 with blanks between them", s, i+1, field)
		}
		t.Marks = append(t.Marks, Point{x, y})
	}
	return t, t.Check()
}

// Check returns an error if t does not determine an alignment.
func (t Template) Check() error {
	for i, m := range t.Marks {
		// A mark may lie outside the window, but one far away is probably in
		// pixels.
		if !(math.Abs(m.X-0.5) <= 2) || !(math.Abs(m.Y-0.5) <= 2) {
			return fmt.Errorf("template: mark %d is %v,%v, want shares of the window's width and height, mostly 0 to 1", i+1, m.X, m.Y)
		}
	}
	if len(t.Marks) == 0 {
		return nil
	}
	for _, m := range t.Marks[1:] {
		if m != t.Marks[0] {
			return nil
		}
	}
	return fmt.Errorf("template: %d marks in one place do not say how large an object is; want two places at least", len(t.Marks))
}

// errMarks is wrapped by errors about landmarks that do not fit.
var errMarks = errors.New("landmarks do not fit the template")

// Align returns the similarity that brings the template's marks closest to an
// object's, by least squares in the picture. A mark that is NaN is missing.
// aspect is the window's height over its width.
func (t Template) Align(marks []Point, aspect float64) (Similarity, error) {
	if len(marks) != len(t.Marks) {
		return Similarity{}, fmt.Errorf("%d marks, the template has %d", len(marks), len(t.Marks))
	}
	var from, to []Point
	for i, m := range marks {
		if present(m) {
			from, to = append(from, t.middled(i, aspect)), append(to, m)
		}
	}
	if len(to) < 2 {
		return Similarity{}, fmt.Errorf("%d marks are there, want at least 2 to align by", len(to))
	}
	f := fit(from, to)
	if f.norm == 0 {
		return Similarity{}, errors.New("the marks that are there are one position in the template, want two at least")
	}
	s := Similarity{A: f.a / f.norm, B: f.b / f.norm}
	s.X = f.to.X - (float64(s.A*f.from.X) - float64(s.B*f.from.Y))
	s.Y = f.to.Y - (float64(s.B*f.from.X) + float64(s.A*f.from.Y))
	return s, nil
}

// middled returns mark i in a window's own units; see [Similarity].
func (t Template) middled(i int, aspect float64) Point {
	return Point{t.Marks[i].X - 0.5, float64((t.Marks[i].Y - 0.5) * aspect)}
}

// Middled returns all marks in the units of a [Similarity].
func (t Template) Middled(aspect float64) []Point {
	all := make([]Point, len(t.Marks))
	for i := range all {
		all[i] = t.middled(i, aspect)
	}
	return all
}

// Square returns the centre and the side of the upright square box of an object
// with these landmarks: the similarity from the landmarks to the template is
// least squares in the template. (The other way round, as Align does it, boxes
// would be too small for faces seen from the side, whose width is
// foreshortened.) A mark that is NaN is missing.
func (t Template) Square(marks []Point) (centre Point, side float64, err error) {
	if len(marks) != len(t.Marks) || len(t.Marks) < 2 {
		return centre, 0, fmt.Errorf("%w: %d landmarks, want %d", errMarks, len(marks), len(t.Marks))
	}
	var from, to []Point
	for i, m := range marks {
		if present(m) {
			from, to = append(from, m), append(to, t.Marks[i])
		}
	}
	if len(from) < 2 {
		return centre, 0, fmt.Errorf("%w: %d landmarks are there, want 2 at least", errMarks, len(from))
	}
	f := fit(from, to)
	k := float64(f.a*f.a) + float64(f.b*f.b) // squared scale, times norm squared
	if !(f.norm > 0 && k > 0) || math.IsInf(k, 0) {
		return centre, 0, fmt.Errorf("%w: they are all at one point, or impossibly far apart", errMarks)
	}
	re, im, k := f.a/f.norm, f.b/f.norm, k/f.norm/f.norm
	side = 1 / math.Sqrt(k)
	// The template's middle, mapped back: mark = conj(k) * (template - t) / |k|^2.
	u, v := 0.5-f.to.X, 0.5-f.to.Y
	centre.X = f.from.X + (float64(re*u)+float64(im*v))/k
	centre.Y = f.from.Y + (float64(re*v)-float64(im*u))/k
	return centre, side, nil
}

// Box returns Square's box in whole pixels.
func (t Template) Box(marks []Point) (image.Rectangle, error) {
	c, side, err := t.Square(marks)
	if err != nil {
		return image.Rectangle{}, err
	}
	return SquareBox(c, side), nil
}

// SquareBox rounds a square's position and size to pixels.
func SquareBox(c Point, side float64) image.Rectangle {
	const largest = 1 << 30
	clamp := func(v float64) int { return int(math.Round(min(max(v, -largest), largest))) }
	s := max(clamp(side), 1)
	x, y := clamp(c.X-side/2), clamp(c.Y-side/2)
	return image.Rect(x, y, x+s, y+s)
}
