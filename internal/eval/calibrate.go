package eval

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/samples"
)

// CalibrateOptions are the settings of a calibration. The zero value and nil
// work.
type CalibrateOptions struct {
	// Search is for the detector, with its own defaults: the probabilities are
	// for a search with these options. Workers is always 1.
	Search detector.Options

	Matcher Matcher // nil means Centre{}

	// Raise is added to the threshold of the last exit.
	Raise float64

	// FalsePositivesPerMegapixel, if above 0, raises the threshold of the last exit
	// beyond Raise until there are no more false positives than that.
	FalsePositivesPerMegapixel float64

	// CentreBoxes moves the edges that the last verifier corrects by a constant each,
	// so that the mean error of true positives is zero. It is for models with such
	// a verifier.
	CentreBoxes bool

	Measure MeasureOptions
}

// A Raised is the result of one value of the last threshold.
type Raised struct {
	By             float64 // above the model's own threshold
	Found          int     // objects
	FalsePositives int     `json:"FalseAlarms"`
}

// A Calibrated is a model whose scores are probabilities, and how accurate they
// are.
type Calibrated struct {
	Cascade *cascade.Cascade `json:"-"` // shares what is unchanged with the original
	Matcher string

	Photos, Objects int
	Megapixels      float64

	Before, After Raised // the original model and the result
	Tried         []Raised

	Right, Wrong int   // detections of After; duplicates are wrong
	Below        int   `json:",omitzero"` // false positives with lower thresholds, where After has none
	Bins         []Bin // of these, by their new scores
	Even         Bin   // of these, the one from 0.4 to 0.6
}

// rate fills the reliability diagram: detections by their predicted probabilities.
func (k *Calibrated) rate(by *cascade.Calibration, scores []float64, right []bool) {
	said := make([]float64, len(scores))
	for i, s := range scores {
		said[i] = logistic(float64(by.Slope*s) + by.Offset)
		if right[i] {
			k.Right++
		} else {
			k.Wrong++
		}
	}
	k.Bins = Reliability(said, right, nil)
	k.Even = Reliability(said, right, []float64{0.4, 0.6})[1]
}

// CheckCalibration measures the calibration of a model on photographs that
// neither trained nor calibrated it. The result's Cascade is c; Raise and
// FalsePositivesPerMegapixel are ignored.
func CheckCalibration(ctx context.Context, c *cascade.Cascade, photos []Photo, o *CalibrateOptions) (*Calibrated, error) {
	v := *cmp.Or(o, &CalibrateOptions{})
	v.Matcher = cmp.Or[Matcher](v.Matcher, Centre{})
	if err := c.Check(); err != nil {
		return nil, err
	}
	if c.Calibration == nil {
		return nil, fmt.Errorf("%w: the scores of %q are no probabilities yet", ErrCalibration, c.Name)
	}
	k, err := newCalibration(ctx, c, photos, &v)
	if err != nil {
		return nil, err
	}
	out := k.summary()
	chosen := k.at(0)
	out.Before, out.After, out.Cascade = chosen.Raised, chosen.Raised, c
	out.rate(c.Calibration, chosen.scores, chosen.right)
	return out, nil
}

// grid is the resolution of raises, as of the scores of models, so that they
// add up exactly; see models/FORMAT.md.
const grid = 1.0 / 4096

// DefaultMinScore is the score from which on a detection is more likely true
// than false.
const DefaultMinScore = 0.5

