package program

import (
	"image"

	"haarlem/haar"
	"haarlem/internal/kernel/lanes"
)

// compileCell compiles the local binary pattern whose first cell is given.
func (l *Layout) compileCell(c image.Rectangle) compiled {
	v := compiled{shape: lanes.Grid, general: c.Dx()*c.Dy() > maxPiece}
	x, y, w, h := int32(c.Min.X), int32(c.Min.Y), int32(c.Dx()), int32(c.Dy())
	for i := range int32(4) {
		v.record.Off[i] = (y + i*h) * int32(l.Stride)
		v.record.Off[4+i] = l.At(x+i*w, 0)
	}
	if v.general {
		for i := range int32(9) {
			r := haar.Rect{X: x + i%3*w, Y: y + i/3*h, W: w, H: h}
			var g [][4]int32
			for _, p := range cut(r, false) {
				g = append(g, l.corners(p, false))
			}
			v.cells = append(v.cells, g)
		}
	}
	return v
}

// code returns the local binary pattern of the window at t.
func (v *compiled) code(t []uint16) uint {
	if !v.general {
		return v.record.Code(t)
	}
	// The eight cells around the middle one, clockwise from the top left.
	var code uint
	mid := sumPieces(v.cells[4], t)
	for _, i := range [8]int{0, 1, 2, 5, 8, 7, 6, 3} {
		code <<= 1
		if sumPieces(v.cells[i], t) >= mid {
			code |= 1
		}
	}
	return code
}
