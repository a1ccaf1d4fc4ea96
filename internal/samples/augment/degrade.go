package augment

import (
	"errors"
	"fmt"
	"image"

	"haarlem/internal/splitmix"
)

// A Degrader applies to whole pictures the effects of light, film, print and file.
// The zero value is ready; it is for one goroutine.
type Degrader struct{ m renderer }

// Degrade changes g. What effects measure in windows is measured in box, a part of
// g; with [Effects].Legible, the content of the box stays legible. The same seed
// gives the same bytes. Effects that are for windows only are errors; see
// [Effects.CheckDegradation].
func (s *Degrader) Degrade(g *image.Gray, box image.Rectangle, j *Effects, seed uint64) error {
	if err := j.CheckDegradation(); err != nil {
		return fmt.Errorf("augment: %w", err)
	}
	if box = box.Intersect(g.Rect); box.Empty() {
		return errors.New("augment: the box lies outside the picture")
	}
	m := &s.m
	at := box.Min.Sub(g.Rect.Min)
	v := &view{
		width: box.Dx(), height: box.Dy(), left: at.X, top: at.Y,
		levelWidth: g.Rect.Dx(), levelHeight: g.Rect.Dy(), canvasWidth: g.Rect.Dx(), canvasHeight: g.Rect.Dy(),
	}
	c := &m.canvas
	c.resize(v.canvasWidth, v.canvasHeight)
	c.unit = int64(v.width) << 8
	for y := range c.height {
		row := g.Pix[y*g.Stride:][:c.width]
		q := int32((int64(2*(y-at.Y)+1-v.height) << (unitBits - 1)) / int64(v.width))
		for x, level := range row {
			i := y*c.width + x
			c.pix[i] = int32(level) << 8
			c.p[i], c.q[i] = int32((int64(2*(x-at.X)+1-v.width)<<(unitBits-1))/int64(v.width)), q
		}
	}
	m.degrade(image.NewGray(image.Rect(0, 0, v.width, v.height)), j, splitmix.New(seed, ""), v)
	for y := range c.height {
		copy(g.Pix[y*g.Stride:][:c.width], m.bytes[y*c.width:])
	}
	return nil
}

// CheckDegradation returns an error if j has effects that are for windows only
// (position, accessories, Dark, Cut, Zoom and All), or if a field is out of range.
func (j *Effects) CheckDegradation() error {
	if err := j.check(); err != nil {
		return fmt.Errorf("jitter: %w", err)
	}
	for _, f := range effects {
		if !f.degrades && *f.of(j) != 0 {
			return fmt.Errorf("the jitter sets %s, which is for windows: whole pictures are degraded by light, film, print and file only", f.name)
		}
	}
	if j.All {
		return errors.New("the jitter sets all, which is for windows")
	}
	return nil
}
