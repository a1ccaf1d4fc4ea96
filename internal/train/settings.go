package train

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"haarlem/cascade"
	"haarlem/haar"
)

// byGoals is the default of AcceptanceBreak.
func byGoals(s *Settings) float64 {
	if s.Shape == Soft {
		return -1
	}
	return math.Pow(s.Stages.FalsePositiveRate, float64(s.Stages.Count))
}

// Settings are the settings of a training. A nil *Settings and the zero value
// mean the same: every field's default.
type Settings struct {
	Name          string // of the cascade
	Width, Height int    // of the detection window, in pixels. 0 means 24
	Kind          cascade.Kind
	Set           haar.Set // of Haar features. The default is Basic

	// MinStdDev is the contrast gate of a Haar cascade. 0 means 10 for a
	// staged one, which is OpenCV's, and 2 for the others. LBP has none.
	MinStdDev float64

	// PrefilterFrom is the cascade's: negatives are cut from halved images, as
	// the detector will halve them. A staged cascade has none, since OpenCV
	// does not halve.
	PrefilterFrom float64

	Shape   Shape
	Booster Booster
	Weak    Weak
	Depth   int     // of trees. 0 means 1
	Bins    int     // of histograms, 8 or 16. 0 means 16
	Smooth  float64 // added to both weights of a histogram's bin by Real AdaBoost. 0 means 1e-4

	Stages StageGoals // of the shapes Staged and Chain
	Soft   SoftGoals  // of the shape Soft

	// AcceptanceBreak ends the training when at most this fraction of
	// background windows passes. 0 means the product of the goals of all stages
	// for Staged and Chain, and never for Soft.
	AcceptanceBreak float64

	// Trim is the fraction of the weight that a search for a weak learner may
	// leave out (weight trimming). 0 means 0.05 and -1 none.
	Trim float64

	// Cost is the cost of a missed positive in false positives. 0 means 1.
	Cost float64

	// Negatives is the number of background windows that a step learns from. 0
	// means as many as there are positives.
	Negatives int

	// Orientations is the number of orientations in which each background is searched:
	// 2 adds the image upside down, 4 all rotations by 90 degrees, and 8 also
	// their mirror images. 0 means 1. Late in a training this gives as many
	// times more hard negatives. One search takes every background in one
	// orientation, the next search in another; it takes several only for a
	// stage that would have fewer than Negatives, or where the training would
	// have to end.
	Orientations int

	// Features is the number of features that are searched, sampled at random:
	// once for a staged cascade, otherwise again with every search for
	// negatives. 0 means all, or 16,000 for a soft cascade. Share is the
	// fraction of them that each weak classifier chooses from. 0 means 1.
	Features int
	Share    float64

	// Memory is about the number of bytes to use. 0 means 4 GiB. If all
	// features need more, they are sampled. A resumed training may have another
	// Memory; it continues with its number of features.
	Memory int64

	// Time bounds the training: no new round begins after it. 0 means no bound.
	// For a resumed training it bounds all runs together. To repeat a training
	// that ended for this reason, set the number of rounds or stages to that of
	// the result. It does not end a soft cascade of fewer weak classifiers than MinWeak.
	Time    time.Duration
	MinWeak int

	// Workers is the number of goroutines. 0 means GOMAXPROCS. The result does
	// not depend on it.
	Workers int

	// Seed is that of all random numbers.
	Seed uint64

	// Object is copied into the cascade: what it detects, for messages.
	Object cascade.Object

	// Provenance is copied into the cascade; Seed is set.
	Provenance cascade.Provenance
}

// StageGoals are the goals of a cascade with stages.
type StageGoals struct {
	Count             int     // of stages. 0 means 20. A resumed training may have more
	HitRate           float64 // least fraction of the positives that each stage passes. 0 means 0.995
	FalsePositiveRate float64 // largest fraction of its negatives that each stage passes. 0 means 0.5
	MaxWeak           int     // most weak classifiers of a stage. 0 means 100
}

// SoftGoals are the goals of a soft cascade.
type SoftGoals struct {
	Rounds int // number of weak classifiers. 0 means 500

	// Loss is the fraction of the positives that all exits together may reject.
	// 0 means 0.03. By weak classifier n of N, Loss times
	// (log(1+n/2) / log(1+N/2)) to the power of LossPower may be spent. 0 means
	// 1; less than 1 spends more of it early, which makes a cascade faster.
	Loss, LossPower float64
}

// WithDefaults returns the settings with every default filled in, or an error
// if they are invalid. Negatives, AcceptanceBreak and Features stay 0 where
// their default depends on the data.
func (s *Settings) WithDefaults() (Settings, error) {
	v := *cmp.Or(s, &Settings{})
	v.Width = cmp.Or(v.Width, 24)
	v.Height = cmp.Or(v.Height, 24)
	v.Kind = cmp.Or(v.Kind, cascade.Haar)
	if v.Kind == cascade.LBP {
		v.MinStdDev = 0 // its codes do not depend on contrast
	} else if v.Shape == Staged {
		v.MinStdDev = cmp.Or(v.MinStdDev, 10)
	} else {
		v.MinStdDev = cmp.Or(v.MinStdDev, 2)
	}
	v.Depth = cmp.Or(v.Depth, 1)
	v.Bins = cmp.Or(v.Bins, 16)
	v.Smooth = cmp.Or(v.Smooth, 1e-4)
	v.Stages.Count = cmp.Or(v.Stages.Count, 20)
	v.Stages.HitRate = cmp.Or(v.Stages.HitRate, 0.995)
	v.Stages.FalsePositiveRate = cmp.Or(v.Stages.FalsePositiveRate, 0.5)
	v.Stages.MaxWeak = cmp.Or(v.Stages.MaxWeak, 100)
	v.Soft.Rounds = cmp.Or(v.Soft.Rounds, 500)
	v.Soft.Loss = cmp.Or(v.Soft.Loss, 0.03)
	v.Soft.LossPower = cmp.Or(v.Soft.LossPower, 1)
	v.Trim = cmp.Or(v.Trim, 0.05)
	v.Cost = cmp.Or(v.Cost, 1)
	if v.Shape == Soft {
		v.Features = cmp.Or(v.Features, 16000)
	}
	v.Share = cmp.Or(v.Share, 1)
	v.Orientations = cmp.Or(v.Orientations, 1)
	v.Memory = cmp.Or(v.Memory, 4<<30)
	v.Workers = cmp.Or(v.Workers, runtime.GOMAXPROCS(0))
	if err := v.check(); err != nil {
		return Settings{}, err
	}
	return v, nil
}

