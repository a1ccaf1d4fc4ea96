package report

import (
	"errors"
	"fmt"
	"image"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/train"
)

// A Run is a training that has ended, or one so far. Any part may be missing,
// and the report then omits it.
type Run struct {
	Name    string           // of the cascade, for the title
	Cascade *cascade.Cascade // nil if there is no weak classifier yet
	Ended   string           // why it ended, as the end of a sentence: train.Reason's String
	Steps   []train.Step

	// Times[i] is how long Steps[i] took, mining included. 0 means unknown, as
	// for steps before a resumed run; Times may be shorter than Steps. Spent is
	// the time of the whole training.
	Times []time.Duration
	Spent time.Duration

	// Positives and Validation are the windows of train.Data. Negatives are
	// those of the last step, which State.Negatives returns. All have the
	// cascade's size.
	Positives, Validation, Negatives []*image.Gray

	Program  string         // name and version of the trainer
	Command  string         // repeats the run
	Settings map[string]any // every setting by its name, with defaults filled in
	Data     []Data
	Notes    []string // notes for the reader
}

// Data identifies a set of data.
type Data struct {
	Role   string // "positives", "validation", "backgrounds", "validation backgrounds"
	Names  []string
	Count  int
	SHA256 string // over names and pixels
}

// ErrRun is wrapped by errors about invalid runs.
var ErrRun = errors.New("report: bad run")

func (r *Run) check() error {
	if r.Cascade != nil {
		if err := r.Cascade.Check(); err != nil {
			return fmt.Errorf("%w: %w", ErrRun, err)
		}
	}
	for _, set := range []struct {
		what    string
		windows []*image.Gray
	}{{"positive", r.Positives}, {"validation window", r.Validation}, {"negative", r.Negatives}} {
		for i, w := range set.windows {
			if w == nil {
				return fmt.Errorf("%w: %s %d is nil", ErrRun, set.what, i)
			}
			first := set.windows[0].Rect.Size()
			if r.Cascade != nil {
				first = image.Pt(r.Cascade.Width, r.Cascade.Height)
			}
			if w.Rect.Size() != first {
				return fmt.Errorf("%w: %s %d has %dx%d pixels, want %dx%d as the cascade's window", ErrRun, set.what, i, w.Rect.Dx(), w.Rect.Dy(), first.X, first.Y)
			}
		}
	}
	return nil
}
