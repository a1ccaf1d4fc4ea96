package input

import (
	"errors"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/settings"
)

// A SearchChange changes a model's search by flags: those of
// [settings.All] except -min-score, which calibrate has itself, since
// scores become probabilities.
type SearchChange []func(*cascade.Search) error

func (v *SearchChange) Declare(f *cli.Flags) {
	f.Group("How the model is searched (as before, if not given)")
	for _, field := range settings.All {
		if field.Flag == "min-score" {
			continue
		}
		f.Func(field.Flag, field.Usage, func(text string) error {
			*v = append(*v, func(s *cascade.Search) error { return field.Set(s, text) })
			return field.Set(&cascade.Search{}, text)
		})
	}
}

// Apply changes m, and checks it.
func (v SearchChange) Apply(m *cascade.Cascade) error {
	for _, change := range v {
		if err := change(&m.Search); err != nil {
			return cli.Usage(err)
		}
	}
	if wrong, ok := errors.AsType[*cascade.SearchError](m.Search.CheckFor(m)); ok {
		return cli.Usagef("-%s: %v", settings.Flag(wrong.Field), wrong.Err)
	}
	if err := m.Check(); err != nil {
		return cli.Usage(err)
	}
	return nil
}
