package copies

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"haarlem/internal/par"
)

// A Pair is two pictures that show the same thing.
type Pair struct {
	A, B int // numbers of the pictures; B is lower

	// Map maps a place in A to that in B, in shares of the pictures' width and
	// height.
	Map Affine

	Overlap   float64 // the share of A that is in B too
	Agreement float64 // the correlation of the textures there
}

// An Affine maps (x, y) to (XX x + XY y + X, YX x + YY y + Y).
type Affine struct{ XX, XY, X, YX, YY, Y float64 }

// At maps a point.
func (a *Affine) At(x, y float64) (float64, float64) {
	return float64(a.XX*x) + float64(a.XY*y) + a.X, float64(a.YX*x) + float64(a.YY*y) + a.Y
}

const (
	farthest  = 6  // bits in which codes of one patch may differ
	maxShared = 32 // pictures before this one that are looked at of those with the same bits
	minVotes  = 3  // guesses that agree
	maxTried  = 4  // pictures that are compared with one
)

// Find returns pairs of pictures that show the same thing: not all, but enough to
// connect what belongs together, in an order that does not depend on workers. A nil
// sketch is in no pair. The error is ctx's.
func Find(ctx context.Context, all []*Sketch, workers int) ([]Pair, error) {
	x := newIndex(all)
	found := make([][]Pair, len(all))
	err := par.Each(ctx, len(all), workers, func(f *finder, i int) error {
		if all[i] != nil {
			found[i] = f.find(x, all, i)
		}
		return nil
	}, nil)
	return slices.Concat(found...), err
}

// spans are the parts of a code, first bit and number of bits, that must be equal for
// a patch to be found: one of them.
var spans = [...][2]int{{0, 14}, {7, 14}, {14, 14}}

// part returns the bits of a code in a span.
func part(code uint64, span [2]int) uint32 { return uint32(code >> span[0] & (1<<span[1] - 1)) }

// A key is a patch in an index.
type key struct {
	bits           uint32
	picture, patch int32
}

// An index lists the patches for each span, by their bits and then by picture.
type index struct {
	keys   [len(spans)][]key
	starts [len(spans)][]int32 // of the keys with the same bits
}

func newIndex(all []*Sketch) *index {
	x := &index{}
	for c, span := range spans {
		for i, s := range all {
			if s == nil {
				continue
			}
			for k := range s.patches {
				x.keys[c] = append(x.keys[c], key{part(s.patches[k].code, span), int32(i), int32(k)})
			}
		}
		slices.SortFunc(x.keys[c], func(a, b key) int {
			return cmp.Or(cmp.Compare(a.bits, b.bits), cmp.Compare(a.picture, b.picture), cmp.Compare(a.patch, b.patch))
		})
		x.starts[c] = make([]int32, 1<<span[1]+1)
		for _, k := range x.keys[c] {
			x.starts[c][k.bits+1]++
		}
		for b := range 1 << span[1] {
			x.starts[c][b+1] += x.starts[c][b]
		}
	}
	return x
}

// before returns some patches of pictures before number i with the same bits in a span.
func (x *index) before(i, span int, code uint64) []key {
	b := part(code, spans[span])
	same := x.keys[span][x.starts[span][b]:x.starts[span][b+1]]
	n, _ := slices.BinarySearchFunc(same, i, func(k key, i int) int { return cmp.Compare(int(k.picture), i) })
	return same[max(0, n-maxShared):n]
}

// A finder is the scratch of a worker.
type finder struct {
	guesses []guess
	maps    []Affine
	tries   []try
}

// A guess is that a patch of a picture is in an earlier one too.
type guess struct {
	picture, flip int32
	mine, its     int32 // patches
}

// A try is an earlier picture that may show the same.
type try struct {
	picture int32
	votes   int
	to      Affine
}

func (f *finder) find(x *index, all []*Sketch, i int) []Pair {
	f.guesses = f.guesses[:0]
	for p := range all[i].patches {
		for flip, changed := range flipped {
			code := all[i].patches[p].code ^ changed
			for span := range spans {
				for _, k := range x.before(i, span, code) {
					if bits.OnesCount64(all[k.picture].patches[k.patch].code^code) <= farthest {
						f.guesses = append(f.guesses, guess{k.picture, int32(flip), int32(p), k.patch})
					}
				}
			}
		}
	}
	slices.SortFunc(f.guesses, func(a, b guess) int {
		return cmp.Or(cmp.Compare(a.picture, b.picture), cmp.Compare(a.flip, b.flip), cmp.Compare(a.mine, b.mine), cmp.Compare(a.its, b.its))
	})
	f.guesses = slices.Compact(f.guesses)
	f.tries = f.tries[:0]
	for lo, hi := 0, 0; lo < len(f.guesses); lo = hi {
		g := f.guesses[lo]
		for hi = lo + 1; hi < len(f.guesses) && f.guesses[hi].picture == g.picture && f.guesses[hi].flip == g.flip; hi++ {
		}
		if t := f.vote(all[i], all[g.picture], f.guesses[lo:hi]); t.votes >= minVotes {
			f.tries = append(f.tries, t)
		}
	}
	slices.SortStableFunc(f.tries, func(a, b try) int { return cmp.Or(cmp.Compare(b.votes, a.votes), cmp.Compare(b.picture, a.picture)) })
	var out []Pair
	for _, t := range f.tries[:min(len(f.tries), maxTried)] {
		if p, ok := align(all[i], all[t.picture], t.to); ok {
			p.A, p.B = i, int(t.picture)
			out = append(out, p)
		}
	}
	return out
}

// vote finds the guess with which most others agree about where a is in b. That of the
// whole picture needs no other.
func (f *finder) vote(a, b *Sketch, guesses []guess) try {
	const (
		place = 0.06  // that two places may differ, in shares of a picture
		size  = 1.4   // factor of two scales
		other = 0.125 // of a patch: nearer ones are one blob in two sizes, and have one vote
	)
	best := try{picture: guesses[0].picture}
	f.maps = f.maps[:0]
	for _, g := range guesses {
		f.maps = append(f.maps, onto(&a.patches[g.mine], &b.patches[g.its], g.flip))
	}
	for n := range f.maps {
		m, p := &f.maps[n], &a.patches[guesses[n].mine]
		votes := 1
		if int(guesses[n].mine) == len(a.patches)-1 {
			votes = minVotes
		}
		x, y := m.At(float64(p.x), float64(p.y))
		for k := range f.maps {
			o, q := &f.maps[k], &a.patches[guesses[k].mine]
			if max(q.x-p.x, p.x-q.x) < other*p.w && max(q.y-p.y, p.y-q.y) < other*p.h {
				continue
			}
			u, v := o.At(float64(p.x), float64(p.y))
			if math.Abs(u-x) < place && math.Abs(v-y) < place && math.Abs(o.XX) < size*math.Abs(m.XX) && math.Abs(m.XX) < size*math.Abs(o.XX) {
				votes++
			}
		}
		if votes > best.votes {
			best.votes, best.to = votes, *m
		}
	}
	return best
}

// onto maps a patch to another.
func onto(p, q *patch, flip int32) Affine {
	sx, sy := float64(q.w/p.w), float64(q.h/p.h)
	if flip&flipX != 0 {
		sx = -sx
	}
	if flip&flipY != 0 {
		sy = -sy
	}
	return Affine{XX: sx, X: float64(q.x) - float64(sx*float64(p.x)), YY: sy, Y: float64(q.y) - float64(sy*float64(p.y))}
}
