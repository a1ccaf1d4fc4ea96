package haar

import (
	"fmt"
	"iter"
)

// A Set is one of the three families of features of OpenCV's cascade trainer.
// Each contains the one before it.
type Set uint8

const (
	Basic Set = iota // edges, lines of three and checkerboards, upright
	Core             // and lines of four with a double middle, and centre against surround
	All              // and edges and lines turned by 45 degrees
)

// String returns the name that OpenCV's files use: BASIC, CORE or ALL.
func (s Set) String() string {
	switch s {
	case Basic:
		return "BASIC"
	case Core:
		return "CORE"
	case All:
		return "ALL"
	}
	return fmt.Sprintf("Set(%d)", uint8(s))
}

// A part is one rectangle of a shape, in units: a step in the first direction
// (right, or down to the right when tilted) is dx pixels, a step in the second
// (down, or down to the left) is dy pixels.
type part struct {
	u, v, nu, nv int32
	weight       float32
}

// A shape is a pattern of units that is placed in the window at every position
// and size. Its first part is the whole pattern with weight -1; the weights of
// the others make the sum of a flat window zero.
type shape struct {
	name   string
	set    Set // the smallest set that contains it
	tilted bool
	nu, nv int32
	parts  []part
}

// shapes are in the order of OpenCV's trainer at one position and size, so that
// feature indices agree.
var shapes = []shape{
	{"x2", Basic, false, 2, 1, []part{{0, 0, 2, 1, -1}, {1, 0, 1, 1, 2}}},
	{"y2", Basic, false, 1, 2, []part{{0, 0, 1, 2, -1}, {0, 1, 1, 1, 2}}},
	{"x3", Basic, false, 3, 1, []part{{0, 0, 3, 1, -1}, {1, 0, 1, 1, 3}}},
	{"y3", Basic, false, 1, 3, []part{{0, 0, 1, 3, -1}, {0, 1, 1, 1, 3}}},
	{"x4", Core, false, 4, 1, []part{{0, 0, 4, 1, -1}, {1, 0, 2, 1, 2}}},
	{"y4", Core, false, 1, 4, []part{{0, 0, 1, 4, -1}, {0, 1, 1, 2, 2}}},
	{"x2y2", Basic, false, 2, 2, []part{{0, 0, 2, 2, -1}, {0, 0, 1, 1, 2}, {1, 1, 1, 1, 2}}},
	{"x3y3", Core, false, 3, 3, []part{{0, 0, 3, 3, -1}, {1, 1, 1, 1, 9}}},
	{"tilted x2", All, true, 2, 1, []part{{0, 0, 2, 1, -1}, {0, 0, 1, 1, 2}}},
	{"tilted y2", All, true, 1, 2, []part{{0, 0, 1, 2, -1}, {0, 0, 1, 1, 2}}},
	{"tilted x3", All, true, 3, 1, []part{{0, 0, 3, 1, -1}, {1, 0, 1, 1, 3}}},
	{"tilted y3", All, true, 1, 3, []part{{0, 0, 1, 3, -1}, {0, 1, 1, 1, 3}}},
	{"tilted x4", All, true, 4, 1, []part{{0, 0, 4, 1, -1}, {1, 0, 2, 1, 2}}},
	{"tilted y4", All, true, 1, 4, []part{{0, 0, 1, 4, -1}, {0, 1, 1, 2, 2}}},
}

// fits reports whether the shape in units of dx and dy, with its topmost
// (upright: top left) corner at (x, y), lies inside a window of w x h pixels.
func (s *shape) fits(w, h, x, y, dx, dy int) bool {
	a, b := int(s.nu)*dx, int(s.nv)*dy
	if s.tilted {
		return x-b >= 0 && x+a <= w && y+a+b <= h
	}
	return x+a <= w && y+b <= h
}

// place returns the shape's feature at (x, y) in units of dx and dy.
func (s *shape) place(x, y, dx, dy int) Feature {
	f := Feature{Tilted: s.tilted}
	for i, p := range s.parts {
		du, dv := p.u*int32(dx), p.v*int32(dy)
		r := Rect{int32(x) + du, int32(y) + dv, p.nu * int32(dx), p.nv * int32(dy), p.weight}
		if s.tilted {
			r.X, r.Y = int32(x)+du-dv, int32(y)+du+dv
		}
		f.Rects[i] = r
	}
	return f
}

// Features yields every feature of the set that fits into a window of w x h
// pixels, in the order of OpenCV's trainer: by x, then y, then the width and
// the height of the unit, then the shape. There are none when w or h is not
// positive.
func (s Set) Features(w, h int) iter.Seq[Feature] {
	return func(yield func(Feature) bool) {
		for x := 0; x < w; x++ {
			for y := 0; y < h; y++ {
				for dx := 1; dx <= w; dx++ {
					for dy := 1; dy <= h; dy++ {
						for i := range shapes {
							sh := &shapes[i]
							if sh.set <= s && sh.fits(w, h, x, y, dx, dy) && !yield(sh.place(x, y, dx, dy)) {
								return
							}
						}
					}
				}
			}
		}
	}
}

// Count returns the number of features of the set in a window of w x h pixels,
// without enumerating them.
func (s Set) Count(w, h int) int {
	n := 0
	for i := range shapes {
		sh := &shapes[i]
		if sh.set > s {
			continue
		}
		for a := int(sh.nu); a <= w; a += int(sh.nu) {
			for b := int(sh.nv); b <= h; b += int(sh.nv) {
				across, down := w-a+1, h-b+1
				if sh.tilted { // its box is a+b wide and as high
					across, down = w-a-b+1, h-a-b+1
				}
				if across > 0 && down > 0 {
					n += across * down
				}
			}
		}
	}
	return n
}
