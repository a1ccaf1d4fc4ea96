package searchopts

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func find(name string) *Option {
	return All[slices.IndexFunc(All, func(o *Option) bool { return o.Name == name })]
}

// The library for C, and the package for Python over it, have the same options.
func TestLibraryHasTheOptions(t *testing.T) {
	header := must.Get(os.ReadFile("../../capi/haarlem.h"))
	python := must.Get(os.ReadFile("../../python/haarlem/_library.py"))
	for _, o := range All {
		for field := range strings.SplitSeq(o.C, ", ") {
			if field == "" {
				continue
			}
			if !regexp.MustCompile(`(?m)^\s+\w+ (\w+, )*` + field + `\b`).Match(header) {
				t.Errorf("haarlem.h has no field %s for -%s", field, o.Name)
			}
			if !strings.Contains(string(python), `("`+field+`", `) {
				t.Errorf("_library.py has no field %s for -%s", field, o.Name)
			}
		}
	}
}

func TestValues(t *testing.T) {
	for name, texts := range map[string]struct{ good, bad string }{
		"min-size": {"40 40x60 40X60", "0 40x x -1 2x0"}, "max-size": {"1", "1x"}, "min-score": {"-2 0.5", "x NaN 1e999"}, "rotate": {"any 0,-20,360", "361 x 0,,1"},
		"enlarge": {"1 8", "0 9"}, "scale": {"1.0001 10", "1 0 11"}, "min-neighbors": {"-1 0 5", "-2 1.5"}, "pad": {"0 50", "51 -1"},
	} {
		for _, text := range strings.Fields(texts.good) {
			if err := find(name).Set(new(Values), text, &Usual); err != nil {
				t.Errorf("%s %s: %v", name, text, err)
			}
		}
		for _, text := range strings.Fields(texts.bad) {
			if err := find(name).Set(new(Values), text, &Usual); err == nil || !strings.Contains(err.Error(), "want") {
				t.Errorf("%s %s: %v", name, text, err)
			}
		}
	}
	var v Values
	for name, text := range map[string]string{"min-size": "50", "max-size": "40"} {
		_ = find(name).Set(&v, text, &Usual) // as above
	}
	if v.Check() == nil {
		t.Error("50 is not larger than 40")
	}
}
