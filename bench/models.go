package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"haarlem/bench/threads"
	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	shipped "haarlem/models"
)

// ourModels compares our own cascades in our detector with OpenCV's default
// cascade in OpenCV: the gain of changing from one to the other. The work is
// not the same; train-cascade eval measures what each finds.
func ourModels(names []string) func(g *image.Gray, data string, rounds int) error {
	return func(g *image.Gray, data string, rounds int) error {
		threads.Set(1)
		t := heading("One thread, our models against OpenCV with its default cascade", "model\tminimum\tOpenCV ms\tHaarlem ms\tratio\tquartiles\tpictures/s\tweak learners a window\t")
		for _, name := range names {
			c, err := openModel(name)
			check(err)
			for _, smallest := range []int{minimum, 60} {
				theirs := opencv(filepath.Join(data, models[0].file), g, smallest, true)
				d, err := detector.New(&detector.Options{Scale: scale, MinSize: image.Pt(smallest, smallest), Workers: 1}, c)
				check(err)
				e, err := engine.New(c, &engine.Options{Scale: scale, MinSize: image.Pt(smallest, smallest), Workers: 1})
				check(err)
				cost, _, err := e.Cost(context.Background(), g)
				check(err)
				ours := search(d, g)
				p := pair(rounds, func() { theirs() }, func() { ours() })
				r := quartiles(p.ratio)
				ms := quartiles(p.b).median
				fmt.Fprintf(t, "%s\t%d\t%.1f\t%.1f\t%.2f\t%.2f - %.2f\t%.1f\t%.2f\t\n", c.Name, smallest, quartiles(p.a).median, ms, r.median, r.low, r.high, 1000/ms, cost.PerWindow())
			}
		}
		return t.Flush()
	}
}

// openModel opens a file or a built-in model.
func openModel(name string) (*cascade.Cascade, error) {
	if _, err := os.Stat(name); err == nil {
		return cascade.Open(name)
	}
	return shipped.Open(name)
}
