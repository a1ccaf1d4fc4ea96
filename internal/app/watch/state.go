package watch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"haarlem/internal/train/report"
)

// StateFile is the name of the state's file in a training's folder.
const StateFile = "progress.json"

// ReportFile is the name of the report in a training's folder.
const ReportFile = "report.html"

// A State is how far a training is.
type State struct {
	Name  string `json:"name"`
	Doing string `json:"doing,omitempty"` // what it does now, for people
	Ended string `json:"ended,omitempty"` // why it ended; empty while it runs

	Goal int     `json:"goal"` // number of stages, or of weak classifiers
	Unit string  `json:"unit"` // what the goal counts: "stages" or "weak classifiers"
	Done float64 `json:"done"` // fraction of the goal

	// The step that is made now, from 1.
	Step              int     `json:"step"`
	Weak              int     `json:"weak"`  // weak classifiers of the cascade, with this step's
	Round             int     `json:"round"` // of this step
	HitRate           float64 `json:"hitRate"`
	FalsePositiveRate float64 `json:"falsePositiveRate"`
	Pictures          int     `json:"pictures"` // searched for negatives
	Found             int     `json:"found"`    // hard negatives in them

	Seconds float64    `json:"seconds"`        // of all runs
	Left    [2]float64 `json:"left,omitzero"`  // seconds that it may take still, from and to; zeros: unknown
	Memory  int64      `json:"memory"`         // bytes in use
	Peak    int64      `json:"peak"`           // most bytes in use, in this run
	Limit   int64      `json:"limit,omitzero"` // bytes that it may use
	Steps   []Step     `json:"steps"`          // that are made
}

// A Step is a stage, or a part of a soft cascade.
type Step struct {
	Weak              int      `json:"weak"` // weak classifiers of the cascade after it
	HitRate           float64  `json:"hitRate"`
	Validation        *float64 `json:"validation,omitempty"` // hit rate
	FalsePositiveRate float64  `json:"falsePositiveRate"`
	Pictures          int      `json:"pictures"`
	Found             int      `json:"found"`
	Negatives         int      `json:"negatives"`
	Seconds           float64  `json:"seconds,omitzero"` // 0: unknown
	Mining            float64  `json:"mining,omitzero"`  // seconds of these

	Curve *report.Curve `json:"curve,omitempty"` // after it
}

// Limits of a file.
const (
	maxBytes  = 16 << 20
	maxSteps  = 100000
	maxPoints = 1000 // of a curve
)

// ErrState is wrapped by errors about what is no state.
var ErrState = errors.New("watch: no state of a training")

// Read reads a state.
func Read(r io.Reader) (*State, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrState, maxBytes)
	}
	s := &State{}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	if s.Steps == nil {
		s.Steps = []Step{}
	}
	if len(s.Steps) > maxSteps {
		return nil, fmt.Errorf("%w: %d steps, want at most %d", ErrState, len(s.Steps), maxSteps)
	}
	for i := range s.Steps {
		if c := s.Steps[i].Curve; c != nil && len(c.Points) > maxPoints {
			return nil, fmt.Errorf("%w: step %d has a curve of %d points, want at most %d", ErrState, i+1, len(c.Points), maxPoints)
		}
	}
	return s, nil
}

// Write writes a state.
func (s *State) Write(w io.Writer) error {
	v := *s
	if v.Steps == nil {
		v.Steps = []Step{} // no null for readers in other languages
	}
	return json.NewEncoder(w).Encode(&v)
}
