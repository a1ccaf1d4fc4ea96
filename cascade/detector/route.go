package detector

import (
	"context"
	"math"

	"haarlem/internal/engine"
)

// A router searches at angles that are routerApart degrees apart, and levels that are a
// factor of routerScale apart. Objects near a place are searched at those of their own
// angles for which the place's angle is the nearest of the router's. models/EXPERIMENTS.md
// says what other ways lose.
const (
	routerApart = 45
	routerScale = 1.3
)

// routing returns the options of the router for searches with the options o.
func (o *Options) routing() *Options {
	r := &Options{
		Scale: routerScale, MinSize: o.MinSize, MaxSize: o.MaxSize, Enlarge: o.Enlarge,
		MaxCandidates: o.MaxCandidates, Workers: o.Workers, Overlapping: true,
	}
	for a := -180.0; a < 180; a += routerApart {
		r.Angles = append(r.Angles, a)
	}
	return r
}

// A route is where a router says that objects may be.
type route struct {
	found  []Detection
	places [][]engine.Place // those of each angle of a view
}

// near sets r.places for a view of an image of that size, and reports whether there are
// any.
func (r *route) near(ctx context.Context, v *view, width, height int) (some bool, err error) {
	t := newTurn(v.degrees, width, height)
	for len(r.places) < len(v.angles) {
		r.places = append(r.places, nil)
	}
	for n, angle := range v.angles {
		r.places[n] = r.places[n][:0]
		for i := range r.found {
			if i%(checkEvery/64) == 0 && ctx.Err() != nil {
				return false, ctx.Err()
			}
			f := &r.found[i]
			if math.Abs(signed(math.Mod(angle-f.Angle+360, 360))) > routerApart/2 {
				continue
			}
			x, y := t.target(float64(f.Box.Min.X+f.Box.Max.X)/2, float64(f.Box.Min.Y+f.Box.Max.Y)/2)
			r.places[n] = append(r.places[n], engine.Place{X: x, Y: y, Side: math.Sqrt(float64(f.Box.Dx()) * float64(f.Box.Dy()))})
			some = true
		}
	}
	return some, nil
}
