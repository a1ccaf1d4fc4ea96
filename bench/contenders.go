package main

import (
	"cmp"
	"context"
	"image"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	pigo "github.com/esimov/pigo/core"
	"gocv.io/x/gocv"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// The search of every contender.
const (
	scale    = 1.1
	minimum  = 24
	neighbor = 3
)

// haarlem returns a function that runs our detector once, and its candidates
// before grouping or after.
func haarlem(path string, g *image.Gray, workers int, grouped bool) func() []image.Rectangle {
	c, err := cascade.Open(path)
	check(err)
	d, err := detector.New(&detector.Options{
		Scale:        scale,
		MinSize:      image.Pt(minimum, minimum),
		MinNeighbors: neighbor,
		Ungrouped:    !grouped,
		Workers:      workers,
	}, c)
	check(err)
	return search(d, g)
}

// search returns a function that runs a detector once.
func search(d *detector.Detector, g *image.Gray) func() []image.Rectangle {
	var found []detector.Detection
	return func() []image.Rectangle {
		var err error
		found, err = d.AppendDetect(context.Background(), found[:0], g)
		check(err)
		boxes := make([]image.Rectangle, len(found))
		for i := range found {
			boxes[i] = found[i].Box
		}
		return boxes
	}
}

// opencv returns a function that runs OpenCV's detectMultiScale once.
func opencv(path string, g *image.Gray, smallest int, grouped bool) func() []image.Rectangle {
	c := gocv.NewCascadeClassifier()
	if !c.Load(path) {
		log.Fatalf("OpenCV cannot load %s", path)
	}
	m, err := gocv.NewMatFromBytes(g.Rect.Dy(), g.Rect.Dx(), gocv.MatTypeCV8U, g.Pix)
	check(err)
	n := 0
	if grouped {
		n = neighbor
	}
	return func() []image.Rectangle {
		return c.DetectMultiScaleWithParams(m, scale, n, 0, image.Pt(smallest, smallest), image.Point{})
	}
}

// pigoFaces returns a function that runs pigo with the model in its module.
func pigoFaces(g *image.Gray) func() []pigo.Detection {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/esimov/pigo").Output()
	if err != nil {
		log.Fatalf("go list -m github.com/esimov/pigo: %v (run this in bench/)", err)
	}
	model, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "cascade", "facefinder"))
	check(err)
	p, err := pigo.NewPigo().Unpack(model)
	check(err)
	params := pigo.CascadeParams{
		MinSize:     minimum,
		MaxSize:     min(g.Rect.Dx(), g.Rect.Dy()),
		ShiftFactor: 0.1,
		ScaleFactor: scale,
		ImageParams: pigo.ImageParams{Pixels: g.Pix, Rows: g.Rect.Dy(), Cols: g.Rect.Dx(), Dim: g.Stride},
	}
	return func() []pigo.Detection {
		return p.ClusterDetections(p.RunCascade(params, 0), 0.2)
	}
}

// sameBoxes compares two sets of boxes in any order.
func sameBoxes(a, b []image.Rectangle) bool {
	order := func(v []image.Rectangle) []image.Rectangle {
		return slices.SortedFunc(slices.Values(v), func(p, q image.Rectangle) int {
			return cmp.Or(p.Min.X-q.Min.X, p.Min.Y-q.Min.Y, p.Dx()-q.Dx(), p.Dy()-q.Dy())
		})
	}
	return slices.Equal(order(a), order(b))
}
