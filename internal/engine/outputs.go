package engine

import (
	"context"
	"image"
	"sync"

	"haarlem/cascade"
	"haarlem/internal/luma"
)

// Outputs computes the outputs of the weak classifiers of a cascade on single windows.
// It may be used by many goroutines at once.
type Outputs struct {
	c     *cascade.Cascade
	plan  *plan
	setup *setup
	pool  sync.Pool // of *outputter
}

// NewOutputs compiles c.
func NewOutputs(c *cascade.Cascade) (*Outputs, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	c = c.Clone()
	c.Search = cascade.Search{Stride: 1}
	a := &Outputs{c: c, setup: newSetup(c, Options{Scale: 1.1, Workers: 1, Enlarge: 1, Windows: WindowsAll})}
	// Without a context that ends, there is no error.
	a.plan, _ = a.setup.planFor(context.Background(), c.Width, c.Height, nil, nil)
	return a, nil
}

// Append appends the outputs for a window of the cascade's size to dst, from weak
// classifier number from on, whether or not an exit rejects the window. The second
// result reports whether the window has enough contrast; without, nothing is appended.
func (a *Outputs) Append(dst []float32, g *image.Gray, from int) ([]float32, bool) {
	if g.Rect.Dx() != a.c.Width || g.Rect.Dy() != a.c.Height {
		panic("engine: outputs for an image that is not of the window's size")
	}
	v, ok := a.pool.Get().(*outputter)
	if !ok {
		v = &outputter{worker: newWorker(a.setup, a.plan), weak: len(a.c.Weak)}
		v.worker.visitWith(0, v)
	}
	defer a.pool.Put(v)
	v.from, v.dst = from, dst
	v.image.image, _ = luma.Of(g, nil)
	// Without a context that ends, a unit has no error.
	_ = v.worker.unit(context.Background(), &v.image, a.plan.units[0], nil)
	dst, v.dst, v.image.image = v.dst, nil, luma.Plane{}
	return dst, v.ok
}

// An outputter is the visitor of a single window.
type outputter struct {
	worker *worker
	image  source
	weak   int
	from   int
	dst    []float32
	ok     bool
}

// rows is part of visitor.
func (v *outputter) rows(b *band, _, _ int) {
	k := &v.worker.contrasts
	if v.ok = !v.worker.haar || k.pass[0]&1 != 0; !v.ok {
		return
	}
	for i := v.from; i < v.weak; i++ {
		v.dst = append(v.dst, b.prog.Leaf(i, v.worker.tables.tab, k.inv[0]))
	}
}

func (*outputter) window(*band, window, bool) {} // not needed: there are no probes
func (*outputter) flush(*band)                {}
func (*outputter) drop()                      {}
