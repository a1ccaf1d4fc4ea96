package cascade

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Search says how a cascade is searched. Zero is the default of every field, and
// what OpenCV does. Cascade.Search is what the cascade was made for; a search in
// another way has a copy that was edited.
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

	// InterLevel says that not all levels of the pyramid are searched densely, only
	// so many that they are at most a factor of 1.25 apart. On the levels between,
	// the nine windows are searched that are nearest to a window of the grid that
	// passes so many exits on one of the two levels next to them. 0 means that all
	// levels are searched densely.
	InterLevel int `json:"interLevel,omitzero"`

	// DenseFrom is the factor from which all levels are searched densely
	// nevertheless: the largest levels take most of the time. 0 means that there is
	// no such factor.
	DenseFrom float64 `json:"denseFrom,omitzero"`

	// Pad is how much of a window may lie beyond the edge of the image, as a share
	// of its width and height, at most a half: objects that the edge cuts are found
	// by the part that is there. Pixels beyond the edge are those at the edge.
	Pad float64 `json:"pad,omitzero"`

	// ScaleBias is the score that windows begin with, by the level they are on.
	// Only for a score that runs on.
	ScaleBias ScaleBias `json:"scaleBias,omitzero"`

	// PrefilterFrom is the factor from which levels are made from the image halved,
	// so often that less than the factor is left for scaling; more than 1. Halving
	// averages two by two pixels, where scaling skips pixels. 0 means that no level
	// is.
	PrefilterFrom float64 `json:"prefilterFrom,omitzero"`

	// MinCandidates is how many candidates a detection needs. 0 means 4, OpenCV's
	// default.
	MinCandidates int `json:"minCandidates,omitzero"`

	// MinScore is the lowest score of a detection. 0 means that any will do.
	MinScore float64 `json:"minScore,omitzero"`
}

// A ScaleBias makes a cascade more lenient on small levels. A level that is scaled
// down by s has 1/s^2 of the windows of the largest one, and about as many objects,
// so leniency costs little there. A window on it begins with PerOctave times the
// binary logarithm of s/From, but with Most at most and with -Most at least, rounded
// to a multiple of 1/256. Zero means that all windows begin with 0; otherwise all
// three are positive.
type ScaleBias struct {
	PerOctave float64 `json:"perOctave"`
	From      float64 `json:"from"`
	Most      float64 `json:"most"`
}

// ScaleBiasBits says that biases are multiples of 1<<-ScaleBiasBits.
const ScaleBiasBits = 8

// At returns the bias on a level that is scaled down by factor.
func (h ScaleBias) At(factor float32) float64 {
	if h == (ScaleBias{}) {
		return 0
	}
	v := min(max(float64(h.PerOctave*math.Log2(float64(factor)/h.From)), -h.Most), h.Most)
	return math.Ldexp(math.RoundToEven(math.Ldexp(v, ScaleBiasBits)), -ScaleBiasBits)
}

// A SearchField is a field of [Search]: what readers, writers, checks, command lines
// and pages know of it.
type SearchField struct {
	Name  string // the field's
	Key   string // in a model file of ours
	Flag  string // on command lines
	Was   string // its flag's name before, which still works; may be Flag
	Usage string // of the flag, whose value stands in backquotes
	Fact  string // what to tell of a model that has it: a format of its numbers
	Title string // of the fact

	// Percent says that people write a hundred times the number.
	Percent bool

	since, readIn int  // see headLine
	opencv        bool // OpenCV's files leave it out, since what they find does not depend on it

	ints    func(*Search) *int // nil if it has others
	numbers func(*Search) []*float64
	check   func(*Search, searched) error
}

// searched is what bounds of settings depend on.
type searched struct {
	side  int // the window's smaller one
	exits int
	soft  error // why no score runs on through all exits; nil if one does
}

// Bounds of settings.
const (
	maxPad        = 0.5
	maxCandidates = 1000000 // that a detection needs
)

