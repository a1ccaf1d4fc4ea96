package engine

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"runtime"

	"haarlem/cascade"
)

// Options selects the detection windows that are searched. A nil *Options and the
// zero value mean the same: every field's default.
type Options struct {
	Scale            float64     // factor between levels of the pyramid; 0 means 1.1
	MinSize, MaxSize image.Point // of candidates, in image pixels; zero means no bound
	Enlarge          float64     // largest factor by which the image is enlarged; 0 means 1
	Windows          WindowRule

	// Apart is the largest factor between two levels that are searched densely, where
	// not all are (InterLevel of [cascade.Search]), whatever DenseFrom says. 0 means
	// 1.25 below DenseFrom.
	Apart float64

	// OnlyNear searches windows near places only, by [Search.Near].
	OnlyNear bool

	// Search is how the cascade is searched; nil means its own settings.
	Search *cascade.Search

	// MaxCandidates is the largest number of candidates. A search with more fails
	// with [ErrTooManyCandidates]. 0 means [DefaultMaxCandidates], -1 no bound.
	MaxCandidates int

	Workers int // goroutines for one image; 0 means GOMAXPROCS
}

// FirstFactor returns the factor of the largest level for a cascade with a network. Since
// it corrects boxes, levels may be far apart, and so the first windows have MinSize.
func (o *Options) FirstFactor(c *cascade.Cascade) float64 {
	return max(1/o.Enlarge, o.MinFactor(c))
}

// MinFactor returns the factor of a level whose windows have MinSize.
func (o *Options) MinFactor(c *cascade.Cascade) float64 {
	return max(float64(o.MinSize.X)/float64(c.Width), float64(o.MinSize.Y)/float64(c.Height))
}

// A WindowRule selects windows of the grid.
type WindowRule uint8

const (
	// WindowsDefault is WindowsOpenCV for a cascade whose first exit restarts
	// the score (classical stages), and WindowsAll for any other.
	WindowsDefault WindowRule = iota

	// WindowsAll searches every window.
	WindowsAll

	// WindowsOpenCV searches exactly the windows that OpenCV 4.6 searches. After a
	// window that the first exit rejects, the next one in the row is skipped. The
	// last row is skipped where OpenCV's division of rows into stripes misses it.
	WindowsOpenCV
)

// ErrOptions is wrapped by errors about invalid options.
var ErrOptions = errors.New("detector: bad options")

// Bounds of options.
const (
	minScale = 1.001 // a finer pyramid has thousands of levels
	maxScale = 1 << 10

	// MaxEnlarge is the maximum of Options.Enlarge.
	MaxEnlarge = 8
)

// DefaultMaxCandidates is the default of Options.MaxCandidates. A face has
// 30 to 150 candidates with default options, so about 2,000 perfect faces reach it.
const DefaultMaxCandidates = 1 << 18

// For returns a checked copy for searches with c, with defaults filled in. Sizes keep
// their zeros, since their defaults depend on the image.
func (o *Options) For(c *cascade.Cascade) (Options, error) {
	var v Options
	if o != nil {
		v = *o
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
	search := c.Search
	if v.Search != nil {
		search = *v.Search
		if err := search.CheckFor(c); err != nil {
			return Options{}, fmt.Errorf("%w: Search.%w", ErrOptions, err)
		}
	}
	v.Search = &search
	v.Scale = cmp.Or(v.Scale, search.Scale, 1.1)
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
	return v, nil
}

// workers returns the number of goroutines for an image.
func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// apart returns n if every n-th level is searched densely, where not all are.
func (o *Options) apart() int {
	n, limit := 1, cmp.Or(o.Apart, 1.25)
	for f := o.Scale * o.Scale; f <= limit; f *= o.Scale {
		n++
	}
	return n
}
