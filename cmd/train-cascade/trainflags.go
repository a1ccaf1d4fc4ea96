package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/cascade/train"
	"haarlem/haar"
)

// The groups into which help parts the flags.
const (
	groupFind  = "What to find"
	groupNot   = "What not to find"
	groupModel = "The cascade"
	groupGoals = "Goals"
	groupRun   = "The run"
	groupOld   = "Of opencv_traincascade, of no use now"
)

// trainFlags are new at each call, since parsing changes them.
func trainFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "data", Category: groupRun, Usage: "folder for the cascade and what else there is to see"},
		&cli.StringFlag{Name: "name", Category: groupRun, Value: "cascade", Usage: "of the cascade, and of its files in -data"},
		&cli.StringFlag{Name: "object", Category: groupRun, Usage: "what the cascade is to find, for messages: face, or with a plural of its own bus,buses; the cascade does not say if not given"},
		&cli.BoolFlag{Name: "resume", Category: groupRun, Usage: "go on with the training in -data; flags that change the cascade must be the same as before, others (-time, -memory, -workers, -checkpoint, -note, -data-name) need not"},
		&cli.BoolFlag{Name: "force", Category: groupRun, Usage: "train anew, also if -data holds a training"},
		&cli.DurationFlag{Name: "time", Category: groupRun, Usage: "train no longer than this, as in 20m; with -resume, all runs together; without it, until the goals are met"},
		&cli.StringFlag{Name: "memory", Category: groupRun, Value: "4GiB", Usage: "use no more than about this much"},
		&cli.IntFlag{Name: "workers", Aliases: []string{"numThreads"}, Category: groupRun, Usage: "goroutines; 0 means one a core. The cascade does not depend on it"},
		&cli.Uint64Flag{Name: "seed", Category: groupRun, Value: defaultSeed, Usage: "of all that is random: the same seed gives the same cascade"},
		&cli.DurationFlag{Name: "checkpoint", Category: groupRun, Value: 3 * time.Minute, Usage: "save at least so often, beside after each stage"},
		&cli.StringFlag{Name: "note", Category: groupRun, Usage: "a text to keep in the cascade"},
		&cli.StringSliceFlag{Name: "data-name", Category: groupRun, Usage: "name of a data set and its terms, to keep in the cascade; may be repeated"},

		&cli.StringSliceFlag{Name: "truth", Category: groupFind, Usage: "labelled photographs; may be repeated"},
		&cli.StringFlag{Name: "format", Category: groupFind, Value: "auto", Usage: "of the truth files: auto, info, csv, voc, coco, yolo or landmarks"},
		&cli.StringFlag{Name: "info", Category: groupFind, Usage: "labelled photographs in OpenCV's format, info.dat"},
		&cli.StringSliceFlag{Name: "pos", Category: groupFind, Usage: "folder, list or picture (JPEG, PNG, GIF, BMP, TIFF, WebP, PNM), each picture one object; may be repeated"},
		&cli.BoolFlag{Name: "skip-unreadable", Category: groupFind, Usage: "train without files that cannot be read, of -pos, -bg and all others that bring pictures; without it they end the run before it begins, counted by what they are"},
		&cli.StringSliceFlag{Name: "vec", Category: groupFind, Usage: "windows in OpenCV's format; may be repeated"},
		&cli.IntFlag{Name: "numPos", Category: groupFind, Usage: "use at most so many windows, taken evenly from all; all if not given"},
		&cli.StringSliceFlag{Name: "where", Aliases: []string{"only"}, Category: groupFind, Usage: "COLUMN=VALUE,VALUE... of the truth: take such objects only; may be repeated"},
		&cli.IntFlag{Name: "min-size", Category: groupFind, Usage: "leave out objects that are smaller than this, in pixels of the photograph"},
		&cli.StringFlag{Name: "template", Category: groupFind, Value: "frontalface", Usage: "where landmarks go in the window: frontalface, none (boxes are used), or \"x,y x,y ...\" in shares of the window"},
		&cli.FloatFlag{Name: "margin", Category: groupFind, Usage: "enlarge boxes by this share of their size on each side"},
		&cli.IntFlag{Name: "variants", Category: groupFind, Value: 1, Usage: "windows made of each object; the first is the plain one"},
		&cli.StringSliceFlag{Name: "flip", Category: groupFind, Usage: "COLUMN=VALUE,VALUE... of the truth: mirror such objects, so that all look the same way; may be repeated"},
		&cli.BoolFlag{Name: "mirror", Category: groupFind, Usage: "each of them mirrored too"},
		&cli.StringSliceFlag{Name: "jitter", Category: groupFind, Usage: "how variants differ: none, default, press (old newspapers), or NAME=NUMBER,..., also behind one of these; if repeated, the variants are dealt out to all in turn"},
		&cli.FloatFlag{Name: "validation", Category: groupFind, Usage: "hold this share of the photographs apart: goals are to be met on them too"},
		&cli.StringSliceFlag{Name: "val-truth", Category: groupFind, Usage: "other labelled photographs for that; may be repeated"},
		&cli.StringSliceFlag{Name: "val-vec", Category: groupFind, Usage: "other windows for that; may be repeated"},

		&cli.StringSliceFlag{Name: "bg", Category: groupNot, Usage: "folder, list or picture in which the object is not; may be repeated"},
		&cli.StringSliceFlag{Name: "val-bg", Category: groupNot, Usage: "other pictures without the object, to tell the validation windows from: the training ends when it only gets better on what it has seen; may be repeated"},
		&cli.BoolFlag{Name: "stop-early", Category: groupNot, Usage: "hold as large a share of the backgrounds apart for that as -validation says"},
		&cli.StringSliceFlag{Name: "bg-truth", Category: groupNot, Usage: "labelled photographs, to be used outside their objects; may be repeated"},
		&cli.BoolFlag{Name: "use-rest", Category: groupNot, Usage: "use the photographs of -truth and -info so too"},
		&cli.IntFlag{Name: "turn-bg", Category: groupNot, Value: 1, Usage: "look at each of them in so many ways: 2 also upside down, 4 in all quarter turns, 8 these mirrored too, for trainings that run out of windows otherwise"},
		&cli.IntFlag{Name: "numNeg", Category: groupNot, Usage: "negatives of each stage; as many as positives, and at least 1000, if not given"},

		&cli.IntFlag{Name: "w", Aliases: []string{"width"}, Category: groupModel, Value: 24, Usage: "width of the window"},
		&cli.IntFlag{Name: "height", Category: groupModel, Value: 24, Usage: "height of the window; also written -h 24"},
		&cli.StringFlag{Name: "featureType", Category: groupModel, Value: "HAAR", Usage: "HAAR or LBP"},
		&cli.StringFlag{Name: "mode", Category: groupModel, Value: "BASIC", Usage: "Haar features: BASIC, CORE, or ALL with tilted ones"},
		&cli.StringFlag{Name: "stageType", Category: groupModel, Value: "BOOST", Usage: "BOOST, as in OpenCV"},
		&cli.StringFlag{Name: "shape", Category: groupModel, Value: "staged", Usage: "staged, chain (each stage goes on from the one before) or soft (an exit behind each weak learner)"},
		&cli.StringFlag{Name: "bt", Category: groupModel, Value: "GAB", Usage: "booster: GAB (Gentle), DAB (Discrete), RAB (Real), LB (LogitBoost), ADR (AdaBoost_R) or FLOAT (FloatBoost)"},
		&cli.StringFlag{Name: "weak", Category: groupModel, Usage: "weak learners: stump, tree (-maxDepth) or histogram (-bins); stump if not given"},
		&cli.IntFlag{Name: "maxDepth", Category: groupModel, Value: 1, Usage: "of trees; 2 if -weak tree is given without it"},
		&cli.IntFlag{Name: "bins", Category: groupModel, Value: 16, Usage: "of histograms, 8 or 16"},
		&cli.FloatFlag{Name: "smooth", Category: groupModel, Value: 1e-4, Usage: "added to the weights in a histogram's bin by RAB"},
		&cli.FloatFlag{Name: "deviation", Category: groupModel, Usage: "standard deviation of grey levels below which a window is empty; 10 if staged, as in OpenCV, otherwise 2"},
		&cli.FloatFlag{Name: "halve", Category: groupModel, Usage: "chain, soft: factor from which on levels are made from the picture halved, which takes noise off, as often as it takes to be below; the model is searched so, too; none if not given"},
		&cli.IntFlag{Name: "features", Category: groupModel, Usage: "look at so many features, drawn by lot; all if not given, or 16000 of a soft cascade"},
		&cli.FloatFlag{Name: "share", Category: groupModel, Value: 1, Usage: "share of them that each weak learner chooses from"},

		&cli.IntFlag{Name: "numStages", Category: groupGoals, Value: 20, Usage: "staged, chain: number of stages"},
		&cli.FloatFlag{Name: "minHitRate", Category: groupGoals, Value: 0.995, Usage: "staged, chain: share of the objects that each stage is to let pass"},
		&cli.FloatFlag{Name: "maxFalseAlarmRate", Category: groupGoals, Value: 0.5, Usage: "staged, chain: share of the negatives that each stage may let pass"},
		&cli.IntFlag{Name: "maxWeakCount", Category: groupGoals, Value: 100, Usage: "staged, chain: weak learners of a stage at most"},
		&cli.FloatFlag{Name: "acceptanceRatioBreakValue", Category: groupGoals, Value: -1, Usage: "end when so small a share of all background windows passes; -1: when the goals of all stages together are met"},
		&cli.IntFlag{Name: "rounds", Category: groupGoals, Value: 500, Usage: "soft: number of weak learners"},
		&cli.FloatFlag{Name: "loss", Category: groupGoals, Value: 0.03, Usage: "soft: share of the objects that may be lost"},
		&cli.FloatFlag{Name: "loss-power", Category: groupGoals, Value: 1, Usage: "soft: less than 1 spends more of -loss on the first weak learners, more than 1 less"},
		&cli.FloatFlag{Name: "weightTrimRate", Category: groupGoals, Value: 0.95, Usage: "share of the weight that a search for a weak learner looks at"},
		&cli.FloatFlag{Name: "cost", Category: groupGoals, Value: 1, Usage: "how many times worse a missed object is than a false alarm; 6 is worth trying with stages of GAB, LB or DAB"},

		&cli.IntFlag{Name: "precalcValBufSize", Category: groupOld, Usage: "see -memory"},
		&cli.IntFlag{Name: "precalcIdxBufSize", Category: groupOld, Usage: "see -memory"},
		&cli.BoolFlag{Name: "baseFormatSave", Category: groupOld, Usage: "the format of OpenCV 1 is not written"},
	}
}

