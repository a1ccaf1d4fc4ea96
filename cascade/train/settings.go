package train

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"time"

	"haarlem/cascade"
	"haarlem/haar"
)

// Shape is where a cascade's exits stand.
type Shape uint8

const (
	// Staged has classical stages: an exit behind each, and a score that
	// starts again. OpenCV knows no other shape. The default.
	Staged Shape = iota
	// Chain has stages whose score goes on: each inherits what the ones before
	// it found out.
	Chain
	// Soft has an exit behind every weak learner.
	Soft
)

var shapeNames = [...]string{"staged", "chain", "soft"}

// String returns the name that a command line has.
func (s Shape) String() string { return nameOf(shapeNames[:], int(s), "Shape") }

// ParseShape is the inverse of String.
func ParseShape(name string) (Shape, error) {
	i, err := parse(shapeNames[:], name, "shape")
	return Shape(i), err
}

// Weak is a family of weak learners.
type Weak uint8

const (
	// Trees of depth Settings.Depth; 1 are stumps. The default.
	Trees Weak = iota
	// Histograms have an answer for each of Settings.Bins bins of a feature.
	Histograms
)

var weakNames = [...]string{"tree", "histogram"}

// String returns the name that a command line has.
func (w Weak) String() string { return nameOf(weakNames[:], int(w), "Weak") }

// ParseWeak is the inverse of String; "stump" is a tree of depth 1.
func ParseWeak(name string) (Weak, error) {
	if name == "stump" {
		return Trees, nil
	}
	i, err := parse(weakNames[:], name, "weak learner")
	return Weak(i), err
}

// Booster is an algorithm of the boosting family, by OpenCV's names where it
// has one.
type Booster uint8

const (
	GAB   Booster = iota // GentleBoost. The default
	DAB                  // Discrete AdaBoost
	RAB                  // Real AdaBoost
	LB                   // LogitBoost
	ADR                  // AdaBoost_R
	FLOAT                // FloatBoost on Real AdaBoost's steps
)

var boosterNames = [...]string{"GAB", "DAB", "RAB", "LB", "ADR", "FLOAT"}

// String returns the name that a command line has.
func (b Booster) String() string { return nameOf(boosterNames[:], int(b), "Booster") }

// ParseBooster is the inverse of String.
func ParseBooster(name string) (Booster, error) {
	i, err := parse(boosterNames[:], name, "booster")
	return Booster(i), err
}

// ErrSettings is what errors about impossible settings wrap.
var ErrSettings = errors.New("train: bad settings")

