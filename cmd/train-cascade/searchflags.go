package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/cli"
)

// searchFlags change how a model is searched. Without one, the model keeps what
// it has.
var searchFlags = []struct {
	name, old, usage string
	set              func(m *cascade.Cascade, text string) error
}{
	{"stride", "", "step between detection windows, `N` pixels of a level; 0 for OpenCV's rule", func(m *cascade.Cascade, text string) error {
		return setInt(&m.Stride, text)
	}},
	{"refine-x", "nearby", "with a stride of 2, also try the windows left and right of one that passes `N` exits; 0 for none", func(m *cascade.Cascade, text string) error {
		return setInt(&m.Nearby, text)
	}},
	{"refine-y", "around", "with a stride of 2, also try the six windows above and below one that passes `N` exits; 0 for none", func(m *cascade.Cascade, text string) error {
		return setInt(&m.Around, text)
	}},
	{"inter-level", "between", "skip pyramid levels, and try them only near a window that passes `N` exits; 0 searches all levels", func(m *cascade.Cascade, text string) error {
		return setInt(&m.Between, text)
	}},
	{"dense-from", "between-below", "with -inter-level, skip no levels that are scaled down by `FACTOR` or more; 0 for none", func(m *cascade.Cascade, text string) error {
		return setFloats(text, &m.BetweenBelow)
	}},
	{"pad", "", "let `P` per cent of a window lie beyond the picture's edge, at most 50", func(m *cascade.Cascade, text string) error {
		err := setFloats(text, &m.Pad)
		m.Pad /= 100
		return err
	}},
	{"scale-bias", "head-start", "start scores by scale, `P,F,M`: P for each octave that the level is scaled down beyond F, but M at most and -M at least; 0 for none", func(m *cascade.Cascade, text string) error {
		return setFloats(text, &m.HeadStart.PerOctave, &m.HeadStart.From, &m.HeadStart.Most)
	}},
	{"prefilter-from", "halve", "make pyramid levels scaled down by `FACTOR` or more from the halved image, which removes noise; 0 for none", func(m *cascade.Cascade, text string) error {
		return setFloats(text, &m.Halve)
	}},
	{"min-candidates", "support", "least `N` candidates of a detection; 0 for OpenCV's 4", func(m *cascade.Cascade, text string) error {
		return setInt(&m.Support, text)
	}},
}

// A searchChange is what the flags change of a model's search.
type searchChange []func(*cascade.Cascade) error

func (v *searchChange) declare(f *cli.Flags) {
	f.Group("How the model is searched (as before, if not given)")
	for _, s := range searchFlags {
		f.Func(s.name, s.usage, func(text string) error {
			*v = append(*v, func(m *cascade.Cascade) error { return s.set(m, text) })
			return s.set(&cascade.Cascade{}, text)
		})
		if s.old != "" {
			f.Old(s.name, s.old)
		}
	}
}

// apply changes m, and checks it.
func (v searchChange) apply(m *cascade.Cascade) error {
	for _, change := range v {
		if err := change(m); err != nil {
			return cli.Usage(err)
		}
	}
	if err := m.Check(); err != nil {
		return cli.Usage(err)
	}
	return nil
}

func setInt(to *int, text string) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("want a whole number")
	}
	*to = n
	return nil
}

// setFloats sets numbers to those of a text, with commas between, or all to 0 if
// it is that.
func setFloats(text string, to ...*float64) error {
	parts := strings.Split(text, ",")
	if slices.Equal(parts, []string{"0"}) {
		parts = slices.Repeat(parts, len(to))
	}
	if len(parts) != len(to) {
		return fmt.Errorf("want %d numbers with commas between, or 0", len(to))
	}
	for i, p := range to {
		var err error
		if *p, err = strconv.ParseFloat(parts[i], 64); err != nil {
			return fmt.Errorf("%q is not a number", parts[i])
		}
	}
	return nil
}
