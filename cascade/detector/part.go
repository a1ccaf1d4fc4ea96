package detector

import (
	"math"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// A part is a cascade of a detector.
type part struct {
	c            *cascade.Cascade
	engine       *engine.Engine
	verifier     *verifier // nil means none
	best         bool      // see grouper
	minNeighbors int
	minScore     float64 // 0 means any
}

// score returns the score of a margin.
func (p *part) score(margin float64) float64 {
	if k := p.c.Calibration; k != nil {
		return 1 / (1 + math.Exp(-(float64(k.Slope*margin) + k.Offset)))
	}
	return margin
}

// wants says whether a margin is enough for a detection.
func (p *part) wants(margin float64) bool {
	return p.minScore == 0 || p.score(margin) >= p.minScore
}