func nameOf(names []string, i int, kind string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

func parse(names []string, name, what string) (int, error) {
	for i, n := range names {
		if n == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%w: %s %q is unknown; there are %v", ErrSettings, what, name, names)
}

// Settings says what to train. A nil *Settings and the zero value mean the
// same: every field's default.
type Settings struct {
	Name          string // of the cascade
	Width, Height int    // window in pixels. 0 means 24
	Kind          cascade.Kind
	Set           haar.Set // of Haar features. The default is Basic

	// MinStdDev is the contrast gate of a Haar cascade. 0 means 10 for a
	// staged one, which is OpenCV's, and 2 for the others. LBP has none.
	MinStdDev float64

	// PrefilterFrom is the cascade's, whose windows are what is learnt from: those of
	// backgrounds are as smooth then as those that it will see. Not for a staged
	// one, since OpenCV halves nothing.
	PrefilterFrom float64

	Shape   Shape
	Booster Booster
	Weak    Weak
	Depth   int     // of trees. 0 means 1
	Bins    int     // of histograms, 8 or 16. 0 means 16
	Smooth  float64 // added to both weights of a histogram's bin by Real AdaBoost. 0 means 1e-4

	// Staged and Chain: the number of stages, the goals of each, and the most
	// weak learners that it may have. 0 means 20, 0.995, 0.5 and 100.
	Stages         int
	HitRate        float64
	FalseAlarmRate float64
	MaxWeak        int

	// AcceptanceBreak ends the training when the share of the background
	// windows that still pass is at most that. 0 means FalseAlarmRate to the
	// power of Stages for Staged and Chain, and never for Soft.
	AcceptanceBreak float64

	// Soft: the number of weak learners, and the share of the positives that
	// may be lost by all exits together. 0 means 500 and 0.03. By weak learner n
	// of N, Loss times (log(1+n/2) / log(1+N/2)) to the power of LossPower may
	// be lost; 0 means 1, and less than 1 spends more of it early, where it
	// makes a cascade fast.
	Rounds    int
	Loss      float64
	LossPower float64

	// Trim is the share of the weight that a search for a weak learner may
	// leave out. 0 means 0.05 and -1 none.
	Trim float64

	// Cost says how many times worse a missed positive is than a false alarm.
	// 0 means 1.
	Cost float64

	// Negatives is how many background windows a stage learns from. 0 means as
	// many as there are positives.
	Negatives int

	// Turns is in how many ways each background is looked at: 2 stands it on its
	// head as well, 4 takes all quarter turns, and 8 mirrors these. 0 means 1.
	// Late in a training that many times as many windows are left to learn
	// from. A search first looks at every background in one of its turns, the
	// next search in another; it looks at more of them at once only for a stage
	// that would have less than Negatives, or where a run would have to end.
	Turns int

	// Features is how many features are looked at: in a staged cascade drawn
	// once, otherwise anew whenever negatives are. 0 means all, or 16,000 of a
	// soft cascade. Share is the share of them that each weak learner chooses
	// from. 0 means 1.
	Features int
	Share    float64

	// Memory is about how many bytes may be in use. 0 means 4 GiB. Features
	// are sampled if all of them are too many for it. A training that is resumed
	// may have another Memory; it goes on with as many features as it began with.
	Memory int64

	// Time bounds the training: no new round begins after it. 0 means no bound.
	// Of a training that is resumed it bounds all runs together.
	// A run that was ended so can be repeated only with Rounds or Stages as the
	// result has them.
	Time time.Duration

	// Workers is how many goroutines work. 0 means GOMAXPROCS. The result does
	// not depend on it.
	Workers int

	// Seed decides what is drawn by lot.
	Seed uint64

	// Object is copied into the cascade: what it is to find, for messages.
	Object cascade.Object

	// Provenance is copied into the cascade; Seed is set.
	Provenance cascade.Provenance
}

// WithDefaults returns the settings with every default in its place, or what is
// impossible about them. Negatives, AcceptanceBreak and Features stay 0 where
// their default depends on the data.
func (s *Settings) WithDefaults() (Settings, error) {
	var v Settings
	if s != nil {
		v = *s
	}
	def := func(p *int, n int) {
		if *p == 0 {
			*p = n
		}
	}
	deff := func(p *float64, x float64) {
		if *p == 0 {
			*p = x
		}
	}
	def(&v.Width, 24)
	def(&v.Height, 24)
	if v.Kind == 0 {
		v.Kind = cascade.Haar
	}
	if v.Kind == cascade.LBP {
		v.MinStdDev = 0 // its codes do not mind the contrast
	} else if v.Shape == Staged {
		deff(&v.MinStdDev, 10)
	} else {
		deff(&v.MinStdDev, 2)
	}
	def(&v.Depth, 1)
	def(&v.Bins, 16)
	deff(&v.Smooth, 1e-4)
	def(&v.Stages, 20)
	deff(&v.HitRate, 0.995)
	deff(&v.FalseAlarmRate, 0.5)
	def(&v.MaxWeak, 100)
	def(&v.Rounds, 500)
	deff(&v.Loss, 0.03)
	deff(&v.LossPower, 1)
	deff(&v.Trim, 0.05)
	deff(&v.Cost, 1)
	if v.Shape == Soft {
		def(&v.Features, 16000)
	}
	deff(&v.Share, 1)
	def(&v.Turns, 1)
	if v.Memory == 0 {
		v.Memory = 4 << 30
	}
	def(&v.Workers, runtime.GOMAXPROCS(0))
	bad := func(format string, args ...any) (Settings, error) {
		return Settings{}, fmt.Errorf("%w: %s", ErrSettings, fmt.Sprintf(format, args...))
	}
	switch {
	case v.Width < 3 || v.Height < 3 || v.Width > 256 || v.Height > 256:
		return bad("window %dx%d, want 3 to 256 on each side", v.Width, v.Height)
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
		return bad("LBP features have no histograms: their weak learners are subsets of codes")
	case v.Kind == cascade.LBP && v.Depth > 1:
		return bad("LBP features have weak learners of one node, not of depth %d", v.Depth)
	case v.MinStdDev < 0 || v.MinStdDev >= 127.5:
		return bad("MinStdDev %v, want 0 to less than 127.5", v.MinStdDev)
	case v.PrefilterFrom != 0 && !(v.PrefilterFrom > 1 && v.PrefilterFrom <= math.MaxFloat64):
		return bad("levels of a factor of %v and more are made of halved pictures: want more than 1, or 0", v.PrefilterFrom)
	case v.PrefilterFrom != 0 && v.Shape == Staged:
		return bad("a staged cascade is for OpenCV, which halves no pictures")
	case v.Depth < 1 || v.Depth > 8:
		return bad("depth %d, want 1 to 8", v.Depth)
	case v.Bins != 8 && v.Bins != 16:
		return bad("%d bins, want 8 or 16", v.Bins)
	case v.Weak == Histograms && v.Booster == DAB:
		return bad("DAB wants answers of -1 and +1, which histograms do not give: use RAB or GAB")
	case !(v.Smooth > 0 && v.Smooth <= 1):
		return bad("Smooth %v, want more than 0, at most 1", v.Smooth)
	case v.Stages < 1:
		return bad("%d stages, want at least 1", v.Stages)
	case !(v.HitRate > 0 && v.HitRate <= 1):
		return bad("minimal hit rate %v, want more than 0, at most 1", v.HitRate)
	case !(v.FalseAlarmRate > 0 && v.FalseAlarmRate < 1):
		return bad("maximal false alarm rate %v, want more than 0, less than 1", v.FalseAlarmRate)
	case v.MaxWeak < 1:
		return bad("at most %d weak learners a stage, want at least 1", v.MaxWeak)
	case v.AcceptanceBreak >= 1:
		return bad("acceptance ratio to break at %v, want less than 1", v.AcceptanceBreak)
	case v.Rounds < 1 || v.Rounds > 100000:
		return bad("%d rounds, want 1 to 100000", v.Rounds)
	case !(v.Loss >= 0 && v.Loss < 1):
		return bad("loss %v, want 0 or more, less than 1", v.Loss)
	case !(v.LossPower >= 0.1 && v.LossPower <= 10):
		return bad("loss power %v, want 0.1 to 10", v.LossPower)
	case v.Trim >= 1:
		return bad("trim %v, want less than 1", v.Trim)
	case !(v.Cost > 0):
		return bad("cost %v, want more than 0", v.Cost)
	case v.Negatives < 0:
		return bad("%d negatives", v.Negatives)
	case v.Turns < 1 || v.Turns > len(turnsOf):
		return bad("%d turns of the backgrounds, want 1 to %d", v.Turns, len(turnsOf))
	case v.Features < 0:
		return bad("%d features", v.Features)
	case !(v.Share > 0 && v.Share <= 1):
		return bad("share %v, want more than 0, at most 1", v.Share)
	case v.Memory < 1<<26:
		return bad("%d bytes of memory, want at least 64 MiB", v.Memory)
	case v.Workers < 1:
		return bad("%d workers, want at least 1", v.Workers)
	}
	return v, nil
}
