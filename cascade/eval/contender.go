package eval

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// A Found is one detection: a box and its rank.
type Found struct {
	Box  image.Rectangle
	Rank float64 // by what the threshold sweeps
}

// A Contender is a detector that is measured.
type Contender struct {
	Name  string // in tables and plots
	Sweep Sweep  // what Found.Rank is

	// Find returns the detections in a photograph. It is called for several
	// photographs at once.
	Find func(ctx context.Context, file string, img *image.Gray) ([]Found, error)

	Team *detector.Detector // what Find asks; nil if it is another program's
}

// Sweep says by what detections are ranked.
type Sweep uint8

const (
	// SweepAuto is SweepNeighbors for classical stages, such as OpenCV's, and
	// SweepScore for anything else.
	SweepAuto Sweep = iota

	// SweepScore ranks by [detector.Detection.Score].
	SweepScore

	// SweepNeighbors ranks by [detector.Detection.Neighbors]: the curve over
	// minNeighbors. One run with the lowest gives all of it, since from 1 on
	// minNeighbors only drops groups.
	SweepNeighbors
)

var sweepNames = []string{"auto", "score", "neighbours"}

func (s Sweep) String() string { return sweepNames[s] }

// ParseSweep returns the sweep of that name: auto, score or neighbours.
func ParseSweep(name string) (Sweep, error) {
	if name == "neighbors" {
		return SweepNeighbors, nil
	}
	if i := slices.Index(sweepNames, name); i >= 0 {
		return Sweep(i), nil
	}
	return 0, fmt.Errorf("eval: no sweep is called %q, want auto, score or neighbours", name)
}

// DetectorOptions says how a cascade is run. The zero value and nil mean every
// field's default.
type DetectorOptions struct {
	// Search is for the detector. Its defaults are other ones here: MinSize 24
	// by 24, MinNeighbors 1, the lowest that groups, for cascades that name no
	// MinCandidates, and any score, since the curve wants all, unless Search.Search
	// says something else. Workers is always 1: photographs are searched side by side.
	Search detector.Options

	Sweep Sweep
	Pad   Pad
}

// Detector makes a contender of a cascade.
func Detector(name string, c *cascade.Cascade, o *DetectorOptions) (*Contender, error) {
	return Team(name, []*cascade.Cascade{c}, o)
}

// Team makes a contender of several cascades that search together; see
// [cascade.NewTeam]. SweepAuto means SweepScore for more than one, since by
// score a team decides who reports a place.
func Team(name string, cascades []*cascade.Cascade, o *DetectorOptions) (*Contender, error) {
	var v DetectorOptions
	if o != nil {
		v = *o
	}
	if v.Search.MinSize == (image.Point{}) {
		v.Search.MinSize = image.Pt(24, 24)
	}
	if !slices.ContainsFunc(cascades, func(c *cascade.Cascade) bool { return c.Search.MinCandidates != 0 }) {
		v.Search.MinNeighbors = cmp.Or(v.Search.MinNeighbors, 1)
	}
	cascades = anyScore(cascades)
	v.Search.Workers = 1
	d, err := detector.New(&v.Search, cascades...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := v.Pad.check(); err != nil {
		return nil, err
	}
	if v.Sweep == SweepAuto {
		v.Sweep = SweepScore
		if len(cascades) == 1 && cascades[0].Exits[0].Restart {
			v.Sweep = SweepNeighbors
		}
	}
	find := func(ctx context.Context, _ string, img *image.Gray) ([]Found, error) {
		padded, by := v.Pad.apply(img)
		found, err := d.AppendDetect(ctx, nil, padded)
		if err != nil {
			return nil, err
		}
		var all []Found
		for _, f := range found {
			rank := f.Score
			if v.Sweep == SweepNeighbors {
				rank = float64(f.Neighbors)
			}
			box := f.Box.Sub(by)
			if !image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2).In(img.Rect) {
				continue // all of it is border
			}
			all = append(all, Found{Box: box, Rank: rank})
		}
		return all, nil
	}
	return &Contender{Name: name, Sweep: v.Sweep, Find: find, Team: d}, nil
}

// anyScore returns copies that report all they find.
func anyScore(cascades []*cascade.Cascade) []*cascade.Cascade {
	var all []*cascade.Cascade
	for _, c := range cascades {
		c := *c
		c.Search.MinScore = 0
		all = append(all, &c)
	}
	return all
}
