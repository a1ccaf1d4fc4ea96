// Package verify trains verifiers: the second, closer look at what a cascade
// finds; see [cascade.Verifier].
//
//	res, err := verify.Train(ctx, c, photos, nil)
//
// The cascade searches labelled photographs. What it finds there and is right
// is one class, what is none of the objects is the other; what comes near an
// object without being right is neither. A good cascade finds too few wrong
// places to learn from, least of all where it was trained itself, so it is cut
// in half, and in half again, until it finds enough in the photographs without
// objects. Then trees over the columns of package channels are boosted until
// they tell the classes apart.
//
// Scores of a verified cascade are another scale than before: calibrate it.
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"runtime"
	"slices"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cascade/eval"
	"haarlem/integral"
	"haarlem/internal/channels"
)

// ErrSettings is what errors about settings that make no sense wrap.
var ErrSettings = errors.New("verify: bad settings")

// ErrData is what errors about photographs that nothing can be learnt from
// wrap.
var ErrData = errors.New("verify: cannot learn from this")

// Settings say how to train a verifier. A nil *Settings and the zero value mean
// every field's default.
type Settings struct {
	// Keep is how many of the cascade's weak learners stay, at most: the
	// verifier does better what the last ones do. 0 means all.
	Keep int

	// Sides is the side of the square that is looked at, in sides of the
	// detection. 0 means 1.4.
	Sides float64

	// Weight is how much the verifier counts beside the cascade. 0 means 3.
	Weight float64

	// Mirror adds the mirror images of right places.
	Mirror bool

	Trees     int     // 0 means 1,000
	Depth     int     // of a tree: the nodes on a path. 0 means 3
	Shrinkage float64 // of what each tree says. 0 means 0.2
	Share     float64 // of the columns that each tree chooses from. 0 means 0.15
	Negatives int     // wrong places to learn from, at most. 0 means 100,000

	// Search says how to search. Its MinSize means 24 by 24 if there is none,
	// MinScore, Overlapping, Workers and Search have no effect, and places are where
	// groups of the cascade's MinCandidates are, those too that better ones cover.
	Search detector.Options

	Seed     uint64
	Workers  int                                // 0 means GOMAXPROCS. The result does not depend on it
	Progress func(what string, done, total int) // may be nil; never called twice at once
}

// A Result is a cascade with its verifier, and how it came about.
type Result struct {
	Cascade   *cascade.Cascade // without a calibration
	Positives int              // places, without mirror images
	Negatives int
	Looser    []int // weak learners of the cascades that found these, beside the whole one
}

func (s *Settings) withDefaults() (Settings, error) {
	var v Settings
	if s != nil {
		v = *s
	}
	v.Sides, v.Weight = cmp.Or(v.Sides, 1.4), cmp.Or(v.Weight, 3)
	v.Trees, v.Depth, v.Negatives = cmp.Or(v.Trees, 1000), cmp.Or(v.Depth, 3), cmp.Or(v.Negatives, 100000)
	v.Shrinkage, v.Share = cmp.Or(v.Shrinkage, 0.2), cmp.Or(v.Share, 0.15)
	if v.Workers <= 0 {
		v.Workers = runtime.GOMAXPROCS(0)
	}
	if v.Search.MinSize == (image.Point{}) {
		v.Search.MinSize = image.Pt(24, 24)
	}
	// Groups that better ones cover are looked at too when something is searched
	// for, and there are more wrong ones to learn from.
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
	} {
		if !f.ok {
			return v, fmt.Errorf("%w: %s", ErrSettings, f.name)
		}
	}
	return v, nil
}

// A place is where a cascade found something.
type place struct {
	photo int
	box   image.Rectangle
}

// Train returns a copy of c with a verifier in place of the one that it may
// have. Equal cascades, photographs and settings give equal results.
func Train(ctx context.Context, c *cascade.Cascade, photos []eval.Photo, settings *Settings) (*Result, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	t := &trainer{s: s, photos: photos}
	t.c = cut(c, cmp.Or(s.Keep, len(c.Weak)))
	if t.c == nil {
		return nil, fmt.Errorf("%w: Keep %d, but the first exit stands after %d weak learners", ErrSettings, s.Keep, c.Exits[0].After)
	}
	v := &cascade.Verifier{Sides: s.Sides, Weight: s.Weight}
	if err := t.gather(ctx); err != nil {
		return nil, err
	}
	table, err := t.look(ctx)
	if err != nil {
		return nil, err
	}
	if v.Trees, err = t.grow(ctx, table); err != nil {
		return nil, err
	}
	out := *t.c
	out.Verifier = v
	if err := out.Check(); err != nil {
		return nil, err
	}
	return &Result{Cascade: &out, Positives: len(t.right), Negatives: len(t.wrong), Looser: t.looser}, nil
}

