package train

import (
	"context"
	"hash/maphash"
	"image"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"haarlem/cascade"
	"haarlem/internal/engine"
	"haarlem/internal/par"
)

// Hard-negative mining (also called bootstrapping: Sung and Poggio, 1998): the
// cascade so far is run over the backgrounds, and the windows that it passes are
// the negatives of the next step.

// A miner mines hard negatives: windows of backgrounds that a cascade passes.
type miner struct {
	s      *Settings
	all    []Background
	turns  int   // orientations in which each image is searched
	order  []int // in which images are searched, lap after lap
	cursor int   // over all images in all orientations

	// Decoded images, as far as memory allows.
	cached []*image.Gray
	room   atomic.Int64

	windows sync.Pool // of *[]engine.Window: the first cascades pass millions
	turned  sync.Pool // of *image.Gray
}

func newMiner(s *Settings, all []Background, turns int, room int64) *miner {
	m := &miner{s: s, all: all, turns: turns, cached: make([]*image.Gray, len(all))}
	m.order = rand.New(rand.NewPCG(s.Seed, 0x6d696e65)).Perm(len(all))
	m.room.Store(room)
	return m
}

// view returns the image at position k, and its orientation. Each lap has every
// image once, in mixed orientations; after as many laps as there are
// orientations, every image was there in each.
func (m *miner) view(k int) (picture int, t turn) {
	n := len(m.order)
	picture = m.order[k%n]
	return picture, turnsOf[(picture+k/n)%m.turns]
}

// grey returns image i. Only one goroutine may ask for an image at a time.
func (m *miner) grey(i int) (*image.Gray, error) {
	if g := m.cached[i]; g != nil {
		return g, nil
	}
	g, err := m.all[i].Grey()
	if err != nil {
		return nil, err
	}
	if m.room.Add(-int64(len(g.Pix))) >= 0 {
		m.cached[i] = g
	} else {
		m.room.Add(int64(len(g.Pix)))
	}
	return g, nil
}

// A catch is the result of mining.
type catch struct {
	windows         []*image.Gray
	visited, passed int
	wholePass       bool // every image was searched in all its orientations
}

// rate is the fraction of the visited windows that passed.
func (c *catch) rate() float64 {
	if c.visited == 0 {
		return 0
	}
	return float64(c.passed) / float64(c.visited)
}

// acceptAll returns a cascade that passes every window with enough contrast.
func acceptAll(s *Settings) *cascade.Cascade {
	c := &cascade.Cascade{
		Kind: s.Kind, Width: s.Width, Height: s.Height, MinStdDev: s.MinStdDev, Search: cascade.Search{PrefilterFrom: s.PrefilterFrom},
		Weak:  []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{1, 1}}},
		Exits: []cascade.Exit{{After: 1}},
	}
	if s.Kind == cascade.LBP {
		c.Cells = []image.Rectangle{image.Rect(0, 0, 1, 1)}
	} else {
		c.Features = sampleFeatures(0, s.Width, s.Height, 1, rand.New(rand.NewPCG(1, 1)))
	}
	return c
}

// A finding is the result of one image.
type finding struct {
	windows         []*image.Gray
	visited, passed int
	err             error
}

