package cascade

import (
	"image"

	"haarlem/haar"
	"haarlem/internal/kernel/lanes"
)

// The sums of a 16-bit table are exact for rectangles of at most maxPiece
// pixels, and signed values for at most maxSigned.
const (
	maxPiece  = 65535 / 255
	maxSigned = 32767 / 255
)

// A compiled is a feature compiled for one layout.
type compiled struct {
	shape  lanes.Shape
	record lanes.Record // Off and Mul, and for Wide Aux and Count
	pieces []lanes.Piece

	// general is set for what lanes cannot do: weights that are not whole
	// numbers, sums beyond 24 bits, large cells. rects then holds every
	// rectangle, cut into pieces.
	general bool
	rects   [3]generalRect
	cells   [][][4]int32 // the nine cells of a large local binary pattern
}

type generalRect struct {
	weight float32
	pieces [][4]int32
}

// compileHaar compiles a feature.
func (l *layout) compileHaar(f *haar.Feature) compiled {
	if !f.Tilted {
		if v := l.edge(f); v != nil {
			return *v
		}
		if v := l.check(f); v != nil {
			return *v
		}
	}
	if pairFits(f) {
		v := compiled{shape: lanes.Pair}
		a, b := l.corners(f.Rects[0], f.Tilted), l.corners(f.Rects[1], f.Tilted)
		copy(v.record.Off[0:4], a[:])
		copy(v.record.Off[4:8], b[:])
		v.record.Mul = int32(f.Rects[1].Weight)
		return v
	}
	v := compiled{shape: lanes.Wide}
	bound := 0.0
	for i := range f.Count() {
		r := f.Rects[i]
		g := generalRect{weight: r.Weight}
		for _, p := range cut(r, f.Tilted) {
			c := l.corners(p, f.Tilted)
			g.pieces = append(g.pieces, c)
			v.pieces = append(v.pieces, lanes.Piece{Off: c, Mul: int32(r.Weight)})
		}
		v.rects[i] = g
		bound += 255 * float64(pixels(r, f.Tilted)) * abs(float64(r.Weight))
		if float32(int32(r.Weight)) != r.Weight {
			v.general = true
		}
	}
	if bound >= 1<<24 || len(v.pieces) > 255 {
		v.general = true
	}
	if v.general {
		v.pieces = nil
	}
	v.record.Count = uint8(len(v.pieces))
	return v
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}

// pixels returns how many pixels r covers.
func pixels(r haar.Rect, tilted bool) int64 {
	if tilted {
		return 2 * int64(r.W) * int64(r.H)
	}
	return int64(r.W) * int64(r.H)
}

// edge compiles f if it is two equal halves that touch, weighted -1 (both)
// and 2 (one of them); otherwise it returns nil.
func (l *layout) edge(f *haar.Feature) *compiled {
	w, h := f.Rects[0], f.Rects[1]
	if f.Count() != 2 || w.Weight != -1 || h.Weight != 2 || pixels(h, false) > maxSigned {
		return nil
	}
	var first, mid, end [2]int32 // corners along the split, on both sides of it
	var far bool                 // the second half is the positive one
	switch {
	case h.Y == w.Y && h.H == w.H && 2*h.W == w.W && (h.X == w.X || h.X == w.X+h.W):
		far = h.X != w.X
		for i, y := range [2]int32{w.Y, w.Y + w.H} {
			first[i], mid[i], end[i] = l.at(w.X, y), l.at(w.X+h.W, y), l.at(w.X+w.W, y)
		}
	case h.X == w.X && h.W == w.W && 2*h.H == w.H && (h.Y == w.Y || h.Y == w.Y+h.H):
		far = h.Y != w.Y
		for i, x := range [2]int32{w.X, w.X + w.W} {
			first[i], mid[i], end[i] = l.at(x, w.Y), l.at(x, w.Y+h.H), l.at(x, w.Y+w.H)
		}
	default:
		return nil
	}
	a, b := 0, 1
	if far {
		a, b = 1, 0
	}
	return &compiled{shape: lanes.Edge, record: lanes.Record{Off: [9]int32{
		first[a], mid[a], end[a], first[b], mid[b], end[b]}}}
}

