package augment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"

	"haarlem/internal/luma"
	"haarlem/internal/par"
	"haarlem/internal/samples"
	"haarlem/internal/splitmix"
	"haarlem/picture"
)

// MakeOptions are the settings of [Make]. A nil *MakeOptions and the zero value
// mean the same: every field's default.
type MakeOptions struct {
	// Width and Height are of the window, in pixels. 0 means 24.
	Width, Height int

	// Template is the position of landmarks in the window. Objects with as many
	// marks are aligned by them: shifted, rotated and scaled, but neither
	// mirrored nor distorted. Others are cut out by their box. The zero value
	// has no marks, so that boxes are used for all.
	Template samples.Template

	// Margin enlarges boxes by this fraction of their width on the left and right,
	// and of their height above and below. A negative one shrinks them. A box of
	// another shape than the window's is then enlarged along its short side, so
	// that nothing is distorted.
	Margin float64

	// Variants is the number of windows per object. 0 means 1. The first is the
	// plain one unless Effects.All is set.
	Variants int

	// Mirror doubles the windows: each variant is followed by another one of
	// the mirrored object.
	Mirror bool

	// Flip selects objects to mirror, so that all face the same way; nil selects
	// none. Mirror doubles them too.
	Flip func(*samples.Object) bool

	// Effects are applied to variants. The zero value changes nothing.
	Effects Effects

	// Seed is that of all random numbers. The same seed gives the same windows
	// on every machine, for any number of workers. A window depends on the
	// seed, the name of the photograph's file without its folder, and the
	// numbers of object and variant; not on other windows.
	Seed uint64

	// Workers is the number of photographs processed at once. 0 means
	// GOMAXPROCS.
	Workers int

	// Filter selects objects; nil selects all. Ignored objects are never taken,
	// and Filter is not called for them.
	Filter func(*samples.Object) bool

	// Progress, if not nil, is called after each photograph, never twice at once.
	Progress func(done, photos int)
}

// defaults returns o with every default filled in.
func (o *MakeOptions) defaults() (MakeOptions, error) {
	v := *cmp.Or(o, &MakeOptions{})
	v.Width = cmp.Or(v.Width, 24)
	v.Height = cmp.Or(v.Height, 24)
	v.Variants = cmp.Or(v.Variants, 1)
	switch {
	case v.Width < minSide || v.Width > maxSide || v.Height < minSide || v.Height > maxSide:
		return v, fmt.Errorf("a window of %dx%d, want %d to %d pixels a side", v.Width, v.Height, minSide, maxSide)
	case v.Variants < 0:
		return v, fmt.Errorf("%d variants, want 1 or more", v.Variants)
	case !(v.Margin > -0.5 && v.Margin <= 10):
		return v, fmt.Errorf("a margin of %v, want more than -0.5 and at most 10", v.Margin)
	case v.Workers < 0:
		return v, fmt.Errorf("%d workers, want 1 or more", v.Workers)
	}
	if err := v.Template.Check(); err != nil {
		return v, err
	}
	if err := v.Effects.check(); err != nil {
		return v, fmt.Errorf("jitter: %w", err)
	}
	return v, nil
}

// The valid sizes of windows.
const (
	minSide = 4
	maxSide = 512
)

// Make cuts training windows out of photographs, in the order of photographs,
// objects, variants, and mirror images. A photograph without selected objects is
// not opened.
//
// A window is drawn from its photograph with antialiasing. Outside the photograph
// it is mirrored at its edge. Errors name the photograph and the object.
func Make(ctx context.Context, photos []samples.Photo, o *MakeOptions) ([]Window, error) {
	v, err := o.defaults()
	if err != nil {
		return nil, fmt.Errorf("augment: %w", err)
	}
	made := make([][]Window, len(photos))
	err = par.Each(ctx, len(photos), v.Workers, func(m *renderer, i int) (err error) {
		made[i], err = v.ofPhoto(m, &photos[i])
		return err
	}, v.Progress)
	if err != nil {
		return nil, err
	}
	return slices.Concat(made...), nil
}

// ofPhoto makes the windows of one photograph.
func (o *MakeOptions) ofPhoto(m *renderer, p *samples.Photo) ([]Window, error) {
	var taken []int
	for i := range p.Objects {
		if ob := &p.Objects[i]; !ob.Ignore && (o.Filter == nil || o.Filter(ob)) {
			taken = append(taken, i)
		}
	}
	if taken == nil {
		return nil, nil
	}
	opened, err := picture.Open(p.File, nil)
	if err != nil {
		return nil, err
	}
	var grey luma.Plane
	grey, m.grey = luma.Of(opened.Image, m.grey)
	mirrors := 1
	if o.Mirror {
		mirrors = 2
	}
	windows := make([]Window, 0, len(taken)*o.Variants*mirrors)
	for _, i := range taken {
		place, worn, err := o.place(&p.Objects[i])
		if err == nil {
			err = m.patch.cut(&grey, place, o.Width, o.Height, o.Effects.zoom())
		}
		if err != nil {
			return nil, fmt.Errorf("%s: object %d: %w", p.File, i+1, err)
		}
		flip := o.Flip != nil && o.Flip(&p.Objects[i])
		for variant := range o.Variants {
			for mirror := range mirrors {
				d := splitmix.New(o.Seed, filepath.Base(p.File), i, variant, mirror)
				j := &o.Effects
				if variant == 0 && !j.All {
					j = &Effects{}
				}
				img := image.NewGray(image.Rect(0, 0, o.Width, o.Height))
				mirrored := (mirror == 1) != flip
				m.draw(img, j, d, mirrored, worn)
				windows = append(windows, Window{Grey: img, Source: p.File, Object: i, Variant: variant, Mirrored: mirrored})
			}
		}
	}
	return windows, nil
}

// place returns the position of an object's window in its photograph, and the
// landmarks for accessories, or nil if they are unknown.
func (o *MakeOptions) place(ob *samples.Object) (samples.Similarity, *landmarks, error) {
	tall := float64(o.Height) / float64(o.Width)
	if len(o.Template.Marks) > 0 && len(ob.Marks) == len(o.Template.Marks) {
		p, err := o.Template.Align(ob.Marks, tall)
		return p, landmarksOf(o.Template, tall), err
	}
	if ob.Box.Empty() {
		switch {
		case len(ob.Marks) == 0:
			return samples.Similarity{}, nil, errors.New("neither a box nor marks say where it is")
		case len(o.Template.Marks) == 0:
			return samples.Similarity{}, nil, fmt.Errorf("it has %d marks and no box: a template must say where marks go", len(ob.Marks))
		}
		return samples.Similarity{}, nil, fmt.Errorf("it has %d marks and no box, and the template has %d marks", len(ob.Marks), len(o.Template.Marks))
	}
	grown := 1 + 2*o.Margin
	width := max(float64(float64(ob.Box.Dx())*grown), float64(float64(ob.Box.Dy())*grown)/tall)
	return samples.Similarity{
		A: width,
		X: float64(ob.Box.Min.X+ob.Box.Max.X) / 2,
		Y: float64(ob.Box.Min.Y+ob.Box.Max.Y) / 2,
	}, nil, nil
}
