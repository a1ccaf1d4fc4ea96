package cascade

import (
	"context"
	"image"
	"slices"

	"haarlem/integral"
)

// A Cost tells how much work an image is for a cascade. It counts what the
// cascade's own rules ask for, window by window; the scan arrives at the same
// candidates with its own short cuts.
type Cost struct {
	Windows    int // visited, on all levels of the pyramid
	Contrast   int // of them, with enough contrast to be looked at; all of LBP's
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

// Cost counts the work of searching all of g upright with d's options for the
// pyramid and the windows: Scale, MinSize, MaxSize, Enlarge, Stride, Nearby,
// Around, Between, BetweenBelow, Pad and Windows. It is much slower than a
// search, and for people who compare or tune cascades.
func (d *Detector) Cost(ctx context.Context, g *image.Gray) (Cost, error) {
	c, _, err := d.CostByExit(ctx, g)
	return c, err
}

// CostByExit is Cost, and tells how many windows passed each of the cascade's
// exits.
func (d *Detector) CostByExit(ctx context.Context, g *image.Gray) (Cost, []int, error) {
	if err := checkSize(g.Rect); err != nil {
		return Cost{}, nil, err
	}
	p, _ := integral.GreyOf(g, nil)
	if err := d.checkEnlarged(p.Width, p.Height); err != nil {
		return Cost{}, nil, err
	}
	plan, err := d.newPlan(ctx, p.Width, p.Height)
	if err != nil {
		return Cost{}, nil, err
	}
	passed := make([]int, len(d.c.Exits))
	if len(plan.units) == 0 {
		return Cost{}, passed, ctx.Err()
	}
	var c Cost
	s := d.newScanner(plan)
	s.cost, s.left = &c, make([]int, len(d.c.Exits)+1)
	if s.near != nil {
		s.near.seen = map[uint64]bool{}
	}
	if err := s.halves.make(ctx, &p, plan.halved); err != nil {
		return Cost{}, nil, err
	}
	for _, u := range plan.units {
		if err := s.do(ctx, &p, u); err != nil {
			return Cost{}, nil, err
		}
	}
	if plan.cells != nil {
		var a askedCells
		err := a.each(ctx, plan, s.far, func(all []cell) error {
			for batch := range slices.Chunk(all, plan.cells.batch) {
				if err := s.doCells(ctx, &p, batch); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return Cost{}, nil, err
		}
	}
	rest := c.Contrast
	for e := range passed {
		rest -= s.left[e]
		passed[e] = rest
	}
	return c, passed, nil
}

// count adds the window rows from from to to-1 to s.cost and s.left.
func (s *scanner) count(b *band, from, to int) {
	c := s.cost
	for y := from; y < to; y++ {
		at := (y*b.step - b.top) * b.lay.stride
		skip := false
		for x := range b.nx {
			if s.err != nil {
				return
			}
			if skip {
				skip = false
				continue
			}
			c.Windows++
			i := (y-from)*s.plan.perRow + x
			if s.d.c.Kind == Haar && s.pass[i/64]>>(i%64)&1 == 0 {
				continue
			}
			exit := s.tally(b, b.prog, at+x, s.inv[i])
			for _, a := range b.asks {
				if exit >= a.exits {
					a.came(i, 1<<(i%stripWidth))
				}
			}
			skip = s.d.skip && exit == 0
		}
	}
}

// tally counts a window that has enough contrast, and returns how many exits
// it passes.
func (s *scanner) tally(b *band, prog *program, at int, inv float32) int {
	c := s.cost
	c.Contrast++
	s.spend(prog.cost)
	exit, weak := prog.leaves(s.tab[at:], inv, b.level.start)
	c.Weak += weak
	s.left[exit]++
	if exit == len(s.d.c.Exits) {
		c.Candidates++
	}
	return exit
}

// leaves returns how many exits the window at t passes, whose score begins at
// start, and how many weak learners that takes.
func (p *program) leaves(t []uint16, inv float32, start float64) (exits, weak int) {
	score, from := start, 0
	for e, x := range p.model.Exits {
		for w := from; w < x.After; w++ {
			score += float64(p.leaf(&p.model.Weak[w], t, inv))
		}
		from = x.After
		if score < float64(x.Threshold) {
			return e, from
		}
		if x.Restart {
			score = 0
		}
	}
	return len(p.model.Exits), from
}
