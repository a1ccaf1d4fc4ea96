package program

import (
	"slices"

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

	// general marks what lanes cannot evaluate: weights that are not whole numbers,
	// sums beyond 24 bits, large cells. Then rects has every rectangle, cut into
	// pieces.
	general bool
	rects   [3]generalRect
	cells   [][][4]int32 // the nine cells of a large local binary pattern
}

type generalRect struct {
	weight float32
	pieces [][4]int32
}

// compileHaar compiles a feature.
func (l *Layout) compileHaar(f *haar.Feature) compiled {
	if !f.Tilted {
		if v := l.edge(f); v != nil {
			return *v
		}
		if v := l.check(f); v != nil {
			return *v
		}
	}
	if pairFits(f) {
		if v := l.line(f); v != nil {
			return *v
		}
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
			g.pieces = append(g.pieces, l.corners(p, f.Tilted))
		}
		v.rects[i] = g
		bound += 255 * float64(pixels(r, f.Tilted)) * abs(float64(r.Weight))
		if float32(int32(r.Weight)) != r.Weight {
			v.general = true
		}
	}
	if bound >= 1<<24 {
		v.general = true
	}
	if !v.general {
		v.pieces = l.strips(f)
		if len(v.pieces) == 0 {
			// All weights cancel out. Kernels need one piece.
			v.pieces = make([]lanes.Piece, 1)
		}
		v.general = len(v.pieces) > 255
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

// pixels returns the number of pixels in r.
func pixels(r haar.Rect, tilted bool) int64 {
	if tilted {
		return 2 * int64(r.W) * int64(r.H)
	}
	return int64(r.W) * int64(r.H)
}

// edge compiles f if it is two equal halves that touch, weighted -1 (both)
// and 2 (one of them); otherwise it returns nil.
func (l *Layout) edge(f *haar.Feature) *compiled {
	w, h := f.Rects[0], f.Rects[1]
	if f.Count() != 2 || w.Weight != -1 || h.Weight != 2 || pixels(h, false) > maxSigned {
		return nil
	}
	var at, mid, end, across int32
	var far bool // the second half is the positive one
	switch {
	case h.Y == w.Y && h.H == w.H && 2*h.W == w.W && (h.X == w.X || h.X == w.X+h.W):
		far = h.X != w.X
		at = l.At(w.X, w.Y)
		mid, end = l.At(w.X+h.W, w.Y)-at, l.At(w.X+w.W, w.Y)-at
		across = l.At(w.X, w.Y+w.H) - at
	case h.X == w.X && h.W == w.W && 2*h.H == w.H && (h.Y == w.Y || h.Y == w.Y+h.H):
		far = h.Y != w.Y
		at = l.At(w.X, w.Y)
		mid, end = l.At(w.X, w.Y+h.H)-at, l.At(w.X, w.Y+w.H)-at
		across = l.At(w.X+w.W, w.Y) - at
	default:
		return nil
	}
	if far {
		// From the other side, the sign is reversed.
		at, across = at+across, -across
	}
	return &compiled{shape: lanes.Edge, record: lanes.Record{Off: [9]int32{at, mid, end, across}}}
}

// line compiles f, whose value fits, if its rectangles are upright and span
// the same rows or the same columns; otherwise it returns nil.
func (l *Layout) line(f *haar.Feature) *compiled {
	w, p := f.Rects[0], f.Rects[1]
	if f.Tilted {
		return nil
	}
	at := l.At(w.X, w.Y)
	v := &compiled{shape: lanes.Line}
	v.record.Mul = int32(p.Weight)
	switch {
	case p.Y == w.Y && p.H == w.H:
		v.record.Off = [9]int32{at, l.At(p.X, w.Y) - at, l.At(p.X+p.W, w.Y) - at, l.At(w.X+w.W, w.Y) - at,
			l.At(w.X, w.Y+w.H) - at}
	case p.X == w.X && p.W == w.W:
		v.record.Off = [9]int32{at, l.At(w.X, p.Y) - at, l.At(w.X, p.Y+p.H) - at, l.At(w.X, w.Y+w.H) - at,
			l.At(w.X+w.W, w.Y) - at}
	default:
		return nil
	}
	return v
}

// check compiles f if it is a checkerboard: -1 on all of it, 2 on the top left
// and the bottom right quarter; otherwise it returns nil.
func (l *Layout) check(f *haar.Feature) *compiled {
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
	at := l.At(w.X, w.Y)
	return &compiled{shape: lanes.Check, record: lanes.Record{Off: [9]int32{at,
		l.At(w.X+p.W, w.Y) - at, l.At(w.X+w.W, w.Y) - at,
		l.At(w.X, w.Y+p.H) - at, l.At(w.X, w.Y+w.H) - at}}}
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

// strips divides the pixels of f into strips of parts whose sums fit the table. The
// weight of a part is the sum of the weights that cover it.
func (l *Layout) strips(f *haar.Feature) []lanes.Piece {
	rects := f.Rects[:f.Count()]
	if f.Tilted {
		var all []lanes.Piece
		for _, r := range rects {
			all = append(all, l.tiltedStrips(r)...)
		}
		return all
	}
	// Rows of rectangles with strips along x, or columns with strips along y,
	// whichever gives fewer pieces.
	rows := l.uprightStrips(rects, func(x, y int32) int32 { return l.At(x, y) })
	turned := make([]haar.Rect, len(rects))
	for i, r := range rects {
		turned[i] = haar.Rect{X: r.Y, Y: r.X, W: r.H, H: r.W, Weight: r.Weight}
	}
	columns := l.uprightStrips(turned, func(x, y int32) int32 { return l.At(y, x) })
	if len(columns) < len(rows) {
		return columns
	}
	return rows
}

func (l *Layout) uprightStrips(rects []haar.Rect, at func(x, y int32) int32) []lanes.Piece {
	var ys []int32
	for _, r := range rects {
		ys = append(ys, r.Y, r.Y+r.H)
	}
	var all []lanes.Piece
	for _, band := range cuts(ys, maxPiece) {
		top, bottom := band[0], band[1]
		var on []haar.Rect
		var xs []int32
		for _, r := range rects {
			if r.Y <= top && bottom <= r.Y+r.H {
				on = append(on, r)
				xs = append(xs, r.X, r.X+r.W)
			}
		}
		last := int32(-1)
		for _, part := range cuts(xs, maxPiece/(bottom-top)) {
			weight := int32(0)
			for _, r := range on {
				if r.X <= part[0] && part[1] <= r.X+r.W {
					weight += int32(r.Weight)
				}
			}
			if weight == 0 {
				continue
			}
			if last != part[0] {
				all = append(all, lanes.Piece{Top: at(part[0], top), Bottom: at(part[0], bottom)})
			}
			all = append(all, lanes.Piece{Top: at(part[1], top), Bottom: at(part[1], bottom), Mul: weight})
			last = part[1]
		}
	}
	return all
}

// cuts returns the intervals between neighbouring edges, cut to at most limit.
func cuts(edges []int32, limit int32) (all [][2]int32) {
	slices.Sort(edges)
	edges = slices.Compact(edges)
	for i := 1; i < len(edges); i++ {
		for a := edges[i-1]; a < edges[i]; a += limit {
			all = append(all, [2]int32{a, min(a+limit, edges[i])})
		}
	}
	return all
}

func (l *Layout) tiltedStrips(r haar.Rect) (all []lanes.Piece) {
	const limit = maxPiece / 2
	h := min(r.H, limit)
	for y := int32(0); y < r.H; y += h {
		n := min(h, r.H-y)
		step := limit / n
		for x := int32(0); ; x = min(x+step, r.W) {
			p := haar.Rect{X: r.X + x - y, Y: r.Y + x + y, H: n}
			c := l.corners(p, true)
			piece := lanes.Piece{Top: c[0], Bottom: c[1], Mul: int32(r.Weight)}
			if x == 0 {
				piece.Mul = 0
			}
			all = append(all, piece)
			if x == r.W {
				break
			}
		}
	}
	return all
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

func sumPieces(pieces [][4]int32, t []uint16) int32 {
	var s int32
	for _, o := range pieces {
		s += int32(t[o[0]] - t[o[1]] - t[o[2]] + t[o[3]])
	}
	return s
}
