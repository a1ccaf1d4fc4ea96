package search

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
	"haarlem/internal/app/cli"
	"haarlem/internal/luma"
	"haarlem/models/facebox"
)

// A PicoFinder runs a cascade of pico as pigo does. Several goroutines may use it.
type PicoFinder struct {
	Model    *pico.Model
	Options  pico.Options
	MinScore float64
}

// PicoScore is the smallest score of pigo's program.
const PicoScore = 5

// Pico opens a model, and turns flags and the detector's options into pico's.
func (v *Flags) Pico(model string, o *detector.Options) (*PicoFinder, error) {
	for _, name := range []string{"rotate", "enlarge", "min-neighbors", "pad"} {
		if v.Given(name) {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which -model %s is", name, model)
		}
	}
	for name, given := range map[string]bool{"also": len(v.also) > 0, "points": v.Points != nil, "box": v.box != "" && v.box != facebox.Own.String()} {
		if given {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which -model %s is", name, model)
		}
	}
	if o.MinSize.X != o.MinSize.Y || o.MaxSize.X != o.MaxSize.Y {
		return nil, cli.Usagef("-min-size and -max-size are %s and %s, and windows of pico are squares: want a side in pixels", sizeText(o.MinSize), sizeText(o.MaxSize))
	}
	f := &PicoFinder{Options: pico.Options{MinSize: o.MinSize.X, MaxSize: o.MaxSize.X, Scale: o.Scale}, MinScore: PicoScore}
	if v.Given("min-score") {
		f.MinScore = v.values.MinScore
	}
	var err error
	if f.Model, err = pico.Open(model); err != nil {
		return nil, cli.Usage(err)
	}
	return f, nil
}

// Object implements finder: files of pico do not say what they find.
func (*PicoFinder) Object() cascade.Object { return cascade.Object{}.OrAny() }

// write writes what results depend on.
func (f *PicoFinder) write(w io.Writer) error {
	fmt.Fprintln(w, f.MinScore)
	_, err := f.Model.WriteTo(w)
	return err
}

// Detect returns the detections, best first.
func (f *PicoFinder) Detect(ctx context.Context, img image.Image) ([]detector.Detection, error) {
	g, _ := luma.Of(img, nil)
	found, err := f.Model.Search(ctx, nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}, &f.Options)
	if err != nil {
		return nil, err
	}
	var all []detector.Detection
	clusters, err := pico.Cluster(ctx, found, pico.UsualOverlap)
	if err != nil {
		return nil, err
	}
	for _, c := range clusters {
		if float64(c.Q) >= f.MinScore {
			all = append(all, detector.Detection{Box: c.Box().Add(img.Bounds().Min), Score: float64(c.Q), Neighbors: c.N})
		}
	}
	slices.SortStableFunc(all, func(a, b detector.Detection) int { return cmp.Compare(b.Score, a.Score) })
	return all, nil
}

// sizeText is a bound of a size.
func sizeText(p image.Point) string {
	if p == (image.Point{}) {
		return "none"
	}
	return fmt.Sprintf("%dx%d", p.X, p.Y)
}
