package augment

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"

	"haarlem/internal/luma"
	"haarlem/internal/par"
	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

// A Key makes an object's background transparent: all grey levels within a
// distance of a level.
type Key struct{ Level, Within uint8 }

// OneOptions are the settings of [MakeFromOne], which makes many windows of one
// image. A nil *OneOptions and the zero value mean the same: every field's
// default. The fields up to Invert are those of opencv_createsamples called -w,
// -h, -maxxangle, -maxyangle, -maxzangle, -maxidev, -bgcolor with -bgthresh,
// -inv and -randinv.
type OneOptions struct {
	// Width and Height are of the window, in pixels. 0 means 24.
	Width, Height int

	// MaxX, MaxY and MaxZ are the largest rotations about the three axes, in
	// radians: pitch, yaw, and roll. MaxX and MaxY are at most 1.4.
	MaxX, MaxY, MaxZ float64

	// MaxDeviation is the largest change of brightness in grey levels, 0 to 255.
	MaxDeviation int

	// Ground selects transparent grey levels of the picture. nil means none.
	Ground *Key

	Invert       bool // black becomes white
	InvertRandom bool // half of the windows are inverted, whatever Invert is

	// Effects are applied as in [Make], except position and accessories.
	Effects Effects

	Seed    uint64 // of all random numbers
	Workers int    // 0 means GOMAXPROCS. The windows do not depend on it

	// Progress, if not nil, is called after each background, never twice at once.
	Progress func(done, backgrounds int)
}

// MakeFromOne makes n windows of one image, rotated in space and in
// perspective, each over a random part of a background. The image fills the
// window as far as its corners allow. Without backgrounds the background is the
// level of OneOptions.Ground, or mid-grey. Backgrounds are used evenly, and
// each is opened once.
func MakeFromOne(ctx context.Context, img image.Image, backgrounds []samples.Background, n int, o *OneOptions) ([]Window, error) {
	v := *cmp.Or(o, &OneOptions{})
	mo, err := v.check(img)
	if err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("augment: %d windows wanted", n)
	}
	mo.Effects.Shift, mo.Effects.Scale, mo.Effects.Stretch, mo.Effects.Rotate = 0, 0, 0, 0
	mo.Effects.Turn, mo.Effects.Nod = 0, 0
	v.Effects = mo.Effects
	one := newCutout(img, &v)
	grounds := max(1, len(backgrounds))
	windows := make([]Window, n)
	use := func(i int) int { // which background window i has
		if n < grounds {
			return i * grounds / n
		}
		return i % grounds
	}
	of := make([][]int, grounds)
	for i := range n {
		of[use(i)] = append(of[use(i)], i)
	}
	err = par.Each(ctx, grounds, v.Workers, func(m *renderer, k int) error {
		if of[k] == nil {
			return nil
		}
		level := byte(128)
		if v.Ground != nil {
			level = v.Ground.Level
		}
		file := ""
		ground := &image.Gray{Pix: []byte{level}, Stride: 1, Rect: image.Rect(0, 0, 1, 1)}
		var forbids func(image.Rectangle) bool
		if len(backgrounds) > 0 {
			b := &backgrounds[k]
			g, err := b.Grey()
			if err != nil {
				return err
			}
			file, ground, forbids = b.File, g, b.Forbids
		}
		plane, _ := luma.Of(ground, nil)
		for _, i := range of[k] {
			d := splitmix.New(v.Seed, "", i)
			box, ok := somewhere(&d, &plane, &mo, forbids)
			if !ok {
				return fmt.Errorf("%s: no position without objects was found for a window", file)
			}
			if err := m.patch.cut(&plane, box, mo.Width, mo.Height, mo.Effects.zoom()); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			w := image.NewGray(image.Rect(0, 0, v.Width, v.Height))
			m.place(w, one, &v, d)
			windows[i] = Window{Grey: w, Source: file, Variant: i}
		}
		return nil
	}, v.Progress)
	if err != nil {
		return nil, err
	}
	return windows, nil
}

