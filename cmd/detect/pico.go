package main

import (
	"cmp"
	"context"
	"image"
	"slices"

	"haarlem/cascade/detector"
	"haarlem/cascade/pico"
	"haarlem/integral"
	"haarlem/internal/cli"
	"haarlem/models/facebox"
)

// A picoFinder runs a cascade of pico as pigo does.
type picoFinder struct {
	model    *pico.Model
	options  pico.Options
	minScore float64
}

// picoScore is the least score of pigo's program.
const picoScore = 5

// pico opens -model, and turns flags and the detector's options into pico's.
func (v *searchFlags) pico(o *detector.Options) (*picoFinder, error) {
	for _, name := range []string{"pose", "profile-model", "rotate", "enlarge", "min-neighbors", "pad"} {
		if v.given(name) {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which -model %s is", name, v.model)
		}
	}
	for name, given := range map[string]bool{"also": len(v.also) > 0, "points": v.points != nil, "box": v.box != "" && v.box != facebox.Own.String()} {
		if given {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which -model %s is", name, v.model)
		}
	}
	if o.MinSize.X != o.MinSize.Y || o.MaxSize.X != o.MaxSize.Y {
		return nil, cli.Usagef("-min-size and -max-size are %s and %s, and windows of pico are squares: want a side in pixels", cmp.Or(v.minSize, "none"), cmp.Or(v.maxSize, "none"))
	}
	f := &picoFinder{options: pico.Options{MinSize: o.MinSize.X, MaxSize: o.MaxSize.X, Scale: o.Scale}, minScore: picoScore}
	if v.given("min-score") {
		f.minScore = v.minScore
	}
	var err error
	if f.model, err = pico.Open(v.model); err != nil {
		return nil, cli.Usage(err)
	}
	return f, nil
}

// Detect implements finder.
func (f *picoFinder) Detect(ctx context.Context, img image.Image) ([]detector.Detection, error) {
	g, _ := integral.GreyOf(img, nil)
	grey := &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}
	found, err := f.model.Search(ctx, nil, grey, &f.options)
	if err != nil {
		return nil, err
	}
	var all []detector.Detection
	for _, c := range pico.Cluster(found, pico.UsualOverlap) {
		if float64(c.Q) >= f.minScore {
			all = append(all, detector.Detection{Box: c.Box().Add(img.Bounds().Min), Score: float64(c.Q), Neighbors: c.N})
		}
	}
	slices.SortStableFunc(all, func(a, b detector.Detection) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}
