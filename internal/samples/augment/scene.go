package augment

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"sync"

	"haarlem/internal/par"
	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
)

// A Scene is a background with one object on it.
type Scene struct {
	Index   int // from 0
	Picture *image.Gray
	Box     image.Rectangle // of the object, as opencv_createsamples notes it: it fills the box as far as its corners allow
	Source  string          // the background
}

// SceneOptions are the settings of [Scenes]. Effects of OneOptions must be zero.
type SceneOptions struct {
	OneOptions

	// MaxScale is the largest box in windows, as far as the background has room for
	// it. 0 means as many as seven tenths of the background are wide and high.
	MaxScale float64
}

// Scenes makes test pictures of one image: on each of n backgrounds it is drawn
// once, rotated in space and in perspective, at 1 to MaxScale times the size of the
// window. Backgrounds are used once, spread evenly over the list, so n is at most
// their number. Those smaller than the window are left out; the result is how many.
//
// put gets the scenes, never twice at once, in any order.
func Scenes(ctx context.Context, img image.Image, backgrounds []samples.Background, n int, o *SceneOptions, put func(*Scene) error) (small int, err error) {
	v := *cmp.Or(o, &SceneOptions{})
	if _, err := v.check(img); err != nil {
		return 0, err
	}
	switch {
	case v.Effects != (Effects{}):
		return 0, fmt.Errorf("augment: effects are for windows, and not for scenes")
	case n < 0 || n > len(backgrounds):
		return 0, fmt.Errorf("augment: %d scenes on %d backgrounds, want no more scenes than backgrounds", n, len(backgrounds))
	case v.MaxScale != 0 && !(v.MaxScale >= 1 && v.MaxScale <= 1e6):
		return 0, fmt.Errorf("augment: a largest scale of %v, want 1 or more, or 0 for the default", v.MaxScale)
	}
	var mu sync.Mutex
	err = par.Each(ctx, n, v.Workers, func(_ *struct{}, i int) error {
		b := &backgrounds[i*len(backgrounds)/n]
		g, err := b.Grey()
		if err != nil {
			return err
		}
		s := &Scene{Index: i, Picture: g, Source: b.File}
		ok := s.draw(img, v, splitmix.New(v.Seed, "scene", i))
		mu.Lock()
		defer mu.Unlock()
		if !ok {
			small++
			return nil
		}
		return put(s)
	}, v.Progress)
	return small, err
}

// draw draws the image at a random place. It reports whether there is room.
func (s *Scene) draw(img image.Image, o SceneOptions, d splitmix.Source) bool {
	size := s.Picture.Rect.Size()
	fits := min(float64(size.X)/float64(o.Width), float64(size.Y)/float64(o.Height))
	largest := float64(0.7 * fits)
	if o.MaxScale != 0 {
		largest = min(o.MaxScale, fits)
	}
	if largest < 1 {
		return false
	}
	place := d.Fork(streamPlace)
	scale := place.Between(1, largest)
	w, h := int(scale*float64(o.Width)), int(scale*float64(o.Height))
	at := func(room int) int { return int(place.Between(0.1, 0.8) * float64(room)) }
	x, y := at(size.X-w), at(size.Y-h)
	s.Box = image.Rect(x, y, x+w, y+h)

	one := o.OneOptions
	one.Width, one.Height = w, h
	p := newCutout(img, &one).pose(&one, d)
	step := 1 / float64(3*w)
	for y := range h {
		row := s.Picture.Pix[(s.Box.Min.Y+y)*s.Picture.Stride+s.Box.Min.X:]
		q := (float64(y) + 0.5 - float64(h)/2) / float64(w)
		for x := range w {
			level := p.over(int32(row[x])<<8, (float64(x)+0.5-float64(w)/2)/float64(w), q, step)
			row[x] = byte(clamp((level+128)>>8, 255))
		}
	}
	return true
}
