package cascade

import (
	"image"
	"math"
	"slices"

	"haarlem/haar"
)

// Kind says what the nodes of a cascade look at.
type Kind uint8

const (
	Haar Kind = iota + 1 // normalised Haar features against a threshold
	LBP                  // local binary patterns of 3x3 cells against a subset of the 256 codes
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

	// Stride is the step between windows, in level pixels, that the cascade is
	// made for, and that [Options] have unless they name another. 0 means
	// OpenCV's: 2 on levels scaled down by less than 2, otherwise 1.
	Stride int

	// Nearby is the number of exits that a window has to pass so that those one
	// pixel to its left and right are looked at too, on levels with a stride
	// of 2, unless [Options] say something else. 0 means that none is.
	Nearby int

	// Around is the same for the six windows in the rows one pixel above and
	// below.
	Around int

	// Between is the number of exits that a window has to pass so that levels
	// of the pyramid that are not searched whole are looked at near it, unless
	// [Options] say something else. 0 means that all are searched whole.
	Between int

	// BetweenBelow is the factor from which on all levels are searched whole
	// nevertheless: what the largest levels cost is most of the time. 0 means
	// that there is none.
	BetweenBelow float64

	// Pad is how much of a window may lie beyond the picture's edge, as a share
	// of its width and height, unless [Options] say something else.
	Pad float64

	// HeadStart is the score that windows begin with, by the level they are on.
	// Only for a score that runs on.
	HeadStart HeadStart

	// Halve is the factor from which on levels are made from the picture
	// halved, so often that less than the factor is left for scaling; more than
	// 1. Halving takes means of two by two pixels, where scaling leaves out what
	// lies between those that it takes. 0 means that none is.
	Halve float64

	// Support and MinScore are what a detection needs unless [Options] say
	// something else: candidates that were grouped into it, and a score. 0
	// candidates means 4, OpenCV's default; a score of 0 means any.
	Support  int
	MinScore float64

	Features []haar.Feature    // Kind Haar
	Cells    []image.Rectangle // Kind LBP: the top-left of the 3x3 cells

	Weak  []Weak
	Exits []Exit

	Verifier *Verifier // nil: what the cascade finds is not looked at again

	Calibration *Calibration // nil: scores are margins
	Provenance  Provenance
}

// A Weak is one weak learner: a tree, or a histogram over one feature.
//
// The value of a Haar feature is f32(raw*inv), where raw is the weighted sum
// of its rectangles and inv = 1/sqrt(area*sq - sum*sum) over the window inside
// a border of one pixel; area counts pixels, sum and sq add grey levels and
// their squares. So values are raw sums divided by area and by the standard deviation.
type Weak struct {
	// Nodes are the nodes of a tree, the root first. Empty for a histogram.
	Nodes []Node

	// Leaves are what the weak learner can add to the score: of a tree,
	// len(Nodes)+1 of them; of a histogram, 8 or 16, one a bin.
	Leaves []float32

	// A histogram's feature, and where its bins lie: value v falls into bin
	// min(max((v-Low)*Scale, 0), len(Leaves)-1), rounded down, in float32.
	Feature    int32
	Low, Scale float32
}

// Histogram reports whether w is a histogram weak learner.
func (w *Weak) Histogram() bool { return len(w.Nodes) == 0 }

// A Node asks one question. A Haar node goes left when the feature's value is
// below Threshold; an LBP node when the bit of its code is set in Subset.
//
// A child c > 0 is Nodes[c] of the same tree; c <= 0 is Leaves[-c].
type Node struct {
	Feature     int32
	Threshold   float32
	Left, Right int32
	Subset      [8]uint32
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

// A HeadStart says with what score windows begin. A level that is scaled down by
// s has 1/s^2 of the windows of the largest one, and about as many objects, so
// being lenient costs little there and finds as much: a window on it begins with
// PerOctave times the binary logarithm of s/From, but with Most at most and with
// -Most at least, rounded to a multiple of 1/256. Zero means that all begin with
// 0; otherwise all three are positive.
type HeadStart struct {
	PerOctave, From, Most float64
}

// headStartBits says that head starts are multiples of 1<<-headStartBits.
const headStartBits = 8

// at returns the head start on a level that is scaled down by factor.
func (h HeadStart) at(factor float32) float64 {
	if h == (HeadStart{}) {
		return 0
	}
	v := min(max(float64(h.PerOctave*math.Log2(float64(factor)/h.From)), -h.Most), h.Most)
	return math.Ldexp(math.RoundToEven(math.Ldexp(v, headStartBits)), -headStartBits)
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

// clone returns a deep copy of c.
func (c *Cascade) clone() *Cascade {
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

func cloneWeak(ws []Weak) []Weak {
	ws = slices.Clone(ws)
	for i := range ws {
		ws[i].Nodes = slices.Clone(ws[i].Nodes)
		ws[i].Leaves = slices.Clone(ws[i].Leaves)
	}
	return ws
}
