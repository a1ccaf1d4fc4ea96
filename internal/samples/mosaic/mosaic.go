// Package mosaic makes images with known objects, for measuring and training
// detectors: objects of photographs as tiles on backgrounds ([Mosaics]), and
// degraded backgrounds ([Degraded]).
//
// The same photographs, backgrounds and options give the same bytes on every
// machine, except that [augment.PrintAndScan] depends on image/jpeg.
package mosaic

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math/rand/v2"
	"slices"

	"haarlem/internal/par"
	"haarlem/internal/resample"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// Options are the settings of [Mosaics]. The zero value works.
type Options struct {
	// MinSize and MaxSize bound the sides of the objects' boxes in pixels. Sizes
	// are uniform over scales. 0 means 24 and 144.
	MinSize, MaxSize int

	// Faces is the largest number of tiles on a background. 0 means 12.
	Faces int

	// Context is how much of the photograph around an object's box is in its
	// tile, on each side, in sizes of the box, as far as the photograph
	// extends. 0 means 0.6.
	Context float64

	// Cut is the fraction of tiles that the image's border cuts off: up to 30
	// per cent of the object's box is lost. 0 means none.
	Cut float64

	// Turn is the largest rotation of a photograph about its object, either way,
	// in degrees, at random. Outside a photograph its edge is repeated. 0 means
	// none.
	Turn float64

	// Effects degrade each tile, and each background before it gets tiles, at random
	// and independently: light, film, print and file. Other effects are errors; see
	// [augment.Effects.CheckDegradation].
	Effects augment.Effects

	// PrintAndScan degrades the finished pictures by [augment.PrintAndScan].
	PrintAndScan bool

	// Colour keeps the colours of tiles and backgrounds. Effects change each of red,
	// green and blue alike.
	Colour bool

	// Smallest is the shorter side that a background must have. 0 means 400.
	Smallest int

	Template samples.Template // for objects with landmarks. The zero value means [samples.FrontalFace]
	Seed     uint64           // of all random numbers
	Workers  int              // 0 means GOMAXPROCS. The pictures do not depend on it
}

func (o *Options) withDefaults() (Options, error) {
	v := *cmp.Or(o, &Options{})
	v.MinSize, v.MaxSize = cmp.Or(v.MinSize, 24), cmp.Or(v.MaxSize, 144)
	v.Faces, v.Smallest, v.Context = cmp.Or(v.Faces, 12), cmp.Or(v.Smallest, 400), cmp.Or(v.Context, 0.6)
	if len(v.Template.Marks) == 0 {
		v.Template = samples.FrontalFace
	}
	switch {
	case v.MinSize < 4 || v.MaxSize < v.MinSize || v.MaxSize > 4096:
		return v, fmt.Errorf("mosaic: sizes of %d to %d pixels, want 4 or more, the second not below the first, and at most 4096", v.MinSize, v.MaxSize)
	case v.Faces < 1 || v.Smallest < 16:
		return v, fmt.Errorf("mosaic: %d faces a background and backgrounds of at least %d pixels, want 1 and 16 or more", v.Faces, v.Smallest)
	case !(v.Context > 0 && v.Context <= 10) || !(v.Cut >= 0 && v.Cut <= 1):
		return v, fmt.Errorf("mosaic: context %v and cut %v, want above 0 to 10, and 0 to 1", v.Context, v.Cut)
	case !(v.Turn >= 0 && v.Turn <= 180):
		return v, fmt.Errorf("mosaic: turned by %v degrees, want 0 to 180", v.Turn)
	}
	if err := v.Effects.CheckDegradation(); err != nil {
		return v, fmt.Errorf("mosaic: %w", err)
	}
	return v, nil
}

// A Mosaic is an image of known objects.
type Mosaic struct {
	Picture    *image.Gray      // of Colour the red
	Colour     *image.NRGBA     // nil without Options.Colour
	Background string           // file
	Objects    []samples.Object // boxes; with Tags of the source and its file as "source"
}

// near is the distance from an object's centre, in its sizes, up to which a
// tile's pixels belong to it. Farther pixels may be another face, and are
// ignored.
const near = 0.6

