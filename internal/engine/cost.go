package engine

import (
	"context"
	"image"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/luma"
	"haarlem/internal/program"
)

// A Cost is the work of a search by the cascade's own rules, window by window. The
// search itself comes to the same candidates with less.
type Cost struct {
	Windows    int // visited, on all levels of the pyramid
	Contrast   int // of them, with enough contrast; all with LBP
	Candidates int // of them, passing every exit
	Weak       int // weak classifiers evaluated
}

// PerWindow is the mean number of weak classifiers for a window with enough contrast.
// It is 0 without such windows.
func (c Cost) PerWindow() float64 {
	if c.Contrast == 0 {
		return 0
	}
	return float64(c.Weak) / float64(c.Contrast)
}

// Cost counts the work of searching g, and the windows that pass each exit. It is much
// slower than a search. It is for comparing and tuning cascades.
func (e *Engine) Cost(ctx context.Context, g *image.Gray) (Cost, []int, error) {
	if err := CheckSize(g.Rect); err != nil {
		return Cost{}, nil, err
	}
	img, _ := luma.Of(g, nil)
	if err := e.checkEnlarged(img.Width, img.Height); err != nil {
		return Cost{}, nil, err
	}
	plan, err := e.plan(ctx, img.Width, img.Height, nil)
	if err != nil {
		return Cost{}, nil, err
	}
	n := newCounter(e.setup, plan)
	var from source
	if err := from.set(ctx, img, plan.halved); err != nil {
		return Cost{}, nil, err
	}
	for _, u := range plan.units {
		if err := n.worker.unit(ctx, &from, u, nil); err != nil {
			return Cost{}, nil, err
		}
	}
	if plan.cells != nil {
		var a cellFinder
		err := a.each(ctx, plan, n.worker.forms[0].survivors, func(ctx context.Context, all []cell) error {
			for batch := range slices.Chunk(all, plan.cells.batch) {
				if err := n.worker.cells(ctx, &from, 0, batch); err != nil {
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

// A counter is the visitor that counts windows.
type counter struct {
	worker *worker
	c      *cascade.Cascade
	skip   bool // OpenCV's rule of windows applies
	cost   Cost
	left   []int           // windows rejected at each exit, and last those that pass
	seen   map[uint64]bool // windows off the grid that are counted
}

func newCounter(s *setup, p *plan) *counter {
	n := &counter{worker: newWorker(s, p), c: s.c, skip: s.o.Windows == WindowsOpenCV, left: make([]int, len(s.c.Exits)+1), seen: map[uint64]bool{}}
	n.worker.visitWith(0, n)
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
	if n.seen[w.position] {
		return // counted by another band
	}
	n.seen[w.position] = true
	n.cost.Windows++
	if ok {
		n.tally(b, b.programOf(&w), w.at, w.inv)
	}
}

func (*counter) flush(*band) {}
func (*counter) drop()       {}

// tally counts a window with enough contrast, and returns the number of exits that it
// passes.
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
