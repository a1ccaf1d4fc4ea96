package cascade

import (
	"context"
	"image"

	"haarlem/integral"
	"haarlem/internal/kernel/resize"
)

// A Window is a window of an image that passed every exit of a cascade.
type Window struct {
	Box    image.Rectangle // in the image's coordinates
	Margin float64         // how far the score at the last exit was above its threshold
	Start  float64         // what the score began with; see HeadStart

	// The window stands At in the image scaled to Size, or partly beyond its
	// edge. Before that it was halved so many times; see Cascade.Halve.
	Size, At image.Point
	Halved   int
}

// AppendWindows appends the windows of g that pass the cascade to dst, ordered
// by level, row and column, and returns the result. It is for trainers and for
// people who look into a cascade: options that concern groups, scores, the
// region and angles have no effect.
func (d *Detector) AppendWindows(ctx context.Context, dst []Window, g *image.Gray) ([]Window, error) {
	j := d.job()
	defer d.jobs.Put(j)
	if err := checkSize(g.Rect); err != nil {
		return dst, err
	}
	p, _ := integral.GreyOf(g, nil)
	if err := j.candidates(ctx, p); err != nil {
		return dst, err
	}
	for i := range j.all {
		c := &j.all[i]
		l := &j.plan.levels[c.level]
		dst = append(dst, Window{
			Box:    c.box.Add(g.Rect.Min),
			Margin: c.margin,
			Start:  l.start,
			Size:   l.scaled,
			At:     image.Pt(int(c.x), int(c.y)).Sub(l.edge),
			Halved: l.halved,
		})
	}
	return dst, nil
}

// AppendGroups appends the detections that AppendDetect makes of the windows ws
// of g, best first, and returns the result: d's options say how many belong to
// one. AppendWindows and AppendGroups are the two halves of a search; between
// them a caller may leave windows out and change margins, as one who looks for
// a better last threshold does. Unless the cascade has a [Verifier], g's pixels
// are not looked at and need not be there.
func (d *Detector) AppendGroups(dst []Detection, ws []Window, g *image.Gray) []Detection {
	j := d.job()
	defer d.jobs.Put(j)
	j.all = j.all[:0]
	for i := range ws {
		j.all = append(j.all, candidate{box: ws[i].Box.Sub(g.Rect.Min), margin: ws[i].Margin})
	}
	from := len(dst)
	// Without a context that ends, there is no error.
	ctx := context.Background()
	dst, _ = j.detections(ctx, dst, integral.Grey{Pix: g.Pix, Stride: g.Stride, Width: g.Rect.Dx(), Height: g.Rect.Dy()})
	dst = endAtEdge(dst, from, g.Rect.Size(), g.Rect.Min)
	_ = j.best.sort(ctx, dst[from:])
	return dst
}

// Visits returns how many windows an image of that size has under d's options
// for the pyramid, before OpenCV's rule skips any and others off the grid, or
// between its levels, come to them.
func (d *Detector) Visits(width, height int) int {
	// Without a context that ends, there is no error.
	ls, _ := levels(context.Background(), d.c, &d.o, d.rule, width, height)
	return visits(ls)
}

func visits(ls []level) (n int) {
	for i := range ls {
		if ls[i].whole {
			n += ls[i].nx * ls[i].ny
		}
	}
	return n
}

// CutWindow sets dst, which has the cascade's size, to the pixels of g that
// stand in window w: those that the detector saw.
func CutWindow(dst, g *image.Gray, w Window) {
	b := dst.Rect.Size()
	in := func(at, size int) int { return min(max(at, 0), size-1) }
	if w.Size == g.Rect.Size() {
		for v := range b.Y {
			row := g.Pix[in(w.At.Y+v, w.Size.Y)*g.Stride:]
			for u := range b.X {
				dst.Pix[v*dst.Stride+u] = row[in(w.At.X+u, w.Size.X)]
			}
		}
		return
	}
	x, y := resize.NewScale(g.Rect.Dx(), w.Size.X).Halved(w.Halved), resize.NewScale(g.Rect.Dy(), w.Size.Y).Halved(w.Halved)
	pixel := func(x, y int) byte { return halvedPixel(g, x, y, w.Halved) }
	for v := range b.Y {
		i, py := y.At(in(w.At.Y+v, w.Size.Y))
		for u := range b.X {
			k, px := x.At(in(w.At.X+u, w.Size.X))
			dst.Pix[v*dst.Stride+u] = resize.Pixel(pixel(k, i), pixel(k+1, i), pixel(k, i+1), pixel(k+1, i+1), px, py)
		}
	}
}

// AppendAnswers appends what the cascade's weak learners answer to a single
// window, of the cascade's size, to dst: those from number from on, whether an
// exit before them rejects it or not. The second result reports whether the
// window has enough contrast; without, there are no answers.
func (d *Detector) AppendAnswers(dst []float32, g *image.Gray, from int) ([]float32, bool) {
	if g.Rect.Dx() != d.c.Width || g.Rect.Dy() != d.c.Height {
		panic("cascade: AppendAnswers of a picture that is no window")
	}
	j := d.job()
	defer d.jobs.Put(j)
	if j.single == nil {
		o := Options{Scale: 1.1, Stride: 1}
		p := &plan{width: g.Rect.Dx(), height: g.Rect.Dy(), pixStride: roundUp(g.Rect.Dx(), 64) + 64}
		// Without a context that ends, nothing here has an error.
		ctx := context.Background()
		p.levels, _ = levels(ctx, d.c, &o, WindowsAll, p.width, p.height)
		lay := newLayout(d.c, p.width, 1, 0)
		lay = newLayout(d.c, p.width, 1, bandPixels(&lay, d.c.Height))
		p.layouts = append(p.layouts, lay)
		prog, _ := compile(ctx, d.c, lay)
		p.programs = append(p.programs, prog)
		p.beside = append(p.beside, nil)
		p.perRow = stripWidth
		j.single = d.newScanner(p)
	}
	p, _ := integral.GreyOf(g, nil)
	ok := true
	j.single.look = func(b *band, _, _ int) {
		s := j.single
		if ok = d.c.Kind != Haar || s.pass[0]&1 != 0; !ok {
			return
		}
		for i := from; i < len(d.c.Weak); i++ {
			dst = append(dst, b.prog.leaf(&b.prog.model.Weak[i], s.tab, s.inv[0]))
		}
	}
	// Without a context that ends, a unit has no error.
	_ = j.single.do(context.Background(), &p, unit{0, 0, 1})
	return dst, ok
}
