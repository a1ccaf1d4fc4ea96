package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"io"
	"slices"
	"sync"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/models"
)

// A model is what a handle stands for.
type model struct {
	cascade *cascade.Cascade
	opencv  bool // its score restarts after each exit
	colour  bool // a network sees colours

	mu     sync.Mutex
	recent []prepared // the last used first
}

// A prepared detector is kept, since making one takes as long as a few searches.
type prepared struct {
	settings settings
	detector *detector.Detector
}

// maxPrepared is how many detectors a model keeps.
const maxPrepared = 8

// settings are haarlem_options.
type settings struct {
	scale         float64
	min, max      image.Point
	minNeighbors  int
	ungrouped     bool
	overlapping   bool
	opencv        bool
	minScore      float64
	enlarge       float64
	workers       int
	maxCandidates int
}

// with returns s with the flags of haarlem_options.
func (s settings) with(flags uint32) (settings, error) {
	const ungrouped, overlapping, opencv = 1, 2, 4
	if known := uint32(ungrouped | overlapping | opencv); flags&^known != 0 {
		return settings{}, argument("options.flags is %#x, of which only %#x is known", flags, known)
	}
	s.ungrouped, s.overlapping, s.opencv = flags&ungrouped != 0, flags&overlapping != 0, flags&opencv != 0
	return s, nil
}

func newModel(c *cascade.Cascade) *model {
	running := func(e cascade.Exit) bool { return !e.Restart }
	return &model{cascade: c, colour: c.Network != nil, opencv: !slices.ContainsFunc(c.Exits, running)}
}

func readModel(r io.Reader) (*model, error) {
	c, err := cascade.Read(r, nil)
	if err != nil {
		return nil, err
	}
	return newModel(c), nil
}

// openBuiltin opens a model by name; none means the default model.
func openBuiltin(name string) (*model, error) {
	name = cmp.Or(name, models.Default)
	c, err := models.Open(name)
	if errors.Is(err, models.ErrUnknown) {
		return nil, argument("%w", err)
	} else if err != nil {
		return nil, err
	}
	return newModel(c), nil
}

// encode returns m in a format of enum haarlem_model_format.
func (m *model) encode(format int) ([]byte, error) {
	c, b := m.cascade, new(bytes.Buffer)
	formats := []func(io.Writer) error{c.Encode, c.EncodeOpenCV}
	if format < 1 || format > len(formats) {
		return nil, argument("format is %d, want one of enum haarlem_model_format", format)
	}
	err := formats[format-1](b)
	return b.Bytes(), err
}

// detector returns a detector for s.
func (m *model) detector(s settings) (*detector.Detector, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.recent, func(p prepared) bool { return p.settings == s })
	if i < 0 {
		d, err := detector.New(&detector.Options{
			Scale: s.scale, MinSize: s.min, MaxSize: s.max, Enlarge: s.enlarge,
			MinNeighbors: s.minNeighbors, Ungrouped: s.ungrouped, Overlapping: s.overlapping,
			MinScore: s.minScore, MaxCandidates: s.maxCandidates, Workers: s.workers,
		}, m.cascade)
		if err != nil {
			return nil, err
		}
		if len(m.recent) == maxPrepared {
			m.recent = m.recent[:maxPrepared-1]
		}
		i = len(m.recent)
		m.recent = append(m.recent, prepared{s, d})
	}
	p := m.recent[i]
	copy(m.recent[1:i+1], m.recent[:i])
	m.recent[0] = p
	return p.detector, nil
}

// A scratch is the memory for one call at a time.
type scratch struct {
	grey   []byte
	chroma []byte
	found  []detector.Detection
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// detect sets s.found to what there is in p.
func (m *model) detect(s *scratch, p *pixels, o settings) error {
	s.found = s.found[:0]
	d, err := m.detector(o)
	if err != nil {
		return err
	}
	if p.width == 0 || p.height == 0 {
		return nil
	}
	g := p.grey(&s.grey)
	switch {
	case o.opencv && m.opencv:
		s.found, err = d.AppendOpenCV(context.Background(), s.found, g)
	case m.colour && p.format != grey:
		s.found, err = d.AppendDetect(context.Background(), s.found, p.colour(s))
	default:
		s.found, err = d.AppendDetect(context.Background(), s.found, g)
	}
	return err
}
