// Package verify trains verifiers, which examine a cascade's detections more
// closely; see [cascade.Verifier].
//
//	res, err := verify.Train(ctx, c, photos, nil)
//
// The cascade searches labelled photographs. Its true positives are one class, its
// false positives the other; detections near an object are neither. A good cascade
// has too few false positives, especially on its own training data, so its second
// half is removed, repeatedly, until it has enough in the negative images. Then
// trees over the columns of package channels are boosted.
//
// With [Settings].BoxTrees more trees are fitted to the objects' edges by least
// squares, and correct the boxes of detections. With Behind another verifier is
// trained after those of the cascade. It sees corrected boxes, which are easier,
// and learns from what the others pass, which is harder: hard-negative mining, one
// round per verifier.
//
// The verifier changes the scale of scores: calibrate the cascade again.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/integral"
	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/eval"
)

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("verify: bad settings")

// ErrData is wrapped by errors about unusable photographs.
var ErrData = errors.New("verify: cannot learn from this")

// Settings are the settings of a training. A nil *Settings and the zero value
// mean every field's default.
type Settings struct {
	// Keep is the largest number of the cascade's weak classifiers to keep: the
	// verifier replaces the last ones. 0 means all.
	Keep int

	// Sides is the side of the verified square, in sides of the detection. 0 means
	// 1.4.
	Sides float64

	// Weight is the weight of the verifier's score, beside 1 for the cascade's.
	// 0 means 3.
	Weight float64

	// Context is the side of a second square, in sides of the detection. 0
	// means none.
	Context float64

	// BoxTrees is the number of trees per edge that correct the boxes of
	// detections. 0 means no correction.
	BoxTrees int

	// Behind trains another verifier after those of the cascade, on their
	// detections with corrected boxes. True positives have an intersection over
	// union of at least 0.5 with an object, false positives less than 0.42 with
	// all. Keep is ignored, and false positives come from all photographs.
	Behind bool

	// Loss is the fraction of true positives that the earlier verifiers may
	// reject, with Behind. 0 means 0.01.
	Loss float64

	// Folds is, with Behind, the number of parts of the photographs. In each the
	// detections are those of verifiers like the cascade's that learned from the others
	// (cross-validation): a verifier is nearly always right about what it has learned
	// from, which teaches another one nothing. 0 means none.
	Folds int

	// Group names a tag of objects: photographs with the same value of it are in the
	// same part. Empty means that each photograph is alone.
	Group string

	// Copies is the number of augmented copies of each true positive: moved by
	// up to 8 per cent of the side and scaled by up to 12 per cent, at random.
	// Copies that are no longer right are left out.
	Copies int

	// Mirror adds the mirror images of true positives.
	Mirror bool

	Trees     int     // 0 means 1,000
	Depth     int     // of a tree: the nodes on a path. 0 means 3
	Shrinkage float64 // of each tree's output. 0 means 0.2
	Share     float64 // fraction of the columns that each tree chooses from. 0 means 0.15
	Negatives int     // largest number of false positives to learn from. 0 means 100,000

	// Search is how to search. Its MinSize means 24 by 24 if there is none,
	// MinScore, Overlapping, Workers and Search have no effect, and detections
	// are the groups of at least the cascade's MinCandidates, before
	// non-maximum suppression.
	Search detector.Options

	Seed     uint64
	Workers  int                                // 0 means GOMAXPROCS. The result does not depend on it
	Progress func(what string, done, total int) // may be nil; never called twice at once
}

// A Result is a cascade with its verifier, and the size of its training set.
type Result struct {
	Cascade   *cascade.Cascade // without a calibration
	Trees     int              // of the new verifier, without those for boxes
	Positives int              // without copies and mirror images
	Negatives int
	Looser    []int // numbers of weak classifiers of the shortened cascades that found more negatives
}

func (s *Settings) withDefaults() (Settings, error) {
	var v Settings
	if s != nil {
		v = *s
	}
	v.Sides, v.Weight = cmp.Or(v.Sides, 1.4), cmp.Or(v.Weight, 3)
	v.Trees, v.Depth, v.Negatives = cmp.Or(v.Trees, 1000), cmp.Or(v.Depth, 3), cmp.Or(v.Negatives, 100000)
	v.Shrinkage, v.Share, v.Loss = cmp.Or(v.Shrinkage, 0.2), cmp.Or(v.Share, 0.15), cmp.Or(v.Loss, 0.01)
	if v.Workers <= 0 {
		v.Workers = runtime.GOMAXPROCS(0)
	}
	if v.Search.MinSize == (image.Point{}) {
		v.Search.MinSize = image.Pt(24, 24)
	}
	// A detector also verifies groups that are suppressed later, and they give
	// more false positives to learn from.
	v.Search.MinScore, v.Search.Overlapping, v.Search.Workers, v.Search.Search = 0, true, 1, nil
	if v.Progress == nil {
		v.Progress = func(string, int, int) {}
	}
	for _, f := range []struct {
		name string
		ok   bool
	}{
		{"Keep", v.Keep >= 0},
		{"Trees", v.Trees > 0},
		{"Depth", v.Depth > 0 && v.Depth <= 10},
		{"Negatives", v.Negatives > 0},
		{"Shrinkage", v.Shrinkage > 0 && v.Shrinkage <= 1},
		{"Share", v.Share > 0 && v.Share <= 1},
		{"BoxTrees", v.BoxTrees >= 0},
		{"Copies", v.Copies >= 0},
		{"Loss", v.Loss > 0 && v.Loss < 1},
		{"Folds", v.Folds == 0 || v.Behind && v.Folds >= 2},
	} {
		if !f.ok {
			return v, fmt.Errorf("%w: %s", ErrSettings, f.name)
		}
	}
	return v, nil
}

