package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
)

// A searchChange changes a model's search by flags: those of
// [cascade.SearchFields] except -min-score, which calibrate has itself, since
// scores become probabilities.
type searchChange []func(*cascade.Search) error

func (v *searchChange) declare(f *cli.Flags) {
	f.Group("How the model is searched (as before, if not given)")
	for _, field := range cascade.SearchFields() {
		if field.Flag == "min-score" {
			continue
		}
		f.Func(field.Flag, field.Usage, func(text string) error {
			*v = append(*v, func(s *cascade.Search) error { return field.Set(s, text) })
			return field.Set(&cascade.Search{}, text)
		})
		if field.Was != field.Flag {
			f.Old(field.Flag, field.Was)
		}
	}
}

// apply changes m, and checks it.
func (v searchChange) apply(m *cascade.Cascade) error {
	for _, change := range v {
		if err := change(&m.Search); err != nil {
			return cli.Usage(err)
		}
	}
	var wrong *cascade.SearchError
	if err := m.Search.CheckFor(m); errors.As(err, &wrong) {
		return cli.Usagef("-%s: %v", wrong.Field.Flag, wrong.Err)
	}
	if err := m.Check(); err != nil {
		return cli.Usage(err)
	}
	return nil
}

// setFloats parses numbers separated by commas, or 0 for all of them.
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