// check sets defaults, and returns them also as options of windows.
func (o *OneOptions) check(img image.Image) (MakeOptions, error) {
	mo := MakeOptions{Width: o.Width, Height: o.Height, Effects: o.Effects, Workers: o.Workers}
	mo, err := mo.defaults()
	if err != nil {
		return mo, fmt.Errorf("augment: %w", err)
	}
	o.Width, o.Height = mo.Width, mo.Height
	const largest = 1.4
	switch {
	case !(o.MaxX >= 0 && o.MaxX <= largest && o.MaxY >= 0 && o.MaxY <= largest && o.MaxZ >= 0 && o.MaxZ <= math.Pi):
		return mo, fmt.Errorf("augment: turns of at most %v, %v and %v radians, want 0 to %v, %v and %.5g", o.MaxX, o.MaxY, o.MaxZ, largest, largest, math.Pi)
	case o.MaxDeviation < 0 || o.MaxDeviation > 255:
		return mo, fmt.Errorf("augment: a deviation of %d grey levels, want 0 to 255", o.MaxDeviation)
	case img.Bounds().Dx() < 2 || img.Bounds().Dy() < 2:
		return mo, fmt.Errorf("augment: a picture of %dx%d pixels, want 2x2 at least", img.Bounds().Dx(), img.Bounds().Dy())
	}
	return mo, nil
}

// somewhere returns a random position of a window in an image, of any size that
// fits, small ones more often. In an image smaller than the window it is the
// whole image.
func somewhere(d *splitmix.Source, g *luma.Plane, o *MakeOptions, forbids func(image.Rectangle) bool) (samples.Similarity, bool) {
	tall := float64(o.Height) / float64(o.Width)
	largest := math.Max(1, math.Min(float64(g.Width), float64(g.Height)/tall))
	smallest := math.Min(float64(o.Width), largest)
	for range 100 {
		side := 1 / d.Between(1/largest, 1/smallest)
		half, high := side/2, float64(side*tall)/2
		p := samples.Similarity{
			A: side,
			X: d.Between(half, math.Max(half, float64(g.Width)-half)),
			Y: d.Between(high, math.Max(high, float64(g.Height)-high)),
		}
		box := image.Rect(int(p.X-half), int(p.Y-high), int(math.Ceil(p.X+half)), int(math.Ceil(p.Y+high)))
		if forbids == nil || !forbids(box) {
			return p, true
		}
	}
	return samples.Similarity{}, false
}

// A cutout is the picture with its opacity. Levels are premultiplied, so that no
// background leaks in at the edges.
type cutout struct {
	level, cover  patch
	width, height float64 // in pixels of the patches
}

func newCutout(img image.Image, o *OneOptions) *cutout {
	g, _ := luma.Of(img, nil)
	cover := make([]byte, g.Width*g.Height)
	level := make([]byte, g.Width*g.Height)
	for y := range g.Height {
		for x, l := range g.Row(y)[:g.Width] {
			if o.Ground != nil && max(l, o.Ground.Level)-min(l, o.Ground.Level) <= o.Ground.Within {
				continue
			}
			cover[y*g.Width+x], level[y*g.Width+x] = 255, l
		}
	}
	// In perspective, parts may be enlarged twofold.
	k := max(1, int(float64(g.Width)/float64(2*o.Effects.zoom()*float64(o.Width))))
	c := &cutout{width: float64(g.Width) / float64(k), height: float64(g.Height) / float64(k)}
	for _, p := range []struct {
		patch *patch
		pix   []byte
	}{{&c.level, level}, {&c.cover, cover}} {
		p.patch.average(&luma.Plane{Pix: p.pix, Stride: g.Width, Width: g.Width, Height: g.Height}, 0, 0, g.Width, g.Height, k)
	}
	return c
}

// A pose is how the cutout is shown once.
type pose struct {
	one      *cutout
	t        *turned
	lighter  int32
	inverted bool
}

func (one *cutout) pose(o *OneOptions, d splitmix.Source) *pose {
	turn := d.Fork(streamPlace)
	p := &pose{one: one, inverted: o.Invert}
	p.t = newTurned(one, turn.Between(-1, 1)*o.MaxX, turn.Between(-1, 1)*o.MaxY, turn.Between(-1, 1)*o.MaxZ, turn.Between(3, 4), float64(o.Height)/float64(o.Width))
	tone := d.Fork(streamTone)
	p.lighter = int32(fixed(tone.Between(-1, 1)*float64(o.MaxDeviation), 8))
	if o.InvertRandom {
		p.inverted = tone.Chance(0.5)
	}
	return p
}

