package engine

import (
	"slices"

	"haarlem/cascade"
	"haarlem/internal/program"
)

// near is the numbers of exits that a window has to pass so that windows near it are
// searched too: RefineX, RefineY and InterLevel of [cascade.Search]. 0 means none.
type near struct{ x, y, levels int }

// nearOf returns those of a cascade with these options.
func nearOf(c *cascade.Cascade, o *Options) near {
	n := near{c.Search.RefineX, c.Search.RefineY, c.Search.InterLevel}
	if o.apart() == 1 {
		n.levels = 0 // all levels are dense
	}
	return n
}

// offGrid reports whether windows off a grid with a step of two pixels are searched.
func (n near) offGrid() bool { return n.x > 0 || n.y > 0 }

// any reports whether there is any probe.
func (n near) any() bool { return n.offGrid() || n.levels > 0 }

// A probe records the survivors of a band: the windows that pass a number of exits,
// near which more windows are searched.
type probe struct {
	exits int // 0 means no probe
	words int // of a row
	bits  []uint64
	some  []bool // per row: whether any window survives
}

// probes are those of one worker.
type probes struct {
	beside, around, between probe

	ordered []*probe // those in use, by their exits
	anyStep []*probe // those in use on levels of any step
}

// newProbes allocates them for rows of perRow windows, a multiple of a strip. It
// returns nil if there are none.
func newProbes(near near, rows, perRow int) *probes {
	if !near.any() {
		return nil
	}
	n := &probes{beside: probe{exits: near.x}, around: probe{exits: near.y}, between: probe{exits: near.levels}}
	for _, p := range []*probe{&n.beside, &n.around, &n.between} {
		if p.exits > 0 {
			p.words = perRow / program.StripWidth
			p.bits, p.some = make([]uint64, rows*p.words), make([]bool, rows)
			n.ordered = append(n.ordered, p)
		}
	}
	if n.between.exits > 0 {
		n.anyStep = []*probe{&n.between}
	}
	slices.SortFunc(n.ordered, func(a, b *probe) int { return a.exits - b.exits })
	return n
}

// of returns the probes of windows of a level.
func (n *probes) of(l *level) []*probe {
	switch {
	case n == nil:
		return nil
	case l.step == 2:
		return n.ordered
	}
	return n.anyStep
}

// margin is the number of extra table rows that windows off the grid need, before a
// band's first window and after its last.
func (n *probes) margin() int {
	if n.around.exits > 0 {
		return 1
	}
	return 0
}

// clear prepares for another band.
func (p *probe) clear() {
	clear(p.bits)
	clear(p.some)
}

// survived records survivors of a strip. i is the index of one of the strip's windows
// in pass and inv.
func (p *probe) survived(i int, windows uint64) {
	i /= program.StripWidth
	p.bits[i] |= windows
	p.some[i/p.words] = true
}

// in returns the survivors of strip w in row r of the band, of which there are none
// outside it.
func (p *probe) in(r, w int) uint64 {
	if r < 0 || r >= len(p.some) || w == p.words {
		return 0
	}
	return p.bits[r*p.words+w]
}

// any reports whether row r of the band has survivors.
func (p *probe) any(r int) bool { return r >= 0 && r < len(p.some) && p.some[r] }
