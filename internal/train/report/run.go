package report

import (
	"context"
	"image"
	"slices"
	"time"

	"haarlem/cascade"
	"haarlem/internal/train"
)

func restarts(c *cascade.Cascade) bool {
	return slices.ContainsFunc(c.Exits[:len(c.Exits)-1], func(e cascade.Exit) bool { return e.Restart })
}

// A Curve is how well a cascade told objects from background after a step: the hit
// rate at each number of false positives, for all values of its last threshold.
type Curve struct {
	Step       int  `json:"-"`          // from 1
	Validation bool `json:"validation"` // over validation windows; otherwise over those learned from
	HeldOut    bool `json:"heldOut"`    // and over windows of validation backgrounds; otherwise over the step's negatives, which are learned from

	// AveragePrecision is the area under the precision-recall curve where one
	// background window in a million would be an object, about one in a photograph.
	AveragePrecision float64 `json:"averagePrecision"`

	// Points are false positives, as a fraction of all background windows, and hit rate.
	Points [][2]float64 `json:"points"`
}

// A Run is a training that has ended, or one so far. Any part may be missing,
// and the report then omits it.
type Run struct {
	Name    string           // of the cascade, for the title
	Cascade *cascade.Cascade // nil if there is no weak classifier yet
	Ended   string           // why it ended, as the end of a sentence: train.Reason's String; empty while it runs
	Goal    string           // "15 stages", "500 weak classifiers"
	Left    string           // while it runs: how much longer it may take, such as "4m to 6m"
	Steps   []train.Step

	// Times[i] is how long Steps[i] took, of which Mining[i] for searching negatives.
	// 0 means unknown, as for steps before a resumed run; both may be shorter than
	// Steps. Spent is the time of the whole training.
	Times, Mining []time.Duration
	Spent         time.Duration
	Memory        int64 // most bytes in use; 0 means unknown

	// Curves are what [Run.Measure] gave after each step, as far as known.
	Curves []Curve

	// Positives and Validation are the windows of train.Data. Negatives are
	// those of the last step, and HeldOut the windows of validation backgrounds
	// that passed the cascade before it, as HeldOutRate of them did: see
	// train.Snapshot. All have the cascade's size.
	Positives, Validation, Negatives, HeldOut Set
	HeldOutRate                               float64

	// Most bounds the windows of a set that are scored; a larger set is sampled
	// evenly. 0 means 20000.
	Max     int
	Workers int // 0 means GOMAXPROCS

	Program  string         // name and version of the trainer
	Command  string         // repeats the run
	Settings map[string]any // every setting by its name, with defaults filled in
	Data     []Data
	Notes    []string // notes for the reader

	sets *sets // scored windows
}

// A Set is windows, and where each is from.
type Set struct {
	Windows []*image.Gray
	From    func(i int) Origin // nil if unknown
}

// An Origin says where a window is from. Each part may be unknown.
type Origin struct {
	File   string
	Object int             // number in the picture, from 1; 0 if there is one or it is unknown
	Box    image.Rectangle // in the picture
}

// Data identifies a set of data.
type Data struct {
	Role   string // "positives", "validation", "backgrounds", "validation backgrounds"
	Names  []string
	Count  int
	SHA256 string // over names and pixels
}

// sets are the scored windows of a run.
type sets struct {
	positives, validation, negatives, heldOut []scored
}

// scored returns the scores of all windows. r has a cascade.
func (r *Run) scored(ctx context.Context) (*sets, error) {
	if r.sets != nil {
		return r.sets, nil
	}
	s := &sets{}
	for _, one := range []struct {
		windows []*image.Gray
		into    *[]scored
	}{{r.Positives.Windows, &s.positives}, {r.Validation.Windows, &s.validation}, {r.Negatives.Windows, &s.negatives}, {r.HeldOut.Windows, &s.heldOut}} {
		var err error
		if *one.into, err = score(ctx, r.Cascade, one.windows, r.Max, r.Workers, !restarts(r.Cascade)); err != nil {
			return nil, err
		}
	}
	r.sets = s
	return s, nil
}
