package cascade

import (
	"image"
	"slices"

	"haarlem/haar"
)

// A Cascade is a trained model: weak classifiers in order, a running score, and exits.
// Classical stages, chains and soft cascades differ in where the exits are; see [Exit].
//
// A Cascade is plain data. Detectors compile a copy, so later changes have no effect on
// them.
type Cascade struct {
	Name          string // short and printable; may be empty
	Object        Object // what it detects, for messages; may be zero
	Kind          Kind
	Width, Height int // window in pixels

	// MinStdDev is the contrast gate of a Haar cascade. Windows are rejected unless
	// the standard deviation of their grey levels, inside a border of one pixel, is
	// larger. OpenCV's cascades have 10. Flat windows never pass.
	MinStdDev float64

	// Search is how the cascade is searched unless a search has settings of its own.
	Search Search

	Features []haar.Feature    // Kind Haar
	Cells    []image.Rectangle // Kind LBP: the top-left of the 3x3 cells

	Weak  []Weak
	Exits []Exit

	Verifier *Verifier // nil means none
	Network  *Network  // nil means none; it comes after the verifiers

	Calibration *Calibration // nil means that scores are margins
	Provenance  Provenance
}

// An Exit comes after the first After weak classifiers, at least one more than the exit
// before it. It rejects windows with a score below Threshold. With Restart the score is
// reset to zero after it, as between classical stages. Without, the score runs on.
//
// The last exit comes after the last weak classifier. Windows that pass it are
// candidates.
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

// Provenance is the origin of a model. It has no effect on detection.
type Provenance struct {
	Program string   // name and version of the trainer
	Command string   // command lines that repeat the training
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
	v.Verifier, v.Network = c.Verifier.clone(), c.Network.clone()
	if c.Calibration != nil {
		k := *c.Calibration
		v.Calibration = &k
	}
	return &v
}

// features returns the number of features.
func (c *Cascade) features() int { return len(c.Features) + len(c.Cells) }
