package detector

import (
	"context"
	"image"
	"math"
	"runtime"

	"haarlem/cascade"
	"haarlem/integral"
	"haarlem/internal/channels"
	"haarlem/internal/engine"
	"haarlem/internal/par"
)

// A verifier is one of a cascade, compiled.
type verifier struct {
	sides, weight float64
	context       float64 // side of the second square; 0 for none
	again         cascade.MultiCrop
	trees         []verifierTree
	boxes         *boxFit   // nil: none
	next          *verifier // nil: none
}

// compile returns nil for no verifier.
func compile(v *cascade.Verifier) *verifier {
	if v == nil {
		return nil
	}
	return &verifier{
		sides: v.Sides, weight: v.Weight, context: v.Context, again: v.MultiCrop,
		trees: compileTrees(v.Trees), boxes: compileBoxes(v.Boxes), next: compile(v.Next),
	}
}

// A verifying is the memory for looking at finds again.
type verifying struct {
	crew    par.Group
	lookers []*looker
	look    func(ctx context.Context, worker, task int) error // lookAt, as a value

	// What the workers share.
	v     *verifier
	g     integral.Grey
	finds []find
}

// A looker is a worker's memory for second looks.
type looker struct {
	channels.Looker
	ctx  context.Context
	g    *integral.Grey
	both []int32 // columns of two squares
}

// verify adds to the margins of finds what a second look of v at them in g says. It
// is shared by so many goroutines; 0 means GOMAXPROCS.
func (f *verifying) verify(ctx context.Context, v *verifier, g integral.Grey, finds []find, workers int) error {
	const each = 8 // looks that are worth a goroutine
	if v == nil {
		return ctx.Err()
	}
	if f.look == nil {
		f.look = f.lookAt
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n := min(workers, (len(finds)+each-1)/each)
	for len(f.lookers) < n {
		f.lookers = append(f.lookers, &looker{g: &f.g})
	}
	f.v, f.g, f.finds = v, g, finds
	err := f.crew.Run(ctx, len(finds), n, f.look)
	f.g, f.finds = integral.Grey{}, nil
	if err == nil {
		err = ctx.Err() // while the last were looked at
	}
	return err
}

// lookAt looks at one of the finds. One that a verifier drops has no candidates
// afterwards.
func (f *verifying) lookAt(ctx context.Context, worker, task int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l, p := f.lookers[worker], &f.finds[task]
	l.ctx = ctx
	for v := f.v; v != nil; v = v.next {
		p.margin, p.box = l.look(v, p.margin, p.box)
		if v.next != nil && p.margin < 0 {
			p.n = 0
			break
		}
	}
	return nil
}

// look returns what a margin and a box become by looking at the box.
func (l *looker) look(s *verifier, margin float64, box image.Rectangle) (float64, image.Rectangle) {
	a := &s.again
	at := func(b image.Rectangle, grow float64) (float64, []int32) {
		columns := l.columns(s, b, grow)
		return margin + float64(s.weight*sumTrees(s.trees, columns)), columns
	}
	best, columns := at(box, 1)
	fitted := box
	if s.boxes != nil {
		fitted = s.boxes.apply(box, columns)
	}
	if !(best > a.Low && best < a.High) {
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
			return best, fitted // which nobody will see
		}
		see(box.Add(by), 1)
	}
	see(box, 1+a.Grow)
	see(box, 1-a.Grow)
	return (best + next) / 2, fitted
}

// columns returns what there is to see around a box, of squares that are so many
// times as large as usual.
func (l *looker) columns(s *verifier, box image.Rectangle, grow float64) []int32 {
	first := l.Look(l.g, box, float64(s.sides*grow))
	if s.context == 0 {
		return first
	}
	l.both = append(l.both[:0], first...)
	l.both = append(l.both, l.Look(l.g, box, float64(s.context*grow))...)
	return l.both
}