// check compiles f if it is a checkerboard: -1 on all of it, 2 on the top left
// and the bottom right quarter; otherwise it returns nil.
func (l *layout) check(f *haar.Feature) *compiled {
	w, p, q := f.Rects[0], f.Rects[1], f.Rects[2]
	if f.Count() != 3 || w.Weight != -1 || p.Weight != 2 || q.Weight != 2 {
		return nil
	}
	if p.X > q.X {
		p, q = q, p
	}
	if p.X != w.X || p.Y != w.Y || 2*p.W != w.W || 2*p.H != w.H ||
		q.X != w.X+p.W || q.Y != w.Y+p.H || q.W != p.W || q.H != p.H ||
		2*pixels(p, false) > maxSigned {
		return nil
	}
	v := &compiled{shape: lanes.Check}
	for r := range int32(3) {
		for c := range int32(3) {
			v.record.Off[3*r+c] = l.at(w.X+c*p.W, w.Y+r*p.H)
		}
	}
	return v
}

// pairFits reports whether f is one rectangle, weighted -1, and another,
// weighted with a whole number, whose sum always fits 16 bits.
func pairFits(f *haar.Feature) bool {
	a, b := f.Rects[0], f.Rects[1]
	if f.Count() != 2 || a.Weight != -1 || !(b.Weight >= 1 && b.Weight <= 255) || float32(int32(b.Weight)) != b.Weight {
		return false
	}
	k := int64(b.Weight)
	up, down := k*pixels(b, f.Tilted), pixels(a, f.Tilted)
	if inside(b, a, f.Tilted) {
		up -= pixels(b, f.Tilted)
		down -= pixels(b, f.Tilted)
	}
	return max(up, down) <= maxSigned
}

// inside reports whether all of r's pixels are also s's.
func inside(r, s haar.Rect, tilted bool) bool {
	if tilted {
		// Along the diagonals both are upright, and twice as long.
		turn := func(r haar.Rect) haar.Rect {
			return haar.Rect{X: r.Y + r.X, Y: r.Y - r.X, W: 2 * r.W, H: 2 * r.H}
		}
		r, s = turn(r), turn(s)
	}
	return r.X >= s.X && r.Y >= s.Y && r.X+r.W <= s.X+s.W && r.Y+r.H <= s.Y+s.H
}

// cut divides r into rectangles whose sums fit the table.
func cut(r haar.Rect, tilted bool) []haar.Rect {
	limit := int32(maxPiece)
	if tilted {
		limit /= 2
	}
	w := min(r.W, limit)
	h := min(r.H, limit/w)
	var all []haar.Rect
	for y := int32(0); y < r.H; y += h {
		for x := int32(0); x < r.W; x += w {
			p := r
			p.X, p.Y, p.W, p.H = r.X+x, r.Y+y, min(w, r.W-x), min(h, r.H-y)
			if tilted {
				p.X, p.Y = r.X+x-y, r.Y+x+y
			}
			all = append(all, p)
		}
	}
	return all
}

// compileCell compiles the local binary pattern whose first cell is given.
func (l *layout) compileCell(c image.Rectangle) compiled {
	v := compiled{shape: lanes.Grid, general: c.Dx()*c.Dy() > maxPiece}
	x, y, w, h := int32(c.Min.X), int32(c.Min.Y), int32(c.Dx()), int32(c.Dy())
	for i := range int32(4) {
		v.record.Off[i] = l.at(0, y+i*h)
		v.record.Off[4+i] = l.at(x+i*w, 0)
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

// float returns the value of a Haar feature in the window at t.
func (v *compiled) float(t []uint16, inv float32) float32 {
	if !v.general {
		return float32(v.record.Value(v.shape, t, v.pieces)) * inv
	}
	// OpenCV's order of operations, each rounded to float32.
	var x float32
	for i := range v.rects {
		r := &v.rects[i]
		if r.pieces == nil {
			break
		}
		p := float32(r.weight * float32(sumPieces(r.pieces, t)))
		if i == 0 {
			x = p
		} else {
			x = float32(x + p)
		}
	}
	return x * inv
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

func sumPieces(pieces [][4]int32, t []uint16) int32 {
	var s int32
	for _, o := range pieces {
		s += int32(t[o[0]] - t[o[1]] - t[o[2]] + t[o[3]])
	}
	return s
}
