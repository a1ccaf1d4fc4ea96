package engine

import (
	"context"
	"image"

	"haarlem/internal/kernel/resize"
	"haarlem/internal/luma"
)

// A Window is a candidate with its place in the pyramid.
type Window struct {
	Box    image.Rectangle // in the image's coordinates
	Margin float64         // of the score above the last exit's threshold
	Start  float64         // initial score; see cascade.ScaleBias

	// The window is At a position in the image scaled to Size, maybe partly beyond
	// its edge. Before that the image was Halved a number of times; see PrefilterFrom
	// of cascade.Search.
	Size, At image.Point
	Halved   int
}

// AppendWindows appends the windows of g that pass the cascade to dst, ordered by
// level, row and column, and returns the result.
func (e *Engine) AppendWindows(ctx context.Context, dst []Window, g *image.Gray) ([]Window, error) {
	if err := CheckSize(g.Rect); err != nil {
		return dst, err
	}
	s, ok := e.searches.Get().(*Search)
	if !ok {
		s = e.NewSearch()
	}
	defer e.searches.Put(s)
	p, _ := luma.Of(g, nil)
	if err := s.Search(ctx, p, nil); err != nil {
		return dst, err
	}
	r := s.runs[0]
	for _, h := range r.hits {
		l := &r.plan.levels[levelOf(h.at)]
		x, y := l.position(h.at)
		dst = append(dst, Window{
			Box:    l.candidate(x, y).Add(g.Rect.Min),
			Margin: h.margin,
			Start:  l.start,
			Size:   l.scaled,
			At:     image.Pt(x, y).Sub(l.edge),
			Halved: l.halved,
		})
	}
	return dst, nil
}

// Visits returns the number of windows on the grids of an image of that size, with
// those that OpenCV's rule skips, and without those that survivors add.
func (e *Engine) Visits(width, height int) int {
	// Without a context that ends, there is no error.
	ls, _ := levels(context.Background(), e.c, &e.o, width, height)
	return visits(ls)
}

// CutWindow sets dst, of the cascade's size, to the pixels of window w of g as the
// search saw them.
func CutWindow(dst, g *image.Gray, w Window) {
	b := dst.Rect.Size()
	in := func(at, size int) int { return min(max(at, 0), size-1) }
	x, y := resize.NewScale(g.Rect.Dx(), w.Size.X).Halved(w.Halved), resize.NewScale(g.Rect.Dy(), w.Size.Y).Halved(w.Halved)
	const chunk = 32
	var left [chunk]int // of the two pixels that a column lies between, from the first column's on
	var part [chunk]uint16
	for from := 0; from < b.X; from += chunk {
		n := min(chunk, b.X-from)
		for u := range n {
			left[u], part[u] = x.At(in(w.At.X+from+u, w.Size.X))
		}
		first, end := left[0], left[n-1]+2
		var memory [2][8 * chunk]byte
		top, bottom, at := memory[0][:0], memory[1][:0], -2
		for v := range b.Y {
			i, py := y.At(in(w.At.Y+v, w.Size.Y))
			if i != at {
				if top, bottom = bottom, top; i != at+1 {
					top = halvedRow(top, g, i, first, end, w.Halved)
				}
				bottom, at = halvedRow(bottom, g, i+1, first, end, w.Halved), i
			}
			for u, k := range left[:n] {
				k -= first
				dst.Pix[v*dst.Stride+from+u] = resize.Pixel(top[k], top[k+1], bottom[k], bottom[k+1], part[u], py)
			}
		}
	}
}
