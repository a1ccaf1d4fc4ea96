package program

import (
	"math/bits"

	"haarlem/cascade"
	"haarlem/haar"
)

// StripWidth is the number of neighbouring windows of a row that a search evaluates
// together.
const StripWidth = 64

// A Layout is the memory layout of integral images. Windows are Step pixels apart. The
// columns of a row are distributed over Step planes, so that the same corner of
// neighbouring windows is side by side.
type Layout struct {
	Step   int // pixels between windows
	Plane  int // elements of a plane of a row
	Stride int // elements of a row
	Tilt   int // elements from a sum to the tilted sum of the same corner
	Right  int // offset of windows to the right of the grid, in pixels
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

// NewLayout returns the layout for levels up to width pixels wide. It is the same for
// widths that differ little, so that pictures of such widths share programs.
func NewLayout(c *cascade.Cascade, width, step, rows int) Layout {
	width = roundUp(width, 1<<max(bits.Len(uint(width))-4, 0))
	// Loads may begin at the last window and read a whole strip.
	plane := roundUp((width+step)/step+StripWidth, 32)
	stride := plane * step
	// Rows an odd number of cache lines apart use all cache sets.
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

// Tilted reports whether any feature of c is tilted.
func Tilted(c *cascade.Cascade) bool {
	for i := range c.Features {
		if c.Features[i].Tilted {
			return true
		}
	}
	return false
}
