package augment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Effects define how variants of a window differ from the plain one. The zero
// value changes nothing. [Default] is for photographs, and [OldPrint] for old
// newspapers and bad scans.
//
// Each effect has its own random numbers: changing one field does not change
// the others' results.
type Effects struct {
	// All makes variant 0 differ too. Otherwise it is the plain window.
	All bool

	// Position, in the window's plane.

	Shift   float64 // standard deviation along each axis, in window widths
	Scale   float64 // standard deviation of the size; 0.1 means a tenth larger or smaller
	Stretch float64 // standard deviation of width against height; 0.1 means a tenth
	Rotate  float64 // standard deviation in degrees

	// Rotation out of the plane, approximated by a bowl that bulges from the
	// window: one half is compressed and the other stretched.

	Turn float64 // at most, to the left or right, in degrees
	Nod  float64 // at most, up or down, in degrees

	// Zoom is the largest size at which a variant is drawn, in window sizes. It is
	// degraded at a random size from 1 to Zoom, and brought to the window's size
	// as the detector scales pictures, without antialiasing. 0 and 1 mean the
	// window's own size.
	Zoom float64

	// Accessories: probabilities, from 0 to 1. They need faces that are aligned
	// by five marks in the order of [samples.FrontalFace].

	Glasses    float64 // with clear lenses
	Sunglasses float64
	Hat        float64 // its brim over the forehead
	Beard      float64 // or moustache

	// Light.

	Light  float64 // probability that light comes from a side
	Shadow float64 // probability of a shadow with a sharp edge

	// Dark is the probability that a face is dark against its background, by its
	// skin or by light from behind. It needs aligned faces, as accessories do.
	Dark float64

	// Exposure and film.

	Brightness float64 // standard deviation in grey levels
	Contrast   float64 // largest change; 0.5 means 0.5 to 1.5 times
	Gamma      float64 // largest bend of the tone curve, up or down; 1 is straight, 0 means 1
	Blur       float64 // largest radius, in window widths; small ones are more likely
	Motion     float64 // probability that a blur is along one axis only
	Grain      float64 // probability of coarse grain, strongest in mid-tones

	// Ink is the probability of a drawing in ink: lines, and dark parts filled.
	Ink float64

	// Print and scan.

	Halftone  float64 // probability of a screen of dots, coarse or fine, at any angle
	Lines     float64 // probability of a screen of lines
	Posterise float64 // probability of few grey levels, or a tone curve like a photocopier's
	Faint     float64 // probability that only a contrast of a few grey levels is left
	Noise     float64 // largest standard deviation, in grey levels; small ones are more likely
	JPEG      float64 // probability of strong compression

	// Cut is the probability that the picture ends inside the window, on one or
	// two sides. Beyond it is one grey level, the last pixel, or the picture
	// mirrored.
	Cut float64

	// Legible is how much of the object a variant must keep: the correlation,
	// before and after degradation, of details in the size of eyes and mouths,
	// from 0 to 1. One with less is degraded again; of several tries the best
	// is taken. 0 means no check.
	Legible float64
}

// Default is for ordinary photographs.
var Default = Effects{
	Shift: 0.015, Scale: 0.04, Stretch: 0.03, Rotate: 5, Turn: 15, Nod: 10, Zoom: 2.6,
	Glasses: 0.04, Sunglasses: 0.03, Hat: 0.04, Beard: 0.04,
	Light: 0.25, Shadow: 0.08,
	Brightness: 20, Contrast: 0.4, Gamma: 2, Blur: 0.04, Motion: 0.2, Grain: 0.08,
	Halftone: 0.06, Lines: 0.02, Posterise: 0.04, Faint: 0.06, Noise: 8, JPEG: 0.2,
	Cut: 0.03, Legible: 0.65,
}

// OldPrint is for scans of old newspapers, press photographs and film stills. Its
// name in texts is "press".
var OldPrint = Effects{
	Shift: 0.02, Scale: 0.05, Stretch: 0.04, Rotate: 8, Turn: 25, Nod: 15, Zoom: 2.6,
	Glasses: 0.05, Sunglasses: 0.05, Hat: 0.10, Beard: 0.08,
	Light: 0.4, Shadow: 0.15,
	Brightness: 30, Contrast: 0.6, Gamma: 3, Blur: 0.055, Motion: 0.2, Grain: 0.25,
	Halftone: 0.3, Lines: 0.06, Posterise: 0.1, Faint: 0.1, Noise: 12, JPEG: 0.3,
	Cut: 0.05, Legible: 0.65,
}

// An effect is a field of Effects: its name in texts, and its largest value.
type effect struct {
	name     string
	of       func(*Effects) *float64
	top      float64
	degrades bool // can be applied to whole pictures: light, film, print and file
}

