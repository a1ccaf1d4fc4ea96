package cascade

import (
	"errors"
	"fmt"
	"image"
	"math"
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

	// MinNeighbors is the support that a detection needs: a group of at most
	// MinNeighbors candidates is dropped, as OpenCV does. 0 means one less than
	// the cascade's Support, which for most is 3. -1 keeps every group, and
	// Ungrouped every candidate.
	MinNeighbors int

	// Ungrouped reports every candidate as a detection of its own. This is
	// what OpenCV does for minNeighbors = 0. A [Verifier] looks at groups all
	// the same: what it adds to a group's score is added to the score of each of
	// its candidates.
	Ungrouped bool

	// Overlapping reports all groups. Without, of two that share more than half
	// of the smaller one that with the better score stays. What OpenCV's rules
	// drop of classical stages' groups stays dropped, and what one cascade of a
	// [Team] finds where another has found something better.
	Overlapping bool

	// MinScore drops detections whose score is lower. 0 means the cascade's
	// MinScore, which for most keeps all; so does a negative number. Of single
	// candidates the default keeps all.
	MinScore float64

	// Stride is the step between windows in level pixels. 0 means the
	// cascade's; see [Cascade].
	Stride int

	// Nearby says where windows between those of that grid are looked at too:
	// one pixel to the left and to the right of a window that passes the first
	// Nearby exits, on levels with a stride of 2. 0 means the cascade's, -1
	// nowhere.
	Nearby int

	// Around says the same of the windows one pixel above and below, and of
	// those beside these: the six others that touch it.
	Around int

	// Between says that not all levels of the pyramid are searched whole, only
	// so many that they are at most a factor of 1.25 apart. Of the levels
	// between, the nine windows are looked at that stand nearest to a window of
	// the grid that passes the first Between exits on one of the levels next to
	// them that are. 0 means the cascade's, -1 that all are searched whole.
	Between int

	// BetweenBelow is the factor from which on levels that are scaled down by
	// it are searched whole nevertheless. 0 means the cascade's, if Between is
	// the cascade's too, and otherwise, as a negative number does, that there
	// is none.
	BetweenBelow float64

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

	// Pad is how much of a window may lie beyond the edge of what is searched,
	// as a share of its width and height, at most a half: objects that the edge
	// cuts through are found by the part that is there. Their boxes end at the
	// edge. What lies beyond is taken to go on as the pixels at the edge do. 0
	// means the cascade's, -1 nothing.
	Pad float64

	// Angles are in-plane rotations, in degrees clockwise, at which objects
	// are searched. Empty means upright only; add 0 to keep that.
	Angles []float64
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
var ErrOptions = errors.New("cascade: bad options")

// withDefaults returns a checked copy in which no field means "default" but
// the sizes and the region, whose defaults depend on the image, and those whose
// defaults the cascade has.
func (o *Options) withDefaults() (Options, error) {
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
	bad := func(format string, args ...any) (Options, error) {
		return Options{}, fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
	}
	switch {
	case !(v.Scale >= minScale && v.Scale <= maxScale):
		return bad("Scale %v, want %v to %v", v.Scale, minScale, float64(maxScale))
	case !(v.Enlarge >= 1 && v.Enlarge <= maxEnlarge):
		return bad("Enlarge %v, want 1 to %v", v.Enlarge, maxEnlarge)
	case v.MinSize.X < 0 || v.MinSize.Y < 0:
		return bad("MinSize %v is negative", v.MinSize)
	case v.MaxSize.X < 0 || v.MaxSize.Y < 0:
		return bad("MaxSize %v is negative", v.MaxSize)
	case v.MinNeighbors < -1:
		return bad("MinNeighbors %d, want -1 or more", v.MinNeighbors)
	case math.IsNaN(v.MinScore) || math.IsInf(v.MinScore, 0):
		return bad("MinScore %v is not a finite number", v.MinScore)
	case v.Stride < 0 || v.Stride > 1<<16:
		return bad("Stride %d, want 0 to %d", v.Stride, 1<<16)
	case v.Nearby < -1:
		return bad("Nearby %d, want -1 or more", v.Nearby)
	case v.Around < -1:
		return bad("Around %d, want -1 or more", v.Around)
	case v.Between < -1:
		return bad("Between %d, want -1 or more", v.Between)
	case math.IsNaN(v.BetweenBelow):
		return bad("BetweenBelow is no number")
	case v.Pad != -1 && !(v.Pad >= 0 && v.Pad <= maxPad):
		return bad("Pad %v, want 0 to %v, or -1", v.Pad, maxPad)
	case v.MaxCandidates < -1 || v.MaxCandidates > math.MaxInt32:
		return bad("MaxCandidates %d, want 1 to %d, 0 or -1", v.MaxCandidates, math.MaxInt32)
	case v.Workers < 0:
		return bad("Workers %d is negative", v.Workers)
	case v.Windows > WindowsOpenCV:
		return bad("Windows %d is unknown", v.Windows)
	}
	for _, a := range v.Angles {
		if !(a >= -360 && a <= 360) {
			return bad("angle %v, want -360 to 360 degrees", a)
		}
	}
	v.Angles = append([]float64(nil), v.Angles...)
	return v, nil
}

const (
	minScale = 1.001 // a finer pyramid has thousands of levels
	maxScale = 1 << 10

	maxEnlarge = 8
	maxPad     = 0.5
)
