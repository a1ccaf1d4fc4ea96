package train

import (
	"context"
	"image"
	"math/rand/v2"
	"sync"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// A WindowSearch is one search for hard negatives, in as many pictures as it takes. What
// it finds in a picture depends on nothing else, so that pictures can be searched
// anywhere ([Hooks].Mine).
type WindowSearch struct {
	Cascade    *cascade.Cascade // which windows must pass
	Seed       uint64
	Max        int     // windows of one picture
	About      float64 // expected fraction of windows that pass
	Validation bool    // pictures are those of [Data].ValidationBackgrounds

	lock    sync.Mutex
	engines map[int]*engine.Engine // by stride
}

// A View is a picture and its orientation: rotated and mirrored, see [Settings].Orientations.
type View struct {
	Picture     uint64 // index in [Data].Backgrounds or ValidationBackgrounds
	Orientation uint8
}

// A Finding is what a picture has.
type Finding struct {
	Windows         []*image.Gray
	Boxes           []image.Rectangle // of the windows in the picture, whatever its orientation; nil if unknown
	Visited, Passed int               // windows
}

var (
	windowPool sync.Pool // of *[]engine.Window: the first cascades pass millions
	turnedPool sync.Pool // of *image.Gray
)

func (m *WindowSearch) engine(stride int) (*engine.Engine, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if e := m.engines[stride]; e != nil {
		return e, nil
	}
	search := m.Cascade.Search
	search.Stride = stride
	e, err := engine.New(m.Cascade, &engine.Options{Search: &search, Windows: engine.WindowsAll, Workers: 1, MaxCandidates: -1})
	if err != nil {
		return nil, err
	}
	if m.engines == nil {
		m.engines = map[int]*engine.Engine{}
	}
	m.engines[stride] = e
	return e, nil
}

// Search returns windows of one picture, b, whose grey levels are g, in random
// order. It is a pure function of the mining, the picture and the view.
func (m *WindowSearch) Search(ctx context.Context, g *image.Gray, b Background, v View) (f Finding, err error) {
	t := orientation(v.Orientation)
	rng := rand.New(rand.NewPCG(m.Seed, v.Picture|uint64(t)<<32))
	one, err := m.engine(1)
	if err != nil {
		return f, err
	}
	original := g.Rect.Size()
	if t != 0 {
		memory, ok := turnedPool.Get().(*image.Gray)
		if !ok {
			memory = new(image.Gray)
		}
		defer turnedPool.Put(memory)
		g = t.picture(memory, g)
	}
	width, height := g.Rect.Dx(), g.Rect.Dy()
	// While many windows pass, a coarse grid has enough of them.
	stride := 1
	expected := m.About * float64(one.Visits(width, height))
	for expected > float64(4*m.Max) && 2*stride <= min(m.Cascade.Width, m.Cascade.Height)/2 {
		stride *= 2
		expected /= 4
	}
	part := g
	if stride > 1 {
		x, y := rng.IntN(stride), rng.IntN(stride)
		if width-x >= m.Cascade.Width && height-y >= m.Cascade.Height {
			part = g.SubImage(image.Rect(x, y, width, height).Add(g.Rect.Min)).(*image.Gray)
		}
	}
	e, err := m.engine(stride)
	if err != nil {
		return f, err
	}
	memory, ok := windowPool.Get().(*[]engine.Window)
	if !ok {
		memory = new([]engine.Window)
	}
	defer windowPool.Put(memory)
	windows, err := e.AppendWindows(ctx, (*memory)[:0], part)
	if err != nil {
		return f, err
	}
	*memory = windows
	f.Visited, f.Passed = e.Visits(part.Rect.Dx(), part.Rect.Dy()), len(windows)
	rng.Shuffle(len(windows), func(i, j int) { windows[i], windows[j] = windows[j], windows[i] })
	// One window of a level in each small square: neighbours are much alike.
	type position struct {
		size image.Point
		x, y int
	}
	near := m.Cascade.Width/8 + 1
	taken := map[position]bool{}
	for _, w := range windows {
		if len(f.Windows) == m.Max {
			break
		}
		box := t.back(w.Box.Sub(g.Rect.Min), original.X, original.Y)
		if b.Forbids(box) {
			f.Passed--
			continue
		}
		at := position{w.Size, w.At.X / near, w.At.Y / near}
		if taken[at] {
			continue
		}
		taken[at] = true
		p := image.NewGray(image.Rect(0, 0, m.Cascade.Width, m.Cascade.Height))
		engine.CutWindow(p, part, w)
		f.Windows, f.Boxes = append(f.Windows, p), append(f.Boxes, box)
	}
	return f, nil
}
