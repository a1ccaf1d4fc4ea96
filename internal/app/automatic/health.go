package automatic

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/picture"
)

// A health is what a check found in photographs and backgrounds.
type health struct {
	classes []classStats
	reports []*samples.Report // of photographs, of backgrounds
	doubts  []input.Doubt     // about boxes
	same    *samples.Same

	kept    []samples.Photo      // what can be used
	clear   []samples.Background // the same
	options samples.CheckOptions

	sketches *os.File // of the pictures; no later than close it is gone
}

// A classStats describes the boxes of a class. Of sides (the square root of the area)
// and of width by height it has the 5th, 50th and 95th percentile.
type classStats struct {
	Class   string     `json:"class"`
	Objects int        `json:"objects"`
	Photos  int        `json:"photographs"`
	Side    [3]float64 `json:"side"`
	Aspect  [3]float64 `json:"aspect"`
}

func pictureSize(file string) (image.Point, error) {
	w, h, err := picture.Size(file, nil)
	return image.Pt(w, h), err
}

// byClass divides objects by class: each class has its photographs.
func byClass(photos []samples.Photo) map[string][]samples.Photo {
	all := map[string][]samples.Photo{}
	for i := range photos {
		of := map[string][]samples.Object{}
		for _, o := range photos[i].Objects {
			of[input.Class(&o)] = append(of[input.Class(&o)], o)
		}
		for class, objects := range of {
			all[class] = append(all[class], samples.Photo{File: photos[i].File, Objects: objects})
		}
	}
	return all
}

func (h *health) close() {
	h.sketches.Close()
	os.Remove(h.sketches.Name()) // where an open file could not be
}

// examine checks photographs and backgrounds. Copies of boxes are dropped from photos.
// A temporary file holds what copies are found by. The caller closes the health.
func examine(ctx context.Context, photos []samples.Photo, backgrounds []string, workers int, stderr io.Writer) (_ *health, err error) {
	sketches, err := os.CreateTemp("", "check")
	if err != nil {
		return nil, err
	}
	os.Remove(sketches.Name()) // so that nothing is left if the program is killed
	h := &health{sketches: sketches, options: samples.CheckOptions{Width: 8, Height: 8, Workers: workers, Sketches: sketches}}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	classes := byClass(photos)
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		h.classes = append(h.classes, measureClass(class, classes[class]))
		for _, d := range input.Doubts(classes[class], pictureSize) {
			if len(classes) > 1 {
				d.What = fmt.Sprintf("%s: %s", class, d.What)
			}
			h.doubts = append(h.doubts, d)
		}
	}
	input.Distinct(photos)
	empty := 0
	for i := range photos {
		if len(photos[i].Objects) == 0 {
			empty++
		}
	}
	if empty > 0 {
		h.doubts = append(h.doubts, input.Doubt{What: fmt.Sprintf("%d of %d photographs have no box", empty, len(photos)), Do: "they are learned as background; check that they show no object"})
	}
	list := make([]samples.Background, len(backgrounds))
	for i, f := range backgrounds {
		list[i].File = f
	}
	var report *samples.Report
	var finish func()
	h.options.Progress, finish = output.Progress(stderr, "photographs")
	h.kept, report, err = samples.CheckPositives(ctx, photos, &h.options)
	finish()
	if err != nil {
		return nil, err
	}
	h.reports = append(h.reports, report)
	h.options.Progress, finish = output.Progress(stderr, "backgrounds")
	h.clear, report, err = samples.CheckBackgrounds(ctx, list, h.kept, &h.options)
	finish()
	h.reports = append(h.reports, report)
	return h, err
}

func measureClass(class string, photos []samples.Photo) classStats {
	c := classStats{Class: class}
	var sides, aspects []float64
	for i := range photos {
		before := len(sides)
		for _, o := range photos[i].Objects {
			if w, h := float64(o.Box.Dx()), float64(o.Box.Dy()); !o.Box.Empty() && !o.Ignore {
				sides, aspects = append(sides, math.Sqrt(w*h)), append(aspects, w/h)
			}
		}
		if len(sides) > before {
			c.Photos++
		}
	}
	c.Objects = len(sides)
	for _, v := range []struct {
		all []float64
		to  *[3]float64
	}{{sides, &c.Side}, {aspects, &c.Aspect}} {
		slices.Sort(v.all)
		for i, share := range [3]float64{0.05, 0.5, 0.95} {
			if len(v.all) > 0 {
				v.to[i] = math.Round(100*v.all[int(share*float64(len(v.all)))]) / 100
			}
		}
	}
	return c
}

// write writes a table of the classes, and what was found.
func (h *health) write(w io.Writer) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "objects\tphotographs\tside, pixels\twidth / height\t  class")
	for _, c := range h.classes {
		fmt.Fprintf(t, "%d\t%d\t%.0f %.0f %.0f\t%.2f %.2f %.2f\t  %s\n", c.Objects, c.Photos, c.Side[0], c.Side[1], c.Side[2], c.Aspect[0], c.Aspect[1], c.Aspect[2], cmp.Or(c.Class, "(no class)"))
	}
	t.Flush()
	b.WriteString("(sides and shapes: 5th, 50th and 95th percentile)\n")
	for _, r := range h.reports {
		if r.Given > 0 {
			b.WriteString(r.String())
		}
	}
	for _, d := range h.doubts {
		fmt.Fprintln(&b, d)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
