package main

import (
	"context"
	"fmt"
	"image"
	"io"
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cascade/pico"
	"haarlem/internal/app/cli"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
)

// A finder finds objects in pictures, best first: a [detector.Set] or a picoFinder.
type finder interface {
	Detect(ctx context.Context, img image.Image) ([]detector.Detection, error)
	Object() cascade.Object
}

// finder returns what -model asks for, and writes its models where what it finds is
// kept for later.
func (v *searchFlags) finder(s *streams, o *detector.Options) (f finder, write func(io.Writer) error, err error) {
	if isPico(v.model) {
		p, err := v.pico(v.model, o)
		return p, p.write, err
	}
	all, cascades, err := v.detectors(o)
	if err != nil {
		return nil, nil, err
	}
	tellOfWindow(s, all)
	if o.Router != nil {
		cascades = append(cascades, o.Router)
	}
	return all, func(w io.Writer) error {
		for _, c := range cascades {
			if err := c.Encode(w); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// isPico reports whether a model is a file of pico or pigo.
func isPico(model string) bool {
	return model != "" && !slices.Contains(models.Names(), model) && pico.IsFile(model)
}

// detectors returns those which the flags ask for, of faces and of what the models of
// -also find, and their models.
func (v *searchFlags) detectors(o *detector.Options) (detector.Set, []*cascade.Cascade, error) {
	cascades, err := v.open(v.model)
	if err != nil {
		return nil, nil, err
	}
	if v.weak && v.strong > 0 {
		o.MinScore = 0 // Search.MinScore of each model holds it
	}
	if v.points != nil {
		v.points.Box = facebox.Points(cascades[0].Name, v.points.Box)
		if o.Points, err = landmarks.NewPredictor(v.points); err != nil {
			return nil, nil, err
		}
	}
	if o.Framings, err = v.framings(cascades); err != nil {
		return nil, nil, err
	}
	if err := v.route(o, cascades); err != nil {
		return nil, nil, err
	}
	d, err := detector.New(o, cascades...)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	all := detector.Set{d}
	for _, name := range v.also {
		m, err := openModel(name)
		if err != nil {
			return nil, nil, err
		}
		m = v.tuned(m)
		d, err := detector.New(o.OfOthers(), m)
		if err != nil {
			return nil, nil, cli.Usagef("-also %s: %v", name, err)
		}
		all, cascades = append(all, d), append(cascades, m)
	}
	return all, cascades, nil
}

// route gives a search at any angle a router, if there is one for these models.
func (v *searchFlags) route(o *detector.Options, cascades []*cascade.Cascade) (err error) {
	if v.rotate == anyAngle {
		o.Router, err = models.Router(cascades...)
	}
	return err
}

// tellOfWindow says so if smaller objects are wanted than are looked for, and what
// would look for them: nothing else would tell that they were not.
func tellOfWindow(s *streams, all detector.Set) {
	for _, d := range all {
		if smallest, wanted, enlarge := d.Smallest(); wanted < smallest {
			fmt.Fprintf(s.err, "detect: no %s of less than %d pixels is looked for; -enlarge %g would look for those of %d and more\n", d.Object().Singular, smallest, enlarge, wanted)
		}
	}
}
