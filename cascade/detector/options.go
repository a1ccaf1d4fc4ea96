package detector

import (
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// Options are the settings of a detector. A nil *Options and the zero value mean the
// same: every field's default.
type Options struct {
	// Scale is the factor between levels of the image pyramid, larger than 1. 0
	// means Search.Scale, which is 1.1 for most cascades.
	Scale float64

	// MinSize and MaxSize bound the size of candidates in image pixels. The smallest
	// candidates of a cascade with a network have exactly MinSize.
	// Zero means no bound beyond the cascade's window and the image.
	MinSize, MaxSize image.Point

	// Enlarge is the largest factor by which the image is enlarged, 1 to 8, to find
	// objects that are smaller than the detection window: down to the window's size
	// divided by Enlarge, and not below MinSize. 0 means 1. With 2 a search takes
	// about four times as long.
	Enlarge float64

	// MinNeighbors drops groups of at most that many candidates, as OpenCV does. 0
	// means one less than Search.MinCandidates, which is 3 for most cascades.
	MinNeighbors int

	// Ungrouped reports every candidate as a detection, as OpenCV does for
	// minNeighbors = 0. A [cascade.Verifier] still verifies groups: what it adds to
	// a group's score is added to the score of each of its candidates.
	Ungrouped bool

	// Overlapping switches off non-maximum suppression: by default, of two groups
	// that share more than half of the smaller one's area, only the one with the
	// better score is reported. Groups of classical stages that OpenCV's rules drop
	// stay dropped, and so do detections that a better one of another cascade covers.
	Overlapping bool

	// MinScore drops detections with a lower score. 0 means Search.MinScore; with
	// Ungrouped, none.
	MinScore float64

	// MaxCandidates is the largest number of candidates of an image, for each cascade
	// and each of the Angles. A search with more fails with [ErrTooManyCandidates].
	// It bounds the memory and the time of grouping: a candidate takes up to about
	// 250 bytes. A face has 30 to 150 candidates with default options. 0 means 262,144, -1
	// no bound.
	MaxCandidates int

	// Windows selects windows of the grid.
	Windows WindowRule

	// Workers is the number of goroutines for one image. 0 means GOMAXPROCS. Results
	// do not depend on it.
	Workers int

	// Region is the part of the image that is searched. Empty means all of it. A network
	// looks beyond it, and [ErrImageTooLarge] is then about the whole image if its pixels
	// must be converted.
	Region image.Rectangle

	// Angles are in-plane rotations of the objects, in degrees clockwise. Empty means
	// upright only; with others, add 0 to find upright ones too. See [AllAngles]. Angles
	// that are quarter turns apart take less time than others.
	Angles []float64

	// Router finds about where objects are and how they are turned, at any angle, so that
	// only windows there are searched, at the nearest Angles. nil means that all windows
	// are searched. A router finds the same objects in about the same boxes, is fast, and
	// need not be accurate or calibrated. models.Router has one for faces.
	Router *cascade.Cascade

	// Framing turns boxes into those of another convention. The zero value means the
	// model's own boxes, and sizes among these options are always of those.
	Framing cascade.Framing

	// Points finds points of each detection, for Detection.Points. nil means none.
	Points PointFinder

	// Search is for tuning: how densely windows and levels are searched, and what a
	// detection needs where MinNeighbors and MinScore are 0. nil means the cascade's
	// own settings. To change one, edit a copy:
	//
	//	s := c.Search
	//	s.Stride = 1
	//	o := &detector.Options{Search: &s}
	Search *cascade.Search
}

// A WindowRule selects windows of the grid. Zero is WindowsOpenCV for a cascade whose
// first exit restarts the score (classical stages), and WindowsAll for any other.
type WindowRule uint8

const (
	// WindowsAll searches every window.
	WindowsAll = WindowRule(engine.WindowsAll)

	// WindowsOpenCV searches exactly the windows that OpenCV 4.6 searches. After a
	// window that the first exit rejects, the next one in the row is skipped. The
	// last row is skipped where OpenCV's division of rows into stripes misses it.
	WindowsOpenCV = WindowRule(engine.WindowsOpenCV)
)

// MaxPixels is the largest number of pixels of an image.
const MaxPixels = engine.MaxPixels

var (
	// ErrOptions is wrapped by errors about invalid options.
	ErrOptions = engine.ErrOptions

	// ErrImageTooLarge is wrapped by errors about images with more than MaxPixels.
	ErrImageTooLarge = engine.ErrImageTooLarge

	// ErrTooManyCandidates is wrapped by the error of a search with more candidates
	// than Options.MaxCandidates.
	ErrTooManyCandidates = engine.ErrTooManyCandidates
)

// check returns a copy, after checking the fields that the engine does not check.
func (o *Options) check() (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	bad := func(format string, args ...any) (Options, error) {
		return Options{}, fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
	}
	switch {
	case v.MinNeighbors < 0:
		return bad("MinNeighbors %d, want 0 or more; Search.MinCandidates 1 keeps every group", v.MinNeighbors)
	case !(v.MinScore >= 0 && v.MinScore <= math.MaxFloat64):
		return bad("MinScore %v, want a finite number, 0 or more; Search.MinScore 0 keeps all", v.MinScore)
	}
	if v.Router != nil && len(v.Angles) == 0 {
		return bad("a Router without Angles")
	}
	for _, a := range v.Angles {
		if !(a >= -360 && a <= 360) {
			return bad("angle %v, want -360 to 360 degrees", a)
		}
	}
	v.Angles = slices.Clone(v.Angles)
	return v, nil
}

// AllAngles returns angles for Options.Angles that find objects at any angle, for models
// that find those rotated by 15 degrees: every 30 degrees.
func AllAngles() []float64 {
	var all []float64
	for a := -180.0; a < 180; a += 30 {
		all = append(all, a)
	}
	return all
}
