package detector_test

import (
	"context"
	"errors"
	"image"
	"path/filepath"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

// AppendOpenCV has the reference's rectangles in its order, which is that of OpenCV
// with one thread. A level weight is the score of the last stage, and the largest of a
// group's; there are as many neighbors as windows in the group.
func TestAppendOpenCV(t *testing.T) {
	grouped, raw := 0, 0
	for _, golden := range goldens {
		c := must.Get(cascade.Open(filepath.Join(goldenFolder, golden.name+".xml")))
		last := float64(c.Exits[len(c.Exits)-1].Threshold)
		for _, p := range goldenPictures[:3] {
			g := p.draw()
			for _, s := range goldenSearches {
				d := detectorFor(t, c, s, 2)
				found := must.Get(d.AppendOpenCV(context.Background(), nil, g))
				if want := referenceDetect(c, g, s); !slices.Equal(boxes(found), want) {
					t.Errorf("%s on %s with %+v: %v, want %v", golden.name, p.name(), s, boxes(found), want)
				}
				var windows []image.Rectangle
				var weights []float64
				referenceVisits(c, g, s, func(f float32, x, y, stage int, margin float64) {
					if stage == len(c.Exits) {
						at := image.Pt(refRound32(float32(x)*f), refRound32(float32(y)*f))
						size := image.Pt(refRound32(float32(c.Width)*f), refRound32(float32(c.Height)*f))
						windows = append(windows, image.Rectangle{Min: at, Max: at.Add(size)})
						weights = append(weights, margin+last)
					}
				})
				if s.neighbors == 0 {
					raw += len(found)
					for i := range min(len(found), len(weights)) { // none is outside these pictures
						if found[i].Score != weights[i] || found[i].Neighbors != 1 {
							t.Errorf("%s on %s: window %d has weight %v and %d neighbors, want %v and 1", golden.name, p.name(), i, found[i].Score, found[i].Neighbors, weights[i])
						}
					}
					continue
				}
				grouped += len(found)
				class, mean, count := refClasses(windows)
				for _, f := range found {
					best, n := 0.0, 0
					for i, k := range class {
						if mean[k-1].Intersect(g.Rect) == f.Box && count[k-1] == f.Neighbors {
							if n == 0 || weights[i] > best {
								best = weights[i]
							}
							n++
						}
					}
					if n != f.Neighbors || best != f.Score {
						t.Errorf("%s on %s: %v, want weight %v of %d windows", golden.name, p.name(), f, best, n)
					}
				}
			}
		}
	}
	if grouped < 50 || raw < 500 {
		t.Errorf("%d groups and %d windows: too few to test anything", grouped, raw)
	}
}

// What OpenCV cannot have is an error.
func TestAppendOpenCVErrors(t *testing.T) {
	c := must.Get(cascade.Open(filepath.Join(goldenFolder, "upright-stumps.xml")))
	soft := c.Clone()
	for i := range soft.Exits {
		soft.Exits[i].Restart = false
	}
	g := image.NewGray(image.Rect(0, 0, 100, 100))
	for name, make := range map[string]func() (*detector.Detector, error){
		"a score that runs on": func() (*detector.Detector, error) { return detector.New(nil, soft) },
		"angles":               func() (*detector.Detector, error) { return detector.New(&detector.Options{Angles: []float64{0}}, c) },
	} {
		d := must.Get(make())
		if _, err := d.AppendOpenCV(context.Background(), nil, g); !errors.Is(err, detector.ErrOptions) {
			t.Errorf("%s: %v, want %v", name, err, detector.ErrOptions)
		}
	}
}
