package main

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cascade/pico"
	"haarlem/integral"
	"haarlem/internal/app/cli"
	"haarlem/models/facebox"
)

// A picoFinder runs a cascade of pico as pigo does. Several goroutines may use it.
type picoFinder struct {
	model    *pico.Model
	options  pico.Options
	minScore float64
}

// picoScore is the least score of pigo's program.
const picoScore = 5

// pico opens a model, and turns flags and the detector's options into pico's.
func (v *searchFlags) pico(model string, o *detector.Options) (*picoFinder, error) {
	for _, name := range []string{"pose", "profile-model", "rotate", "enlarge", "min-neighbors", "pad"} {
		if v.given(name) {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which -model %s is", name, model)
		}
	}
	for name, given := range map[string]bool{"also": len(v.also) > 0, "points": v.points != nil, "box": v.box != "" && v.box != facebox.Own.String()} {
		if given {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which -model %s is", name, model)
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
	if f.model, err = pico.Open(model); err != nil {
		return nil, cli.Usage(err)
	}
	return f, nil
}

// Object implements finder: files of pico do not say what they find.
func (*picoFinder) Object() cascade.Object { return cascade.ObjectOf() }

// write writes what results depend on.
func (f *picoFinder) write(w io.Writer) error {
	fmt.Fprintln(w, f.minScore)
	_, err := f.model.WriteTo(w)
	return err
}

// Detect implements finder.
func (f *picoFinder) Detect(ctx context.Context, img image.Image) ([]detector.Detection, error) {
	g, _ := integral.GreyOf(img, nil)
	return f.AppendDetect(ctx, nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: img.Bounds()})
}

// AppendDetect appends the detections, best first.
func (f *picoFinder) AppendDetect(ctx context.Context, dst []detector.Detection, g *image.Gray) ([]detector.Detection, error) {
	found, err := f.model.Search(ctx, nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: g.Rect.Sub(g.Rect.Min)}, &f.options)
	if err != nil {
		return nil, err
	}
	all := dst
	for _, c := range pico.Cluster(found, pico.UsualOverlap) {
		if float64(c.Q) >= f.minScore {
			all = append(all, detector.Detection{Box: c.Box().Add(g.Rect.Min), Score: float64(c.Q), Neighbors: c.N})
		}
	}
	slices.SortStableFunc(all[len(dst):], func(a, b detector.Detection) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}
