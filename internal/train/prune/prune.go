// Package prune makes cascades faster: it raises the thresholds of their exits as far
// as possible without losing objects in photographs.
//
//	res, err := prune.Raise(ctx, c, photos, nil)
//
// In training, all windows of an object have to pass. A photograph has many windows
// around an object, and it is detected if the best of them pass. The others may be
// rejected, so an exit's threshold may be the best score of the worst object that is
// kept.
//
// Zhang and Viola, Multiple-instance pruning for learning efficient cascade
// detectors, NIPS 2007.
package prune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train"
)

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("prune: bad settings")

// ErrData is wrapped by errors about unusable cascades and photographs.
var ErrData = errors.New("prune: cannot learn from this")

// Settings are the settings of pruning. A nil *Settings and the zero value mean
// every field's default.
type Settings struct {
	// Keep is the max number of the cascade's weak classifiers that stay: a
	// verifier replaces the last ones. 0 means all.
	Keep int

	// Lower is by how much all thresholds are lowered first, the last one too. With
	// a verifier, lower thresholds are safe: it removes the extra false positives.
	Lower float64

	// Loss is the fraction of the detected objects that all exits together may
	// lose. 0 means none.
	Loss float64

	// Power skews the loss budget: below 1 towards early exits, above 1 towards
	// late ones; see [train.LossBy]. 0 means 1.
	Power float64

	// Windows is the number of windows of an object that count, those of the
	// largest margins. 0 means 4.
	Windows int

	// Search is how to search. Its MinSize means 24 by 24 if there is none; its
	// Search and its settings of detections have no effect. Only windows of the
	// grid count: for a model that does not search all levels densely, Scale is
	// the factor between dense levels.
	Search detector.Options

	Workers  int                   // 0 means GOMAXPROCS. The result does not depend on it
	Progress func(done, total int) // may be nil; never called twice at once
}

// A Result is a cascade with other thresholds, and its objects.
type Result struct {
	Cascade *cascade.Cascade // without a verifier and a calibration
	Objects int              // detected
	Lost    int              // of them
}

func (s *Settings) withDefaults() (Settings, error) {
	v := *cmp.Or(s, &Settings{})
	v.Power, v.Windows = cmp.Or(v.Power, 1), cmp.Or(v.Windows, 4)
	if v.Search.MinSize == (image.Point{}) {
		v.Search.MinSize = image.Pt(24, 24)
	}
	v.Search.Workers = 1
	for _, f := range []struct {
		name string
		ok   bool
	}{
		{"Keep", v.Keep >= 0},
		{"Lower", v.Lower >= 0 && v.Lower <= 1<<16},
		{"Loss", v.Loss >= 0 && v.Loss < 1},
		{"Power", v.Power >= 0.1 && v.Power <= 10},
		{"Windows", v.Windows > 0},
	} {
		if !f.ok {
			return v, fmt.Errorf("%w: %s", ErrSettings, f.name)
		}
	}
	return v, nil
}

// Raise returns a copy of c with thresholds as high as the settings allow, and
// never lower than Settings.Lower makes them. The last one, from which margins are
// measured, stays. Equal cascades, photographs and settings give equal results.
func Raise(ctx context.Context, c *cascade.Cascade, photos []eval.Photo, settings *Settings) (*Result, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	for _, x := range c.Exits[:len(c.Exits)-1] {
		if x.Restart {
			return nil, fmt.Errorf("%w: a cascade whose score starts again", ErrData)
		}
	}
	out := c.Cut(cmp.Or(s.Keep, len(c.Weak)))
	if out == nil {
		return nil, fmt.Errorf("%w: Keep %d, but the first exit is after %d weak classifiers", ErrSettings, s.Keep, c.Exits[0].After)
	}
	out.Exits = slices.Clone(out.Exits)
	for e := range out.Exits {
		out.Exits[e].Threshold -= float32(s.Lower)
	}
	objects, err := gather(ctx, out, photos, &s)
	if err != nil {
		return nil, err
	}
	if len(objects) == 0 {
		return nil, fmt.Errorf("%w: none of the objects is found", ErrData)
	}
	n := len(objects)
	for e := range out.Exits[:len(out.Exits)-1] {
		x := &out.Exits[e]
		lost := n - len(objects)
		x.Threshold = max(x.Threshold, highest(objects, e, allowed(&s, n, x.After, len(out.Weak))-lost))
		objects = survivors(objects, e, x.Threshold)
	}
	return &Result{Cascade: out, Objects: n, Lost: n - len(objects)}, nil
}

