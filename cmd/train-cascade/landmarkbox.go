package main

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/landmarks"
	"haarlem/models"
)

// detectorFlags say which detector's boxes points are looked for in.
func detectorFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "detector", Usage: "model whose boxes they are: a file or a built-in one. Without it they are those of -truth"},
		&cli.StringFlag{Name: "pose", Value: "any", Usage: "of -detector: frontal, profile or any"},
		&cli.StringFlag{Name: "profile-model", Value: models.ProfileName, Usage: "that finds profiles, for -pose"},
		&cli.IntFlag{Name: "min-size", Value: 24, Usage: "smallest object that -detector looks for, in pixels"},
		&cli.IntFlag{Name: "workers", Usage: "0 means one a core. The result does not depend on it"},
	}
}

// boxesOf returns a box for each object: the surest detection around its points,
// or the one of the truth. Those without one have an empty box.
func boxesOf(ctx context.Context, c *cli.Command, objects []marked, progress func(done, total int)) ([]image.Rectangle, error) {
	boxes := make([]image.Rectangle, len(objects))
	if c.String("detector") == "" {
		for i := range objects {
			boxes[i] = objects[i].object.Box
		}
		return boxes, nil
	}
	team, err := openDetector(c)
	if err != nil {
		return nil, err
	}
	var found []cascade.Detection
	for i := range objects {
		o := &objects[i]
		if i == 0 || o.file != objects[i-1].file {
			g := &o.plane
			if found, err = team.Detect(ctx, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}); err != nil {
				return nil, fmt.Errorf("%s: %w", o.file, err)
			}
		}
		f := landmarks.FrameOf(o.points)
		best := math.Inf(-1)
		for _, d := range found {
			middle := d.Box.Min.Add(d.Box.Max)
			x, y := float64(middle.X)/2-f.X, float64(middle.Y)/2-f.Y
			if size := math.Sqrt(float64(d.Box.Dx()*d.Box.Dy())) / f.A; math.Hypot(x, y) < f.A/2 && size > 0.4 && size < 4 && d.Score > best {
				best, boxes[i] = d.Score, d.Box
			}
		}
		progress(i+1, len(objects))
	}
	return boxes, nil
}

func openDetector(c *cli.Command) (*cascade.Team, error) {
	p, err := models.ParsePose(c.String("pose"))
	if err != nil {
		return nil, usagef("-pose is %q, want frontal, profile or any", c.String("pose"))
	}
	var frontal, profile *cascade.Cascade
	if p.Frontal() {
		if frontal, err = openModel(c.String("detector")); err != nil {
			return nil, err
		}
	}
	if p.Profile() {
		if profile, err = openModel(c.String("profile-model")); err != nil {
			return nil, err
		}
	}
	cascades, err := p.Cascades(frontal, profile)
	if err != nil {
		return nil, usageError{err}
	}
	// Whatever it is, the surest is taken that lies on the object.
	team, err := cascade.NewTeam(cascades, &cascade.Options{MinScore: -1, MinSize: image.Pt(c.Int("min-size"), c.Int("min-size")), Workers: c.Int("workers")})
	if err != nil {
		return nil, usageError{err}
	}
	return team, nil
}

// convention returns where the frames of objects lie in their boxes: medians.
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
		return landmarks.Convention{}, 0, usagef("no object has a box: name a detector with -detector")
	}
	median := func(v []float64) float64 {
		slices.Sort(v)
		return math.Round(v[len(v)/2]*1000) / 1000
	}
	return landmarks.Convention{Name: name, Right: median(right), Down: median(down), Side: median(side)}, len(side), nil
}
