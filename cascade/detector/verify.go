package detector

import (
	"context"
	"image"
	"math"
	"runtime"
	"slices"

	"haarlem/internal/channels"
	"haarlem/internal/engine"
	"haarlem/internal/luma"
	"haarlem/internal/par"
)

// A verifying is the memory for verifying proposals.
type verifying struct {
	crew       par.Group
	extractors []*extractor
	one        func(ctx context.Context, worker, task int) error // verifyOne, as a value

	// What the workers share.
	prepared  *prepared
	quarters  int // of the objects
	g         luma.Plane
	proposals []proposal
}

// An extractor is a worker's memory.
type extractor struct {
	channels.Extractor
	ctx      context.Context
	g        *luma.Plane
	quarters int     // by which the objects are turned
	both     []int32 // columns of two squares
	mirrored []int32 // those of the mirror image
}

// verify adds the output of p's verifier on proposals in g to their margins, with a
// number of goroutines; 0 means GOMAXPROCS. The objects are turned by some quarters.
func (f *verifying) verify(ctx context.Context, p *prepared, quarters int, g luma.Plane, proposals []proposal, workers int) error {
	const each = 8 // proposals that are worth a goroutine
	if p.verifier == nil {
		return ctx.Err()
	}
	if f.one == nil {
		f.one = f.verifyOne
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n := min(workers, (len(proposals)+each-1)/each)
	for len(f.extractors) < n {
		f.extractors = append(f.extractors, &extractor{})
	}
	f.prepared, f.quarters, f.g, f.proposals = p, quarters, g, proposals
	err := f.crew.Run(ctx, len(proposals), n, f.one)
	f.prepared, f.g, f.proposals = nil, luma.Plane{}, nil
	if err == nil {
		err = ctx.Err() // during the last proposals
	}
	return err
}

// verifyOne verifies one proposal. If a verifier rejects it, it has no candidates
// afterwards.
func (f *verifying) verifyOne(ctx context.Context, worker, task int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l, p := f.extractors[worker], &f.proposals[task]
	l.ctx, l.g, l.quarters = ctx, &f.g, f.quarters
	size := image.Pt(f.g.Width, f.g.Height)
	box := turnBox(p.box, size, 4-f.quarters) // where the object is upright
	if f.quarters%2 != 0 {
		size.X, size.Y = size.Y, size.X
	}
	for v := f.prepared.verifier; v != nil; v = v.next {
		p.margin, box = l.verify(v, f.prepared, p.margin, box)
		if v.next != nil && p.margin < 0 {
			p.n = 0
			break
		}
	}
	p.box = turnBox(box, size, f.quarters)
	return nil
}

// verify returns the margin and the box of a proposal after verification by s. The box
// of what is dropped for its margin does not matter, and is mostly not corrected.
func (l *extractor) verify(s *verifier, of *prepared, margin float64, box image.Rectangle) (float64, image.Rectangle) {
	a := &s.multiCrop
	at := func(b image.Rectangle, grow float64) (float64, appearance) {
		columns := l.columns(s, b, grow)
		sum := sumTrees(s.trees, columns)
		if own := margin + float64(s.weight*sum); s.mirror == nil || own < 0 {
			return own, appearance{columns: columns}
		}
		seen := appearance{columns, l.mirror(s, columns)}
		return margin + float64(s.weight*(sum+sumTrees(s.trees, seen.mirrored))/2), seen
	}
	best, seen := at(box, 1)
	doubtful := best > a.Low && best < a.High
	fitted := box
	stays := s.next != nil && best >= 0 || s.next == nil && of.wants(best)
	if s.boxes != nil && (doubtful || stays) {
		fitted = s.boxes.apply(box, &seen)
	}
	if !doubtful {
		return best, fitted
	}
	next := math.Inf(-1)
	see := func(b image.Rectangle, grow float64) {
		m, _ := at(b, grow)
		best, next = max(best, m), max(next, min(best, m))
	}
	x, y := engine.Round(float64(a.Shift*float64(box.Dx()))), engine.Round(float64(a.Shift*float64(box.Dy())))
	for _, by := range [...]image.Point{{-x, 0}, {x, 0}, {0, -y}, {0, y}} {
		if l.ctx.Err() != nil {
			return best, fitted // which is discarded
		}
		see(box.Add(by), 1)
	}
	see(box, 1+a.Grow)
	see(box, 1-a.Grow)
	return (best + next) / 2, fitted
}

// mirror returns the columns of the mirror image. They are valid until the next call.
func (l *extractor) mirror(s *verifier, columns []int32) []int32 {
	mirrored := slices.Grow(l.mirrored[:0], len(s.mirror))[:len(s.mirror)]
	l.mirrored = mirrored
	for k, i := range s.mirror {
		mirrored[k] = columns[i]
	}
	return mirrored
}

// columns extracts the columns of the squares around a box, scaled by a factor.
func (l *extractor) columns(s *verifier, box image.Rectangle, grow float64) []int32 {
	first := l.ExtractTurned(l.g, l.quarters, box, float64(s.sides*grow))
	if s.context == 0 {
		return first
	}
	l.both = append(l.both[:0], first...)
	l.both = append(l.both, l.ExtractTurned(l.g, l.quarters, box, float64(s.context*grow))...)
	return l.both
}
