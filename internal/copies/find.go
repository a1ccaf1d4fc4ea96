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

// Find returns pairs of n pictures that show the same thing: not all, but enough to
// connect what belongs together, in an order that does not depend on workers. load
// returns the sketch of a picture, for several goroutines at once; nil is in no pair.
// The memory that it takes hardly depends on n. The error is ctx's or load's.
func Find(ctx context.Context, n int, load func(i int) (*Sketch, error), workers int) ([]Pair, error) {
	var x index
	var pairs []Pair
	for from := 0; from < n; from += together {
		some := make([]*Sketch, min(together, n-from))
		err := par.Each(ctx, len(some), workers, func(_ *struct{}, k int) (err error) {
			some[k], err = load(from + k)
			return err
		}, nil)
		if err != nil {
			return nil, err
		}
		x.add(from, some)
		found := make([][]Pair, len(some))
		err = par.Each(ctx, len(some), workers, func(f *finder, k int) (err error) {
			if some[k] != nil {
				found[k], err = f.find(&x, some[k], from+k, load)
			}
			return err
		}, nil)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, slices.Concat(found...)...)
	}
	return pairs, nil
}

// together is how many pictures are indexed at once.
const together = 2048

// spans are the parts of a code, first bit and number of bits, that must be equal for
// a patch to be found: one of them.
var spans = [...][2]int{{0, 14}, {7, 14}, {14, 14}}

// part returns the bits of a code in a span.
func part(code uint64, span [2]int) uint32 { return uint32(code >> span[0] & (1<<span[1] - 1)) }

// A key is a patch in an index.
type key struct {
	patch
	number, across, down uint8 // of the patch; of the texture
	picture              int32
}

// An index lists the patches of some pictures for each span, by their bits and then by
// picture, with the last of the pictures before them.
type index struct {
	keys   [len(spans)][]key
	starts [len(spans)][]int32 // of the keys with the same bits
}

// add replaces the pictures, of which the first has number from. Of those before, it
// keeps as many patches as [index.before] may return.
func (x *index) add(from int, some []*Sketch) {
	for c, span := range spans {
		old, ends := x.keys[c], x.starts[c]
		if ends == nil {
			ends = make([]int32, 1<<span[1]+1)
		}
		starts := make([]int32, len(ends))
		for b := range ends[1:] {
			starts[b+1] = min(ends[b+1]-ends[b], maxShared)
		}
		for _, s := range some {
			if s != nil {
				for k := range s.patches {
					starts[part(s.patches[k].code, span)+1]++
				}
			}
		}
		for b := range ends[1:] {
			starts[b+1] += starts[b]
		}
		keys, next := make([]key, starts[len(ends)-1]), slices.Clone(starts)
		for b := range ends[1:] {
			next[b] += int32(copy(keys[next[b]:], old[max(ends[b], ends[b+1]-maxShared):ends[b+1]]))
		}
		for i, s := range some {
			if s == nil {
				continue
			}
			for k, p := range s.patches {
				b := part(p.code, span)
				keys[next[b]] = key{p, uint8(k), s.across, s.down, int32(from + i)}
				next[b]++
			}
		}
		x.keys[c], x.starts[c] = keys, starts
	}
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
	squares []square // mine, of the guesses
	tries   []try
}

// A guess is that a patch of a picture is in an earlier one too.
type guess struct {
	picture, flip int32
	mine, its     int32 // patches
	key           *key  // its
}

// A try is an earlier picture that may show the same.
type try struct {
	picture int32
	votes   int
	to      Affine
}

func (f *finder) find(x *index, s *Sketch, i int, load func(i int) (*Sketch, error)) ([]Pair, error) {
	f.guesses = f.guesses[:0]
	for p := range s.patches {
		for flip, changed := range flipped {
			code := s.patches[p].code ^ changed
			for span := range spans {
				before := x.before(i, span, code)
				for n := range before {
					if k := &before[n]; bits.OnesCount64(k.code^code) <= farthest {
						f.guesses = append(f.guesses, guess{k.picture, int32(flip), int32(p), int32(k.number), k})
					}
				}
			}
		}
	}
	slices.SortFunc(f.guesses, func(a, b guess) int {
		return cmp.Or(cmp.Compare(a.picture, b.picture), cmp.Compare(a.flip, b.flip), cmp.Compare(a.mine, b.mine), cmp.Compare(a.its, b.its))
	})
	f.guesses = slices.CompactFunc(f.guesses, func(a, b guess) bool {
		return a.picture == b.picture && a.flip == b.flip && a.mine == b.mine && a.its == b.its
	})
	f.tries = f.tries[:0]
	for lo, hi := 0, 0; lo < len(f.guesses); lo = hi {
		g := f.guesses[lo]
		for hi = lo + 1; hi < len(f.guesses) && f.guesses[hi].picture == g.picture && f.guesses[hi].flip == g.flip; hi++ {
		}
		if t := f.vote(s, f.guesses[lo:hi]); t.votes >= minVotes {
			f.tries = append(f.tries, t)
		}
	}
	slices.SortStableFunc(f.tries, func(a, b try) int { return cmp.Or(cmp.Compare(b.votes, a.votes), cmp.Compare(b.picture, a.picture)) })
	var out []Pair
	for _, t := range f.tries[:min(len(f.tries), maxTried)] {
		earlier, err := load(int(t.picture))
		if err != nil {
			return nil, err
		}
		if p, ok := align(s, earlier, t.to); ok {
			p.A, p.B = i, int(t.picture)
			out = append(out, p)
		}
	}
	return out, nil
}

// vote finds the guess with which most others agree about where a is in another picture.
// That of the whole picture needs no other.
func (f *finder) vote(a *Sketch, guesses []guess) try {
	const (
		place = 0.06  // that two places may differ, in shares of a picture
		size  = 1.4   // factor of two scales
		other = 0.125 // of a patch: nearer ones are one blob in two sizes, and have one vote
	)
	best := try{picture: guesses[0].picture}
	f.maps, f.squares = f.maps[:0], f.squares[:0]
	for _, g := range guesses {
		mine, its := a.patches[g.mine].in(a.across, a.down), g.key.in(g.key.across, g.key.down)
		f.maps, f.squares = append(f.maps, onto(mine, its, g.flip)), append(f.squares, mine)
	}
	for n := range f.maps {
		m, p := &f.maps[n], &f.squares[n]
		votes := 1
		if int(guesses[n].mine) == len(a.patches)-1 {
			votes = minVotes
		}
		x, y := m.At(float64(p.x), float64(p.y))
		for k := range f.maps {
			o, q := &f.maps[k], &f.squares[k]
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
func onto(p, q square, flip int32) Affine {
	sx, sy := float64(q.w/p.w), float64(q.h/p.h)
	if flip&flipX != 0 {
		sx = -sx
	}
	if flip&flipY != 0 {
		sy = -sy
	}
	return Affine{XX: sx, X: float64(q.x) - float64(sx*float64(p.x)), YY: sy, Y: float64(q.y) - float64(sy*float64(p.y))}
}
