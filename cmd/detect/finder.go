package main

import (
	"context"
	"image"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/cli"
)

// A finder finds faces, and what the models of -also find: each by a detector of its
// own, since scores of different objects cannot be compared, and no object takes the
// place of another.
type finder []*detector.Detector

// finder returns that which the flags ask for, and its models.
func (v *searchFlags) finder(o *detector.Options) (finder, []*cascade.Cascade, error) {
	models, err := v.open(v.model)
	if err != nil {
		return nil, nil, err
	}
	if v.weak && v.strong > 0 {
		o.MinScore = 0 // Search.MinScore of each model holds it
	}
	d, err := detector.New(o, models...)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	all := finder{d}
	for _, name := range v.also {
		m, err := openModel(name)
		if err != nil {
			return nil, nil, err
		}
		m = v.tuned(m)
		d, err := detector.New(o, m)
		if err != nil {
			return nil, nil, cli.Usagef("-also %s: %v", name, err)
		}
		all, models = append(all, d), append(models, m)
	}
	return all, models, nil
}

// detect finds faces, the best first, and then the other objects.
func (f finder) detect(ctx context.Context, img image.Image) ([]detector.Detection, error) {
	var found []detector.Detection
	for _, d := range f {
		more, err := d.Detect(ctx, img)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	return found, nil
}

// object is what is found.
func (f finder) object() cascade.Object {
	objects := make([]*cascade.Cascade, len(f))
	for i, d := range f {
		objects[i] = &cascade.Cascade{Object: d.Object()}
	}
	return cascade.ObjectOf(objects...)
}