// oldFlags says what to use instead of flags of opencv_traincascade that have
// lost their use.
func oldFlags(c *cli.Command) (lines []string) {
	for _, name := range []string{"precalcValBufSize", "precalcIdxBufSize"} {
		if c.IsSet(name) {
			lines = append(lines, "-"+name+" has no use: nothing is sorted beforehand; -memory "+c.String("memory")+" bounds all that is used")
		}
	}
	if c.Bool("baseFormatSave") {
		lines = append(lines, "-baseFormatSave has no use: NAME.xml has the format that OpenCV reads since 2.4, and the one before it is not written")
	}
	return lines
}

// trainSettings reads the flags that say what is trained.
func trainSettings(c *cli.Command) (*train.Settings, error) {
	s := &train.Settings{
		Name: c.String("name"), Width: c.Int("w"), Height: c.Int("height"),
		MinStdDev: c.Float("deviation"), PrefilterFrom: c.Float("halve"), Bins: c.Int("bins"), Smooth: c.Float("smooth"),
		Stages: c.Int("numStages"), HitRate: c.Float("minHitRate"), FalseAlarmRate: c.Float("maxFalseAlarmRate"), MaxWeak: c.Int("maxWeakCount"),
		Rounds: c.Int("rounds"), Loss: c.Float("loss"), LossPower: c.Float("loss-power"), Trim: 1 - c.Float("weightTrimRate"), Cost: c.Float("cost"),
		Negatives: c.Int("numNeg"), Turns: c.Int("turn-bg"), Features: c.Int("features"), Share: c.Float("share"),
		Time: c.Duration("time"), Workers: c.Int("workers"), Seed: c.Uint64("seed"),
	}
	if err := checkNumbers(c); err != nil {
		return nil, err
	}
	if err := namedSettings(c, s); err != nil {
		return nil, err
	}
	if c.IsSet("object") {
		var err error
		if s.Object, err = cascade.ParseObject(c.String("object")); err != nil {
			return nil, usagef("-object: %v", err)
		}
	}
	if err := weakLearner(c, s); err != nil {
		return nil, err
	}
	if s.Shape == train.Soft {
		for _, name := range []string{"numStages", "minHitRate", "maxFalseAlarmRate", "maxWeakCount"} {
			if c.IsSet(name) {
				return nil, usagef("-%s is for stages, which -shape soft has not: use -rounds and -loss", name)
			}
		}
	} else {
		for _, name := range []string{"rounds", "loss", "loss-power"} {
			if c.IsSet(name) {
				return nil, usagef("-%s is for -shape soft: %v cascades have -numStages, -minHitRate and -maxFalseAlarmRate", name, s.Shape)
			}
		}
	}
	switch rate := c.Float("weightTrimRate"); {
	case rate >= 1 || rate == 0: // as in OpenCV: nothing is left out
		s.Trim = -1
	default:
		s.Trim = math.Round((1-rate)*1e9) / 1e9
	}
	if v := c.Float("acceptanceRatioBreakValue"); v > 0 {
		s.AcceptanceBreak = v
		if s.Shape != train.Soft { // OpenCV ends at whichever comes first
			s.AcceptanceBreak = max(v, math.Pow(s.FalseAlarmRate, float64(s.Stages)))
		}
	}
	var err error
	if s.Memory, err = parseBytes(c.String("memory")); err != nil {
		return nil, usageError{fmt.Errorf("-memory: %w", err)}
	}
	if _, err := s.WithDefaults(); err != nil {
		return nil, usageError{err}
	}
	return s, nil
}

