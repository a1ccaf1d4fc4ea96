package samples

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Template says where an object's landmarks stand in a window, in shares of
// its width and height: (0, 0) is the upper left corner of the window and (1,
// 1) the lower right one. The zero value has no marks.
type Template struct {
	// Marks are in the order of the truth file's.
	Marks []Point
}

// FrontalFace frames a face as OpenCV's frontal cascades do: the eyes 0.4 of
// the width apart, at 0.38 of the height. Its marks are left eye, right eye,
// nose, left and right corner of the mouth, left and right as seen in the
// picture. Where nose and mouth stand below such eyes is the mean of the 7,445
// frontal faces of MTFL (Zhang, Luo, Loy, Tang, ECCV 2014).
var FrontalFace = Template{Marks: []Point{{0.30, 0.38}, {0.70, 0.38}, {0.50, 0.615}, {0.327, 0.803}, {0.673, 0.803}}}

// ParseTemplate reads a template as it stands in a command line: a name, which
// is "frontalface", or the marks, as in "0.3,0.38 0.7,0.38 0.5,0.8". An empty
// text is the template without marks.
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
	return t, t.check()
}

// String writes the template as [ParseTemplate] reads it.
func (t Template) String() string {
	var b strings.Builder
	for i, m := range t.Marks {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.FormatFloat(m.X, 'g', -1, 64) + "," + strconv.FormatFloat(m.Y, 'g', -1, 64))
	}
	return b.String()
}

// check says what would make it impossible to align anything with t.
func (t Template) check() error {
	for i, m := range t.Marks {
		// A mark may lie outside the window, but one far away is a template in
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

// A placement says where a window lies in a picture. Windows are measured from
// their middle, in units of their width: the point (p, q) of the window is
// (a p - b q + x, b p + a q + y) in the picture, where pixel (0, 0) covers the
// square from (0, 0) to (1, 1). So it is a similarity: shift, turn and scale.
type placement struct{ a, b, x, y float64 }

// side returns the window's width in pixels of the picture.
func (p placement) side() float64 { return math.Sqrt(float64(p.a*p.a) + float64(p.b*p.b)) }

// middled returns a mark of a template in a window's own measure; tall is the
// window's height over its width.
func middled(m Point, tall float64) Point { return Point{m.X - 0.5, float64((m.Y - 0.5) * tall)} }

// align returns the placement that brings the template's marks closest to an
// object's, by least squares over those that are there: NaN stands for a mark
// that is missing. Of several solutions of the general problem (Umeyama, IEEE
// PAMI 13(4), 1991) it is the one without reflection, which in the plane needs
// no more than two sums.
//
// The conversions keep the compiler from fusing multiply and add, which would
// place a window elsewhere on other machines.
func (t Template) align(marks []Point, tall float64) (placement, error) {
	if len(marks) != len(t.Marks) {
		return placement{}, fmt.Errorf("%d marks, the template has %d", len(marks), len(t.Marks))
	}
	var n, fx, fy, mx, my float64
	there := func(m Point) bool { return !math.IsNaN(m.X) && !math.IsNaN(m.Y) }
	for i, m := range marks {
		if there(m) {
			f := middled(t.Marks[i], tall)
			fx, fy, mx, my, n = fx+f.X, fy+f.Y, mx+m.X, my+m.Y, n+1
		}
	}
	if n < 2 {
		return placement{}, fmt.Errorf("%v marks are there, want at least 2 to align by", n)
	}
	fx, fy, mx, my = fx/n, fy/n, mx/n, my/n
	var a, b, s float64
	for i, m := range marks {
		if there(m) {
			f := middled(t.Marks[i], tall)
			x, y, u, v := f.X-fx, f.Y-fy, m.X-mx, m.Y-my
			a += float64(x*u) + float64(y*v)
			b += float64(x*v) - float64(y*u)
			s += float64(x*x) + float64(y*y)
		}
	}
	if s == 0 {
		return placement{}, fmt.Errorf("the marks that are there are one place of the template, want two at least")
	}
	p := placement{a: a / s, b: b / s}
	p.x = mx - (float64(p.a*fx) - float64(p.b*fy))
	p.y = my - (float64(p.b*fx) + float64(p.a*fy))
	return p, nil
}
