package engine

import (
	"context"
	"image"
	"sync"

	"haarlem/cascade"
	"haarlem/integral"
)

// Answers asks the weak learners of a cascade about single windows. It may be
// used by many goroutines at once.
type Answers struct {
	c     *cascade.Cascade
	plan  *plan
	setup *setup
	pool  sync.Pool // of *answerer
}

// NewAnswers compiles c for that.
func NewAnswers(c *cascade.Cascade) (*Answers, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	c = c.Clone()
	c.Search = cascade.Search{Stride: 1}
	a := &Answers{c: c, setup: newSetup(c, Options{Scale: 1.1, Workers: 1, Enlarge: 1, Windows: WindowsAll})}
	// Without a context that ends, there is no error.
	a.plan, _ = a.setup.planFor(context.Background(), c.Width, c.Height, nil)
	return a, nil
}

// Append appends what the weak learners answer to a window of the cascade's size
// to dst: those from number from on, whether an exit before them rejects it or
// not. The second result reports whether the window has enough contrast; without,
// there are no answers.
func (a *Answers) Append(dst []float32, g *image.Gray, from int) ([]float32, bool) {
	if g.Rect.Dx() != a.c.Width || g.Rect.Dy() != a.c.Height {
		panic("engine: answers about a picture that is no window")
	}
	v, ok := a.pool.Get().(*answerer)
	if !ok {
		v = &answerer{worker: newWorker(a.setup, a.plan), weak: len(a.c.Weak)}
		v.worker.visitWith(v)
	}
	defer a.pool.Put(v)
	v.from, v.dst = from, dst
	v.image.image, _ = integral.GreyOf(g, nil)
	// Without a context that ends, a unit has no error.
	_ = v.worker.unit(context.Background(), &v.image, a.plan.units[0])
	dst, v.dst, v.image.image = v.dst, nil, integral.Grey{}
	return dst, v.ok
}

// An answerer is the visitor of a single window that asks all weak learners.
type answerer struct {
	worker *worker
	image  source
	weak   int
	from   int
	dst    []float32
	ok     bool
}

// rows is part of visitor.
func (v *answerer) rows(b *band, _, _ int) {
	k := &v.worker.contrasts
	if v.ok = !v.worker.haar || k.pass[0]&1 != 0; !v.ok {
		return
	}
	for i := v.from; i < v.weak; i++ {
		v.dst = append(v.dst, b.prog.Leaf(i, v.worker.tables.tab, k.inv[0]))
	}
}

func (*answerer) window(*band, window, bool) {} // there are none
func (*answerer) flush(*band)                {}
func (*answerer) drop()                      {}
