package engine

import (
	"slices"

	"haarlem/cascade"
	"haarlem/internal/program"
)

// near is how many exits windows have to pass so that others near them are searched
// too: RefineX, RefineY and InterLevel of [cascade.Search]. 0 means that none are.
type near struct{ x, y, levels int }

// nearOf returns what there is for a cascade with these options.
func nearOf(c *cascade.Cascade, o *Options) near {
	n := near{c.Search.RefineX, c.Search.RefineY, c.Search.InterLevel}
	if o.apart() == 1 {
		n.levels = 0 // there are no levels between
	}
	return n
}

// offGrid reports whether windows off the grid are looked at, where it has a
// step of two pixels.
func (n near) offGrid() bool { return n.x > 0 || n.y > 0 }

// any reports whether anything depends on how many exits windows pass.
func (n near) any() bool { return n.offGrid() || n.levels > 0 }

// A probe remembers which of a band's windows pass so many exits: near them more
// windows are looked at.
type probe struct {
	exits int // 0: nobody asks
	words int // of a row
	bits  []uint64
	some  []bool // per row: whether any window does
}

// probes are those of one worker.
type probes struct {
	beside, around, between probe

	asked []*probe // those of them that are asked, in the order of their exits
	all   []*probe // those of them that are asked on levels of any step
}

// newProbes allocates them for rows of so many windows, rounded up to strips. It
// returns nil if nothing depends on them.
func newProbes(near near, rows, perRow int) *probes {
	if !near.any() {
		return nil
	}
	n := &probes{beside: probe{exits: near.x}, around: probe{exits: near.y}, between: probe{exits: near.levels}}
	for _, p := range []*probe{&n.beside, &n.around, &n.between} {
		if p.exits > 0 {
			p.words = perRow / program.StripWidth
			p.bits, p.some = make([]uint64, rows*p.words), make([]bool, rows)
			n.asked = append(n.asked, p)
		}
	}
	if n.between.exits > 0 {
		n.all = []*probe{&n.between}
	}
	slices.SortFunc(n.asked, func(a, b *probe) int { return a.exits - b.exits })
	return n
}

// of returns the probes of windows of a level.
func (n *probes) of(l *level) []*probe {
	switch {
	case n == nil:
		return nil
	case l.step == 2:
		return n.asked
	}
	return n.all
}

// margin is how many table rows before a band's first window, and behind its
// last one, those off the grid need.
func (n *probes) margin() int {
	if n.around.exits > 0 {
		return 1
	}
	return 0
}

// clear makes room for another band.
func (p *probe) clear() {
	clear(p.bits)
	clear(p.some)
}

// survived notes windows of a strip that pass; i is where the strip stands in
// pass and inv, or any window of it.
func (p *probe) survived(i int, windows uint64) {
	i /= program.StripWidth
	p.bits[i] |= windows
	p.some[i/p.words] = true
}

// in returns the windows of strip w in row r of the band that passed. There
// are none outside the band.
func (p *probe) in(r, w int) uint64 {
	if r < 0 || r >= len(p.some) || w == p.words {
		return 0
	}
	return p.bits[r*p.words+w]
}

// any reports whether windows of row r of the band passed.
func (p *probe) any(r int) bool { return r >= 0 && r < len(p.some) && p.some[r] }
