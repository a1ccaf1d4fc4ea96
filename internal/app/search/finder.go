package search

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
	"haarlem/internal/app/console"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/objects"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
)

// A Finder finds objects in pictures, best first: a [objects.Set] or a picoFinder.
type Finder interface {
	Detect(ctx context.Context, img image.Image) ([]detector.Detection, error)
	Object() cascade.Object
}

// Finder returns what -model asks for, and writes its models where what it finds is
// kept for later.
func (v *Flags) Finder(s *console.Streams, o *detector.Options) (f Finder, write func(io.Writer) error, err error) {
	if IsPico(v.Model) {
		p, err := v.Pico(v.Model, o)
		return p, p.write, err
	}
	all, cascades, err := v.detectors(o)
	if err != nil {
		return nil, nil, err
	}
	TellOfWindow(s, all)
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

// IsPico reports whether a model is a file of pico or pigo.
func IsPico(model string) bool {
	return model != "" && !slices.Contains(models.Names(), model) && wholefile.Check(model) == nil && pico.IsFile(model)
}

// detectors returns those which the flags ask for: of what -model finds, a file or all of
// a folder, and of what the models of -also find, and their models.
func (v *Flags) detectors(o *detector.Options) (objects.Set, []*cascade.Cascade, error) {
	model, also := v.Model, v.also
	if wholefile.IsDir(model) {
		files, err := wholefile.In(model, ".cascade")
		if err != nil {
			return nil, nil, err
		}
		if len(files) == 0 || v.Points != nil {
			return nil, nil, cli.Usagef("-model %s: want a folder with models, which end in .cascade, and no -points", model)
		}
		model, also = files[0], append(files[1:], also...)
	}
	c, err := v.Open(model)
	if err != nil {
		return nil, nil, err
	}
	if v.Weak && v.Strong > 0 {
		o.MinScore = 0 // Search.MinScore of each model holds it
	}
	if v.Points != nil {
		v.Points.Box = facebox.Points(c.Name, v.Points.Box)
		if o.Points, err = landmarks.NewPredictor(v.Points); err != nil {
			return nil, nil, err
		}
	}
	if o.Framing, err = v.Framing(c); err != nil {
		return nil, nil, err
	}
	if err := v.Route(o, c); err != nil {
		return nil, nil, err
	}
	d, err := detector.New(o, c)
	if err != nil {
		return nil, nil, cli.Usage(err)
	}
	all, cascades := objects.Set{d}, []*cascade.Cascade{c}
	for _, name := range also {
		m, err := OpenModel(name)
		if err != nil {
			return nil, nil, err
		}
		m = v.tuned(m)
		d, err := detector.New(objects.OfOthers(o), m)
		if err != nil {
			return nil, nil, cli.Usagef("model %s: %v", name, err)
		}
		all, cascades = append(all, d), append(cascades, m)
	}
	return all, cascades, nil
}

// Route gives a search at any angle a router, if there is one for this model.
func (v *Flags) Route(o *detector.Options, c *cascade.Cascade) (err error) {
	if v.values.AnyAngle {
		o.Router, err = models.Router(c)
	}
	return err
}

// TellOfWindow says so if smaller objects are wanted than are looked for, and what
// would look for them: nothing else would tell that they were not.
func TellOfWindow(s *console.Streams, all objects.Set) {
	for _, d := range all {
		if smallest, wanted, enlarge := d.Smallest(); wanted < smallest {
			fmt.Fprintf(s.Err, "detect: no %s of less than %d pixels is looked for; -enlarge %g would look for those of %d and more\n", d.Object().Singular, smallest, enlarge, wanted)
		}
	}
}
