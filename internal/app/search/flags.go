// Package search turns flags into models, options and what finds objects.
package search

import (
	"image"
	"strconv"
	"strings"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/searchopts"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
)

// Flags say how to search.
type Flags struct {
	Model, box string
	values     searchopts.Values
	Workers    int
	Points     *landmarks.Model // nil: not wanted
	also       []string         // models of what is hidden beside faces
	Given      func(string) bool
	Strong     float64 // from open: the score from which a detection is certain; 0 if scores are not calibrated

	Live  bool // parts of frames are searched, for a window
	Hides bool // what is found is hidden: what is doubtful counts too
	Weak  bool // what is below strong is found too, to continue tracks
}

// Declare declares all but -workers. Of a live search the command declares -model, and
// MinSize is the default of -min-size.
func (v *Flags) Declare(f *cli.Flags) {
	v.Given = f.Given
	f.Group("Search")
	if !v.Live {
		f.String(&v.Model, "model", "use `MODEL`: a file, ours or OpenCV's, a folder, or "+builtinNames()+" (default "+models.Default+")")
		if v.Hides {
			f.Strings(&v.also, "also", "also hide what `MODEL` finds, such as number plates; may be repeated")
		}
		v.box = facebox.Own.String()
		f.Choice(&v.box, "box", facebox.Names(), "frame this `BOX`: own, face, head or eyes")
	}
	v.declare(f, false)
	f.Group("Advanced search")
	v.declare(f, true)
}

func (v *Flags) declare(f *cli.Flags, advanced bool) {
	for _, o := range searchopts.All {
		if o.Advanced == advanced && !(o.Whole && v.Live) {
			f.Func(o.Name, o.Usage, func(text string) error { return o.Set(&v.values, text, &searchopts.Usual) })
		}
	}
}

// ModelUsage is what -model says.
var ModelUsage = "use `MODEL`: a file, ours or OpenCV's, or one of " + builtinNames()

func (v *Flags) WorkersFlag(f *cli.Flags) {
	f.Int(&v.Workers, "workers", "use `N` goroutines; by default one for each processor")
}

// Options turns flags into the detector's options, without the workers.
func (v *Flags) Options() (*detector.Options, error) {
	if v.Workers < 0 {
		return nil, cli.Usagef("-workers %d is negative", v.Workers)
	}
	if err := v.values.Check(); err != nil {
		return nil, cli.Usagef("-%v", err)
	}
	o := v.values.Options
	return &o, nil
}

// SetMinSize is the size that -min-size has if it is not given.
func (v *Flags) SetMinSize(side int) { v.values.Options.MinSize = image.Pt(side, side) }

// Rotated reports whether detections have angles.
func (v *Flags) Rotated() bool { return len(v.values.Options.Angles) > 0 }

// ParsePixels reads a number of things, or of millions of them with M.
func ParsePixels(flag, things, text string) (int64, error) {
	number, million := strings.CutSuffix(strings.ToUpper(text), "M")
	n, err := strconv.ParseFloat(number, 64)
	if million {
		n *= 1e6
	}
	if err != nil || !(n >= 1 && n <= 1<<40) {
		return 0, cli.Usagef("%s %q: want a number of %s, such as 5000000 or 5M", flag, text, things)
	}
	return int64(n), nil
}
