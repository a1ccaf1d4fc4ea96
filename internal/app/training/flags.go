package training

import (
	"fmt"
	"math"
	"strings"
	"time"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/opencv"
	"haarlem/internal/samples"
	"haarlem/internal/train"
)

// trainFlags are those of train. Those of opencv_traincascade have its names.
type trainFlags struct {
	flags *cli.Flags

	truth, pos, vec, bg, bgTruth []string
	format, info                 string
	useRest, skipUnreadable      bool
	numPos, numNeg, turns        int
	validation                   float64
	valTruth, valVec, valBG      []string
	stopEarly, valReport         bool
	input.WindowFlags

	shape, bt, weak, featureType, mode, stageType string
	maxDepth, bins, features                      int
	smooth, deviation, prefilterFrom, share       float64

	stages, maxWeak, rounds int
	hitRate, falseAlarmRate float64
	acceptanceBreak         float64
	loss, lossPower         float64
	trimRate, cost          float64

	data, name, object, memory, note string
	dataNames                        []string
	resume, overwrite                bool
	time, checkpoint                 time.Duration
	mine                             string

	precalcVal, precalcIdx int
	baseFormat             bool
	haarTraining           opencv.HaarTraining
}

func (v *trainFlags) declare(f *cli.Flags) {
	v.flags = f
	v.format, v.turns = "auto", 1
	v.shape, v.bt, v.featureType, v.mode, v.stageType = "staged", "GAB", "HAAR", "BASIC", "BOOST"
	v.maxDepth, v.bins, v.smooth, v.share = 1, 16, 1e-4, 1
	v.stages, v.hitRate, v.falseAlarmRate, v.maxWeak, v.acceptanceBreak = 20, 0.995, 0.5, 100, -1
	v.rounds, v.loss, v.lossPower, v.trimRate, v.cost = 500, 0.03, 1, 0.95, 1
	v.name, v.memory, v.checkpoint = "cascade", "4GiB", 3*time.Minute

	f.Group("Data")
	f.Strings(&v.truth, "truth", "`FILE` of labelled photographs, with boxes or landmarks; may be repeated")
	f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
	f.Strings(&v.pos, "pos", "`PATH` of a folder, list or picture; each picture is one object; may be repeated")
	f.Strings(&v.vec, "vec", "`FILE` of windows that opencv_createsamples or train-cascade samples made; may be repeated")
	f.Strings(&v.bg, "bg", "`PATH` of negative images, without the object: a folder, list or picture; may be repeated")
	f.Float(&v.validation, "validation", "hold out `SHARE` of the photographs: the goals are to be met on them too")
	f.Bool(&v.stopEarly, "stop-early", "hold out as large a share of the negative images too, and end when the held-out score stops improving")
	v.DeclareObjects(f)
	v.DeclareAugmentation(f)

	f.Group("Cascade")
	v.DeclareSize(f)
	f.Choice(&v.shape, "shape", []string{"staged", "chain", "soft"}, "`SHAPE` of the cascade: staged, chain (each stage adds to the score of the one before) or soft (a rejection threshold after each weak classifier)")
	f.Choice(&v.bt, "bt", []string{"GAB", "DAB", "RAB", "LB", "ADR", "FLOAT"}, "`BOOSTER`: GAB (Gentle), DAB (Discrete), RAB (Real), LB (LogitBoost), ADR (AdaBoost_R) or FLOAT (FloatBoost)")
	f.String(&v.weak, "weak", "`KIND` of weak classifiers: stump, tree (-maxDepth) or histogram (-bins); stump if not given")
	f.Int(&v.maxDepth, "maxDepth", "`DEPTH` of trees; 2 for -weak tree if not given")
	f.String(&v.featureType, "featureType", "`KIND` of features: HAAR or LBP")
	f.Choice(&v.mode, "mode", []string{"BASIC", "CORE", "ALL"}, "`SET` of Haar features: BASIC, CORE, or ALL with tilted ones")

	f.Group("Goals")
	f.Int(&v.stages, "numStages", "train `N` stages (staged, chain)")
	f.Float(&v.hitRate, "minHitRate", "least `SHARE` of the objects that each stage passes (staged, chain)")
	f.Float(&v.falseAlarmRate, "maxFalseAlarmRate", "largest `SHARE` of the negatives that each stage passes (staged, chain)")
	f.Int(&v.rounds, "rounds", "train `N` weak classifiers (soft)")
	f.Float(&v.loss, "loss", "`SHARE` of the objects that may be lost (soft)")
	f.Duration(&v.time, "time", "train no longer than `TIME`, such as 20m; with -resume, all runs together")

	f.Group("Run")
	f.String(&v.data, "data", "`FOLDER` for the cascade and reports")
	f.String(&v.name, "name", "`NAME` of the cascade, and of its files in -data")
	f.String(&v.object, "object", "`NAME` of what the cascade finds, for messages: face, or with a plural of its own bus,buses")
	f.Bool(&v.resume, "resume", "resume the training in -data. Flags that change the cascade must be the same as before; -time, -memory, -workers, -checkpoint, -note and -data-name need not, and -numStages may be more")
	f.Bool(&v.overwrite, "overwrite", "train anew, even if -data holds a training")
	f.String(&v.memory, "memory", "use no more than about `SIZE`")
	f.Int(&v.Workers, "workers", "use `N` goroutines; one for each processor if not given. The cascade does not depend on it")
	f.Also("workers", "numThreads")
	f.String(&v.mine, "mine", "mine hard negatives in `FOLDER`, where mine-worker helps on other machines. The cascade does not depend on it")
	v.DeclareSeed(f)

	f.Group("Advanced")
	f.Strings(&v.bgTruth, "bg-truth", "`FILE` of labelled photographs, whose parts outside objects are negative images; may be repeated")
	f.Bool(&v.useRest, "use-rest", "use the photographs of -truth and -info in this way too")
	f.Strings(&v.valTruth, "val-truth", "`FILE` of other labelled photographs, to validate with; may be repeated")
	f.Strings(&v.valVec, "val-vec", "`FILE` of other windows, as -vec, to validate with; may be repeated")
	f.Strings(&v.valBG, "val-bg", "`PATH` of other negative images, to validate with; may be repeated")
	f.Bool(&v.valReport, "val-report", "only report how -val-truth, -val-vec and -val-bg are classified: the cascade is the same as without. With -use-rest, photographs of -val-truth are negative images too")
	f.Int(&v.turns, "turn-bg", "mine each negative image in `N` orientations: 2 also upside down, 4 rotated by multiples of 90 degrees, 8 these mirrored too; for trainings that run out of hard negatives")
	f.Bool(&v.skipUnreadable, "skip-unreadable", "train without files that cannot be read; if not given, they end the run before it begins")
	f.Int(&v.numNeg, "numNeg", "mine `N` negatives for each stage; as many as positives, and at least 1000, if not given")
	f.Int(&v.features, "features", "use `N` features, sampled at random; all if not given, or 16000 of a soft cascade")
	f.Float(&v.share, "share", "let each weak classifier choose from `SHARE` of the features")
	f.Int(&v.bins, "bins", "use histograms with `N` bins, 8 or 16")
	f.Float(&v.smooth, "smooth", "add `WEIGHT` to each bin of a histogram, with -bt RAB")
	f.Float(&v.deviation, "deviation", "reject windows whose grey levels have a standard deviation of less than `LEVELS`; 10 if staged, as in OpenCV, otherwise 2")
	f.Float(&v.prefilterFrom, "prefilter-from", "make pyramid levels scaled down by `FACTOR` or more from the halved image, which removes noise, in training and in search (chain, soft)")
	f.Old("prefilter-from", "halve")
	f.Float(&v.lossPower, "loss-power", "spend more of -loss on the first weak classifiers with a `POWER` below 1, and less above 1 (soft)")
	f.Float(&v.cost, "cost", "make a missed object `FACTOR` times as bad as a false positive; 6 is worth trying with stages of GAB, LB or DAB")
	f.Duration(&v.checkpoint, "checkpoint", "save every `TIME`, and after each stage")
	f.String(&v.note, "note", "keep `TEXT` in the cascade")
	f.Strings(&v.dataNames, "data-name", "keep the `NAME` of a data set and its terms in the cascade; may be repeated")

	f.Group("Accepted for opencv_traincascade")
	f.String(&v.info, "info", "`FILE` of labelled photographs in OpenCV's format, such as info.dat")
	f.Int(&v.numPos, "numPos", "use at most `N` windows, taken evenly from all; all if not given")
	f.Int(&v.maxWeak, "maxWeakCount", "train at most `N` weak classifiers per stage (staged, chain)")
	f.Float(&v.trimRate, "weightTrimRate", "choose weak classifiers on the windows that have this `SHARE` of the weight")
	f.Float(&v.acceptanceBreak, "acceptanceRatioBreakValue", "end when so small a `SHARE` of all background windows passes; -1: when the goals of all stages together are met")
	f.String(&v.stageType, "stageType", "`TYPE` of stages: BOOST, as in OpenCV")
	f.Int(&v.precalcVal, "precalcValBufSize", "ignored, `MB`; see -memory")
	f.Int(&v.precalcIdx, "precalcIdxBufSize", "ignored, `MB`; see -memory")
	f.Bool(&v.baseFormat, "baseFormatSave", "ignored; the format of OpenCV 1 is not written")
	v.haarTraining.Declare(f)
}