// namedSettings reads the flags that name things.
func namedSettings(c *cli.Command, s *train.Settings) error {
	switch f := strings.ToUpper(c.String("featureType")); f {
	case "HAAR":
		s.Kind = cascade.Haar
	case "LBP":
		s.Kind = cascade.LBP
		if c.IsSet("mode") {
			return usagef("-mode is for -featureType HAAR")
		}
	case "HOG":
		return usagef("-featureType HOG is not trained, and OpenCV's cascades have not read it since OpenCV 3: use HAAR or LBP")
	default:
		return usagef("-featureType is %q, want HAAR or LBP", c.String("featureType"))
	}
	switch strings.ToUpper(c.String("mode")) {
	case "BASIC":
		s.Set = haar.Basic
	case "CORE":
		s.Set = haar.Core
	case "ALL":
		s.Set = haar.All
	default:
		return usagef("-mode is %q, want BASIC, CORE or ALL", c.String("mode"))
	}
	if t := c.String("stageType"); !strings.EqualFold(t, "BOOST") {
		return usagef("-stageType is %q, want BOOST, which is all that there is", t)
	}
	var err error
	if s.Shape, err = train.ParseShape(strings.ToLower(c.String("shape"))); err != nil {
		return usagef("-shape is %q, want staged, chain or soft", c.String("shape"))
	}
	if s.Booster, err = train.ParseBooster(strings.ToUpper(c.String("bt"))); err != nil {
		return usagef("-bt is %q, want GAB, DAB, RAB, LB, ADR or FLOAT", c.String("bt"))
	}
	return nil
}

