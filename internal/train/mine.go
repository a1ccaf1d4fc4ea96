package train

import (
	"context"
	"fmt"
	"hash/maphash"
	"image"
	"math/rand/v2"
	"sync/atomic"

	"haarlem/cascade"
	"haarlem/internal/par"
)

// Hard-negative mining (also called bootstrapping: Sung and Poggio, 1998): the
// cascade so far is run over the backgrounds, and the windows that it passes are
// the negatives of the next step.

// A miner mines hard negatives: windows of backgrounds that a cascade passes.
type miner struct {
	s            *Settings
	all          []Background
	orientations int   // orientations in which each image is searched
	order        []int // in which images are searched, lap after lap
	cursor       int   // over all images in all orientations

	// Decoded images, as far as memory allows.
	cached []*image.Gray
	room   atomic.Int64

	// elsewhere searches views instead, if there is one.
	elsewhere  func(context.Context, *WindowSearch, []View) ([]Finding, error)
	validation bool

	// progress, if not nil, is told how many pictures are searched, and how many windows found.
	progress func(pictures, found int)
}

func newMiner(s *Settings, all []Background, orientations int, room int64) *miner {
	m := &miner{s: s, all: all, orientations: orientations, cached: make([]*image.Gray, len(all))}
	m.order = rand.New(rand.NewPCG(s.Seed, 0x6d696e65)).Perm(len(all))
	m.room.Store(room)
	return m
}

// view returns the image at position k, and its orientation. Each lap has every
// image once, in mixed orientations; after as many laps as there are
// orientations, every image was there in each.
func (m *miner) view(k int) (picture int, o orientation) {
	n := len(m.order)
	picture = m.order[k%n]
	return picture, orientationsInUse[(picture+k/n)%m.orientations]
}

// batch returns how many pictures are searched together, after a batch of so many, if at
// least fewest are needed. Other machines get more and more, so that they seldom wait.
func (m *miner) batch(last, fewest int) int {
	if m.elsewhere == nil {
		return min(max(fewest, 2*last, m.s.Workers), 8*m.s.Workers)
	}
	return min(max(64, 2*last), 1024)
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
	windows         []Negative
	pictures        int // searched
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

// A finding is a [Finding], or why there is none.
type finding struct {
	Finding
	err error
}

// wave searches pictures, here or elsewhere.
func (m *miner) wave(ctx context.Context, mining *WindowSearch, views []View) ([]finding, error) {
	found := make([]finding, len(views))
	if m.elsewhere != nil {
		all, err := m.elsewhere(ctx, mining, views)
		if err != nil {
			return nil, err
		}
		if len(all) != len(views) {
			return nil, fmt.Errorf("train: mining of %d pictures gave %d results", len(views), len(all))
		}
		for i := range all {
			found[i].Finding = all[i]
		}
		return found, nil
	}
	err := par.Chunks(ctx, len(views), 1, m.s.Workers, func(i, _ int) {
		k := int(views[i].Picture)
		g, err := m.grey(k)
		if err == nil {
			found[i].Finding, err = mining.Search(ctx, g, m.all[k], views[i])
		}
		found[i].err = err
	})
	return found, err
}

// search mines need windows that pass c and that fresh accepts. After every
// image was searched in one orientation it stops if it has at least few
// windows, and otherwise goes on for these. about is the expected fraction of
// windows that pass. Searches with different numbers sample differently.
func (m *miner) search(ctx context.Context, c *cascade.Cascade, need, few int, about float64, number uint64, fresh func(*image.Gray) bool) (*catch, error) {
	n := len(m.all)
	views := n * m.orientations
	// Most windows of one image, so that a few images full of leaves or bricks
	// do not crowd out the others.
	largest := max(4, (4*need+n-1)/n)
	mining := &WindowSearch{Cascade: c, Seed: m.s.Seed ^ number*0x9e3779b97f4a7c15, Max: 4 * largest, About: about, Validation: m.validation}
	out := &catch{}
	left := &spare{}
	enough := func(done int) bool {
		return done == views || len(out.windows) >= need || done == n && len(out.windows) >= few
	}
	for done, batch := 0, 0; !enough(done); {
		batch = m.batch(batch, (need-len(out.windows)+largest-1)/largest)
		wave := make([]View, min(batch, n-done%n)) // no picture is in a wave twice
		for i := range wave {
			picture, t := m.view((m.cursor + i) % views)
			wave[i] = View{uint64(picture), uint8(t)}
		}
		found, err := m.wave(ctx, mining, wave)
		if err != nil {
			return nil, err
		}
		for i := range found {
			f := &found[i]
			if f.err != nil {
				return nil, f.err
			}
			if n := len(f.Boxes); n > 0 && n != len(f.Windows) {
				return nil, fmt.Errorf("train: mining gave %d windows with %d boxes", len(f.Windows), n)
			}
			// Only pictures up to the one that fills the need count, so that the
			// result does not depend on the batch's size, and so on the number
			// of workers.
			out.visited += f.Visited
			out.passed += f.Passed
			done++
			m.cursor = (m.cursor + 1) % views
			taken := 0
			var rest []Negative
			for k, w := range f.Windows {
				if !fresh(w) {
					continue
				}
				one := Negative{w, Origin{Picture: int(wave[i].Picture)}}
				if f.Boxes != nil {
					one.Origin.Box = f.Boxes[k]
				}
				if taken < largest && len(out.windows) < need {
					out.windows = append(out.windows, one)
					taken++
				} else {
					rest = append(rest, one)
				}
			}
			left.add(rest, need-len(out.windows))
			if len(out.windows) >= need {
				break
			}
		}
		out.pictures, out.wholePass = done, done == views
		if m.progress != nil {
			m.progress(done, len(out.windows))
		}
	}
	out.windows = left.appendTo(out.windows, need)
	return out, nil
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