// search mines need windows that pass c and that fresh accepts. After every
// image was searched in one orientation it stops if it has at least few
// windows, and otherwise goes on for these. about is the expected fraction of
// windows that pass. Searches with different numbers sample differently.
func (m *miner) search(ctx context.Context, c *cascade.Cascade, need, few int, about float64, number uint64, fresh func(*image.Gray) bool) (*catch, error) {
	n := len(m.all)
	views := n * m.turns
	// Most windows of one image, so that a few images full of leaves or bricks
	// do not crowd out the others.
	most := max(4, (4*need+n-1)/n)
	engines := map[int]*engine.Engine{}
	var lock sync.Mutex
	engineOf := func(stride int) (*engine.Engine, error) {
		lock.Lock()
		defer lock.Unlock()
		if e := engines[stride]; e != nil {
			return e, nil
		}
		search := c.Search
		search.Stride = stride
		e, err := engine.New(c, &engine.Options{Search: &search, Windows: engine.WindowsAll, Workers: 1, MaxCandidates: -1})
		engines[stride] = e
		return e, err
	}
	one := func(k int) (f finding) {
		i, t := m.view(k)
		g, err := m.grey(i)
		if err != nil {
			return finding{err: err}
		}
		rng := rand.New(rand.NewPCG(m.s.Seed^number*0x9e3779b97f4a7c15, uint64(i)|uint64(t)<<32))
		return m.searchOne(ctx, g, t, m.all[i], engineOf, 4*most, about, rng)
	}
	out := &catch{}
	var spare [][]*image.Gray
	batch := 8 * m.s.Workers
	enough := func(done int) bool {
		return done == views || len(out.windows) >= need || done == n && len(out.windows) >= few
	}
	for done := 0; !enough(done); {
		k := min(batch, n-done%n) // no image is in a batch twice
		found := make([]finding, k)
		if err := par.Chunks(ctx, k, 1, m.s.Workers, func(lo, _ int) {
			found[lo] = one((m.cursor + lo) % views)
		}); err != nil {
			return nil, err
		}
		for i := range found {
			f := &found[i]
			if f.err != nil {
				return nil, f.err
			}
			// Only images up to the one that meets the need count, so that the
			// result does not depend on the size of the batch, and so on the
			// number of workers.
			out.visited += f.visited
			out.passed += f.passed
			done++
			m.cursor = (m.cursor + 1) % views
			taken := 0
			var rest []*image.Gray
			for _, w := range f.windows {
				if !fresh(w) {
					continue
				}
				if taken < most && len(out.windows) < need {
					out.windows = append(out.windows, w)
					taken++
				} else {
					rest = append(rest, w)
				}
			}
			spare = append(spare, rest)
			if len(out.windows) >= need {
				break
			}
		}
		out.wholePass = done == views
	}
	// One more of each image in turn, while there are more.
	for more := true; more && len(out.windows) < need; {
		more = false
		for i := range spare {
			if len(spare[i]) > 0 && len(out.windows) < need {
				out.windows = append(out.windows, spare[i][0])
				spare[i] = spare[i][1:]
				more = true
			}
		}
	}
	return out, nil
}

// searchOne returns up to most windows of one image, in random order.
func (m *miner) searchOne(ctx context.Context, g *image.Gray, t turn, b Background, engineOf func(int) (*engine.Engine, error), most int, about float64, rng *rand.Rand) (f finding) {
	one, err := engineOf(1)
	if err != nil {
		return finding{err: err}
	}
	original := g.Rect.Size()
	if t != 0 {
		memory, ok := m.turned.Get().(*image.Gray)
		if !ok {
			memory = new(image.Gray)
		}
		defer m.turned.Put(memory)
		g = t.picture(memory, g)
	}
	w, h := g.Rect.Dx(), g.Rect.Dy()
	// While many windows pass, a coarse grid yields enough.
	stride := 1
	expected := about * float64(one.Visits(w, h))
	for expected > float64(4*most) && 2*stride <= min(m.s.Width, m.s.Height)/2 {
		stride *= 2
		expected /= 4
	}
	part := g
	if stride > 1 {
		x, y := rng.IntN(stride), rng.IntN(stride)
		if w-x >= m.s.Width && h-y >= m.s.Height {
			part = g.SubImage(image.Rect(x, y, w, h).Add(g.Rect.Min)).(*image.Gray)
		}
	}
	e, err := engineOf(stride)
	if err != nil {
		return finding{err: err}
	}
	memory, ok := m.windows.Get().(*[]engine.Window)
	if !ok {
		memory = new([]engine.Window)
	}
	defer m.windows.Put(memory)
	windows, err := e.AppendWindows(ctx, (*memory)[:0], part)
	if err != nil {
		return finding{err: err}
	}
	*memory = windows
	f.visited, f.passed = e.Visits(part.Rect.Dx(), part.Rect.Dy()), len(windows)
	rng.Shuffle(len(windows), func(i, j int) { windows[i], windows[j] = windows[j], windows[i] })
	// One window of a level in each small square: neighbours are similar.
	type position struct {
		size image.Point
		x, y int
	}
	near := m.s.Width/8 + 1
	taken := map[position]bool{}
	for _, v := range windows {
		if len(f.windows) == most {
			break
		}
		if b.Forbids(t.back(v.Box.Sub(g.Rect.Min), original.X, original.Y)) {
			f.passed--
			continue
		}
		at := position{v.Size, v.At.X / near, v.At.Y / near}
		if taken[at] {
			continue
		}
		taken[at] = true
		p := image.NewGray(image.Rect(0, 0, m.s.Width, m.s.Height))
		engine.CutWindow(p, part, v)
		f.windows = append(f.windows, p)
	}
	return f
}

var hashSeed = maphash.MakeSeed()

// seen is a set of windows, by their pixels.
type seen map[uint64]bool

// add reports whether w is new, and adds it.
func (s seen) add(w *image.Gray) bool {
	k := maphash.Bytes(hashSeed, w.Pix)
	if s[k] {
		return false
	}
	s[k] = true
	return true
}
