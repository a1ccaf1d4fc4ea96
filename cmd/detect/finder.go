package main

import (
	"context"
	"image"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/cli"
	"haarlem/landmarks"
	"haarlem/models/facebox"
)

// A finder finds objects in pictures, best first.
type finder interface {
	Detect(ctx context.Context, img image.Image) ([]detector.Detection, error)
}

// Finders find faces, and what the models of -also find: each by a detector of its
// own, since scores of different objects cannot be compared, and no object takes the
// place of another.
type finders []*detector.Detector

// finders returns those which the flags ask for, and their models.
func (v *searchFlags) finders(o *detector.Options) (finders, []*cascade.Cascade, error) {
	models, err := v.open(v.model)
	if err != nil {
		return nil, nil, err
	}
	if v.weak && v.strong > 0 {
		o.MinScore = 0 // Search.MinScore of each model holds it
	}
	if v.points != nil {
		v.points.Box = facebox.Points(models[0].Name, v.points.Box)
		if o.Points, err = landmarks.NewPredictor(v.points); err != nil {
			return nil, nil, err
		}
	}
	if o.Framings, err = v.framings(models); err != nil {
		return nil, nil, err
	}
	d, err := detector.New(o, models...)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	all := finders{d}
	other := *o
	other.Points, other.Framings = nil, nil // of faces
	for _, name := range v.also {
		m, err := openModel(name)
		if err != nil {
			return nil, nil, err
		}
		m = v.tuned(m)
		d, err := detector.New(&other, m)
		if err != nil {
			return nil, nil, cli.Usagef("-also %s: %v", name, err)
		}
		all, models = append(all, d), append(models, m)
	}
	return all, models, nil
}

// Detect finds faces, the best first, and then the other objects.
func (f finders) Detect(ctx context.Context, img image.Image) ([]detector.Detection, error) {
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
func (f finders) object() cascade.Object {
	objects := make([]*cascade.Cascade, len(f))
	for i, d := range f {
		objects[i] = &cascade.Cascade{Object: d.Object()}
	}
	return cascade.ObjectOf(objects...)
}