// Mosaics makes images of the objects of photographs, each once, as tiles of
// many sizes on backgrounds without objects. Objects without a box get one by
// their landmarks. The rest of a tile, which may contain parts of other
// objects, becomes ignored boxes. Backgrounds are used in random order,
// repeatedly if there are too few.
//
// put gets the images in order, one at a time. The same photographs,
// backgrounds and options give the same images.
func Mosaics(ctx context.Context, photos []samples.Photo, backgrounds []string, o *Options, put func(*Mosaic) error) error {
	v, err := o.withDefaults()
	if err != nil {
		return err
	}
	todo, err := subjects(photos, v.Template)
	if err != nil {
		return err
	}
	if len(backgrounds) == 0 {
		return errors.New("mosaic: no backgrounds for the mosaics")
	}
	if len(todo) == 0 {
		return errors.New("mosaic: no object for the mosaics: the photographs have no boxes or landmarks, or all are to be ignored")
	}
	rng := rand.New(rand.NewPCG(v.Seed, 0x6d6f73616963))
	rng.Shuffle(len(todo), func(i, j int) { todo[i], todo[j] = todo[j], todo[i] })
	order := slices.Clone(backgrounds)
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	ladder := ladder(v.MinSize, v.MaxSize)

	// The layout comes from one random sequence, the pixels from workers.
	q := par.NewQueue(ctx, v.Workers, put)
	fits, placed := 0, 0
	for i := 0; len(todo) > 0; i++ {
		if i == len(order) {
			if fits == 0 {
				q.Close()
				return fmt.Errorf("mosaic: none of the %d backgrounds for the mosaics has %d pixels on its shorter side", len(order), v.Smallest)
			}
			if placed == 0 {
				break // no tile ever fits
			}
			i, placed = 0, 0
		}
		if err := ctx.Err(); err != nil {
			break // close returns the error
		}
		out, err := v.read(order[i])
		if err != nil {
			q.Close()
			return err
		}
		size := out[0].Rect.Max
		if min(size.X, size.Y) < v.Smallest {
			continue
		}
		fits++
		plan := v.layOut(rng, size, &todo, ladder)
		if len(plan.tiles) == 0 {
			continue
		}
		plan.out, plan.side = out, plan.tiles[0].box.Dx()
		placed++
		plan.background = order[i]
		if !q.Add(func(context.Context) (*Mosaic, error) { return v.draw(plan) }) {
			break
		}
	}
	if err := q.Close(); err != nil {
		return err
	}
	if len(todo) > 0 {
		return fmt.Errorf("mosaic: %d objects of up to %d pixels found no room on any background", len(todo), v.MaxSize)
	}
	return nil
}

// Degraded makes images without objects, as negatives and to measure false
// positives on: each background once, in random order, degraded by the options'
// Effects and PrintAndScan. Backgrounds smaller than Smallest are left out. Of
// the options for objects only MinSize and MaxSize count: effects are sized as
// if an object of such a size were in the middle.
func Degraded(ctx context.Context, backgrounds []string, o *Options, put func(*Mosaic) error) error {
	v, err := o.withDefaults()
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(v.Seed, 0x73706f696c74))
	order := slices.Clone(backgrounds)
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	ladder := ladder(v.MinSize, v.MaxSize)
	q := par.NewQueue(ctx, v.Workers, put)
	fits := 0
	for _, file := range order {
		if err := ctx.Err(); err != nil {
			break // close returns the error
		}
		out, err := v.read(file)
		if err != nil {
			q.Close()
			return err
		}
		if size := out[0].Rect.Max; min(size.X, size.Y) < v.Smallest {
			continue
		}
		fits++
		p := plan{background: file, out: out, side: ladder[rng.IntN(len(ladder))], seed: rng.Uint64()}
		if !q.Add(func(context.Context) (*Mosaic, error) { return v.draw(p) }) {
			break
		}
	}
	if err := q.Close(); err != nil {
		return err
	}
	if fits == 0 {
		return fmt.Errorf("mosaic: none of the %d backgrounds has %d pixels on its shorter side", len(order), v.Smallest)
	}
	return nil
}

// A subject is one object to put into a mosaic.
type subject struct {
	file   string
	centre samples.Point
	side   float64
	object *samples.Object
	others []image.Rectangle // boxes of others in the same photograph
}

func subjects(photos []samples.Photo, t samples.Template) ([]subject, error) {
	var all []subject
	for p := range photos {
		photo := &photos[p]
		var boxes []image.Rectangle
		first := len(all)
		for i := range photo.Objects {
			o := &photo.Objects[i]
			s := subject{file: photo.File, object: o}
			if !o.Box.Empty() {
				s.centre = samples.Point{X: float64(o.Box.Min.X+o.Box.Max.X) / 2, Y: float64(o.Box.Min.Y+o.Box.Max.Y) / 2}
				s.side = float64(max(o.Box.Dx(), o.Box.Dy()))
			} else if len(o.Marks) > 0 {
				var err error
				if s.centre, s.side, err = t.Square(o.Marks); err != nil {
					return nil, fmt.Errorf("%s: object %d: %w", photo.File, i+1, err)
				}
			} else {
				continue
			}
			boxes = append(boxes, samples.SquareBox(s.centre, s.side))
			if !o.Ignore {
				all = append(all, s)
			}
		}
		for i := range all[first:] {
			s := &all[first+i]
			own := samples.SquareBox(s.centre, s.side)
			for _, b := range boxes {
				if b != own {
					s.others = append(s.others, b)
				}
			}
		}
	}
	return all, nil
}