// unused names replacements for flags of opencv_traincascade without effect, and
// for those of opencv_haartraining.
func (v *trainFlags) unused() (lines []string) {
	if line := v.haarTraining.Line(); line != "" {
		lines = append(lines, line)
	}
	for _, name := range []string{"precalcValBufSize", "precalcIdxBufSize"} {
		if v.flags.Given(name) {
			lines = append(lines, "-"+name+" has no use: nothing is sorted beforehand; -memory "+v.memory+" bounds all that is used")
		}
	}
	if v.baseFormat {
		lines = append(lines, "-baseFormatSave has no use: NAME.xml has the format that OpenCV reads since 2.4, and the one before it is not written")
	}
	return lines
}

// settings parses the flags about the training.
func (v *trainFlags) settings() (*train.Settings, error) {
	s := &train.Settings{
		Name: v.name, Width: v.Width, Height: v.Height,
		MinStdDev: v.deviation, PrefilterFrom: v.prefilterFrom, Bins: v.bins, Smooth: v.smooth,
		Stages: train.StageGoals{Count: v.stages, HitRate: v.hitRate, FalsePositiveRate: v.falseAlarmRate, MaxWeak: v.maxWeak},
		Soft:   train.SoftGoals{Rounds: v.rounds, Loss: v.loss, LossPower: v.lossPower},
		Trim:   1 - v.trimRate, Cost: v.cost,
		Negatives: v.numNeg, Turns: v.turns, Features: v.features, Share: v.share,
		Time: v.time, Workers: v.Workers, Seed: v.Seed,
	}
	if err := v.checkNumbers(); err != nil {
		return nil, err
	}
	if err := v.named(s); err != nil {
		return nil, err
	}
	if v.flags.Given("object") {
		var err error
		if s.Object, err = cascade.ParseObject(v.object); err != nil {
			return nil, cli.Usagef("-object: %v", err)
		}
	}
	if err := v.weakLearner(s); err != nil {
		return nil, err
	}
	if s.Shape == train.Soft {
		for _, name := range []string{"numStages", "minHitRate", "maxFalseAlarmRate", "maxWeakCount"} {
			if v.flags.Given(name) {
				return nil, cli.Usagef("-%s is for stages, which -shape soft has not: use -rounds and -loss", name)
			}
		}
	} else {
		for _, name := range []string{"rounds", "loss", "loss-power"} {
			if v.flags.Given(name) {
				return nil, cli.Usagef("-%s is for -shape soft: %v cascades have -numStages, -minHitRate and -maxFalseAlarmRate", name, s.Shape)
			}
		}
	}
	switch rate := v.trimRate; {
	case rate >= 1 || rate == 0: // as in OpenCV: nothing is left out
		s.Trim = -1
	default:
		s.Trim = math.Round((1-rate)*1e9) / 1e9
	}
	if r := v.acceptanceBreak; r > 0 {
		s.AcceptanceBreak = r
		if s.Shape != train.Soft { // OpenCV ends at whichever comes first
			s.AcceptanceBreak = max(r, math.Pow(s.Stages.FalsePositiveRate, float64(s.Stages.Count)))
		}
	}
	var err error
	if s.Memory, err = ParseBytes(v.memory); err != nil {
		return nil, cli.Usage(fmt.Errorf("-memory: %w", err))
	}
	if _, err := s.WithDefaults(); err != nil {
		return nil, cli.Usage(err)
	}
	return s, nil
}