// Calibrate turns the scores of c's detections into probabilities (see [Fit]): half of
// the detections of score 0.5 are true on photographs like these, searched with these
// options. The photographs must not have been used for training.
//
// Where no detection is wrong, thresholds are lowered until as many are as are right:
// what nearly passes tells how sure the scores of the others are.
//
// The result's MinScore is [DefaultMinScore], unless c is already calibrated
// and has another one. MinScore of an uncalibrated model is a margin, and is
// not kept.
func Calibrate(ctx context.Context, c *cascade.Cascade, photos []Photo, o *CalibrateOptions) (*Calibrated, error) {
	v := *cmp.Or(o, &CalibrateOptions{})
	v.Matcher = cmp.Or[Matcher](v.Matcher, Centre{})
	for _, f := range []struct {
		name string
		v    float64
	}{{"Raise", v.Raise}, {"FalsePositivesPerMegapixel", v.FalsePositivesPerMegapixel}} {
		if math.IsNaN(f.v) || math.IsInf(f.v, 0) || f.v < 0 {
			return nil, fmt.Errorf("%w: %s is %v, want 0 or more", ErrCalibration, f.name, f.v)
		}
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	k, err := newCalibration(ctx, c, photos, &v)
	if err != nil {
		return nil, err
	}
	minScore := c.Search.MinScore
	if c.Calibration == nil || minScore == 0 {
		minScore = DefaultMinScore
	}
	if v.CentreBoxes {
		if c, err = k.centreBoxes(); err != nil {
			return nil, err
		}
	}
	out := k.summary()
	chosen := k.at(0)
	out.Before = chosen.Raised
	if v.Raise > 0 {
		chosen = k.at(math.Round(v.Raise/grid) * grid)
	}
	if v.FalsePositivesPerMegapixel > 0 {
		if chosen, out.Tried, err = k.search(chosen); err != nil {
			return nil, err
		}
	}
	out.After = chosen.Raised
	out.Cascade = raised(c, chosen.By)
	scores, right := chosen.scores, chosen.right
	if chosen.FalsePositives == 0 && chosen.Found > 0 {
		wrong, err := below(ctx, out.Cascade, photos, &v, chosen.Found)
		if err != nil {
			return nil, err
		}
		out.Below = len(wrong)
		scores = slices.Concat(scores, wrong)
		right = slices.Concat(right, make([]bool, len(wrong)))
	}
	fit, err := Fit(scores, right)
	if err != nil {
		return nil, err
	}
	out.Cascade.Calibration = &fit
	out.Cascade.Search.MinScore = minScore
	out.rate(&fit, chosen.scores, chosen.right)
	return out, nil
}

// EngineOptions returns the options of a search without what is done with candidates.
func EngineOptions(o *detector.Options) *engine.Options {
	return &engine.Options{
		Scale: o.Scale, MinSize: o.MinSize, MaxSize: o.MaxSize, Enlarge: o.Enlarge, Windows: engine.WindowRule(o.Windows),
		Search: o.Search, MaxCandidates: o.MaxCandidates, Workers: o.Workers,
	}
}

// A calibration is a calibration in progress.
type calibration struct {
	model    *cascade.Cascade // without a calibration
	o        *CalibrateOptions
	engine   *engine.Engine
	detector *detector.Detector // for grouping
	photos   []Photo
	windows  [][]engine.Window // that pass the cascade, by photograph
	pictures []image.Image     // without pixels where nothing looks at them
	pixels   int
}

// newCalibration searches all photographs. The results of higher thresholds
// follow from the windows that pass this one.
func newCalibration(ctx context.Context, c *cascade.Cascade, photos []Photo, o *CalibrateOptions) (*calibration, error) {
	k := &calibration{o: o, photos: photos}
	k.model = raised(c, 0)
	k.model.Calibration, k.model.Search.MinScore = nil, 0
	search := k.options()
	var err error
	if k.engine, err = engine.New(k.model, EngineOptions(search)); err != nil {
		return nil, err
	}
	if k.detector, err = detector.New(search, k.model); err != nil {
		return nil, err
	}
	passed := make(map[string][]engine.Window, len(photos))
	pictures := make(map[string]image.Image, len(photos))
	var mu sync.Mutex
	find := func(ctx context.Context, file string, img image.Image) ([]Found, error) {
		g := samples.Grey(img)
		ws, err := k.engine.AppendWindows(ctx, nil, g)
		mu.Lock()
		defer mu.Unlock()
		passed[file] = ws
		switch {
		case c.Network != nil && len(ws) > 0:
			pictures[file] = img
		case c.Verifier != nil && len(ws) > 0:
			pictures[file] = g
		default:
			pictures[file] = &image.Gray{Rect: g.Rect}
		}
		return nil, err
	}
	set, err := Measure(ctx, photos, []*Contender{{Name: c.Name, Find: find}}, &o.Measure)
	if err != nil {
		return nil, err
	}
	for i := range photos {
		k.windows = append(k.windows, passed[photos[i].File])
		k.pictures = append(k.pictures, pictures[photos[i].File])
		k.pixels += set.Sizes[i].X * set.Sizes[i].Y
	}
	return k, nil
}

// options are those of the search.
func (k *calibration) options() *detector.Options {
	search := k.o.Search
	search.Workers = 1
	search.MinScore = 0
	search.MaxCandidates = cmp.Or(search.MaxCandidates, -1) // thresholds may be low
	return &search
}

// summary is what is known before detections are matched.
func (k *calibration) summary() *Calibrated {
	return &Calibrated{Matcher: k.o.Matcher.String(), Photos: len(k.photos), Objects: count(k.photos, counts), Megapixels: float64(k.pixels) / 1e6}
}

type raising struct {
	Raised
	scores []float64 // of detections that are not ignored
	right  []bool
}

// at matches the detections with the last threshold raised.
func (k *calibration) at(by float64) raising {
	r := raising{Raised: Raised{By: by}}
	for _, j := range k.judged(by) {
		switch j.Verdict {
		case Ignored:
			continue
		case Right:
			r.Found++
		default:
			r.FalsePositives++
		}
		r.scores = append(r.scores, j.Rank)
		r.right = append(r.right, j.Verdict == Right)
	}
	return r
}

// judged returns the detections with the last threshold raised.
func (k *calibration) judged(by float64) []Judged {
	last := len(k.model.Exits) - 1
	// The raise in float32.
	by = float64(raised(k.model, by).Exits[last].Threshold) - float64(k.model.Exits[last].Threshold)
	var all []Judged
	var some []detector.Detection
	var groups []detector.Detection
	for i := range k.photos {
		some = some[:0]
		for _, w := range k.windows[i] {
			if w.Margin >= by {
				some = append(some, detector.Detection{Box: w.Box, Score: w.Margin - by})
			}
		}
		groups = k.detector.AppendGroups(groups[:0], some, k.pictures[i])
		var found []Found
		for _, g := range groups {
			found = append(found, Found{Box: g.Box, Rank: g.Score})
		}
		all = append(all, judge(k.o.Matcher, i, k.photos[i].Objects, found)...)
	}
	return all
}

// search finds the lowest threshold with few enough false positives, and the
// results of some others.
func (k *calibration) search(start raising) (raising, []Raised, error) {
	few := func(r raising) bool {
		return float64(r.FalsePositives)*1e6 <= float64(k.o.FalsePositivesPerMegapixel*float64(k.pixels))
	}
	if few(start) {
		return start, nil, nil
	}
	// Beyond the largest margin no window passes.
	largest := 0.0
	for _, ws := range k.windows {
		for _, w := range ws {
			largest = max(largest, w.Margin-start.By)
		}
	}
	low, high := 0, int(math.Ceil(largest/grid))+1
	step := func(n int) raising { return k.at(start.By + float64(n)*grid) }
	best := step(high)
	if !few(best) {
		return start, nil, fmt.Errorf("%w: %d false positives on %.1f megapixels are left with the last threshold raised by %g: no threshold is high enough", ErrCalibration, best.FalsePositives, float64(k.pixels)/1e6, best.By)
	}
	var tried []Raised
	for n := high; n > 0; n /= 2 {
		r := step(n)
		if r.Found > 0 {
			tried = append(tried, r.Raised)
		}
		if !few(r) {
			low = n
			break
		}
		best, high = r, n
	}
	for high-low > 1 {
		n := (low + high) / 2
		if r := step(n); few(r) {
			best, high = r, n
		} else {
			low = n
		}
	}
	slices.Reverse(tried)
	return best, tried, nil
}

// raised returns a copy of c with another last threshold.
func raised(c *cascade.Cascade, by float64) *cascade.Cascade {
	v := *c
	v.Exits = slices.Clone(c.Exits)
	last := &v.Exits[len(v.Exits)-1]
	last.Threshold = float32(float64(last.Threshold) + by)
	return &v
}
