package cascade

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Search is the settings of a search with a cascade. Zero is every field's default, and
// does what OpenCV does. Cascade.Search is what the cascade was made for; for other
// settings, edit a copy.
//
// [SearchFields] lists the fields with their names in files and on command lines.
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

// A SearchField describes a field of [Search] to readers, writers, checks, command
// lines and pages.
type SearchField struct {
	Name  string // of the field
	Key   string // in native files
	Flag  string // on command lines
	Usage string // of the flag, whose value stands in backquotes
	Fact  string // what it means for a model, as a format of its numbers
	Title string // of the fact

	// Percent says that flags are in per cent.
	Percent bool

	opencv bool // OpenCV's format may omit it: OpenCV has its own setting

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
	maxCandidates = 1000000 // of MinCandidates
)

// searchFields are all fields, in the order of a file.
var searchFields = []SearchField{
	{
		Name: "Stride", Key: "stride", Flag: "stride",
		Usage: "step between detection windows, `N` pixels of a level; 0 for OpenCV's rule",
		Title: "stride", Fact: "%d pixels from window to window, on all levels",
		ints:  func(s *Search) *int { return &s.Stride },
		check: func(s *Search, of searched) error { return atMost(s.Stride, of.side, "the window's %d") },
	},
	{
		Name: "RefineX", Key: "refine-x", Flag: "refine-x",
		Usage: "with a stride of 2, also try the windows left and right of one that passes `N` exits; 0 for none",
		Title: "refine x", Fact: "the windows one pixel to the left and right of one that passes the first %d exits are evaluated too",
		ints:  func(s *Search) *int { return &s.RefineX },
		check: func(s *Search, of searched) error { return atMost(s.RefineX, of.exits, "the %d exits") },
	},
	{
		Name: "RefineY", Key: "refine-y", Flag: "refine-y",
		Usage: "with a stride of 2, also try the six windows above and below one that passes `N` exits; 0 for none",
		Title: "refine y", Fact: "the six windows one pixel above and below one that passes the first %d exits are evaluated too",
		ints:  func(s *Search) *int { return &s.RefineY },
		check: func(s *Search, of searched) error { return atMost(s.RefineY, of.exits, "the %d exits") },
	},
	{
		Name: "InterLevel", Key: "inter-level", Flag: "inter-level",
		Usage: "skip pyramid levels, and try them only near a window that passes `N` exits; 0 searches all levels",
		Title: "inter level", Fact: "levels at most a factor of 1.25 apart are searched densely; on the others, nine windows near each one there that passes the first %d exits",
		ints:  func(s *Search) *int { return &s.InterLevel },
		check: func(s *Search, of searched) error { return atMost(s.InterLevel, of.exits, "the %d exits") },
	},
	{
		Name: "DenseFrom", Key: "dense-from", Flag: "dense-from",
		Usage: "with -inter-level, skip no levels that are scaled down by `FACTOR` or more; 0 for none",
		Title: "dense from", Fact: "levels scaled down by %g and more are searched densely",
		numbers: func(s *Search) []*float64 { return []*float64{&s.DenseFrom} },
		check: func(s *Search, _ searched) error {
			if !(s.DenseFrom >= 0 && isFinite(s.DenseFrom)) || s.DenseFrom > 0 && s.InterLevel == 0 {
				return fmt.Errorf("a factor of %v, want none below 0, and none without InterLevel", s.DenseFrom)
			}
			return nil
		},
	},
	{
		Name: "Pad", Key: "pad", Flag: "pad", Percent: true,
		Usage: "let `P` per cent of a window lie beyond the picture's edge, at most 50",
		Title: "pad", Fact: "up to %g per cent of a window may lie beyond the picture's edge",
		numbers: func(s *Search) []*float64 { return []*float64{&s.Pad} },
		check: func(s *Search, _ searched) error {
			if !(s.Pad >= 0 && s.Pad <= maxPad) {
				return fmt.Errorf("%v, want 0 to %v", s.Pad, maxPad)
			}
			return nil
		},
	},
	{
		Name: "ScaleBias", Key: "scale-bias", Flag: "scale-bias",
		Usage: "start scores by scale, `P,F,M`: P for each octave that the level is scaled down beyond F, limited to -M and M; 0 for none",
		Title: "scale bias", Fact: "the initial score is %g for each octave that the level is scaled down beyond %g, limited to plus and minus %g",
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
		Name: "PrefilterFrom", Key: "prefilter-from", Flag: "prefilter-from",
		Usage: "make pyramid levels scaled down by `FACTOR` or more from the halved image, which removes noise; 0 for none",
		Title: "prefilter from", Fact: "levels scaled down by %g and more are made from the picture halved until less than that is left",
		numbers: func(s *Search) []*float64 { return []*float64{&s.PrefilterFrom} },
		check: func(s *Search, _ searched) error {
			if s.PrefilterFrom != 0 && !(s.PrefilterFrom > 1 && isFinite(s.PrefilterFrom)) {
				return fmt.Errorf("a factor of %v, want more than 1, or 0", s.PrefilterFrom)
			}
			return nil
		},
	},
	{
		Name: "MinCandidates", Key: "min-candidates", Flag: "min-candidates", opencv: true,
		Usage: "least `N` candidates of a detection; 0 for OpenCV's 4",
		Title: "min candidates", Fact: "%d or more candidates make a detection, by default",
		ints:  func(s *Search) *int { return &s.MinCandidates },
		check: func(s *Search, _ searched) error { return atMost(s.MinCandidates, maxCandidates, "%d") },
	},
	{
		Name: "MinScore", Key: "min-score", Flag: "min-score", opencv: true,
		Usage: "least `SCORE` of a detection; 0 for any",
		Title: "min score", Fact: "a detection needs %g, by default",
		numbers: func(s *Search) []*float64 { return []*float64{&s.MinScore} },
		check: func(s *Search, _ searched) error {
			if !(s.MinScore >= 0 && isFinite(s.MinScore)) {
				return fmt.Errorf("%v, want a finite number, 0 or more", s.MinScore)
			}
			return nil
		},
	},
}

