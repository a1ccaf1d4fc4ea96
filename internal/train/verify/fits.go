package verify

import (
	"cmp"
	"context"
	"image"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"haarlem/boost"
	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/eval"
	"haarlem/internal/luma"
	"haarlem/internal/nms"
	"haarlem/internal/numeric"
	"haarlem/internal/samples"
)

const (
	fitFolds  = 4
	fitRounds = 120
	fitLabels = 4000 // with more labels, fewer boxes are made up of each
)

// A framed is a box that is learned from and judged, or only one of these.
type framed struct {
	box   image.Rectangle
	label int8
	fit   *float64 // where its margin goes; nil for a box that was made up
}

// Fits judges how well each label frames an object, and each detection that no label
// takes, for [eval.Suspects]. Trees learn that from labels of other photographs, and
// boxes of them that are moved, of another size or elsewhere; a detection without a label
// is wrong there. So a wrong label, of which there are few, has not taught its judge. There
// are none, nil, if fewer than four photographs have labels.
func Fits(ctx context.Context, photos []eval.Photo, found [][]eval.Found, other func(*eval.Object) bool, o *eval.MeasureOptions) (*eval.Fits, error) {
	out := &eval.Fits{Labels: make([][]float64, len(photos)), Found: make([][]float64, len(photos))}
	labels := 0
	for i := range photos {
		out.Labels[i], out.Found[i] = make([]float64, len(photos[i].Objects)), make([]float64, len(found[i]))
		labels += len(photos[i].Objects)
	}
	workers := cmp.Or(max(o.Workers, 0), runtime.GOMAXPROCS(0))
	chance := eval.Chances(photos, found, other)
	made := make([][]framed, len(photos))
	raw := make([][][]int16, len(photos))
	err := eval.Each(ctx, photos, o, func(_ context.Context, i int, img image.Image) error {
		f := &framer{g: samples.Grey(img), chance: chance, own: eval.Own(&photos[i], other), objects: photos[i].Objects, rng: rand.New(rand.NewPCG(1, uint64(i)))}
		f.add(found[i], out.Labels[i], out.Found[i], fitLabels/float64(labels+1))
		made[i] = f.made
		p, _ := luma.Of(f.g, nil)
		k := &table{raw: make([][]int16, len(f.made))}
		var l channels.Extractor
		for row, b := range f.made {
			w, h := float64(b.box.Dx()), float64(b.box.Dy())
			k.raw[row] = make([]int16, columns.Count+2)
			k.set(row, 0, l.Extract(&p, b.box, 1.6))
			k.set(row, columns.Count, []int32{int32(500 * numeric.Log(w*h)), int32(500 * numeric.Log(w/h))})
		}
		raw[i] = k.raw
		return nil
	})
	if err != nil {
		return nil, err
	}
	k := &table{raw: slices.Concat(raw...), cuts: make([][]float64, columns.Count+2)}
	var fold []int
	labelled := 0
	for i := range made {
		if slices.ContainsFunc(made[i], func(b framed) bool { return b.label > 0 }) {
			labelled++
		}
		for _, b := range made[i] {
			k.labels, fold = append(k.labels, b.label), append(fold, labelled%fitFolds)
		}
	}
	if labelled < fitFolds {
		return nil, nil
	}
	if err := k.code(ctx, workers); err != nil {
		return nil, err
	}
	all := slices.Concat(made...)
	for part := range fitFolds {
		d := &boost.Data{Labels: k.labels, Weights: make([]float64, len(all))}
		for row := range all {
			if fold[row] != part {
				d.Weights[row] = 1
			}
		}
		run, err := boost.Start(&boost.Problem{Data: d, Columns: k}, &boost.LogitBoost{}, &boost.Trees{Depth: 4, Bins: bins},
			&boost.Settings{Rounds: fitRounds, Shrinkage: 0.15, ColumnShare: 0.1, Prior: 0.5, Workers: workers})
		if err != nil {
			return nil, err
		}
		for run.Status() == boost.Going {
			if _, err := run.Next(ctx); err != nil {
				return nil, err
			}
		}
		for row, score := range run.Scores() {
			if fold[row] == part && all[row].fit != nil {
				*all[row].fit = score
			}
		}
	}
	return out, nil
}

// A framer makes boxes of a photograph.
type framer struct {
	g       *image.Gray
	chance  func(rank float64) float64
	objects []eval.Object
	own     []int // that are labels
	rng     *rand.Rand
	made    []framed
}

// add adds labels and detections, whose margins go into fits, and boxes of a share of the
// labels.
func (f *framer) add(found []eval.Found, fits, foundFits []float64, share float64) {
	for i := range f.objects {
		if b := f.objects[i].Box; !b.Empty() {
			label := int8(1)
			if !slices.Contains(f.own, i) {
				label = -1
			}
			f.made = append(f.made, framed{b, label, &fits[i]})
		}
	}
	for i := range found {
		if b := found[i].Box; !b.Empty() && f.chance(found[i].Rank) >= eval.MinChance && !f.takes(b, 0.3) {
			f.made = append(f.made, framed{b, -1, &foundFits[i]})
		}
	}
	between := func(lo, hi float64) float64 { return lo + float64((hi-lo)*f.rng.Float64()) }
	sign := func() float64 { return float64(f.rng.IntN(2)*2 - 1) }
	for _, i := range f.own {
		if f.rng.Float64() >= share {
			continue
		}
		o := f.objects[i].Box
		w, h := float64(o.Dx()), float64(o.Dy())
		x, y := float64(o.Min.X)+w/2, float64(o.Min.Y)+h/2
		for range 3 {
			by := numeric.Exp(between(-0.08, 0.08))
			f.put(1, x+float64(w*between(-0.06, 0.06)), y+float64(h*between(-0.06, 0.06)), w*by, h*by)
			f.put(-1, x+float64(w*sign()*between(0.3, 0.7)), y+float64(h*between(-0.7, 0.7)), w, h)
			f.put(-1, x+float64(w*between(-0.7, 0.7)), y+float64(h*sign()*between(0.3, 0.7)), w, h)
			for range 2 {
				by = numeric.Exp(sign() * between(0.35, 0.75))
				f.put(-1, x, y, w*by, h*by)
				f.put(-1, between(w/2, float64(f.g.Rect.Dx())-w/2), between(h/2, float64(f.g.Rect.Dy())-h/2), w, h)
			}
		}
	}
}

// put adds a box around a centre. One that is wrong may not fit a label.
func (f *framer) put(label int8, x, y, w, h float64) {
	at := func(v float64) int { return int(math.Floor(v + 0.5)) }
	b := image.Rect(at(x-w/2), at(y-h/2), at(x+w/2), at(y+h/2))
	if b.Dx() >= 3 && b.Dy() >= 3 && (label > 0 || !f.takes(b, 0.55)) {
		f.made = append(f.made, framed{b, label, nil})
	}
}

// takes reports whether a label overlaps a box so much.
func (f *framer) takes(b image.Rectangle, overlap float64) bool {
	return slices.ContainsFunc(f.own, func(i int) bool { return nms.Overlap(f.objects[i].Box, b) >= overlap })
}
