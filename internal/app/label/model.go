package label

import (
	"context"
	"image"
	"math"
	"sync"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// A model proposes boxes. What it found is kept in memory, by picture.
type model struct {
	name      string
	object    string // what it finds, in the singular
	column    string // of a model that was made of a class
	class     string
	threshold float64 // scores of detections; lower ones are looked at for review only
	folder    *folder
	fast, one *detector.Detector // on all processors, on one

	mu    sync.Mutex
	found map[string]searched
}

// A searched is what is known of a picture.
type searched struct {
	stamp stamp
	all   []detector.Detection
	err   error
}

func newModel(name string, c *cascade.Cascade, f *folder) (*model, error) {
	m := &model{name: name, threshold: math.Inf(-1), folder: f, found: map[string]searched{}}
	if c.Search.MinScore != 0 {
		m.threshold = c.Search.MinScore
	}
	every := c.Search
	every.MinScore = 0
	var err error
	if m.fast, err = detector.New(&detector.Options{Search: &every}, c); err != nil {
		return nil, err
	}
	if m.one, err = detector.New(&detector.Options{Search: &every, Workers: 1}, c); err != nil {
		return nil, err
	}
	m.object = m.fast.Object().OrAny().Singular
	return m, nil
}

// known returns what was found in a picture, if it was searched as it is now.
func (m *model) known(name string) (searched, bool) {
	s, err := m.folder.stamp(name)
	if err != nil {
		return searched{err: err}, true
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.found[name]
	return k, ok && k.stamp == s
}

// search returns the detections in a picture, of any score.
func (m *model) search(ctx context.Context, d *detector.Detector, name string) ([]detector.Detection, error) {
	if k, ok := m.known(name); ok {
		return k.all, k.err
	}
	s, err := m.folder.stamp(name)
	if err != nil {
		return nil, err
	}
	k := searched{stamp: s}
	pic, err := m.folder.decode(ctx, name)
	if err == nil {
		k.all, err = d.Detect(ctx, pic.Image)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	k.err = err
	m.mu.Lock()
	m.found[name] = k
	m.mu.Unlock()
	return k.all, k.err
}

// A proposal is a detection, as the page gets it.
type proposal struct {
	Box   [4]float64 `json:"box"`
	Score float64    `json:"score"`
}

func boxOf(r image.Rectangle) [4]float64 {
	return [4]float64{float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())}
}

// proposals returns what the model would report in a picture, best first.
func (m *model) proposals(ctx context.Context, name string) ([]proposal, error) {
	found, err := m.search(ctx, m.fast, name)
	all := []proposal{}
	for _, d := range found {
		if d.Score >= m.threshold {
			all = append(all, proposal{boxOf(d.Box), d.Score})
		}
	}
	return all, err
}
