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
	"haarlem/internal/samples"
	"haarlem/internal/train"
)

// trainFlags are those of train. Those of opencv_traincascade have its names. Flags
// of the training itself set fields of train.Settings.
type trainFlags struct {
	flags *cli.Flags
	dataFlags
	set train.Settings

	shape, bt, weak, featureType, mode, stageType string
	acceptanceBreak, trimRate                     float64

	data, object, memory, mine string
	dataNames                  []string
	resume, overwrite          bool
	checkpoint                 time.Duration
	opencv                     []string // flags without meaning here, and why
}

// dataFlags say what a training learns from.
type dataFlags struct {
	truth, pos, vec, bg, bgTruth []string
	format, info                 string
	useRest, skipUnreadable      bool
	numPos                       int
	validation                   float64
	valTruth, valBG              []string
	stopEarly, valReport         bool
	input.WindowFlags
}

// declare declares the flags. At most 30 are not advanced.
func (v *trainFlags) declare(f *cli.Flags) {
	v.flags = f
	s := &v.set
	v.format, v.memory, v.checkpoint = "auto", "4GiB", 3*time.Minute
	v.shape, v.bt, v.featureType, v.mode, v.stageType = "staged", "GAB", "HAAR", "BASIC", "BOOST"
	v.acceptanceBreak, v.trimRate = -1, 0.95
	s.Name, s.Depth, s.Bins, s.Smooth, s.Share, s.Cost, s.Orientations = "cascade", 1, 16, 1e-4, 1, 1, 1
	s.Stages = train.StageGoals{Count: 20, HitRate: 0.995, FalsePositiveRate: 0.5, MaxWeak: 100}
	s.Soft = train.SoftGoals{Rounds: 500, Loss: 0.03, LossPower: 1}

	f.Group("Data")
	f.Strings(&v.truth, "truth", "`FILE` of labelled photographs, with boxes or landmarks; may be repeated")
	f.Strings(&v.pos, "pos", "`PATH` of a folder, list or picture; each picture is one object; may be repeated")
	f.Strings(&v.vec, "vec", "`FILE` of windows that opencv_createsamples or train-cascade samples made; may be repeated")
	f.Strings(&v.bg, "bg", "`PATH` of negative images, without the object: a folder, list or picture; may be repeated")
	f.Float(&v.validation, "validation", "hold out `SHARE` of the photographs: the goals are to be met on them too")
	f.Bool(&v.stopEarly, "stop-early", "hold out as large a share of the negative images too, and end when the held-out score stops improving")
	v.DeclareAugmentation(f)

	f.Group("Cascade")
	v.DeclareSize(f)
	f.Choice(&v.shape, "shape", []string{"staged", "chain", "soft"}, "`SHAPE` of the cascade: staged, chain (each stage adds to the score of the one before) or soft (a rejection threshold after each weak classifier)")
	f.Choice(&v.bt, "bt", []string{"GAB", "DAB", "RAB", "LB", "ADR", "FLOAT"}, "`BOOSTER`: GAB (Gentle), DAB (Discrete), RAB (Real), LB (LogitBoost), ADR (AdaBoost_R) or FLOAT (FloatBoost)")
	f.String(&v.weak, "weak", "`KIND` of weak classifiers: stump, tree (-maxDepth) or histogram (-bins); stump if not given")
	f.Int(&s.Depth, "maxDepth", "`DEPTH` of trees; 2 for -weak tree if not given")
	f.Choice(&v.mode, "mode", []string{"BASIC", "CORE", "ALL"}, "`SET` of Haar features: BASIC, CORE, or ALL with tilted ones")

	f.Group("Goals")
	f.Int(&s.Stages.Count, "numStages", "train `N` stages (staged, chain)")
	f.Float(&s.Stages.HitRate, "minHitRate", "min `SHARE` of the objects that each stage passes (staged, chain)")
	f.Float(&s.Stages.FalsePositiveRate, "maxFalseAlarmRate", "max `SHARE` of the negatives that each stage passes (staged, chain)")
	f.Int(&s.Soft.Rounds, "rounds", "train `N` weak classifiers (soft)")
	f.Float(&s.Soft.Loss, "loss", "max `SHARE` of the objects that all thresholds together reject (soft)")
	f.Duration(&s.Time, "time", "train no longer than `TIME`, such as 20m; with -resume, all runs together")

	f.Group("Run")
	f.String(&v.data, "data", "`FOLDER` for the cascade and reports")
	f.String(&s.Name, "name", "`NAME` of the cascade, and of its files in -data")
	f.Bool(&v.resume, "resume", "resume the training in -data. With -data alone, by its own command. Flags that change the cascade must be the same as before; -time, -memory, -workers, -checkpoint and -data-name need not, and -numStages may be more")
	f.Bool(&v.overwrite, "overwrite", "train anew, even if -data holds a training")
	f.Int(&v.Workers, "workers", "use `N` goroutines; one for each processor if not given. The cascade does not depend on it")
	f.Also("workers", "numThreads")
	v.DeclareSeed(f)

	f.Advanced()
	f.Group("Objects and negative images")
	f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
	v.DeclareObjects(f)
	f.Strings(&v.bgTruth, "bg-truth", "`FILE` of labelled photographs, whose parts outside objects are negative images; may be repeated")
	f.Bool(&v.useRest, "use-rest", "use the photographs of -truth and -info in this way too")
	f.Strings(&v.valTruth, "val-truth", "`FILE` of other labelled photographs, to validate with; may be repeated")
	f.Strings(&v.valBG, "val-bg", "`PATH` of other negative images, to validate with; may be repeated")
	f.Bool(&v.valReport, "val-report", "only report how -val-truth and -val-bg are classified: the cascade is the same as without. With -use-rest, photographs of -val-truth are negative images too")
	f.Int(&s.Orientations, "turn-bg", "mine each negative image in `N` orientations: 2 also upside down, 4 rotated by multiples of 90 degrees, 8 these mirrored too; for trainings that run out of hard negatives")
	f.Bool(&v.skipUnreadable, "skip-unreadable", "train without files that cannot be read; if not given, they end the run before it begins")
	f.Int(&s.Negatives, "numNeg", "mine `N` negatives for each stage; as many as positives, and at least 1000, if not given")

	f.Group("Learning")
	f.String(&v.featureType, "featureType", "`KIND` of features: HAAR or LBP")
	f.Int(&s.Features, "features", "use `N` features, sampled at random; all if not given, or 16000 of a soft cascade")
	f.Float(&s.Share, "share", "let each weak classifier choose from `SHARE` of the features")
	f.Int(&s.Bins, "bins", "use histograms with `N` bins, 8 or 16")
	f.Float(&s.Smooth, "smooth", "add `WEIGHT` to each bin of a histogram, with -bt RAB")
	f.Float(&s.MinStdDev, "deviation", "reject windows whose grey levels have a standard deviation of less than `LEVELS`; 10 if staged, as in OpenCV, otherwise 2")
	f.Float(&s.PrefilterFrom, "prefilter-from", "make pyramid levels scaled down by `FACTOR` or more from the halved image, which removes noise, in training and in search (chain, soft)")
	f.Float(&s.Soft.LossPower, "loss-power", "skew -loss with `POWER`: below 1 towards the first weak classifiers, above 1 towards the last (soft)")
	f.Float(&s.Cost, "cost", "make a missed object `FACTOR` times as bad as a false positive; 6 is worth trying with stages of GAB, LB or DAB")

	f.Group("Model and run")
	f.String(&v.object, "object", "`NAME` of what the cascade finds, for messages: face, or with a plural of its own bus,buses")
	f.Strings(&v.dataNames, "data-name", "keep the `NAME` of a data set and its terms in the cascade; may be repeated")
	f.String(&v.memory, "memory", "use no more than about `SIZE`")
	f.String(&v.mine, "mine", "mine hard negatives in `FOLDER`, where mine-worker helps on other machines. The cascade does not depend on it")
	f.Int(&s.MinWeak, "min-weak", "let -time end a soft cascade of `N` weak classifiers or more only")
	f.Duration(&v.checkpoint, "checkpoint", "save every `TIME`, and after each stage")

	f.Group("Accepted for opencv_traincascade")
	f.String(&v.info, "info", "`FILE` of labelled photographs in OpenCV's format, such as info.dat")
	f.Int(&v.numPos, "numPos", "use at most `N` windows, taken evenly from all; all if not given")
	f.Int(&s.Stages.MaxWeak, "maxWeakCount", "train at most `N` weak classifiers per stage (staged, chain)")
	f.Float(&v.trimRate, "weightTrimRate", "choose weak classifiers on the windows that have this `SHARE` of the weight")
	f.Float(&v.acceptanceBreak, "acceptanceRatioBreakValue", "end when so small a `SHARE` of all background windows passes; -1: when the goals of all stages together are met")
	f.String(&v.stageType, "stageType", "`TYPE` of stages: BOOST, as in OpenCV")
	for _, unused := range []struct {
		name     string
		isSwitch bool
		why      string
	}{
		{"precalcValBufSize", false, "nothing is sorted beforehand; -memory bounds all that is used"},
		{"precalcIdxBufSize", false, "likewise"},
		{"baseFormatSave", true, "NAME.xml has the format that OpenCV reads since 2.4, and the one before it is not written"},
	} {
		f.Foreign(unused.name, unused.isSwitch, func(string) error {
			v.opencv = append(v.opencv, fmt.Sprintf("-%s (%s)", unused.name, unused.why))
			return nil
		})
	}
}