// SearchFields returns the fields of [Search].
func SearchFields() []SearchField { return slices.Clone(searchFields) }

func atMost(v, most int, what string) error {
	if v < 0 || v > most {
		return fmt.Errorf("%d, want 0 to "+what, v, most)
	}
	return nil
}

// Values returns the field's numbers. All are 0 if the field is not set.
func (f *SearchField) Values(s *Search) []float64 {
	if f.ints != nil {
		return []float64{float64(*f.ints(s))}
	}
	var all []float64
	for _, p := range f.numbers(s) {
		all = append(all, *p)
	}
	return all
}

// Is reports whether the field is set: whether any of its numbers is not 0.
func (f *SearchField) Is(s *Search) bool {
	return slices.ContainsFunc(f.Values(s), func(v float64) bool { return v != 0 })
}

// Set sets the field from the text of a flag: numbers separated by commas, or 0 for all
// of them.
func (f *SearchField) Set(s *Search, text string) error {
	if f.ints != nil {
		v, err := strconv.Atoi(text)
		if err != nil {
			return errors.New("want a whole number")
		}
		*f.ints(s) = v
		return nil
	}
	to, parts := f.numbers(s), strings.Split(text, ",")
	if len(to) > 1 && text == "0" {
		parts = slices.Repeat(parts, len(to))
	}
	if len(parts) != len(to) {
		return fmt.Errorf("want %d numbers with commas between, or 0", len(to))
	}
	for i, p := range to {
		v, err := strconv.ParseFloat(parts[i], 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", parts[i])
		}
		if f.Percent {
			v /= 100
		}
		*p = v
	}
	return nil
}

// About returns the field's Fact with its numbers.
func (f *SearchField) About(s *Search) string {
	var args []any
	for _, v := range f.Values(s) {
		switch {
		case f.ints != nil:
			args = append(args, int(v))
		case f.Percent:
			args = append(args, 100*v)
		default:
			args = append(args, v)
		}
	}
	return fmt.Sprintf(f.Fact, args...)
}

// append appends the field's numbers as in native files.
func (f *SearchField) append(b []byte, s *Search) []byte {
	if f.ints != nil {
		return appendInts(b, *f.ints(s))
	}
	return appendFloat64s(b, f.numbers(s)...)
}

// A SearchError is an invalid setting.
type SearchError struct {
	Field SearchField
	Err   error // the value, and what is wanted
}

func (e *SearchError) Error() string { return e.Field.Name + " " + e.Err.Error() }
func (e *SearchError) Unwrap() error { return e.Err }