// named parses the flags that name things.
func (v *trainFlags) named(s *train.Settings) error {
	switch f := strings.ToUpper(v.featureType); f {
	case "HAAR":
		s.Kind = cascade.Haar
	case "LBP":
		s.Kind = cascade.LBP
		if v.flags.Given("mode") {
			return cli.Usagef("-mode is for -featureType HAAR")
		}
	case "HOG":
		return cli.Usagef("-featureType HOG is not trained, and OpenCV's cascades have not read it since OpenCV 3: use HAAR or LBP")
	default:
		return cli.Usagef("-featureType is %q, want HAAR or LBP", v.featureType)
	}
	s.Set = map[string]haar.Set{"BASIC": haar.Basic, "CORE": haar.Core, "ALL": haar.All}[v.mode]
	if t := v.stageType; !strings.EqualFold(t, "BOOST") {
		return cli.Usagef("-stageType is %q, want BOOST, which is all that there is", t)
	}
	var err error
	if s.Shape, err = train.ParseShape(v.shape); err != nil {
		return cli.Usage(err)
	}
	if s.Booster, err = train.ParseBooster(v.bt); err != nil {
		return cli.Usage(err)
	}
	return nil
}

func (v *trainFlags) weakLearner(s *train.Settings) error {
	name := strings.ToLower(v.weak)
	s.Depth = v.maxDepth
	switch name {
	case "":
	case "stump":
		if s.Depth > 1 {
			return cli.Usagef("-weak stump has -maxDepth 1, not %d: use -weak tree", s.Depth)
		}
	case "tree":
		if !v.flags.Given("maxDepth") {
			s.Depth = 2
		}
	case "histogram":
		if s.Depth > 1 {
			return cli.Usagef("-weak histogram has no -maxDepth: use -weak tree")
		}
		s.Weak = train.Histograms
	default:
		return cli.Usagef("-weak is %q, want stump, tree or histogram", v.weak)
	}
	for _, f := range []string{"bins", "smooth"} {
		if v.flags.Given(f) && s.Weak != train.Histograms {
			return cli.Usagef("-%s is for -weak histogram", f)
		}
	}
	return nil
}