// over returns what is seen at a position of the window, in its widths from its
// middle, where the level of the ground is in 1/256. step is a third of a pixel.
func (p *pose) over(ground int32, x, y, step float64) int32 {
	const n = 3 // points along each side of a pixel
	var level, cover int32
	for a := range n {
		for b := range n {
			u, v := p.t.back(x+float64(float64(a-1)*step), y+float64(float64(b-1)*step))
			if u < 0 || v < 0 || u >= p.one.width || v >= p.one.height {
				continue
			}
			fu, fv := fixed(u, 16), fixed(v, 16)
			level += p.one.level.at(fu, fv)
			cover += p.one.cover.at(fu, fv)
		}
	}
	level, cover = level/(n*n), cover/(n*n)
	if p.inverted {
		level = cover - level
	}
	level = clamp(level+int32(int64(p.lighter)*int64(cover)/white), cover)
	return level + int32(int64(ground)*int64(white-cover)/white)
}

// place draws the window on the patch, and over it the cutout rotated in space.
func (m *renderer) place(img *image.Gray, one *cutout, o *OneOptions, d splitmix.Source) {
	v := m.view(&o.Effects, d, o.Width, o.Height)
	m.sample(v, false)
	p := one.pose(o, d)
	c := &m.canvas
	step := float64(1<<8) / float64(c.unit) / 3
	for i := range c.pix {
		c.pix[i] = p.over(c.pix[i], float64(c.p[i])/unit, float64(c.q[i])/unit, step)
	}
	if o.Effects.plain() {
		m.bytes = c.bytes(m.bytes)
		m.fit(img, v)
		return
	}
	m.degrade(img, &o.Effects, d, v)
}

// turned maps points of a window to a picture rotated in space: the inverse of its
// projection, a homography.
type turned struct {
	h             [3][3]float64
	size, u, v    float64 // from windows to the projection
	width, height float64
}

// newTurned rotates a picture about its middle by x, y and z radians, in this order,
// views it from a distance of far picture sizes, and fits a window around its
// corners.
func newTurned(one *cutout, x, y, z, far, tall float64) *turned {
	sx, cx := sinCos(x)
	sy, cy := sinCos(y)
	sz, cz := sinCos(z)
	// The first two columns of Rz Ry Rx: the picture has no depth.
	r := [3][2]float64{
		{float64(cz * cy), float64(float64(cz*sy)*sx) - float64(sz*cx)},
		{float64(sz * cy), float64(float64(sz*sy)*sx) + float64(cz*cx)},
		{-sy, float64(cy * sx)},
	}
	dist := float64(far * math.Max(one.width, one.height))
	t := &turned{width: one.width, height: one.height}
	// (X, Y) goes to dist (r0, r1) / (r2 + dist).
	left, right := math.Inf(1), math.Inf(-1)
	top, bottom := left, right
	for _, c := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		px, py := float64(c[0]*one.width)/2, float64(c[1]*one.height)/2
		at := func(i int) float64 { return float64(r[i][0]*px) + float64(r[i][1]*py) }
		by := dist / (at(2) + dist)
		u, v := float64(at(0)*by), float64(at(1)*by)
		left, right, top, bottom = min(left, u), max(right, u), min(top, v), max(bottom, v)
	}
	t.u, t.v = (left+right)/2, (top+bottom)/2
	t.size = math.Max(right-left, (bottom-top)/tall)
	// The adjugate is the inverse up to a factor, which falls out.
	a, b, c, d := r[0][0]*dist, r[0][1]*dist, r[1][0]*dist, r[1][1]*dist
	g, h := r[2][0], r[2][1]
	t.h = [3][3]float64{
		{float64(d * dist), -float64(b * dist), 0},
		{-float64(c * dist), float64(a * dist), 0},
		{float64(c*h) - float64(d*g), float64(b*g) - float64(a*h), float64(a*d) - float64(b*c)},
	}
	return t
}

// back returns the position on the picture, in pixels from its corner.
func (t *turned) back(p, q float64) (x, y float64) {
	u, v := float64(p*t.size)+t.u, float64(q*t.size)+t.v
	at := func(i int) float64 { return float64(t.h[i][0]*u) + float64(t.h[i][1]*v) + t.h[i][2] }
	w := at(2)
	return at(0)/w + t.width/2, at(1)/w + t.height/2
}