func weakLearner(c *cli.Command, s *train.Settings) error {
	name := strings.ToLower(c.String("weak"))
	s.Depth = c.Int("maxDepth")
	switch name {
	case "":
	case "stump":
		if s.Depth > 1 {
			return usagef("-weak stump has -maxDepth 1, not %d: use -weak tree", s.Depth)
		}
	case "tree":
		if !c.IsSet("maxDepth") {
			s.Depth = 2
		}
	case "histogram":
		if s.Depth > 1 {
			return usagef("-weak histogram has no -maxDepth: use -weak tree")
		}
		s.Weak = train.Histograms
	default:
		return usagef("-weak is %q, want stump, tree or histogram", c.String("weak"))
	}
	for _, f := range []string{"bins", "smooth"} {
		if c.IsSet(f) && s.Weak != train.Histograms {
			return usagef("-%s is for -weak histogram", f)
		}
	}
	return nil
}

// checkNumbers looks at the flags that are numbers, with their names, and so
// that no zero is taken for a default.
func checkNumbers(c *cli.Command) error {
	for _, n := range []struct {
		name   string
		lo, hi int
		unset  bool // 0 means that it is not given
	}{
		{"w", 3, 256, false}, {"height", 3, 256, false},
		{"numPos", 1, math.MaxInt32, true}, {"numNeg", 2, math.MaxInt32, true},
		{"numStages", 1, 10000, false}, {"maxWeakCount", 1, 100000, false}, {"maxDepth", 1, 8, false},
		{"rounds", 1, 100000, false}, {"features", 1, math.MaxInt32, true},
		{"variants", 1, 1000, false}, {"turn-bg", 1, 8, false}, {"workers", 0, 4096, false}, {"min-size", 0, math.MaxInt32, false},
	} {
		v := c.Int(n.name)
		if n.unset && !c.IsSet(n.name) || v >= n.lo && v <= n.hi {
			continue
		}
		shown := n.name
		if shown == "height" {
			shown = "h"
		}
		if n.hi == math.MaxInt32 {
			return usagef("-%s is %d, want %d or more", shown, v, n.lo)
		}
		return usagef("-%s is %d, want %d to %d", shown, v, n.lo, n.hi)
	}
	if v := c.Int("bins"); v != 8 && v != 16 {
		return usagef("-bins is %d, want 8 or 16", v)
	}
	for _, n := range []struct {
		name     string
		lo, hi   float64
		lowToo   bool
		highToo  bool
		want     string
		optional bool
	}{
		{"minHitRate", 0, 1, false, true, "more than 0 and at most 1", false},
		{"maxFalseAlarmRate", 0, 1, false, false, "more than 0 and less than 1", false},
		{"loss", 0, 1, false, false, "more than 0 and less than 1", false},
		{"loss-power", 0.1, 10, true, true, "0.1 to 10", false},
		{"share", 0, 1, false, true, "more than 0 and at most 1", false},
		{"smooth", 0, 1, false, true, "more than 0 and at most 1", false},
		{"weightTrimRate", 0, 1, true, true, "0 to 1", false},
		{"cost", 0, 1e6, false, true, "more than 0 and at most 1e6", false},
		{"deviation", 0, 127.5, false, false, "more than 0 and less than 127.5", true},
		{"halve", 1, math.MaxFloat64, false, true, "more than 1", true},
		{"validation", 0, 1, false, false, "more than 0 and less than 1", true},
		{"acceptanceRatioBreakValue", -1, 1, true, false, "-1, or a share less than 1", false},
		{"margin", -0.4, 10, true, true, "-0.4 to 10", false},
	} {
		v := c.Float(n.name)
		switch {
		case n.optional && !c.IsSet(n.name),
			v > n.lo && v < n.hi, n.lowToo && v == n.lo, n.highToo && v == n.hi:
		default:
			return usagef("-%s is %v, want %s", n.name, v, n.want)
		}
	}
	for _, name := range []string{"time", "checkpoint"} {
		if c.IsSet(name) && c.Duration(name) <= 0 {
			return usagef("-%s is %v, want a time such as 20m", name, c.Duration(name))
		}
	}
	return nil
}

// parseBytes reads a number of bytes with its unit: 512MiB, 4GB, 4G.
func parseBytes(s string) (int64, error) {
	text := strings.ToUpper(strings.TrimSpace(s))
	number := strings.TrimRight(text, "BIKMGT ")
	unit, ok := map[string]float64{
		"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
		"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
	}[strings.TrimSpace(text[len(number):])]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok || !(v > 0 && v*unit < 1<<62) {
		return 0, fmt.Errorf("%q is no amount of memory, want one such as 4GiB or 800MB", s)
	}
	if v*unit < 64<<20 {
		return 0, fmt.Errorf("%s is too little, want at least 64MiB", s)
	}
	return int64(v * unit), nil
}