// A candidate is a detection of the cascade.
type candidate struct {
	photo  int
	box    image.Rectangle
	object image.Rectangle // of a true positive: the object's box
	margin float64
}

// Train returns a copy of c with a new verifier in place of its own. Equal
// cascades, photographs and settings give equal results.
func Train(ctx context.Context, c *cascade.Cascade, photos []eval.Photo, settings *Settings) (*Result, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	t := &trainer{s: s, photos: photos}
	gather := t.gather
	switch {
	case s.Behind && c.Verifier == nil:
		return nil, fmt.Errorf("%w: Behind, but the cascade has no verifier", ErrSettings)
	case s.Behind:
		t.c, gather = withCopies(c), t.chain
	default:
		if t.c = c.Cut(cmp.Or(s.Keep, len(c.Weak))); t.c == nil {
			return nil, fmt.Errorf("%w: Keep %d, but the first exit is after %d weak classifiers", ErrSettings, s.Keep, c.Exits[0].After)
		}
	}
	if err := gather(ctx); err != nil {
		return nil, err
	}
	positives := len(t.right)
	v, err := t.verifier(ctx)
	if err != nil {
		return nil, err
	}
	out := *t.c
	if s.Behind {
		last(&out).Next = v
	} else {
		out.Verifier = v
	}
	if err := out.Check(); err != nil {
		return nil, err
	}
	return &Result{Cascade: &out, Trees: len(v.Trees), Positives: positives, Negatives: len(t.wrong), Looser: t.looser}, nil
}

// verifier learns from the candidates.
func (t *trainer) verifier(ctx context.Context) (*cascade.Verifier, error) {
	t.augment()
	table, err := t.extract(ctx)
	if err != nil {
		return nil, err
	}
	v := &cascade.Verifier{Sides: t.s.Sides, Weight: t.s.Weight, Context: t.s.Context}
	if v.Trees, err = t.grow(ctx, table); err != nil {
		return nil, err
	}
	if t.s.BoxTrees > 0 {
		if v.Boxes, err = t.boxes(ctx, table); err != nil {
			return nil, err
		}
	}
	return v, nil
}

type trainer struct {
	s            Settings
	c            *cascade.Cascade
	photos       []eval.Photo
	right, wrong []candidate
	looser       []int
}

// gather finds the candidates to learn from.
func (t *trainer) gather(ctx context.Context) error {
	for c := t.c; ; {
		first := c == t.c
		if !first {
			t.looser = append(t.looser, len(c.Weak))
		}
		if err := t.search(ctx, c, func(i int) bool { return first || len(t.photos[i].Objects) == 0 }, first); err != nil {
			return err
		}
		if len(t.wrong) >= t.s.Negatives {
			break
		}
		if c = c.Cut(len(c.Weak) / 2); c == nil {
			break
		}
	}
	if len(t.right) == 0 || len(t.wrong) == 0 {
		return fmt.Errorf("%w: the cascade has %d true positives and %d false positives, want some of both", ErrData, len(t.right), len(t.wrong))
	}
	t.sample()
	return nil
}

// sample samples the false positives to learn from.
func (t *trainer) sample() {
	if len(t.wrong) > t.s.Negatives {
		rng := rand.New(rand.NewPCG(t.s.Seed, 1))
		rng.Shuffle(len(t.wrong), func(i, j int) { t.wrong[i], t.wrong[j] = t.wrong[j], t.wrong[i] })
		t.wrong = t.wrong[:t.s.Negatives]
		slices.SortStableFunc(t.wrong, func(a, b candidate) int { return cmp.Compare(a.photo, b.photo) })
	}
}

// search adds the detections of c in the wanted photographs. A cascade that is not whole
// may find too much in one.
func (t *trainer) search(ctx context.Context, c *cascade.Cascade, wanted func(i int) bool, whole bool) error {
	d, err := detector.New(&t.s.Search, c)
	if err != nil {
		return err
	}
	found := make([][]detector.Detection, len(t.photos))
	err = t.each(ctx, "searching", wanted, func(ctx context.Context, i int, g *image.Gray) (err error) {
		found[i], err = d.AppendDetect(ctx, nil, g)
		if !whole && errors.Is(err, detector.ErrTooManyCandidates) {
			err = nil // a cascade cut this short has nothing to say about this photograph
		}
		return err
	})
	if err != nil {
		return err
	}
	sort := t.rule()
	for i, ds := range found {
		for _, f := range ds {
			p := candidate{photo: i, box: f.Box, margin: f.Score}
			switch verdict, object := sort(f.Box, t.photos[i].Objects); verdict {
			case 1:
				p.object = t.photos[i].Objects[object].Box
				t.right = append(t.right, p)
			case -1:
				t.wrong = append(t.wrong, p)
			}
		}
	}
	return nil
}