// cut returns c without a verifier and a calibration, and of its weak learners
// only as many of the first as an exit stands after, n at most; nil if there
// is none. Features behind the last that these use are left out: trainers number
// them in the order of their use.
func cut(c *cascade.Cascade, n int) *cascade.Cascade {
	v := *c
	v.Verifier, v.Calibration, v.Search.MinScore = nil, nil, 0
	exits := 0
	for exits < len(c.Exits) && c.Exits[exits].After <= n {
		exits++
	}
	if exits == 0 {
		return nil
	}
	v.Exits = slices.Clip(c.Exits[:exits])
	for _, n := range []*int{&v.Search.RefineX, &v.Search.RefineY, &v.Search.InterLevel} {
		*n = min(*n, exits)
	}
	v.Weak = slices.Clip(c.Weak[:v.Exits[exits-1].After])
	used := 0
	for i := range v.Weak {
		w := &v.Weak[i]
		used = max(used, int(w.Feature)+1) // 0 of a tree
		for k := range w.Nodes {
			used = max(used, int(w.Nodes[k].Feature)+1)
		}
	}
	v.Features = slices.Clip(c.Features[:min(used, len(c.Features))])
	v.Cells = slices.Clip(c.Cells[:min(used, len(c.Cells))])
	return &v
}

type trainer struct {
	s            Settings
	c            *cascade.Cascade
	photos       []eval.Photo
	right, wrong []place
	looser       []int
}

// gather finds the places to learn from.
func (t *trainer) gather(ctx context.Context) error {
	for c := t.c; ; {
		first := c == t.c
		if !first {
			t.looser = append(t.looser, len(c.Weak))
		}
		if err := t.search(ctx, c, first); err != nil {
			return err
		}
		if len(t.wrong) >= t.s.Negatives {
			break
		}
		if c = cut(c, len(c.Weak)/2); c == nil {
			break
		}
	}
	if len(t.right) == 0 || len(t.wrong) == 0 {
		return fmt.Errorf("%w: the cascade was right in %d places and wrong in %d, want some of both", ErrData, len(t.right), len(t.wrong))
	}
	if len(t.wrong) > t.s.Negatives {
		rng := rand.New(rand.NewPCG(t.s.Seed, 1))
		rng.Shuffle(len(t.wrong), func(i, j int) { t.wrong[i], t.wrong[j] = t.wrong[j], t.wrong[i] })
		t.wrong = t.wrong[:t.s.Negatives]
		slices.SortStableFunc(t.wrong, func(a, b place) int { return cmp.Compare(a.photo, b.photo) })
	}
	return nil
}

// search adds the places that c finds: in all photographs, or only in those
// without objects, of which many more must be learnt from.
func (t *trainer) search(ctx context.Context, c *cascade.Cascade, all bool) error {
	d, err := detector.New(&t.s.Search, c)
	if err != nil {
		return err
	}
	found := make([][]detector.Detection, len(t.photos))
	wanted := func(i int) bool { return all || len(t.photos[i].Objects) == 0 }
	err = t.each(ctx, "searching", wanted, func(ctx context.Context, i int, g *image.Gray) (err error) {
		found[i], err = d.AppendDetect(ctx, nil, g)
		return err
	})
	if err != nil {
		return err
	}
	for i, ds := range found {
		for _, f := range ds {
			switch judge(f.Box, t.photos[i].Objects) {
			case 1:
				t.right = append(t.right, place{i, f.Box})
			case -1:
				t.wrong = append(t.wrong, place{i, f.Box})
			}
		}
	}
	return nil
}

// What is right about an object, and what is near enough to one to be neither.
var right, near = eval.Close, eval.Centre{Distance: 0.7, Factor: 3}

// judge returns 1 for what is right about an object, -1 for what has nothing to
// do with any, and otherwise 0.
func judge(box image.Rectangle, objects []eval.Object) int {
	centre := box.Min.Add(box.Max).Div(2)
	verdict := -1
	for i := range objects {
		o := &objects[i]
		if o.Ignore {
			if centre.In(o.Box) {
				verdict = 0
			}
			continue
		}
		if _, ok := right.Match(o.Box, box); ok {
			return 1
		}
		if _, ok := near.Match(o.Box, box); ok {
			verdict = 0
		}
	}
	return verdict
}

// each reads the photographs that are wanted and calls f for them, several at
// once.
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

// look returns the table of all places.
func (t *trainer) look(ctx context.Context) (*table, error) {
	k := newTable(len(t.right), len(t.wrong), t.s.Mirror)
	at := make([][]int, len(t.photos)) // rows
	for row := range k.raw {
		p := t.place(row).photo
		at[p] = append(at[p], row)
	}
	wanted := func(i int) bool { return len(at[i]) > 0 }
	err := t.each(ctx, "looking", wanted, func(_ context.Context, i int, g *image.Gray) error {
		var l channels.Looker
		p, _ := integral.GreyOf(g, nil)
		for _, row := range at[i] {
			k.set(row, l.Look(&p, t.place(row).box, t.s.Sides))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return k, k.code(ctx, t.s.Workers)
}

func (t *trainer) place(row int) place {
	if row < len(t.right) {
		return t.right[row]
	}
	return t.wrong[row-len(t.right)]
}

// grow boosts the trees.
func (t *trainer) grow(ctx context.Context, k *table) ([]cascade.Weak, error) {
	run, err := boost.Start(&boost.Problem{Data: &boost.Data{Labels: k.labels}, Columns: k}, &boost.LogitBoost{}, &boost.Trees{Depth: t.s.Depth, Bins: bins},
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
		return nil, fmt.Errorf("%w: no tree tells right places from wrong ones", ErrData)
	}
	return trees, nil
}
