// Package objects searches for objects of several kinds.
package objects

import (
	"context"
	"image"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// A Set is detectors of different objects. Each searches by itself: scores of
// different objects cannot be compared, and no object takes the place of another.
type Set []*detector.Detector

// Detect returns what the first detector finds, the best first, then what the second
// finds, and so on.
func (s Set) Detect(ctx context.Context, img image.Image) ([]detector.Detection, error) {
	all, _, err := s.Named(ctx, img)
	return all, err
}

// Named returns the object of each detection too.
func (s Set) Named(ctx context.Context, img image.Image) (all []detector.Detection, names []string, err error) {
	for _, d := range s {
		found, err := d.Detect(ctx, img)
		if err != nil {
			return nil, nil, err
		}
		for range found {
			names = append(names, d.Object().OrAny().Singular)
		}
		all = append(all, found...)
	}
	return all, names, nil
}

// Object is what they detect: an object if it is not the same.
func (s Set) Object() cascade.Object {
	one := s[0].Object()
	for _, d := range s {
		if d.Object() != one {
			return cascade.Object{}.OrAny()
		}
	}
	return one
}

// OfOthers returns a copy of the options for other objects, without Points, Framing and
// Router.
func OfOthers(o *detector.Options) *detector.Options {
	v := *o
	v.Points, v.Framing, v.Router = nil, cascade.Framing{}, nil
	return &v
}
