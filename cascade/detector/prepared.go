package detector

import (
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// A prepared is the cascade of a detector, compiled.
type prepared struct {
	c            *cascade.Cascade
	engine       *engine.Engine
	views        []view
	verifier     *verifier // nil means none
	net          *net      // nil means none
	best         bool      // see grouper
	minNeighbors int
	minScore     float64 // 0 means any
}

// A view is the image, maybe rotated, with the angles at which it is searched.
type view struct {
	degrees  float64
	angles   []float64 // of the objects, from -180 up to 180
	quarters []int     // of each: the quarter turns of its engine
	engines  []*engine.Engine
}

// look sets p.views to those that have all the angles; none mean upright. Where features
// can be turned, a view has all angles that are quarter turns apart.
func (p *prepared) look(angles []float64) {
	if len(angles) == 0 {
		angles = []float64{0}
	}
	turned := [4]*engine.Engine{p.engine}
	for _, a := range angles {
		a = signed(math.Mod(a, 360))
		degrees, n := math.Mod(a+360, 90), int(a+360)/90%4
		if n > 0 && turned[n] == nil {
			turned[n] = p.engine.Quarter(n)
		}
		if turned[n] == nil {
			degrees, n = a, 0
		}
		k := slices.IndexFunc(p.views, func(v view) bool { return v.degrees == degrees })
		if k < 0 {
			k = len(p.views)
			p.views = append(p.views, view{degrees: degrees})
		}
		v := &p.views[k]
		v.angles, v.quarters, v.engines = append(v.angles, a), append(v.quarters, n), append(v.engines, turned[n])
	}
}

// score returns the score of a margin.
func (p *prepared) score(margin float64) float64 {
	if k := p.c.Calibration; k != nil {
		return 1 / (1 + math.Exp(-(float64(k.Slope*margin) + k.Offset)))
	}
	return margin
}

// wants says whether a margin is enough for a detection.
func (p *prepared) wants(margin float64) bool {
	return p.minScore == 0 || p.score(margin) >= p.minScore
}
