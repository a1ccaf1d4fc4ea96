package cascade

import (
	"fmt"
	"math"
	"slices"
)

// Search is the settings of a search with a cascade. Zero is every field's default, and
// does what OpenCV does. Cascade.Search is what the cascade was made for; for other
// settings, edit a copy.
type Search struct {
	// Stride is the step between detection windows, in pixels of a pyramid level.
	// 0 means OpenCV's: 2 on levels scaled down by less than 2, otherwise 1.
	Stride int `json:"stride,omitzero"`

	// RefineX is the number of exits that a window has to pass so that the windows
	// one pixel to its left and right are searched too, on levels with a stride of
	// 2. 0 means that none are.
	RefineX int `json:"refineX,omitzero"`

	// RefineY is the same for the six windows in the rows one pixel above and below.
	RefineY int `json:"refineY,omitzero"`

	// InterLevel searches only some pyramid levels densely, at most a factor of 1.25
	// apart, or 1.47 in a search at several angles. On the levels between, only windows
	// near survivors are searched: the nine nearest to a window that passes the first
	// InterLevel exits on one of the two neighbouring dense levels. 0 means that all
	// levels are searched densely.
	InterLevel int `json:"interLevel,omitzero"`

	// DenseFrom is the factor from which all levels are searched densely anyway, since
	// the largest levels take most of the time. 0 means none, and so does a search at
	// several angles.
	DenseFrom float64 `json:"denseFrom,omitzero"`

	// Pad is the share of a window's width and height that may lie beyond the edge of
	// the image, at most a half. It finds objects that the edge cuts. Pixels beyond
	// the edge repeat those at the edge.
	Pad float64 `json:"pad,omitzero"`

	// Scale is the factor between levels of the image pyramid. 0 means 1.1.
	Scale float64 `json:"scale,omitzero"`

	// ScaleBias is the initial score of windows, by level. It needs a score that runs
	// on.
	ScaleBias ScaleBias `json:"scaleBias,omitzero"`

	// PrefilterFrom is the factor from which levels are made from the halved image,
	// more than 1. The image is halved until less than the factor is left. Halving
	// averages two by two pixels, where scaling skips pixels. 0 means no halving.
	PrefilterFrom float64 `json:"prefilterFrom,omitzero"`

	// MinCandidates is the smallest number of candidates of a detection. 0 means 4,
	// OpenCV's default.
	MinCandidates int `json:"minCandidates,omitzero"`

	// MinScore is the lowest score of a detection. 0 means any.
	MinScore float64 `json:"minScore,omitzero"`
}

// A ScaleBias makes a cascade more lenient on small levels. A level that is scaled
// down by s has 1/s^2 of the windows of the largest one, and about as many objects,
// so leniency costs little there. The initial score of a window is PerOctave times the
// binary logarithm of s/From, between -Max and Max, rounded to a multiple of 1/256.
// Zero means no bias; otherwise all three are positive.
type ScaleBias struct {
	PerOctave float64 `json:"perOctave"`
	From      float64 `json:"from"`
	Max       float64 `json:"max"`
}

// ScaleBiasBits says that biases are multiples of 1<<-ScaleBiasBits.
const ScaleBiasBits = 8

// At returns the bias on a level that is scaled down by factor.
func (h ScaleBias) At(factor float32) float64 {
	if h == (ScaleBias{}) {
		return 0
	}
	v := min(max(float64(h.PerOctave*math.Log2(float64(factor)/h.From)), -h.Max), h.Max)
	return math.Ldexp(math.RoundToEven(math.Ldexp(v, ScaleBiasBits)), -ScaleBiasBits)
}

// A searchField describes a field of [Search] to readers, writers and checks.
type searchField struct {
	name   string // of the field
	key    string // in native files
	opencv bool   // OpenCV's format may omit it: OpenCV has its own setting

	ints    func(*Search) *int // nil for a field with numbers
	numbers func(*Search) []*float64
	check   func(*Search, searched) error
}

// searched is what the bounds of settings depend on.
type searched struct {
	side  int // smaller side of the window
	exits int
	soft  error // error unless the score runs on through all exits
}

// Bounds of settings.
const (
	maxPad        = 0.5
	minScale      = 1.001
	maxScale      = 1024
	maxCandidates = 1000000 // of MinCandidates
)

