package search

import (
	"fmt"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/models/facebox"
)

// doubtful is the score that is enough to hide what may be a face.
const doubtful = 0.1

// Open opens a model, or the default if the name is empty, with the settings that flags
// ask for.
func (v *Flags) Open(model string) (*cascade.Cascade, error) {
	m, err := OpenModel(model)
	if err != nil {
		return nil, err
	}
	own := m.Search.MinScore
	m = v.tuned(m)
	if m.Calibration != nil {
		if v.Given("min-score") {
			own = v.values.MinScore
		}
		v.Strong = max(v.Strong, own)
		if v.Weak {
			m.Search.MinScore = min(own, doubtful)
		}
	}
	return m, nil
}

// Framing returns what -box asks for, for the cascade that Open returned.
func (v *Flags) Framing(c *cascade.Cascade) (cascade.Framing, error) {
	if v.box == "" { // a command without -box
		return cascade.Framing{}, nil
	}
	box, err := facebox.Parse(v.box)
	if err != nil {
		return cascade.Framing{}, cli.Usage(err)
	}
	f, err := box.Framing(c)
	if err != nil {
		return f, cli.Usage(fmt.Errorf("-box: %w", err))
	}
	return f, nil
}

// tuned is a copy of a model with the settings that flags ask for.
func (v *Flags) tuned(m *cascade.Cascade) *cascade.Cascade {
	tuned := *m
	if v.Hides {
		tuned.Search.MinScore = min(m.Search.MinScore, doubtful)
	}
	v.values.Edit(&tuned.Search)
	return &tuned
}
