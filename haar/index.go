package haar

import (
	"fmt"
	"sort"
)

// An Index returns the features of a set by number, so that a trainer can
// sample from millions without listing them. It is safe for concurrent use.
type Index struct {
	set    Set
	w, h   int
	before []int // before[x*h+y]: number of features at earlier positions; the last entry is the total
}

// NewIndex prepares the index of the set in a window of w x h pixels, neither
// of which may be negative. It takes a word of memory per pixel.
func NewIndex(set Set, w, h int) *Index {
	ix := &Index{set: set, w: w, h: h, before: make([]int, 1, w*h+1)}
	n := 0
	for x := 0; x < w; x++ {
		for y := 0; y < h; y++ {
			for dx := 1; dx <= w; dx++ {
				for i := range shapes {
					n += ix.heights(&shapes[i], x, y, dx)
				}
			}
			ix.before = append(ix.before, n)
		}
	}
	return ix
}

// heights returns the number of dy for which the shape fits at (x, y) with
// units dx wide. They are 1, 2, ..., since a smaller unit fits too.
func (ix *Index) heights(s *shape, x, y, dx int) int {
	a := int(s.nu) * dx
	room := ix.h - y
	if s.tilted {
		room = min(room-a, x)
	}
	if s.set > ix.set || x+a > ix.w || room <= 0 {
		return 0
	}
	return room / int(s.nv)
}

// Len returns the number of features.
func (ix *Index) Len() int { return ix.before[len(ix.before)-1] }

// At returns feature i in the order of [Set.Features]. It panics unless 0 <= i
// < Len.
func (ix *Index) At(i int) Feature {
	if i < 0 || i >= ix.Len() {
		panic(fmt.Sprintf("haar: feature %d of %d", i, ix.Len()))
	}
	p := sort.Search(len(ix.before), func(p int) bool { return ix.before[p] > i }) - 1
	x, y := p/ix.h, p%ix.h
	i -= ix.before[p]
	for dx := 1; ; dx++ {
		n := 0
		for k := range shapes {
			n += ix.heights(&shapes[k], x, y, dx)
		}
		if i >= n {
			i -= n
			continue
		}
		for dy := 1; ; dy++ {
			for k := range shapes {
				if ix.heights(&shapes[k], x, y, dx) < dy {
					continue
				}
				if i == 0 {
					return shapes[k].place(x, y, dx, dy)
				}
				i--
			}
		}
	}
}