// ladder lists sizes that grow by a twentieth, in whole pixels, small ones
// several times: a random one is uniform over scales. (Repeated rounded
// products are the same on every processor.)
func ladder(lo, hi int) []int {
	var all []int
	for s := float64(lo); s < float64(hi)+1; s *= 1.05 {
		all = append(all, int(s))
	}
	return all
}

// A tile is a subject with its box in the picture.
type tile struct {
	subject
	box  image.Rectangle
	turn float64 // degrees
}

type plan struct {
	background string
	out        []*image.Gray // the planes of the background, to draw on
	tiles      []tile
	side       int // of a box that the background is degraded for
	seed       uint64
}

// layOut plans an image of that size, and removes its subjects from todo.
func (o *Options) layOut(rng *rand.Rand, size image.Point, todo *[]subject, ladder []int) plan {
	p := plan{seed: rng.Uint64()}
	var taken []image.Rectangle
	failed := 0
	for len(p.tiles) < o.Faces && len(*todo) > 0 && failed < 12 {
		s := (*todo)[0]
		side := ladder[rng.IntN(len(ladder))]
		around := int(o.Context * float64(side))
		cut := float64(rng.IntN(1<<16))/(1<<16) < o.Cut
		found := false
		for range 30 {
			if side > size.X || side > size.Y {
				break
			}
			// A large object may lose its surroundings at the border.
			x0, y0 := min(around, (size.X-side)/2), min(around, (size.Y-side)/2)
			x1, y1 := size.X-x0-side, size.Y-y0-side
			at := image.Pt(x0+rng.IntN(x1-x0+1), y0+rng.IntN(y1-y0+1))
			if cut {
				lost := side * (1 + rng.IntN(30)) / 100
				switch rng.IntN(4) {
				case 0:
					at.X = -lost
				case 1:
					at.Y = -lost
				case 2:
					at.X = size.X - side + lost
				case 3:
					at.Y = size.Y - side + lost
				}
			}
			box := image.Rectangle{at, at.Add(image.Pt(side, side))}
			whole := box.Inset(-around)
			if slices.ContainsFunc(taken, whole.Overlaps) {
				continue
			}
			taken = append(taken, whole)
			t := tile{subject: s, box: box}
			if o.Turn > 0 {
				t.turn = o.Turn * float64(rng.IntN(1<<12+1)-1<<11) / (1 << 11)
			}
			p.tiles = append(p.tiles, t)
			found = true
			break
		}
		if found {
			*todo = (*todo)[1:]
		} else {
			failed++ // another size may fit
		}
	}
	return p
}

// read returns the planes of a picture: grey, or red, green and blue.
func (o *Options) read(file string) ([]*image.Gray, error) {
	if !o.Colour {
		g, err := samples.ReadGrey(file)
		return []*image.Gray{g}, err
	}
	img, err := samples.ReadImage(file)
	if err != nil {
		return nil, err
	}
	all := image.NewNRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(all, all.Rect, img, img.Bounds().Min, draw.Src)
	var planes []*image.Gray
	for k := range 3 {
		g := image.NewGray(all.Rect)
		for i := range g.Pix {
			g.Pix[i] = all.Pix[4*i+k]
		}
		planes = append(planes, g)
	}
	return planes, nil
}

// draw draws the image.
func (o *Options) draw(p plan) (*Mosaic, error) {
	tiles := make([][]*image.Gray, len(p.tiles))
	for i, t := range p.tiles {
		var err error
		if tiles[i], err = o.read(t.file); err != nil {
			return nil, err
		}
	}
	var r *Mosaic
	for k := len(p.out) - 1; k >= 0; k-- {
		var err error
		if r, err = o.drawPlane(p, tiles, k); err != nil {
			return nil, err
		}
	}
	if o.Colour {
		r.Colour = image.NewNRGBA(p.out[0].Rect)
		for i := range p.out[0].Pix {
			copy(r.Colour.Pix[4*i:], []byte{p.out[0].Pix[i], p.out[1].Pix[i], p.out[2].Pix[i], 255})
		}
	}
	return r, nil
}