// searchFields are all fields, in the order of a file.
var searchFields = []searchField{
	{
		name: "Stride", key: "stride",
		ints:  func(s *Search) *int { return &s.Stride },
		check: func(s *Search, of searched) error { return atMost(s.Stride, of.side, "the window's %d") },
	},
	{
		name: "RefineX", key: "refine-x",
		ints:  func(s *Search) *int { return &s.RefineX },
		check: func(s *Search, of searched) error { return atMost(s.RefineX, of.exits, "the %d exits") },
	},
	{
		name: "RefineY", key: "refine-y",
		ints:  func(s *Search) *int { return &s.RefineY },
		check: func(s *Search, of searched) error { return atMost(s.RefineY, of.exits, "the %d exits") },
	},
	{
		name: "InterLevel", key: "inter-level",
		ints:  func(s *Search) *int { return &s.InterLevel },
		check: func(s *Search, of searched) error { return atMost(s.InterLevel, of.exits, "the %d exits") },
	},
	{
		name: "DenseFrom", key: "dense-from",
		numbers: func(s *Search) []*float64 { return []*float64{&s.DenseFrom} },
		check: func(s *Search, _ searched) error {
			if !(s.DenseFrom >= 0 && isFinite(s.DenseFrom)) || s.DenseFrom > 0 && s.InterLevel == 0 {
				return fmt.Errorf("a factor of %v, want none below 0, and none without InterLevel", s.DenseFrom)
			}
			return nil
		},
	},
	{
		name: "Pad", key: "pad",
		numbers: func(s *Search) []*float64 { return []*float64{&s.Pad} },
		check: func(s *Search, _ searched) error {
			if !(s.Pad >= 0 && s.Pad <= maxPad) {
				return fmt.Errorf("%v, want 0 to %v", s.Pad, maxPad)
			}
			return nil
		},
	},
	{
		name: "Scale", key: "scale-factor", opencv: true,
		numbers: func(s *Search) []*float64 { return []*float64{&s.Scale} },
		check: func(s *Search, _ searched) error {
			if s.Scale != 0 && !(s.Scale >= minScale && s.Scale <= maxScale) {
				return fmt.Errorf("a factor of %v, want %v to %v, or 0", s.Scale, minScale, float64(maxScale))
			}
			return nil
		},
	},
	{
		name: "ScaleBias", key: "scale-bias",
		numbers: func(s *Search) []*float64 {
			return []*float64{&s.ScaleBias.PerOctave, &s.ScaleBias.From, &s.ScaleBias.Max}
		},
		check: func(s *Search, of searched) error {
			h := s.ScaleBias
			if h == (ScaleBias{}) {
				return nil
			}
			if !(h.PerOctave > 0 && isFinite(h.PerOctave) && h.From > 0 && isFinite(h.From) && h.Max > 0 && h.Max <= maxLeaf) {
				return fmt.Errorf("%v an octave from a factor of %v on, limited to %v: want three numbers above 0, at most %d", h.PerOctave, h.From, h.Max, maxLeaf)
			}
			return of.soft
		},
	},
	{
		name: "PrefilterFrom", key: "prefilter-from",
		numbers: func(s *Search) []*float64 { return []*float64{&s.PrefilterFrom} },
		check: func(s *Search, _ searched) error {
			if s.PrefilterFrom != 0 && !(s.PrefilterFrom > 1 && isFinite(s.PrefilterFrom)) {
				return fmt.Errorf("a factor of %v, want more than 1, or 0", s.PrefilterFrom)
			}
			return nil
		},
	},
	{
		name: "MinCandidates", key: "min-candidates", opencv: true,
		ints:  func(s *Search) *int { return &s.MinCandidates },
		check: func(s *Search, _ searched) error { return atMost(s.MinCandidates, maxCandidates, "%d") },
	},
	{
		name: "MinScore", key: "min-score", opencv: true,
		numbers: func(s *Search) []*float64 { return []*float64{&s.MinScore} },
		check: func(s *Search, _ searched) error {
			if !(s.MinScore >= 0 && isFinite(s.MinScore)) {
				return fmt.Errorf("%v, want a finite number, 0 or more", s.MinScore)
			}
			return nil
		},
	},
}

func atMost(v, upper int, what string) error {
	if v < 0 || v > upper {
		return fmt.Errorf("%d, want 0 to "+what, v, upper)
	}
	return nil
}

// is reports whether the field is set: whether any of its numbers is not 0.
func (f *searchField) is(s *Search) bool {
	if f.ints != nil {
		return *f.ints(s) != 0
	}
	return slices.ContainsFunc(f.numbers(s), func(p *float64) bool { return *p != 0 })
}

// append appends the field's numbers as in native files.
func (f *searchField) append(b []byte, s *Search) []byte {
	if f.ints != nil {
		return appendInts(b, *f.ints(s))
	}
	return appendFloat64s(b, f.numbers(s)...)
}

// A SearchError is an invalid setting.
type SearchError struct {
	Field string // of Search
	Err   error  // the value, and what is wanted
	key   string // in native files
}

func (e *SearchError) Error() string { return e.Field + " " + e.Err.Error() }
func (e *SearchError) Unwrap() error { return e.Err }