var effects = []effect{
	{"shift", func(j *Effects) *float64 { return &j.Shift }, 0.5, false},
	{"scale", func(j *Effects) *float64 { return &j.Scale }, 0.5, false},
	{"stretch", func(j *Effects) *float64 { return &j.Stretch }, 0.5, false},
	{"rotate", func(j *Effects) *float64 { return &j.Rotate }, 180, false},
	{"turn", func(j *Effects) *float64 { return &j.Turn }, 60, false},
	{"nod", func(j *Effects) *float64 { return &j.Nod }, 60, false},
	{"zoom", func(j *Effects) *float64 { return &j.Zoom }, 8, false},
	{"glasses", func(j *Effects) *float64 { return &j.Glasses }, 1, false},
	{"sunglasses", func(j *Effects) *float64 { return &j.Sunglasses }, 1, false},
	{"hat", func(j *Effects) *float64 { return &j.Hat }, 1, false},
	{"beard", func(j *Effects) *float64 { return &j.Beard }, 1, false},
	{"light", func(j *Effects) *float64 { return &j.Light }, 1, true},
	{"shadow", func(j *Effects) *float64 { return &j.Shadow }, 1, true},
	{"dark", func(j *Effects) *float64 { return &j.Dark }, 1, false},
	{"brightness", func(j *Effects) *float64 { return &j.Brightness }, 255, true},
	{"contrast", func(j *Effects) *float64 { return &j.Contrast }, 1, true},
	{"gamma", func(j *Effects) *float64 { return &j.Gamma }, 10, true},
	{"blur", func(j *Effects) *float64 { return &j.Blur }, 0.5, true},
	{"motion", func(j *Effects) *float64 { return &j.Motion }, 1, true},
	{"grain", func(j *Effects) *float64 { return &j.Grain }, 1, true},
	{"ink", func(j *Effects) *float64 { return &j.Ink }, 1, true},
	{"halftone", func(j *Effects) *float64 { return &j.Halftone }, 1, true},
	{"lines", func(j *Effects) *float64 { return &j.Lines }, 1, true},
	{"posterise", func(j *Effects) *float64 { return &j.Posterise }, 1, true},
	{"faint", func(j *Effects) *float64 { return &j.Faint }, 1, true},
	{"noise", func(j *Effects) *float64 { return &j.Noise }, 128, true},
	{"jpeg", func(j *Effects) *float64 { return &j.JPEG }, 1, true},
	{"cut", func(j *Effects) *float64 { return &j.Cut }, 1, false},
	{"legible", func(j *Effects) *float64 { return &j.Legible }, 1, true},
}

// Parse reads effects from a command line: a name (none, default or press),
// settings, as in "shift=0.05,scale=0.1", or a name and changes to it, as in
// "press,halftone=0,all=1". The fields' names are those of [Effects] in lower case.
func Parse(s string) (Effects, error) {
	var j Effects
	if s == "" {
		return j, nil
	}
	seen := map[string]bool{}
	for i, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		name, text, given := strings.Cut(part, "=")
		if !given {
			named, ok := map[string]Effects{"none": {}, "default": Default, "press": OldPrint}[part]
			if !ok || i > 0 {
				return Effects{}, fmt.Errorf("jitter %q: %q is not understood, want none, default or press at the beginning, then name=number with commas between them", s, part)
			}
			j = named
			continue
		}
		if seen[name] {
			return Effects{}, fmt.Errorf("jitter %q: %s is given twice", s, name)
		}
		seen[name] = true
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return Effects{}, fmt.Errorf("jitter %q: %s is %q, want a number", s, name, text)
		}
		if name == "all" {
			if v != 0 && v != 1 {
				return Effects{}, fmt.Errorf("jitter %q: all is %q, want 0 or 1", s, text)
			}
			j.All = v == 1
			continue
		}
		found := false
		for _, f := range effects {
			if f.name == name {
				*f.of(&j), found = v, true
			}
		}
		if !found {
			return Effects{}, fmt.Errorf("jitter %q: nothing is called %q, want one of all, %s", s, name, strings.Join(effectNames(), ", "))
		}
	}
	if err := j.check(); err != nil {
		return Effects{}, fmt.Errorf("jitter %q: %w", s, err)
	}
	return j, nil
}

func effectNames() []string {
	var names []string
	for _, f := range effects {
		names = append(names, f.name)
	}
	slices.Sort(names)
	return names
}

// check reports a field that is out of range.
func (j Effects) check() error {
	for _, f := range effects {
		if v := *f.of(&j); !(v >= 0 && v <= f.top) {
			return fmt.Errorf("%s is %v, want 0 to %v", f.name, v, f.top)
		}
	}
	for _, v := range []struct {
		name string
		v    float64
	}{{"gamma", j.Gamma}, {"zoom", j.Zoom}} {
		if v.v != 0 && v.v < 1 {
			return fmt.Errorf("%s is %v, want 0 or at least 1", v.name, v.v)
		}
	}
	return nil
}

// plain reports whether j leaves every variant as it is.
func (j Effects) plain() bool { j.All, j.Legible = false, 0; return j == Effects{} }

// zoom returns Zoom with its default.
func (j *Effects) zoom() float64 { return math.Max(j.Zoom, 1) }