// checkNumbers checks numbers, by name, and that no zero is taken for a
// default.
func (v *trainFlags) checkNumbers() error {
	for _, n := range []struct {
		name   string
		value  int
		lo, hi int
		unset  bool // 0 means that it is not given
	}{
		{"w", v.Width, 3, 256, false}, {"height", v.Height, 3, 256, false},
		{"numPos", v.numPos, 1, math.MaxInt32, true}, {"numNeg", v.numNeg, 2, math.MaxInt32, true},
		{"numStages", v.stages, 1, 10000, false}, {"maxWeakCount", v.maxWeak, 1, 100000, false}, {"maxDepth", v.maxDepth, 1, 8, false},
		{"rounds", v.rounds, 1, 100000, false}, {"features", v.features, 1, math.MaxInt32, true},
		{"variants", v.Variants, 1, 1000, false}, {"turn-bg", v.turns, 1, 8, false}, {"workers", v.Workers, 0, 4096, false}, {"min-size", v.MinSize, 0, math.MaxInt32, false},
	} {
		if n.unset && !v.flags.Given(n.name) || n.value >= n.lo && n.value <= n.hi {
			continue
		}
		shown := n.name
		if shown == "height" {
			shown = "h"
		}
		if n.hi == math.MaxInt32 {
			return cli.Usagef("-%s is %d, want %d or more", shown, n.value, n.lo)
		}
		return cli.Usagef("-%s is %d, want %d to %d", shown, n.value, n.lo, n.hi)
	}
	if v.bins != 8 && v.bins != 16 {
		return cli.Usagef("-bins is %d, want 8 or 16", v.bins)
	}
	for _, n := range []struct {
		name     string
		value    float64
		lo, hi   float64
		lowToo   bool
		highToo  bool
		want     string
		optional bool
	}{
		{"minHitRate", v.hitRate, 0, 1, false, true, "more than 0 and at most 1", false},
		{"maxFalseAlarmRate", v.falseAlarmRate, 0, 1, false, false, "more than 0 and less than 1", false},
		{"loss", v.loss, 0, 1, false, false, "more than 0 and less than 1", false},
		{"loss-power", v.lossPower, 0.1, 10, true, true, "0.1 to 10", false},
		{"share", v.share, 0, 1, false, true, "more than 0 and at most 1", false},
		{"smooth", v.smooth, 0, 1, false, true, "more than 0 and at most 1", false},
		{"weightTrimRate", v.trimRate, 0, 1, true, true, "0 to 1", false},
		{"cost", v.cost, 0, 1e6, false, true, "more than 0 and at most 1e6", false},
		{"deviation", v.deviation, 0, 127.5, false, false, "more than 0 and less than 127.5", true},
		{"prefilter-from", v.prefilterFrom, 1, math.MaxFloat64, false, true, "more than 1", true},
		{"validation", v.validation, 0, 1, false, false, "more than 0 and less than 1", true},
		{"acceptanceRatioBreakValue", v.acceptanceBreak, -1, 1, true, false, "-1, or a share less than 1", false},
		{"margin", v.Margin, -0.4, 10, true, true, "-0.4 to 10", false},
	} {
		switch {
		case n.optional && !v.flags.Given(n.name),
			n.value > n.lo && n.value < n.hi, n.lowToo && n.value == n.lo, n.highToo && n.value == n.hi:
		default:
			return cli.Usagef("-%s is %v, want %s", n.name, n.value, n.want)
		}
	}
	for name, value := range map[string]time.Duration{"time": v.time, "checkpoint": v.checkpoint} {
		if v.flags.Given(name) && value <= 0 {
			return cli.Usagef("-%s is %v, want a time such as 20m", name, value)
		}
	}
	return nil
}
