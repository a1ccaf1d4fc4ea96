// Package searchopts is the one table of the options of a search that programs offer: the
// flags of detect, and the options of requests to its server, are these, by the same names
// and with the same values. The library for C and Python has fields for the same options;
// a test compares them.
package searchopts

import (
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// Limits bound what options may ask for.
type Limits struct {
	MinScale   float64 // of a factor between levels
	MaxEnlarge float64
	MaxAngles  int
}

// Usual are limits for whoever runs the search.
var Usual = Limits{MinScale: math.Nextafter(1, 2), MaxEnlarge: 8, MaxAngles: 1000}

// Values are what options say.
type Values struct {
	Options  detector.Options
	MinScore float64 // as it is given, below 0 too
	AnyAngle bool    // Options.Angles are all

	edits []func(*cascade.Search)
}

// Edit puts into a model's settings what options say instead.
func (v *Values) Edit(s *cascade.Search) {
	for _, edit := range v.edits {
		edit(s)
	}
}

// Edited reports whether Edit changes anything.
func (v *Values) Edited() bool { return len(v.edits) > 0 }

// Change adds a change of a model's settings.
func (v *Values) Change(edit func(*cascade.Search)) { v.edits = append(v.edits, edit) }

// Check compares options with each other.
func (v *Values) Check() error {
	lo, hi := v.Options.MinSize, v.Options.MaxSize
	if hi != (image.Point{}) && (lo.X > hi.X || lo.Y > hi.Y) {
		return errors.New("min-size: it is larger than max-size")
	}
	return nil
}

// An Option is one of them.
type Option struct {
	Name     string
	Usage    string // whose value stands in backquotes
	Advanced bool
	Whole    bool   // for searches of whole pictures only
	C        string // the field of the library's options, or how it differs

	set func(v *Values, text string, l *Limits) error
}

// Set reads an option's value.
func (o *Option) Set(v *Values, text string, l *Limits) error { return o.set(v, text, l) }

// All are the options.
var All = []*Option{
	{
		Name: "min-size", Usage: "smallest face, `SIZE` in pixels: 40 or 40x60", C: "min_width, min_height",
		set: func(v *Values, text string, _ *Limits) (err error) {
			v.Options.MinSize, err = Size(text)
			return err
		},
	},
	{
		Name: "max-size", Usage: "largest face, `SIZE` in pixels", C: "max_width, max_height",
		set: func(v *Values, text string, _ *Limits) (err error) {
			v.Options.MaxSize, err = Size(text)
			return err
		},
	},
	{
		Name: "min-score", Usage: "min `SCORE` of a face; the model's own if not given", C: "min_score",
		set: func(v *Values, text string, _ *Limits) (err error) {
			v.MinScore, err = Number(text, -1e9, 1e9)
			v.Options.MinScore = max(v.MinScore, 0)
			v.Change(func(s *cascade.Search) { s.MinScore = 0 })
			return err
		},
	},
	{
		Name: "rotate", Usage: "search at `ANGLES` in degrees clockwise, or any",
		set: func(v *Values, text string, l *Limits) error {
			if text == "any" {
				v.Options.Angles, v.AnyAngle = detector.AllAngles(), true
				return nil
			}
			words := strings.Split(text, ",")
			if len(words) > l.MaxAngles {
				return fmt.Errorf("want at most %d angles", l.MaxAngles)
			}
			for _, word := range words {
				angle, err := Number(strings.TrimSpace(word), -360, 360)
				if err != nil {
					return fmt.Errorf("%q is not an angle; want degrees from -360 to 360 with commas between, such as 0,-20,20, or any", word)
				}
				v.Options.Angles = append(v.Options.Angles, angle)
			}
			return nil
		},
	},
	{
		Name: "enlarge", Usage: "search enlarged by `F`, for faces smaller than the window; 2 takes four times as long", Whole: true, C: "enlarge",
		set: func(v *Values, text string, l *Limits) (err error) {
			v.Options.Enlarge, err = Number(text, 1, l.MaxEnlarge)
			return err
		},
	},
	{
		Name: "scale", Usage: "`FACTOR` between two levels of the pyramid (default the model's); a smaller one finds more, in more time", Advanced: true, C: "scale",
		set: func(v *Values, text string, l *Limits) (err error) {
			if v.Options.Scale, err = Number(text, l.MinScale, 10); err != nil && l.MinScale < 1.001 {
				return errors.New("want a factor above 1, at most 10")
			}
			return err
		},
	},
	{
		Name: "min-neighbors", Usage: "a face needs more than `N` overlapping candidates; the model's own, or 3, if not given. 0 reports each candidate, -1 each group", Advanced: true, C: "min_neighbors",
		set: func(v *Values, text string, _ *Limits) error {
			n, err := strconv.Atoi(text)
			if err != nil || n < -1 || n > 1<<20 {
				return errors.New("want a whole number, -1 or more")
			}
			v.Options.MinNeighbors, v.Options.Ungrouped = max(n, 0), n == 0
			v.Change(func(s *cascade.Search) { s.MinCandidates = 1 })
			return nil
		},
	},
	{
		Name: "pad", Usage: "let `P` per cent (at most 50) of a face be cut off", Advanced: true, Whole: true,
		set: func(v *Values, text string, _ *Limits) error {
			p, err := Number(text, 0, 50)
			v.Change(func(s *cascade.Search) { s.Pad = p / 100 })
			return err
		},
	},
}

// Size reads "40" or "40x60".
func Size(text string) (image.Point, error) {
	first, second, two := strings.Cut(strings.ToLower(text), "x")
	if !two {
		second = first
	}
	width, err1 := strconv.ParseUint(first, 10, 31)
	height, err2 := strconv.ParseUint(second, 10, 31)
	if err1 != nil || err2 != nil || width == 0 || height == 0 {
		return image.Point{}, errors.New("want a size in pixels, such as 40 or 40x60")
	}
	return image.Pt(int(width), int(height)), nil
}

// Number reads a number of a range.
func Number(text string, low, high float64) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || v < low || v > high {
		return 0, fmt.Errorf("want a number from %g to %g", low, high)
	}
	return v, nil
}
