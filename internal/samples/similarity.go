package samples

import "math"

// A Similarity maps a window to an image: shift, rotation and scale. Windows
// are measured from their centre, in units of their width: the point (p, q) of
// the window is (A p - B q + X, B p + A q + Y) in the image, where pixel (0, 0)
// covers the square from (0, 0) to (1, 1).
type Similarity struct{ A, B, X, Y float64 }

// Side returns the window's width in pixels of the image.
func (s Similarity) Side() float64 {
	return math.Sqrt(float64(s.A*s.A) + float64(s.B*s.B))
}

// present reports whether a landmark is known.
func present(m Point) bool { return !math.IsNaN(m.X) && !math.IsNaN(m.Y) }

// A fitted is the similarity, by least squares, between two lists of points, as
// complex numbers: (a + ib)/norm about the means.
type fitted struct {
	a, b, norm float64
	from, to   Point // means
}

// fit finds the similarity that brings the points of from closest to those of
// to. Of the solutions of the general problem (Umeyama, IEEE PAMI 13(4), 1991)
// it is the one without reflection, which in the plane needs only two sums.
//
// The conversions keep the compiler from fusing multiply and add, which would
// change the last bits on some machines.
func fit(from, to []Point) (f fitted) {
	n := float64(len(from))
	for i := range from {
		f.from.X, f.from.Y = f.from.X+from[i].X, f.from.Y+from[i].Y
		f.to.X, f.to.Y = f.to.X+to[i].X, f.to.Y+to[i].Y
	}
	f.from.X, f.from.Y, f.to.X, f.to.Y = f.from.X/n, f.from.Y/n, f.to.X/n, f.to.Y/n
	for i := range from {
		x, y, u, v := from[i].X-f.from.X, from[i].Y-f.from.Y, to[i].X-f.to.X, to[i].Y-f.to.Y
		f.a += float64(x*u) + float64(y*v)
		f.b += float64(x*v) - float64(y*u)
		f.norm += float64(x*x) + float64(y*y)
	}
	return f
}
