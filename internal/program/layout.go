package program

import (
	"haarlem/cascade"
	"haarlem/haar"
)

// StripWidth is how many windows of a row are looked at together. The scan
// goes down a strip row by row, so that the strip's part of the tables stays
// in the first-level cache.
const StripWidth = 64

// A Layout says where the pixel tables' elements lie. Windows stand step
// pixels apart; the columns of a table row are dealt out to step planes, so
// that the same corner of neighbouring windows stands side by side.
type Layout struct {
	Step   int // pixels between windows
	Plane  int // elements of one plane of a row
	Stride int // elements of a row
	Tilt   int // elements from a sum to the tilted sum of the same place
	Right  int // pixels that windows stand to the right of the grid
}

// At returns the offset of the table corner (x, y) of a window.
func (l *Layout) At(x, y int32) int32 {
	s := int32(l.Step)
	x += int32(l.Right)
	return y*int32(l.Stride) + x%s*int32(l.Plane) + x/s
}

// corners returns the offsets of a rectangle's four corners, in the order in
// which its sum is first - second - third + fourth.
func (l *Layout) corners(r haar.Rect, tilted bool) [4]int32 {
	if tilted {
		t := int32(l.Tilt)
		return [4]int32{
			t + l.At(r.X, r.Y),
			t + l.At(r.X-r.H, r.Y+r.H),
			t + l.At(r.X+r.W, r.Y+r.W),
			t + l.At(r.X+r.W-r.H, r.Y+r.W+r.H),
		}
	}
	return [4]int32{
		l.At(r.X, r.Y),
		l.At(r.X+r.W, r.Y),
		l.At(r.X, r.Y+r.H),
		l.At(r.X+r.W, r.Y+r.H),
	}
}

// NewLayout returns the layout for levels up to width pixels wide.
func NewLayout(c *cascade.Cascade, width, step, rows int) Layout {
	// Wide loads may begin at the last window and read a whole strip.
	plane := roundUp((width+step)/step+StripWidth, 32)
	stride := plane * step
	// Rows an odd number of cache lines apart spread over all cache sets.
	if stride/32%2 == 0 {
		stride += 32
	}
	l := Layout{Step: step, Plane: plane, Stride: stride}
	if Tilted(c) {
		l.Tilt = stride * rows
	}
	return l
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// Tilted reports whether any feature of c needs the tilted table.
func Tilted(c *cascade.Cascade) bool {
	for i := range c.Features {
		if c.Features[i].Tilted {
			return true
		}
	}
	return false
}
