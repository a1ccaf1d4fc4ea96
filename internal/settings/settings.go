// Package settings is the one table of what cascade.Search means to people: names of flags
// and options of requests, usage, and what pages and commands say about a model.
package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade"
)

// A Setting is a field of cascade.Search.
type Setting struct {
	Field string // its name in Go
	Flag  string // on command lines and in requests
	Usage string // of the flag, whose value stands in backquotes
	Title string // of the fact
	Fact  string // what it means for a model, as a format of its numbers

	// Percent says that flags are in per cent.
	Percent bool

	ints    func(*cascade.Search) *int // nil for a field with numbers
	numbers func(*cascade.Search) []*float64
}

// All are the settings, in the order of a file.
var All = []*Setting{
	{
		Field: "Stride", Flag: "stride",
		Usage: "step between detection windows, `N` pixels of a level; 0 for OpenCV's rule",
		Title: "stride", Fact: "%d pixels from window to window, on all levels",
		ints: func(s *cascade.Search) *int { return &s.Stride },
	},
	{
		Field: "RefineX", Flag: "refine-x",
		Usage: "with a stride of 2, also try the windows left and right of one that passes `N` exits; 0 for none",
		Title: "refine x", Fact: "the windows one pixel to the left and right of one that passes the first %d exits are evaluated too",
		ints: func(s *cascade.Search) *int { return &s.RefineX },
	},
	{
		Field: "RefineY", Flag: "refine-y",
		Usage: "with a stride of 2, also try the six windows above and below one that passes `N` exits; 0 for none",
		Title: "refine y", Fact: "the six windows one pixel above and below one that passes the first %d exits are evaluated too",
		ints: func(s *cascade.Search) *int { return &s.RefineY },
	},
	{
		Field: "InterLevel", Flag: "inter-level",
		Usage: "skip pyramid levels, and try them only near a window that passes `N` exits; 0 searches all levels",
		Title: "inter level", Fact: "levels at most a factor of 1.25 apart are searched densely; on the others, nine windows near each one there that passes the first %d exits",
		ints: func(s *cascade.Search) *int { return &s.InterLevel },
	},
	{
		Field: "DenseFrom", Flag: "dense-from",
		Usage: "with -inter-level, skip no levels that are scaled down by `FACTOR` or more; 0 for none",
		Title: "dense from", Fact: "levels scaled down by %g and more are searched densely",
		numbers: func(s *cascade.Search) []*float64 { return []*float64{&s.DenseFrom} },
	},
	{
		Field: "Pad", Flag: "pad", Percent: true,
		Usage: "let `P` per cent of a window lie beyond the picture's edge, at most 50",
		Title: "pad", Fact: "up to %g per cent of a window may lie beyond the picture's edge",
		numbers: func(s *cascade.Search) []*float64 { return []*float64{&s.Pad} },
	},
	{
		Field: "Scale", Flag: "scale-factor",
		Usage: "`FACTOR` between two levels of the image pyramid unless a search says otherwise; 0 for 1.1",
		Title: "scale factor", Fact: "levels of the image pyramid are a factor of %g apart, by default",
		numbers: func(s *cascade.Search) []*float64 { return []*float64{&s.Scale} },
	},
	{
		Field: "ScaleBias", Flag: "scale-bias",
		Usage: "start scores by scale, `P,F,M`: P for each octave that the level is scaled down beyond F, limited to -M and M; 0 for none",
		Title: "scale bias", Fact: "the initial score is %g for each octave that the level is scaled down beyond %g, limited to plus and minus %g",
		numbers: func(s *cascade.Search) []*float64 {
			return []*float64{&s.ScaleBias.PerOctave, &s.ScaleBias.From, &s.ScaleBias.Max}
		},
	},
	{
		Field: "PrefilterFrom", Flag: "prefilter-from",
		Usage: "make pyramid levels scaled down by `FACTOR` or more from the halved image, which removes noise; 0 for none",
		Title: "prefilter from", Fact: "levels scaled down by %g and more are made from the picture halved until less than that is left",
		numbers: func(s *cascade.Search) []*float64 { return []*float64{&s.PrefilterFrom} },
	},
	{
		Field: "MinCandidates", Flag: "min-candidates",
		Usage: "minimum number `N` of candidates of a detection; 0 for OpenCV's 4",
		Title: "min candidates", Fact: "%d or more candidates make a detection, by default",
		ints: func(s *cascade.Search) *int { return &s.MinCandidates },
	},
	{
		Field: "MinScore", Flag: "min-score",
		Usage: "minimum `SCORE` of a detection; 0 for any",
		Title: "min score", Fact: "a detection needs %g, by default",
		numbers: func(s *cascade.Search) []*float64 { return []*float64{&s.MinScore} },
	},
}

// Flag returns the name of a field's flag.
func Flag(field string) string {
	i := slices.IndexFunc(All, func(s *Setting) bool { return s.Field == field })
	return All[i].Flag
}

// values returns the numbers. All are 0 if the setting is not set.
func (f *Setting) values(s *cascade.Search) []float64 {
	if f.ints != nil {
		return []float64{float64(*f.ints(s))}
	}
	var all []float64
	for _, p := range f.numbers(s) {
		all = append(all, *p)
	}
	return all
}

// Is reports whether the setting is set: whether any of its numbers is not 0.
func (f *Setting) Is(s *cascade.Search) bool {
	return slices.ContainsFunc(f.values(s), func(v float64) bool { return v != 0 })
}

// Set sets it from the text of a flag: numbers separated by commas, or 0 for all of them.
func (f *Setting) Set(s *cascade.Search, text string) error {
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

// About returns the Fact with the numbers of s.
func (f *Setting) About(s *cascade.Search) string {
	var args []any
	for _, v := range f.values(s) {
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