// settings parses the flags about the training.
func (v *trainFlags) settings() (*train.Settings, error) {
	set := v.set // what changes while it trains is not what the flags said
	s := &set
	s.Width, s.Height, s.Workers, s.Seed = v.Width, v.Height, v.Workers, v.Seed
	if err := v.checkNumbers(s); err != nil {
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
		for _, name := range []string{"rounds", "loss", "loss-power", "min-weak"} {
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

// flagOf are the flags of the numbers in train.Settings.
var flagOf = map[string]string{
	"Width": "w", "Height": "height", "MinStdDev": "deviation", "PrefilterFrom": "prefilter-from", "Depth": "maxDepth", "Bins": "bins", "Smooth": "smooth",
	"Stages.Count": "numStages", "Stages.HitRate": "minHitRate", "Stages.FalsePositiveRate": "maxFalseAlarmRate", "Stages.MaxWeak": "maxWeakCount",
	"Soft.Rounds": "rounds", "Soft.Loss": "loss", "Soft.LossPower": "loss-power", "Cost": "cost", "Negatives": "numNeg", "Orientations": "turn-bg",
	"Features": "features", "Share": "share", "Workers": "workers",
}

// checkNumbers checks the numbers that were given, so that no 0 is taken for a default.
func (v *trainFlags) checkNumbers(s *train.Settings) error {
	numbers := s.Numbers()
	for i := range numbers {
		numbers[i].Name = flagOf[numbers[i].Name]
	}
	add := func(name string, value float64, ok bool, want string) {
		numbers = append(numbers, train.Number{Name: name, Value: value, OK: ok, Want: want})
	}
	add("numPos", float64(v.numPos), v.numPos > 0, "1 or more")
	add("variants", float64(v.Variants), v.Variants >= 1 && v.Variants <= 1000, "1 to 1000")
	add("min-size", float64(v.MinSize), v.MinSize >= 0, "0 or more")
	add("weightTrimRate", v.trimRate, v.trimRate >= 0 && v.trimRate <= 1, "0 to 1")
	add("validation", v.validation, v.validation > 0 && v.validation < 1, "more than 0 and less than 1")
	add("acceptanceRatioBreakValue", v.acceptanceBreak, v.acceptanceBreak >= -1 && v.acceptanceBreak < 1, "-1, or a share less than 1")
	add("margin", v.Margin, v.Margin >= -0.4 && v.Margin <= 10, "-0.4 to 10")
	for _, n := range numbers {
		if v.flags.Given(n.Name) && !n.OK {
			shown := n.Name
			if shown == "height" {
				shown = "h"
			}
			return cli.Usagef("-%s is %v, want %s", shown, n.Value, n.Want)
		}
	}
	for name, value := range map[string]time.Duration{"time": v.set.Time, "checkpoint": v.checkpoint} {
		if v.flags.Given(name) && value <= 0 {
			return cli.Usagef("-%s is %v, want a time such as 20m", name, value)
		}
	}
	return nil
}
