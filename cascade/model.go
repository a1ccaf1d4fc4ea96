package cascade

import (
	"image"
	"slices"

	"haarlem/haar"
)

// A Cascade is a trained model: weak learners in order, a running score, and
// exits. Classical stages, chains and soft cascades are the same thing with
// exits in different places; see [Exit].
//
// A Cascade is plain data. [NewDetector] compiles it; after that, changes to
// it have no effect on the detector.
type Cascade struct {
	Name          string // short and printable; may be empty
	Object        Object // what is found, for messages; may be zero
	Kind          Kind
	Width, Height int // window in pixels

	// MinStdDev is the contrast gate of a Haar cascade: a window is rejected
	// unless the standard deviation of its grey levels, inside a border of one
	// pixel, is larger. OpenCV's cascades have 10. Flat windows never pass.
	MinStdDev float64

	// Search is how the cascade is searched unless a search has settings of its own.
	Search Search

	Features []haar.Feature    // Kind Haar
	Cells    []image.Rectangle // Kind LBP: the top-left of the 3x3 cells

	Weak  []Weak
	Exits []Exit

	Verifier *Verifier // nil: what the cascade finds is not looked at again

	Calibration *Calibration // nil: scores are margins
	Provenance  Provenance
}

// An Exit stands after the first After weak learners (at least one more than
// the exit before it). A window leaves the cascade there, rejected, unless the
// score is at least Threshold. With Restart the score is zero again behind the
// exit: that is a classical stage; without, the next exit sees the whole sum.
//
// The last exit stands after the last weak learner; what passes it is a
// candidate.
type Exit struct {
	After     int
	Threshold float32
	Restart   bool
}

// Calibration turns the score of a detection into a probability:
// 1/(1+exp(-(Slope*score+Offset))).
type Calibration struct {
	Slope, Offset float64
}

// Provenance tells where a model comes from. It has no effect on detection.
type Provenance struct {
	Program string   // name and version of the trainer
	Command string   // the command line that repeats the training
	Seed    uint64   // its random seed
	Data    []string // names of the data sets, with their terms
	Note    string   // anything else a reader should know
}

// Clone returns a deep copy of c.
func (c *Cascade) Clone() *Cascade {
	v := *c
	v.Features = slices.Clone(c.Features)
	v.Cells = slices.Clone(c.Cells)
	v.Weak = cloneWeak(c.Weak)
	v.Exits = slices.Clone(c.Exits)
	v.Provenance.Data = slices.Clone(c.Provenance.Data)
	v.Verifier = c.Verifier.clone()
	if c.Calibration != nil {
		k := *c.Calibration
		v.Calibration = &k
	}
	return &v
}

// features returns how many features nodes may refer to.
func (c *Cascade) features() int { return len(c.Features) + len(c.Cells) }

// ObjectOf names what all these cascades find: "object" and "objects" if they
// do not agree, or do not say.
func ObjectOf(cascades ...*Cascade) Object {
	for _, c := range cascades {
		if c.Object != cascades[0].Object {
			return anyObject
		}
	}
	if len(cascades) == 0 {
		return anyObject
	}
	return cascades[0].Object.OrAny()
}
