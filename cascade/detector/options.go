package detector

import (
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// Options says how to search. A nil *Options and the zero value mean the same:
// every field's default.
type Options struct {
	// Scale is the factor between one level of the pyramid and the next,
	// larger than 1. 0 means 1.1.
	Scale float64

	// MinSize and MaxSize bound the size of candidates in image pixels.
	// Zero means no bound beyond the cascade's window and the image.
	MinSize, MaxSize image.Point

	// Enlarge is how many times as large as it is the image is searched at
	// most, 1 to 8, so that objects are found that are smaller than the
	// cascade's window: down to the window's size divided by Enlarge, and not
	// below MinSize. 0 means 1. With 2 a search takes about four times as
	// long.
	Enlarge float64

	// MinNeighbors is how many candidates a group may have and still be dropped, as
	// OpenCV does it: a detection needs one more. 0 means one less than
	// Search.MinCandidates, which for most is 3.
	MinNeighbors int

	// Ungrouped reports every candidate as a detection of its own. This is
	// what OpenCV does for minNeighbors = 0. A [cascade.Verifier] looks at groups all
	// the same: what it adds to a group's score is added to the score of each of
	// its candidates.
	Ungrouped bool

	// Overlapping reports all groups. Without, of two that share more than half
	// of the smaller one that with the better score stays. What OpenCV's rules
	// drop of classical stages' groups stays dropped, and what one cascade of a
	// [Detector] finds where another has found something better.
	Overlapping bool

	// MinScore drops detections whose score is lower. 0 means Search.MinScore, or for
	// single candidates none.
	MinScore float64

	// MaxCandidates is how many windows of a picture may pass the cascade, at one
	// of the Angles and for one cascade of a [Team]; with more, a search ends with
	// [ErrTooManyCandidates]. It bounds memory, and the time that grouping them
	// takes: a candidate takes up to about 250 bytes. 0 means
	// [DefaultMaxCandidates], -1 that there is no bound.
	MaxCandidates int

	// Windows says which windows of that grid are visited.
	Windows WindowRule

	// Workers is how many goroutines share one image. 0 means GOMAXPROCS.
	// The result does not depend on it.
	Workers int

	// Region is the part of the image that is searched. Empty means all of it.
	Region image.Rectangle

	// Angles are in-plane rotations, in degrees clockwise, at which objects
	// are searched. Empty means upright only; add 0 to keep that.
	Angles []float64

	// Search is for tuning: how densely windows and levels are searched, and what a
	// detection needs where MinNeighbors and MinScore are 0. nil means each cascade's
	// own settings, which are what it was made for. Others are a copy that was edited:
	//
	//	s := c.Search
	//	s.Stride = 1
	//	o := &detector.Options{Search: &s}
	Search *cascade.Search
}

// A WindowRule says which windows of the grid a search visits.
type WindowRule = engine.WindowRule

const (
	// WindowsDefault is WindowsOpenCV for a cascade whose first exit restarts
	// the score (classical stages), and WindowsAll for any other.
	WindowsDefault = engine.WindowsDefault

	// WindowsAll visits every window.
	WindowsAll = engine.WindowsAll

	// WindowsOpenCV visits exactly the windows that OpenCV 4.6 visits: behind
	// a window that the first exit rejects the next one in the row is skipped,
	// and the last row is left out where OpenCV's division of rows into
	// stripes misses it.
	WindowsOpenCV = engine.WindowsOpenCV
)

// DefaultMaxCandidates is the default of Options.MaxCandidates. A face has thirty to
// a hundred and fifty candidates with the options' defaults, so that it takes some
// two thousand faces, each of them perfect, to come to so many.
const DefaultMaxCandidates = engine.DefaultMaxCandidates

// MaxPixels is the most pixels that an image may have.
const MaxPixels = engine.MaxPixels

var (
	// ErrOptions is what errors about impossible options wrap.
	ErrOptions = engine.ErrOptions

	// ErrImageTooLarge is what errors about images with more than MaxPixels wrap.
	ErrImageTooLarge = engine.ErrImageTooLarge

	// ErrTooManyCandidates is what errors about pictures wrap in which more windows
	// pass the cascade than Options.MaxCandidates allows.
	ErrTooManyCandidates = engine.ErrTooManyCandidates
)

// Engine returns the part of o that says which windows are searched, for packages of
// this module.
func (o *Options) Engine() *engine.Options {
	if o == nil {
		return nil
	}
	return &engine.Options{
		Scale: o.Scale, MinSize: o.MinSize, MaxSize: o.MaxSize, Enlarge: o.Enlarge, Windows: o.Windows,
		Search: o.Search, MaxCandidates: o.MaxCandidates, Workers: o.Workers,
	}
}

// check returns a copy that is the detector's own, after a look at what the engine
// does not check.
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
	for _, a := range v.Angles {
		if !(a >= -360 && a <= 360) {
			return bad("angle %v, want -360 to 360 degrees", a)
		}
	}
	v.Angles = slices.Clone(v.Angles)
	return v, nil
}