// allowed is the number of objects that may be lost by weak classifier after of
// all.
func allowed(s *Settings, objects, after, all int) int {
	return int(train.LossBy(s.Loss, s.Power, after, all) * float64(objects))
}

// An object is an object's best windows, by their scores at every exit.
type object [][]float32

// at returns the largest sum of o at exit e.
func (o object) at(e int) float32 {
	best := o[0][e]
	for _, w := range o[1:] {
		best = max(best, w[e])
	}
	return best
}

// highest returns the highest threshold at exit e that loses at most lose
// objects.
func highest(objects []object, e, lose int) float32 {
	all := make([]float32, len(objects))
	for i, o := range objects {
		all[i] = o.at(e)
	}
	slices.Sort(all)
	return all[min(max(lose, 0), len(all)-1)]
}

// survivors returns the objects with windows left at exit e, and these windows.
func survivors(objects []object, e int, threshold float32) []object {
	var left []object
	for _, o := range objects {
		o = slices.DeleteFunc(o, func(w []float32) bool { return w[e] < threshold })
		if len(o) > 0 {
			left = append(left, o)
		}
	}
	return left
}

// gather finds the objects.
func gather(ctx context.Context, c *cascade.Cascade, photos []eval.Photo, s *Settings) ([]object, error) {
	search, own := s.Search, c.Search
	// Windows off the grid are searched only near survivors.
	own.RefineX, own.RefineY, own.InterLevel, own.DenseFrom = 0, 0, 0, 0
	search.Search = &own
	search.MaxCandidates = cmp.Or(search.MaxCandidates, -1) // thresholds may be low
	e, err := engine.New(c, eval.EngineOptions(&search))
	if err != nil {
		return nil, err
	}
	a, err := engine.NewOutputs(c)
	if err != nil {
		return nil, err
	}
	found := make([][]object, len(photos))
	o := &eval.MeasureOptions{Workers: s.Workers, Progress: s.Progress}
	err = eval.Each(ctx, photos, o, func(ctx context.Context, i int, img image.Image) error {
		if len(photos[i].Objects) == 0 {
			return nil
		}
		g := samples.Grey(img)
		ws, err := e.AppendWindows(ctx, nil, g)
		if err != nil {
			return err
		}
		slices.SortStableFunc(ws, func(a, b engine.Window) int { return cmp.Compare(b.Margin, a.Margin) })
		for k := range photos[i].Objects {
			if q := &photos[i].Objects[k]; !q.Ignore {
				if o := sums(a, c, g, ws, q.Box, s.Windows); len(o) > 0 {
					found[i] = append(found[i], o)
				}
			}
		}
		return nil
	})
	return slices.Concat(found...), err
}

// sums returns the object in box: the first n of its windows among ws, which
// are sorted best first.
func sums(a *engine.Outputs, c *cascade.Cascade, g *image.Gray, ws []engine.Window, box image.Rectangle, n int) (o object) {
	window := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
	var outputs []float32
	for i := 0; i < len(ws) && len(o) < n; i++ {
		if _, ok := eval.Close.Match(box, ws[i].Box); !ok {
			continue
		}
		engine.CutWindow(window, g, ws[i])
		outputs, _ = a.Append(outputs[:0], window, 0)
		at := make([]float32, len(c.Exits))
		sum, from := ws[i].Start, 0
		for e, x := range c.Exits {
			for _, v := range outputs[from:x.After] {
				sum += float64(v)
			}
			from = x.After
			at[e] = down(sum)
		}
		o = append(o, at)
	}
	return o
}

// down rounds towards minus infinity.
func down(v float64) float32 {
	f := float32(v)
	if float64(f) > v {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}
