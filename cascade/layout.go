package cascade

import "haarlem/haar"

// A layout says where the pixel tables' elements lie. Windows stand step
// pixels apart; the columns of a table row are dealt out to step planes, so
// that the same corner of neighbouring windows stands side by side.
type layout struct {
	step   int // pixels between windows
	plane  int // elements of one plane of a row
	stride int // elements of a row
	tilt   int // elements from a sum to the tilted sum of the same place
	right  int // pixels that windows stand to the right of the grid
}

// at returns the offset of the table corner (x, y) of a window.
func (l *layout) at(x, y int32) int32 {
	s := int32(l.step)
	x += int32(l.right)
	return y*int32(l.stride) + x%s*int32(l.plane) + x/s
}

// corners returns the offsets of a rectangle's four corners, in the order in
// which its sum is first - second - third + fourth.
func (l *layout) corners(r haar.Rect, tilted bool) [4]int32 {
	if tilted {
		t := int32(l.tilt)
		return [4]int32{
			t + l.at(r.X, r.Y),
			t + l.at(r.X-r.H, r.Y+r.H),
			t + l.at(r.X+r.W, r.Y+r.W),
			t + l.at(r.X+r.W-r.H, r.Y+r.W+r.H),
		}
	}
	return [4]int32{
		l.at(r.X, r.Y),
		l.at(r.X+r.W, r.Y),
		l.at(r.X, r.Y+r.H),
		l.at(r.X+r.W, r.Y+r.H),
	}
}

// newLayout returns the layout for levels up to width pixels wide.
func newLayout(c *Cascade, width, step, rows int) layout {
	// Wide loads may begin at the last window and read a whole strip.
	plane := roundUp((width+step)/step+stripWidth, 32)
	stride := plane * step
	// Rows an odd number of cache lines apart spread over all cache sets.
	if stride/32%2 == 0 {
		stride += 32
	}
	l := layout{step: step, plane: plane, stride: stride}
	if c.tilted() {
		l.tilt = stride * rows
	}
	return l
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// tilted reports whether any feature of c needs the tilted table.
func (c *Cascade) tilted() bool {
	for i := range c.Features {
		if c.Features[i].Tilted {
			return true
		}
	}
	return false
}