// searchFields are all fields, in the order of a file.
var searchFields = []SearchField{
	{
		Name: "Stride", Key: "stride", Flag: "stride", Was: "stride", since: version1, readIn: version1,
		Usage: "step between detection windows, `N` pixels of a level; 0 for OpenCV's rule",
		Title: "stride", Fact: "%d pixels from window to window, on all levels",
		ints:  func(s *Search) *int { return &s.Stride },
		check: func(s *Search, of searched) error { return atMost(s.Stride, of.side, "the window's %d") },
	},
	{
		Name: "RefineX", Key: "nearby", Flag: "refine-x", Was: "nearby", since: version2, readIn: version2,
		Usage: "with a stride of 2, also try the windows left and right of one that passes `N` exits; 0 for none",
		Title: "refine x", Fact: "windows one pixel to the left and right are searched too, of those that pass the first %d exits",
		ints:  func(s *Search) *int { return &s.RefineX },
		check: func(s *Search, of searched) error { return atMost(s.RefineX, of.exits, "the %d exits") },
	},
	{
		Name: "RefineY", Key: "around", Flag: "refine-y", Was: "around", since: version2, readIn: version2,
		Usage: "with a stride of 2, also try the six windows above and below one that passes `N` exits; 0 for none",
		Title: "refine y", Fact: "the six windows one pixel above and below are searched too, of those that pass the first %d exits",
		ints:  func(s *Search) *int { return &s.RefineY },
		check: func(s *Search, of searched) error { return atMost(s.RefineY, of.exits, "the %d exits") },
	},
	{
		Name: "InterLevel", Key: "between", Flag: "inter-level", Was: "between", since: version2, readIn: version2,
		Usage: "skip pyramid levels, and try them only near a window that passes `N` exits; 0 searches all levels",
		Title: "inter level", Fact: "only so many levels are searched densely that these are at most a factor of 1.25 apart; on the others, nine windows near each that passes the first %d exits on those",
		ints:  func(s *Search) *int { return &s.InterLevel },
		check: func(s *Search, of searched) error { return atMost(s.InterLevel, of.exits, "the %d exits") },
	},
	{
		Name: "DenseFrom", Key: "between-below", Flag: "dense-from", Was: "between-below", since: version2, readIn: version2,
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
		Name: "Pad", Key: "pad", Flag: "pad", Was: "pad", Percent: true, since: version2, readIn: version2,
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
		Name: "ScaleBias", Key: "head-start", Flag: "scale-bias", Was: "head-start", since: version3, readIn: version2,
		Usage: "start scores by scale, `P,F,M`: P for each octave that the level is scaled down beyond F, but M at most and -M at least; 0 for none",
		Title: "scale bias", Fact: "scores begin with %g for each time that the level is scaled down by 2 more than by %g, and with %g at most",
		numbers: func(s *Search) []*float64 {
			return []*float64{&s.ScaleBias.PerOctave, &s.ScaleBias.From, &s.ScaleBias.Most}
		},
		check: func(s *Search, of searched) error {
			h := s.ScaleBias
			if h == (ScaleBias{}) {
				return nil
			}
			if !(h.PerOctave > 0 && isFinite(h.PerOctave) && h.From > 0 && isFinite(h.From) && h.Most > 0 && h.Most <= maxLeaf) {
				return fmt.Errorf("%v an octave from a factor of %v on, %v at most: want three numbers above 0, and at most %d", h.PerOctave, h.From, h.Most, maxLeaf)
			}
			return of.soft
		},
	},
	{
		Name: "PrefilterFrom", Key: "halve", Flag: "prefilter-from", Was: "halve", since: version3, readIn: version2,
		Usage: "make pyramid levels scaled down by `FACTOR` or more from the halved image, which removes noise; 0 for none",
		Title: "prefilter from", Fact: "levels scaled down by %g and more are made from the picture halved, so often that less than that is left",
		numbers: func(s *Search) []*float64 { return []*float64{&s.PrefilterFrom} },
		check: func(s *Search, _ searched) error {
			if s.PrefilterFrom != 0 && !(s.PrefilterFrom > 1 && isFinite(s.PrefilterFrom)) {
				return fmt.Errorf("a factor of %v, want more than 1, or 0", s.PrefilterFrom)
			}
			return nil
		},
	},
	{
		Name: "MinCandidates", Key: "support", Flag: "min-candidates", Was: "support", opencv: true, since: version1, readIn: version1,
		Usage: "least `N` candidates of a detection; 0 for OpenCV's 4",
		Title: "min candidates", Fact: "%d or more windows side by side make a detection, unless told otherwise",
		ints:  func(s *Search) *int { return &s.MinCandidates },
		check: func(s *Search, _ searched) error { return atMost(s.MinCandidates, maxCandidates, "%d") },
	},
	{
		Name: "MinScore", Key: "score", Flag: "min-score", Was: "min-score", opencv: true, since: version1, readIn: version1,
		Usage: "least `SCORE` of a detection; 0 for any",
		Title: "min score", Fact: "%g, what a detection needs unless told otherwise",
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

// Values returns the field's numbers; all are 0 if it is left out.
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

// Is reports whether s has the field: whether any of its numbers is not 0.
func (f *SearchField) Is(s *Search) bool {
	return slices.ContainsFunc(f.Values(s), func(v float64) bool { return v != 0 })
}

// Set sets the field to what people write: numbers with commas between, or 0 for
// all of them.
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

// About is the field's Fact with its numbers.
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

// append appends the field's numbers as files have them.
func (f *SearchField) append(b []byte, s *Search) []byte {
	if f.ints != nil {
		return appendInts(b, *f.ints(s))
	}
	return appendFloat64s(b, f.numbers(s)...)
}

// A SearchError is a setting that cannot be.
type SearchError struct {
	Field SearchField
	Err   error // which value there is, and what is wanted
}

func (e *SearchError) Error() string { return e.Field.Name + " " + e.Err.Error() }
func (e *SearchError) Unwrap() error { return e.Err }