// rule decides which detections are true and false positives.
func (t *trainer) rule() func(image.Rectangle, []eval.Object) (verdict, object int) {
	if t.s.Behind {
		return overlapping
	}
	match := right
	if t.s.BoxTrees > 0 {
		match = correctable
	}
	return func(box image.Rectangle, objects []eval.Object) (verdict, object int) {
		return classify(match, box, objects)
	}
}

// Matchers of true positives, and of detections near an object, which are
// neither. A box that can be corrected may be further off.
var right, correctable, near = eval.Close, eval.Centre{Distance: 0.45, Factor: 1.9}, eval.Centre{Distance: 0.7, Factor: 3}

// classify returns 1 for a true positive, and its object, -1 for a false positive,
// and 0 for a detection near an object.
func classify(right eval.Matcher, box image.Rectangle, objects []eval.Object) (verdict, object int) {
	centre := box.Min.Add(box.Max).Div(2)
	verdict, object = -1, -1
	best := math.Inf(-1)
	for i := range objects {
		o := &objects[i]
		if o.Ignore {
			if centre.In(o.Box) {
				verdict = 0
			}
			continue
		}
		if fit, ok := right.Match(o.Box, box); ok && fit > best {
			best, object = fit, i
		}
		if _, ok := near.Match(o.Box, box); ok {
			verdict = 0
		}
	}
	if object >= 0 {
		verdict = 1
	}
	return verdict, object
}

// each reads the wanted photographs and calls f for them, several at once.
func (t *trainer) each(ctx context.Context, what string, wanted func(i int) bool, f func(ctx context.Context, i int, g *image.Gray) error) error {
	var photos []eval.Photo
	var index []int
	for i, p := range t.photos {
		if wanted(i) {
			photos, index = append(photos, p), append(index, i)
		}
	}
	o := &eval.MeasureOptions{Workers: t.s.Workers, Progress: func(done, total int) { t.s.Progress(what, done, total) }}
	return eval.Each(ctx, photos, o, func(ctx context.Context, k int, g *image.Gray) error { return f(ctx, index[k], g) })
}

// extract returns the table of all candidates.
func (t *trainer) extract(ctx context.Context) (*table, error) {
	k := newTable(len(t.right), len(t.wrong), t.s.Mirror, t.s.Context != 0)
	at := make([][]int, len(t.photos)) // rows
	for row := range k.raw {
		p := t.candidate(row).photo
		at[p] = append(at[p], row)
	}
	wanted := func(i int) bool { return len(at[i]) > 0 }
	err := t.each(ctx, "extracting", wanted, func(_ context.Context, i int, g *image.Gray) error {
		var l channels.Extractor
		p, _ := integral.GreyOf(g, nil)
		for _, row := range at[i] {
			k.set(row, 0, l.Extract(&p, t.candidate(row).box, t.s.Sides))
			if t.s.Context != 0 {
				k.set(row, columns.Count, l.Extract(&p, t.candidate(row).box, t.s.Context))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return k, k.code(ctx, t.s.Workers)
}

func (t *trainer) candidate(row int) candidate {
	if row < len(t.right) {
		return t.right[row]
	}
	return t.wrong[row-len(t.right)]
}

// grow boosts the trees.
func (t *trainer) grow(ctx context.Context, k *table) ([]cascade.Weak, error) {
	problem := &boost.Problem{Data: &boost.Data{Labels: k.labels}, Columns: k}
	if t.s.Behind {
		problem.Scores = t.scores(t.s.Weight, k.Rows())
	}
	run, err := boost.Start(problem, &boost.LogitBoost{}, &boost.Trees{Depth: t.s.Depth, Bins: bins},
		&boost.Settings{Rounds: t.s.Trees, Shrinkage: t.s.Shrinkage, ColumnShare: t.s.Share, Prior: 0.5, Workers: t.s.Workers, Seed: t.s.Seed})
	if err != nil {
		return nil, err
	}
	for done := 0; run.Status() == boost.Going; done++ {
		t.s.Progress("boosting", done, t.s.Trees)
		if _, err := run.Next(ctx); err != nil {
			return nil, err
		}
	}
	t.s.Progress("boosting", t.s.Trees, t.s.Trees)
	var trees []cascade.Weak
	for _, term := range run.Result().Model.Terms {
		w, err := tree(term.Weak, term.Coef)
		if err != nil {
			return nil, err
		}
		trees = append(trees, w)
	}
	if len(trees) == 0 {
		return nil, fmt.Errorf("%w: no tree separates true from false positives", ErrData)
	}
	return trees, nil
}
