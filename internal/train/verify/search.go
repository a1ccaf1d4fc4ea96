package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/eval"
	"haarlem/internal/luma"
	"haarlem/internal/samples"
)

// A candidate is a detection of the cascade.
type candidate struct {
	photo  int
	box    image.Rectangle
	object image.Rectangle // of a true positive: the object's box
	margin float64
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
	if err := t.both(); err != nil {
		return err
	}
	t.sample()
	return nil
}

// both reports that there are not true and false positives.
func (t *trainer) both() error {
	if len(t.right) == 0 || len(t.wrong) == 0 {
		return fmt.Errorf("%w: the cascade has %d true positives and %d false positives, want some of both", ErrData, len(t.right), len(t.wrong))
	}
	return nil
}

// where returns a trainer with the candidates of some photographs.
func (t *trainer) where(wanted func(photo int) bool) *trainer {
	some := func(all []candidate) []candidate {
		return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return !wanted(c.photo) })
	}
	return &trainer{s: t.s, c: t.c, photos: t.photos, right: some(t.right), wrong: some(t.wrong)}
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
	rule := t.rule()
	for i, ds := range found {
		for _, f := range ds {
			p := candidate{photo: i, box: f.Box, margin: f.Score}
			switch verdict, object := rule.classify(f.Box, t.photos[i].Objects); verdict {
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

// A rule decides which detections are true and false positives.
type rule struct {
	right eval.Matcher // of true positives
	near  eval.Matcher // of detections near an object, which are neither

	// byIgnored says that also those near an object to be ignored are neither,
	// and not only those whose centre is in it.
	byIgnored bool
}

// A box that can be corrected may be further off. A corrected box is right above the
// one overlap, and wrong below the other.
var (
	near        = eval.Centre{Distance: 0.7, Factor: 3}
	plain       = rule{right: eval.Close, near: near}
	correctable = rule{right: eval.Centre{Distance: 0.45, Factor: 1.9}, near: near}
	corrected   = rule{right: eval.Overlap{IoU: 0.5}, near: eval.Overlap{IoU: 0.42}, byIgnored: true}
)

// rule returns that of the detections to learn from.
func (t *trainer) rule() *rule {
	switch {
	case t.s.Second:
		return &corrected
	case t.s.BoxTrees > 0:
		return &correctable
	}
	return &plain
}

// classify returns 1 for a true positive, and its object, -1 for a false positive,
// and 0 for a detection near an object.
func (r *rule) classify(box image.Rectangle, objects []eval.Object) (verdict, object int) {
	centre := box.Min.Add(box.Max).Div(2)
	verdict, object = -1, -1
	best := math.Inf(-1)
	for i := range objects {
		o := &objects[i]
		_, near := r.near.Match(o.Box, box)
		if o.Ignore {
			if centre.In(o.Box) || near && r.byIgnored {
				verdict = 0 // neither, unless it fits another
			}
			continue
		}
		if fit, ok := r.right.Match(o.Box, box); ok && fit > best {
			best, object = fit, i
		}
		if near {
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
	return eval.Each(ctx, photos, o, func(ctx context.Context, k int, img image.Image) error {
		return f(ctx, index[k], samples.Grey(img))
	})
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
		p, _ := luma.Of(g, nil)
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
