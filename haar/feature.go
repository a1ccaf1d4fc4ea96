// Package haar holds Haar-like features: weighted sums of two or three
// rectangles inside a detection window, upright or turned by 45 degrees.
package haar

import "fmt"

// A Rect is one weighted rectangle of a feature, in pixels of the window.
//
// Upright, it covers columns X to X+W-1 and rows Y to Y+H-1. Tilted, (X, Y) is
// its topmost corner, W pixels run down to the right and H pixels down to the
// left, so that it lies inside [X-H, X+W] x [Y, Y+W+H].
type Rect struct {
	X, Y, W, H int32
	Weight     float32
}

// A Feature is the weighted sum of the pixel sums of its rectangles.
// A rectangle with weight zero is absent; only the last may be.
type Feature struct {
	Rects  [3]Rect
	Tilted bool
}

// Count returns the number of rectangles, 0 to 3.
func (f *Feature) Count() int {
	n := 0
	for n < len(f.Rects) && f.Rects[n].Weight != 0 {
		n++
	}
	return n
}

// Bounds returns the range of the table cells that r's evaluation reads: x0 <=
// x <= x1 and y0 <= y <= y1.
func (r Rect) Bounds(tilted bool) (x0, y0, x1, y1 int32) {
	if tilted {
		return r.X - r.H, r.Y, r.X + r.W, r.Y + r.W + r.H
	}
	return r.X, r.Y, r.X + r.W, r.Y + r.H
}

// Check reports why f cannot be evaluated in a window of the given size,
// or nil. A feature must have at least two rectangles, each of positive size
// and, with its true extent, inside the window.
func (f *Feature) Check(width, height int) error {
	n := f.Count()
	if n < 2 {
		return fmt.Errorf("%d weighted rectangles, want 2 or 3", n)
	}
	for i := n; i < len(f.Rects); i++ {
		if f.Rects[i].Weight != 0 {
			return fmt.Errorf("rectangle %d has a weight but rectangle %d has none", i, n)
		}
	}
	for i, r := range f.Rects[:n] {
		if r.Weight != r.Weight || r.Weight-r.Weight != 0 {
			return fmt.Errorf("rectangle %d: weight %v is not a finite number", i, r.Weight)
		}
		if r.W <= 0 || r.H <= 0 || r.X < 0 || r.Y < 0 || int64(r.X)+int64(r.W) > int64(width) || int64(r.Y)+int64(r.H) > int64(height) {
			return fmt.Errorf("rectangle %d: %d,%d %dx%d is not inside the %dx%d window", i, r.X, r.Y, r.W, r.H, width, height)
		}
		x0, y0, x1, y1 := r.Bounds(f.Tilted)
		if x0 < 0 || y0 < 0 || int(x1) > width || int(y1) > height {
			return fmt.Errorf("rectangle %d: tilted %d,%d %dx%d reaches outside the %dx%d window", i, r.X, r.Y, r.W, r.H, width, height)
		}
	}
	return nil
}