// drawPlane draws a plane, with the same random numbers as the others.
func (o *Options) drawPlane(p plan, tiles [][]*image.Gray, plane int) (*Mosaic, error) {
	out := p.out[plane]
	r := &Mosaic{Picture: out, Background: p.background}
	degrade := func(*image.Gray, image.Rectangle) error { return nil }
	if o.Effects != (augment.Effects{}) {
		var s augment.Degrader
		rng := rand.New(rand.NewPCG(p.seed, 0x6a6974746572))
		degrade = func(g *image.Gray, box image.Rectangle) error { return s.Degrade(g, box, &o.Effects, rng.Uint64()) }
		// As if an object of that size were in the middle.
		at := out.Rect.Max.Sub(image.Pt(p.side, p.side)).Div(2)
		if err := degrade(out, image.Rectangle{at, at.Add(image.Pt(p.side, p.side))}); err != nil {
			return nil, err
		}
	}
	var rest []samples.Object
	for i, t := range p.tiles {
		src := tiles[i][plane]
		if t.turn != 0 {
			src, t.others = rotated(src, t.centre, t.turn, t.others)
		}
		others, err := o.paste(out, src, t, degrade)
		if err != nil {
			return nil, err
		}
		rest = append(rest, others...)
		o := samples.Object{Box: t.box, Tags: map[string]string{"source": t.file}}
		for k, v := range t.object.Tags {
			o.Tags[k] = v
		}
		r.Objects = append(r.Objects, o)
	}
	r.Objects = append(r.Objects, rest...)
	if o.PrintAndScan {
		augment.PrintAndScan(out, rand.New(rand.NewPCG(p.seed, 0x7072657373)))
	}
	return r, nil
}

// paste draws a degraded tile, and returns the ignored boxes around its object.
func (o *Options) paste(out, src *image.Gray, t tile, degrade func(*image.Gray, image.Rectangle) error) ([]samples.Object, error) {
	zoom := float64(t.box.Dx()) / t.side
	left, top := t.centre.X-t.side/2, t.centre.Y-t.side/2 // the box in src
	// The tile in the image: as much around the box as src has.
	around := int(o.Context * float64(t.box.Dx()))
	have := func(pixels float64) int { return min(around, int(pixels*zoom)) }
	whole := image.Rectangle{
		t.box.Min.Sub(image.Pt(have(left), have(top))),
		t.box.Max.Add(image.Pt(have(float64(src.Rect.Dx())-left-t.side), have(float64(src.Rect.Dy())-top-t.side))),
	}
	if whole.Empty() {
		return nil, nil
	}
	at := func(p image.Point) (x, y float64) {
		return left + float64(p.X-t.box.Min.X)/zoom, top + float64(p.Y-t.box.Min.Y)/zoom
	}
	x0, y0 := at(whole.Min)
	x1, y1 := at(whole.Max)
	pixels := resample.Part(src, x0, y0, x1, y1, whole.Dx(), whole.Dy())
	inTile := t.box.Sub(whole.Min).Intersect(pixels.Rect)
	if inTile.Empty() { // the object lies outside of its photograph
		inTile = pixels.Rect
	}
	if err := degrade(pixels, inTile); err != nil {
		return nil, err
	}
	// A soft border, so that detectors cannot learn its edge.
	soft := max(t.box.Dx()/16, 2)
	for y := range whole.Dy() {
		for x := range whole.Dx() {
			q := image.Pt(whole.Min.X+x, whole.Min.Y+y)
			if !q.In(out.Rect) {
				continue
			}
			a := min(x+1, y+1, whole.Dx()-x, whole.Dy()-y, soft)
			d := &out.Pix[q.Y*out.Stride+q.X]
			*d = byte((int(pixels.Pix[y*pixels.Stride+x])*a + int(*d)*(soft-a) + soft/2) / soft)
		}
	}
	var rest []samples.Object
	ignore := func(r image.Rectangle, why string) {
		if r = r.Intersect(whole).Intersect(out.Rect); !r.Empty() {
			rest = append(rest, samples.Object{Box: r, Ignore: true, Tags: map[string]string{"source": why}})
		}
	}
	c := image.Pt((t.box.Min.X+t.box.Max.X)/2, (t.box.Min.Y+t.box.Max.Y)/2)
	d := int(near * float64(t.box.Dx()))
	inner := image.Rect(c.X-d, c.Y-d, c.X+d, c.Y+d)
	ignore(image.Rect(whole.Min.X, whole.Min.Y, whole.Max.X, inner.Min.Y), "above")
	ignore(image.Rect(whole.Min.X, inner.Max.Y, whole.Max.X, whole.Max.Y), "below")
	ignore(image.Rect(whole.Min.X, inner.Min.Y, inner.Min.X, inner.Max.Y), "left")
	ignore(image.Rect(inner.Max.X, inner.Min.Y, whole.Max.X, inner.Max.Y), "right")
	for _, b := range t.others {
		to := func(p image.Point) image.Point {
			return image.Pt(t.box.Min.X+int((float64(p.X)-left)*zoom), t.box.Min.Y+int((float64(p.Y)-top)*zoom))
		}
		r := image.Rectangle{to(b.Min), to(b.Max)}
		if !r.Intersect(whole).Empty() {
			rest = append(rest, samples.Object{Box: r, Ignore: true, Tags: map[string]string{"source": "other"}})
		}
	}
	return rest, nil
}
