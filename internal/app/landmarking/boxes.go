package landmarking

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/landmarks"
)

// boxFlags select the boxes in which points are searched.
type boxFlags struct {
	detector         string
	minSize, workers int
}

func (v *boxFlags) declare(f *cli.Flags) {
	v.minSize = 24
	f.Group("Boxes")
	f.String(&v.detector, "detector", "take the boxes that `MODEL` finds, a file or a built-in model; those of -truth if not given")
	f.Int(&v.minSize, "min-size", "smallest object for -detector, `N` pixels")
	f.Int(&v.workers, "workers", "use `N` goroutines; one a core if not given. Results do not depend on it")
}

// boxesOf returns a box for each object: the best detection around its points,
// or the box of the truth. It is empty for objects without one.
func boxesOf(ctx context.Context, v *boxFlags, objects []marked, progress func(done, total int)) ([]image.Rectangle, error) {
	boxes := make([]image.Rectangle, len(objects))
	if v.detector == "" {
		for i := range objects {
			boxes[i] = objects[i].object.Box
		}
		return boxes, nil
	}
	d, err := openBoxes(v)
	if err != nil {
		return nil, err
	}
	var found []detector.Detection
	for i := range objects {
		o := &objects[i]
		if i == 0 || o.file != objects[i-1].file {
			g := &o.plane
			if found, err = d.Detect(ctx, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}); err != nil {
				return nil, fmt.Errorf("%s: %w", o.file, err)
			}
		}
		f := landmarks.FrameOf(o.points)
		best := math.Inf(-1)
		for _, hit := range found {
			middle := hit.Box.Min.Add(hit.Box.Max)
			x, y := float64(middle.X)/2-f.X, float64(middle.Y)/2-f.Y
			if size := math.Sqrt(float64(hit.Box.Dx()*hit.Box.Dy())) / f.A; math.Hypot(x, y) < f.A/2 && size > 0.4 && size < 4 && hit.Score > best {
				best, boxes[i] = hit.Score, hit.Box
			}
		}
		progress(i+1, len(objects))
	}
	return boxes, nil
}

// openBoxes opens the detector.
func openBoxes(v *boxFlags) (*detector.Detector, error) {
	c, err := input.OpenModel(v.detector)
	if err != nil {
		return nil, err
	}
	all := *c // the best detection on the object, whatever its score
	all.Search.MinScore = 0
	d, err := detector.New(&detector.Options{MinSize: image.Pt(v.minSize, v.minSize), Workers: v.workers}, &all)
	if err != nil {
		return nil, cli.Usage(err)
	}
	return d, nil
}

// convention returns the position of objects' frames in their boxes: medians.
func convention(name string, objects []marked, boxes []image.Rectangle) (landmarks.Convention, int, error) {
	var right, down, side []float64
	for i, b := range boxes {
		if b.Empty() {
			continue
		}
		f := landmarks.FrameOf(objects[i].points)
		w, h := float64(b.Dx()), float64(b.Dy())
		right = append(right, (f.X-float64(b.Min.X+b.Max.X)/2)/w)
		down = append(down, (f.Y-float64(b.Min.Y+b.Max.Y)/2)/h)
		side = append(side, f.A/math.Sqrt(w*h))
	}
	if len(side) == 0 {
		return landmarks.Convention{}, 0, cli.Usagef("no object has a box: name a detector with -detector")
	}
	median := func(v []float64) float64 {
		slices.Sort(v)
		return math.Round(v[len(v)/2]*1000) / 1000
	}
	return landmarks.Convention{Name: name, Right: median(right), Down: median(down), Side: median(side)}, len(side), nil
}
