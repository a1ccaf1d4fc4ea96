package network

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"

	"haarlem/cascade"
	"haarlem/internal/network"
)

var (
	// ErrSettings is wrapped by errors about invalid settings.
	ErrSettings = errors.New("network: bad settings")

	// ErrData is wrapped by errors about unusable photographs.
	ErrData = errors.New("network: cannot learn from this")

	// ErrState is wrapped by errors about checkpoints that do not fit.
	ErrState = errors.New("network: the saved state does not fit")
)

// An Object is an object of a photograph.
type Object struct {
	Box    Box
	Ignore bool // neither an object nor background
}

// A Photo is a labelled photograph.
type Photo struct {
	Planes  *network.Planes
	Objects []Object

	// Candidates are what comes before, after suppression.
	Candidates []Candidate
}

// A Candidate is a box that may show an object.
type Candidate struct {
	Box    Box
	Margin float64 // of what comes before
}

// Settings are the settings of a training. The zero value of every field but Step
// means its default.
type Settings struct {
	// Step is the shape of the network, with Side, Sides and the Layers. If these have
	// weights, the training begins with them, and Scales. The last has 1 output, the margin, or at least 5, with the
	// corrections of the box. Threshold is what recall says. Overlap 0 means 1.
	Step cascade.NetworkStep

	Iterations int // 0 means 20,000
	Batch      int // samples per iteration, a multiple of 16. 0 means 128

	// Rate is the largest learning rate. 0 means 0.002.
	Rate float64

	// Objects and Between are the shares of samples that are examples of the
	// object, and between object and background. 0 means 0.35 and 0.1.
	Objects, Between float64

	// Hard is the share of the background's samples that are drawn in proportion to
	// their hardness. 0 means 0.6.
	Hard float64

	// Mines is how often the background's candidates are scored, to find the hard
	// ones. 0 means 6.
	Mines int

	// Unmirrored leaves out mirror images, for objects that have a right and a left.
	Unmirrored bool

	// Save is how many iterations there are between two checkpoints. 0 means 1,000.
	Save int

	Seed    uint64
	Workers int // 0 means GOMAXPROCS. The result does not depend on it
}

const (
	decay     = 0.01 // weight decay per unit of the learning rate
	warmUp    = 0.02 // share of the iterations in which the learning rate rises
	eightPart = 0.25 // share of the iterations, the last ones, that compute in 8 bits
	eightRate = 0.2  // learning rate at their beginning, as a share of Rate

	// Limits of a candidate's intersection over union with an object: from similar on it
	// is an example of the object, below different of the background. Between them only
	// its box is learned.
	similar, different = 0.5, 0.3

	maxMined  = 500000 // candidates that are scored each time
	boxWeight = 4      // of the corrections' loss
	recall    = 0.99   // share of the objects' candidates that Step.Threshold passes
)

// group is how many samples are computed together. It does not depend on the number
// of workers, since the order of sums does on it.
const group = 16

func (s *Settings) withDefaults() (Settings, error) {
	v := *cmp.Or(s, &Settings{})
	v.Iterations, v.Batch, v.Save = cmp.Or(v.Iterations, 20000), cmp.Or(v.Batch, 128), cmp.Or(v.Save, 1000)
	v.Rate, v.Hard, v.Mines = cmp.Or(v.Rate, 0.002), cmp.Or(v.Hard, 0.6), cmp.Or(v.Mines, 6)
	v.Objects, v.Between = cmp.Or(v.Objects, 0.35), cmp.Or(v.Between, 0.1)
	v.Workers = cmp.Or(max(v.Workers, 0), runtime.GOMAXPROCS(0))
	for _, f := range []struct {
		name, want string
		ok         bool
	}{
		{"Iterations", "at least 1", v.Iterations > 0},
		{"Batch", fmt.Sprintf("a multiple of %d", group), v.Batch > 0 && v.Batch%group == 0},
		{"Save", "at least 1", v.Save > 0},
		{"Rate", "above 0, at most 1", v.Rate > 0 && v.Rate <= 1},
		{"Objects", "above 0, and less than 1 with Between", v.Objects > 0 && v.Between >= 0 && v.Objects+v.Between < 1},
		{"Hard", "0 to 1", v.Hard >= 0 && v.Hard <= 1},
		{"Mines", "0 to 1,000", v.Mines >= 0 && v.Mines <= 1000},
	} {
		if !f.ok {
			return v, fmt.Errorf("%w: %s: want %s", ErrSettings, f.name, f.want)
		}
	}
	return v, nil
}

// from8 is the first iteration in 8 bits.
func (s *Settings) from8() int {
	return s.Iterations - max(1, int(float64(s.Iterations)*eightPart))
}

// begun reports whether the training begins with a network.
func (s *Settings) begun() bool { return len(s.Step.Scales) > 0 }

// mining is the first iteration after which hard examples are searched for once more: at
// once if there is a network.
func (s *Settings) mining(mined int) int {
	if s.begun() {
		return s.Iterations * mined / (s.Mines + 1)
	}
	return s.Iterations * (mined + 1) / (s.Mines + 2)
}

// rate returns the learning rate of an iteration. It falls along a curve near the
// cosine's of Loshchilov and Hutter, SGDR (2017), that needs no cosine: once while
// numbers are floats, and again, from less, in 8 bits.
func (s *Settings) rate(iteration int) float64 {
	const end = 0.05 // of the first curve
	fall := func(t float64) float64 { return 1 - float64(float64(t*t)*(3-float64(2*t))) }
	if from := s.from8(); iteration >= from {
		t := float64(iteration-from) / float64(s.Iterations-from)
		return s.Rate * eightRate * fall(t)
	}
	rise := int(float64(s.Iterations) * warmUp)
	if iteration < rise {
		return s.Rate * float64(iteration+1) / float64(rise)
	}
	t := float64(iteration-rise) / float64(max(s.from8()-rise, 1))
	return s.Rate * (end + float64((1-end)*fall(min(t, 1))))
}
