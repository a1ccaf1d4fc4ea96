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
	Rank float64 // what the threshold applies to

	// Other is the score, beside the number of candidates that SweepAuto ranks by
	// for classical stages; see [Set.PickSweep].
	Other float64
}

// A Contender is a detector that is measured.
type Contender struct {
	Name  string // in tables and plots
	Sweep Sweep  // what Found.Rank means

	// Find returns the detections in a photograph. It is called for several
	// photographs at once.
	Find func(ctx context.Context, file string, img image.Image) ([]Found, error)

	Detector *detector.Detector // that Find uses; nil if it is another program's

	either bool // Found.Other is the score, and Sweep may change
}

// Sweep is what detections are ranked by.
type Sweep uint8

const (
	// SweepAuto is SweepNeighbors for classical stages, such as OpenCV's, until
	// [Set.PickSweep] picks the better one, and SweepScore for anything else.
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

// DetectorOptions are the settings of a search. The zero value and nil mean every
// field's default.
type DetectorOptions struct {
	// Search is for the detector, with other defaults: MinSize is 24 by 24,
	// MinNeighbors 1, the lowest that groups, for cascades without MinCandidates,
	// MinScore 0, since the curve needs all detections, unless Search.Search
	// sets it, and MaxCandidates -1. Workers is always 1: photographs are searched in
	// parallel.
	Search detector.Options

	Sweep Sweep
}

// Detector makes a contender of a cascade; see [detector.New].
func Detector(name string, o *DetectorOptions, c *cascade.Cascade) (*Contender, error) {
	v := *cmp.Or(o, &DetectorOptions{})
	if v.Search.MinSize == (image.Point{}) {
		v.Search.MinSize = image.Pt(24, 24)
	}
	if c.Search.MinCandidates == 0 {
		v.Search.MinNeighbors = cmp.Or(v.Search.MinNeighbors, 1)
	}
	all := *c
	all.Search.MinScore = 0 // detections of any score
	v.Search.Workers = 1
	v.Search.MaxCandidates = cmp.Or(v.Search.MaxCandidates, -1) // a poor model is to be measured too
	d, err := detector.New(&v.Search, &all)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	either := v.Sweep == SweepAuto && c.Exits[0].Restart
	if either {
		v.Sweep = SweepNeighbors
	} else if v.Sweep == SweepAuto {
		v.Sweep = SweepScore
	}
	find := func(ctx context.Context, _ string, img image.Image) ([]Found, error) {
		found, err := d.Detect(ctx, img)
		if err != nil {
			return nil, err
		}
		var all []Found
		for _, f := range found {
			rank, other := f.Score, 0.0
			if v.Sweep == SweepNeighbors {
				rank = float64(f.Neighbors)
			}
			if either {
				other = f.Score
			}
			all = append(all, Found{Box: f.Box.Sub(img.Bounds().Min), Rank: rank, Other: other})
		}
		return all, nil
	}
	return &Contender{Name: name, Sweep: v.Sweep, Find: find, Detector: d, either: either}, nil
}

// PickSweep ranks what SweepAuto found with classical stages by what gives the
// larger average precision: the number of candidates in a group, as OpenCV's
// minNeighbors, or the score.
func (s *Set) PickSweep(m Matcher) {
	objects := count(s.Photos, counts)
	s.Contenders = slices.Clone(s.Contenders) // the caller's
	for c, contender := range s.Contenders {
		if !contender.either {
			continue
		}
		before := averagePrecision(curve(s.Judge(c, m)), objects)
		s.exchange(c)
		if averagePrecision(curve(s.Judge(c, m)), objects) <= before {
			s.exchange(c)
			continue
		}
		picked := *contender
		picked.Sweep, picked.either = SweepScore, false
		s.Contenders[c] = &picked
	}
}

// exchange exchanges Rank and Other of a contender's detections.
func (s *Set) exchange(contender int) {
	for _, found := range s.Found[contender] {
		for i := range found {
			found[i].Rank, found[i].Other = found[i].Other, found[i].Rank
		}
	}
}
