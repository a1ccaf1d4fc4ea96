package engine

import (
	"context"
	"image"
	"slices"

	"haarlem/cascade"
	"haarlem/integral"
	"haarlem/internal/program"
)

// A Cost tells how much work an image is for a cascade. It counts what the
// cascade's own rules ask for, window by window; the scan arrives at the same
// candidates with its own short cuts.
type Cost struct {
	Windows    int // visited, on all levels of the pyramid
	Contrast   int // of them, with enough contrast to be looked at; all of cascade.LBP's
	Candidates int // of them, past every exit
	Weak       int // weak learners evaluated
}

// PerWindow is the average number of weak learners that a window takes which
// has enough contrast. It is 0 if no window has.
func (c Cost) PerWindow() float64 {
	if c.Contrast == 0 {
		return 0
	}
	return float64(c.Weak) / float64(c.Contrast)
}

// Cost counts the work of searching all of g upright, and tells how many windows
// passed each of the cascade's exits. It is much slower than a search, and for
// people who compare or tune cascades.
func (e *Engine) Cost(ctx context.Context, g *image.Gray) (Cost, []int, error) {
	if err := CheckSize(g.Rect); err != nil {
		return Cost{}, nil, err
	}
	img, _ := integral.GreyOf(g, nil)
	if err := e.checkEnlarged(img.Width, img.Height); err != nil {
		return Cost{}, nil, err
	}
	plan, err := e.plan(ctx, img.Width, img.Height)
	if err != nil {
		return Cost{}, nil, err
	}
	n := newCounter(e.setup, plan)
	var from source
	if err := from.set(ctx, img, plan.halved); err != nil {
		return Cost{}, nil, err
	}
	for _, u := range plan.units {
		if err := n.worker.unit(ctx, &from, u); err != nil {
			return Cost{}, nil, err
		}
	}
	if plan.cells != nil {
		var a askedCells
		err := a.each(ctx, plan, n.worker.survivors, func(ctx context.Context, all []cell) error {
			for batch := range slices.Chunk(all, plan.cells.batch) {
				if err := n.worker.cells(ctx, &from, batch); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return Cost{}, nil, err
		}
	}
	passed, rest := make([]int, len(e.c.Exits)), n.cost.Contrast
	for x := range passed {
		rest -= n.left[x]
		passed[x] = rest
	}
	return n.cost, passed, ctx.Err()
}

// A counter is the visitor that counts windows, one by one.
type counter struct {
	worker *worker
	c      *cascade.Cascade
	skip   bool // windows are left out by OpenCV's rule
	cost   Cost
	left   []int           // how many left at each exit, and how many at none
	seen   map[uint64]bool // windows that are counted, of those off the grid
}

func newCounter(s *setup, p *plan) *counter {
	n := &counter{worker: newWorker(s, p), c: s.c, skip: s.o.Windows == WindowsOpenCV, left: make([]int, len(s.c.Exits)+1), seen: map[uint64]bool{}}
	n.worker.visitWith(n)
	return n
}

// rows is part of visitor.
func (n *counter) rows(b *band, from, to int) {
	k := &n.worker.contrasts
	for y := from; y < to; y++ {
		at := (y*b.step - b.top) * b.lay.Stride
		skip := false
		for x := range b.nx {
			if n.worker.err != nil {
				return
			}
			if skip {
				skip = false
				continue
			}
			n.cost.Windows++
			i := (y-from)*b.perRow + x
			if n.worker.haar && k.pass[i/64]>>(i%64)&1 == 0 {
				continue
			}
			exit := n.tally(b, b.prog, at+x, k.inv[i])
			for _, a := range b.probes {
				if exit >= a.exits {
					a.survived(i, 1<<(i%program.StripWidth))
				}
			}
			skip = n.skip && exit == 0
		}
	}
}

// window is part of visitor.
func (n *counter) window(b *band, w window, ok bool) {
	if n.seen[w.place] {
		return // by another band
	}
	n.seen[w.place] = true
	n.cost.Windows++
	if ok {
		n.tally(b, b.programOf(&w), w.at, w.inv)
	}
}

func (*counter) flush(*band) {}
func (*counter) drop()       {}

// tally counts a window that has enough contrast, and returns how many exits
// it passes.
func (n *counter) tally(b *band, prog *program.Program, at int, inv float32) int {
	n.cost.Contrast++
	n.worker.spend(prog.Cost)
	exits, _ := prog.Exact(n.worker.tables.tab[at:], inv, b.level.start, len(n.c.Exits))
	n.cost.Weak += n.c.Exits[min(exits, len(n.c.Exits)-1)].After
	n.left[exits]++
	if exits == len(n.c.Exits) {
		n.cost.Candidates++
	}
	return exits
}