// A Number is a numeric setting and its range.
type Number struct {
	Name  string
	Value float64
	OK    bool
	Want  string
}

// Numbers are the numeric settings with their ranges, as they are: a 0 that means a
// default is out of range where no other 0 is meant.
func (s *Settings) Numbers() []Number {
	whole := func(name string, value, low, high int) Number {
		want := fmt.Sprintf("%d to %d", low, high)
		if high == math.MaxInt {
			want = fmt.Sprintf("%d or more", low)
		}
		return Number{name, float64(value), value >= low && value <= high, want}
	}
	share := func(name string, value float64) Number { // of something
		return Number{name, value, value > 0 && value <= 1, "more than 0 and at most 1"}
	}
	part := func(name string, value float64) Number { // and not the whole
		return Number{name, value, value > 0 && value < 1, "more than 0 and less than 1"}
	}
	return []Number{
		whole("Width", s.Width, 3, 256),
		whole("Height", s.Height, 3, 256),
		{"MinStdDev", s.MinStdDev, s.MinStdDev > 0 && s.MinStdDev < 127.5, "more than 0 and less than 127.5"},
		{"PrefilterFrom", s.PrefilterFrom, s.PrefilterFrom > 1 && s.PrefilterFrom <= math.MaxFloat64, "more than 1"},
		whole("Depth", s.Depth, 1, 8),
		{"Bins", float64(s.Bins), s.Bins == 8 || s.Bins == 16, "8 or 16"},
		share("Smooth", s.Smooth),
		whole("Stages.Count", s.Stages.Count, 1, 10000),
		share("Stages.HitRate", s.Stages.HitRate),
		part("Stages.FalsePositiveRate", s.Stages.FalsePositiveRate),
		whole("Stages.MaxWeak", s.Stages.MaxWeak, 1, 100000),
		whole("Soft.Rounds", s.Soft.Rounds, 1, 100000),
		part("Soft.Loss", s.Soft.Loss),
		{"Soft.LossPower", s.Soft.LossPower, s.Soft.LossPower >= 0.1 && s.Soft.LossPower <= 10, "0.1 to 10"},
		{"Cost", s.Cost, s.Cost > 0 && s.Cost <= 1e6, "more than 0 and at most 1e6"},
		whole("Negatives", s.Negatives, 2, math.MaxInt),
		whole("Orientations", s.Orientations, 1, len(orientationsInUse)),
		whole("Features", s.Features, 1, math.MaxInt),
		share("Share", s.Share),
		whole("Workers", s.Workers, 1, 4096),
	}
}

// optional are numbers that may be 0 after defaults are filled in.
var optional = []string{"MinStdDev", "PrefilterFrom", "Negatives", "Features"}

// check reports an error in settings that have their defaults.
func (v *Settings) check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrSettings, fmt.Sprintf(format, args...))
	}
	for _, n := range v.Numbers() {
		if !n.OK && !(n.Value == 0 && slices.Contains(optional, n.Name)) {
			return bad("%s is %v, want %s", n.Name, n.Value, n.Want)
		}
	}
	switch {
	case v.Kind != cascade.Haar && v.Kind != cascade.LBP:
		return bad("kind %d is unknown", v.Kind)
	case v.Set > haar.All:
		return bad("feature set %v is unknown", v.Set)
	case v.Shape > Soft:
		return bad("%v is unknown", v.Shape)
	case v.Booster > FLOAT:
		return bad("%v is unknown", v.Booster)
	case v.Weak > Histograms:
		return bad("%v is unknown", v.Weak)
	case v.Object.Check() != nil:
		return bad("object: %v", v.Object.Check())
	case v.Kind == cascade.LBP && v.Weak == Histograms:
		return bad("LBP features have no histograms: their weak classifiers are subsets of codes")
	case v.Kind == cascade.LBP && v.Depth > 1:
		return bad("LBP features have weak classifiers of one node, not of depth %d", v.Depth)
	case v.PrefilterFrom != 0 && v.Shape == Staged:
		return bad("a staged cascade is for OpenCV, which does not halve pictures")
	case v.Weak == Histograms && v.Booster == DAB:
		return bad("DAB needs outputs of -1 and +1, which histograms do not give: use RAB or GAB")
	case v.AcceptanceBreak >= 1:
		return bad("AcceptanceBreak is %v, want less than 1", v.AcceptanceBreak)
	case v.Trim >= 1:
		return bad("Trim is %v, want less than 1", v.Trim)
	case v.Memory < 1<<26:
		return bad("%d bytes of memory, want at least 64 MiB", v.Memory)
	}
	return nil
}
