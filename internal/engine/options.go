package engine

import (
	"errors"
	"fmt"
	"image"
	"math"
	"runtime"

	"haarlem/cascade"
)

// Options says which windows of an image are searched. A nil *Options and the
// zero value mean the same: every field's default.
type Options struct {
	Scale            float64     // factor between levels of the pyramid; 0 means 1.1
	MinSize, MaxSize image.Point // of candidates, in image pixels; zero: no bound
	Enlarge          float64     // how many times as large the image is searched at most; 0 means 1
	Windows          WindowRule

	// Search is how the cascade is searched; nil means its own settings.
	Search *cascade.Search

	// MaxCandidates is how many windows may pass the cascade; with more, a
	// search ends with [ErrTooManyCandidates]. 0 means [DefaultMaxCandidates],
	// -1 that there is no bound.
	MaxCandidates int

	Workers int // goroutines that share one image; 0 means GOMAXPROCS
}

// WindowRule says which windows of the grid a scan visits.
type WindowRule uint8

const (
	// WindowsDefault is WindowsOpenCV for a cascade whose first exit restarts
	// the score (classical stages), and WindowsAll for any other.
	WindowsDefault WindowRule = iota

	// WindowsAll visits every window.
	WindowsAll

	// WindowsOpenCV visits exactly the windows that OpenCV 4.6 visits: behind
	// a window that the first exit rejects the next one in the row is skipped,
	// and the last row is left out where OpenCV's division of rows into
	// stripes misses it.
	WindowsOpenCV
)

// ErrOptions is what errors about impossible options wrap.
var ErrOptions = errors.New("detector: bad options")

// Bounds of options.
const (
	minScale = 1.001 // a finer pyramid has thousands of levels
	maxScale = 1 << 10

	// MaxEnlarge is the most that Options.Enlarge may be.
	MaxEnlarge = 8
)

// DefaultMaxCandidates is the default of Options.MaxCandidates. A face has thirty to
// a hundred and fifty candidates with the options' defaults, so that it takes some
// two thousand faces, each of them perfect, to come to so many.
const DefaultMaxCandidates = 1 << 18

// For returns a checked copy for searches with c in which no field means a
// default but the sizes, whose defaults depend on the image.
func (o *Options) For(c *cascade.Cascade) (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	if v.Scale == 0 {
		v.Scale = 1.1
	}
	if v.Enlarge == 0 {
		v.Enlarge = 1
	}
	if v.MaxCandidates == 0 {
		v.MaxCandidates = DefaultMaxCandidates
	}
	bad := func(format string, args ...any) (Options, error) {
		return Options{}, fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
	}
	switch {
	case !(v.Scale >= minScale && v.Scale <= maxScale):
		return bad("Scale %v, want %v to %v", v.Scale, minScale, float64(maxScale))
	case !(v.Enlarge >= 1 && v.Enlarge <= MaxEnlarge):
		return bad("Enlarge %v, want 1 to %v", v.Enlarge, MaxEnlarge)
	case v.MinSize.X < 0 || v.MinSize.Y < 0:
		return bad("MinSize %v is negative", v.MinSize)
	case v.MaxSize.X < 0 || v.MaxSize.Y < 0:
		return bad("MaxSize %v is negative", v.MaxSize)
	case v.MaxCandidates < -1 || v.MaxCandidates > math.MaxInt32:
		return bad("MaxCandidates %d, want 1 to %d, 0 or -1", v.MaxCandidates, math.MaxInt32)
	case v.Workers < 0:
		return bad("Workers %d is negative", v.Workers)
	case v.Windows > WindowsOpenCV:
		return bad("Windows %d is unknown", v.Windows)
	}
	if v.Windows == WindowsDefault {
		v.Windows = WindowsAll
		if c.Exits[0].Restart {
			v.Windows = WindowsOpenCV
		}
	}
	search := c.Search
	if v.Search != nil {
		search = *v.Search
		if err := search.CheckFor(c); err != nil {
			return Options{}, fmt.Errorf("%w: Search.%w", ErrOptions, err)
		}
	}
	v.Search = &search
	return v, nil
}

// workers returns how many goroutines share an image.
func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// denseApart is the largest factor between two levels that are searched densely.
const denseApart = 1.25

// apart returns every how many levels one is searched densely, where others are
// not.
func (o *Options) apart() int {
	n := 1
	for f := o.Scale * o.Scale; f <= denseApart; f *= o.Scale {
		n++
	}
	return n
}
