package export

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// An Export is a cascade ready to be written.
type Export struct {
	c        *cascade.Cascade
	settings Settings
	options  engine.Options
	unit     int
	largest  float64 // score, in units
	lowest   uint64  // nf that passes the contrast gate
	raw      int64   // largest value of a feature
	area     int64   // largest area whose sum is needed
	fixed    fixedPoint
	levels   []level
	packed   *packed
	notes    []string
}

// New prepares an export of c.
func New(c *cascade.Cascade, s *Settings) (*Export, error) {
	v, err := s.withDefaults(c)
	if err != nil {
		return nil, err
	}
	if err := v.check(c); err != nil {
		return nil, err
	}
	e := &Export{settings: v, c: c.Clone()}
	c = e.c
	if c.Verifier != nil || c.Network != nil {
		e.notes = append(e.notes, "The verifier of the cascade is left out: there are more false positives than with it.")
		c.Verifier, c.Network = nil, nil
	}
	if c.Calibration != nil {
		e.notes = append(e.notes, "Scores are margins above the last threshold, not probabilities.")
		c.Calibration, c.Search.MinScore = nil, 0
	}
	if q := c.Search; q.RefineX > 0 || q.RefineY > 0 || q.InterLevel > 0 {
		e.notes = append(e.notes, "All windows of the grid on all levels are searched, and none besides: refine-x, refine-y, inter-level and dense-from of the cascade are left out.")
	}
	c.Search.RefineX, c.Search.RefineY, c.Search.InterLevel, c.Search.DenseFrom = 0, 0, 0, 0
	small, leaf := v.Profile == Small, 0
	if small {
		e.c, leaf = rounded(c)
		c = e.c
		e.notes = append(e.notes, "Numbers are rounded to 8 and 16 bits: this is another cascade than the one that was given.")
		if err := v.check(c); err != nil {
			return nil, err
		}
	}
	if e.unit, e.largest, err = unitBits(c); err != nil {
		return nil, err
	}
	if !small {
		leaf = e.unit
	} else if e.largest >= math.MaxInt32 {
		return nil, fmt.Errorf("%w: sums of rounded outputs do not fit 32 bits", ErrExport)
	}
	e.raw, e.area = largestRaw(c)
	if c.Kind == cascade.Haar {
		e.lowest = gate(c)
		if e.fixed, err = newFixedPoint(c, e.raw, e.lowest); err != nil {
			return nil, err
		}
	}
	if e.levels, err = levelsOf(c, &v, e.unit); err != nil {
		return nil, err
	}
	if e.packed, err = pack(c, small, leaf); err != nil {
		return nil, err
	}
	search := c.Search
	e.options = engine.Options{
		Scale: v.Scale, MinSize: v.MinSize, MaxSize: v.MaxSize, Windows: engine.WindowsAll, Search: &search,
		MaxCandidates: -1,
	}
	return e, nil
}

// Model returns a copy of the cascade that is exported: without a verifier, with the
// settings of a plain search, and in the profile Small with rounded numbers.
func (e *Export) Model() *cascade.Cascade { return e.c.Clone() }

// Notes returns what a reader has to know: what is left out, and what was rounded.
func (e *Export) Notes() []string { return slices.Clone(e.notes) }

// Unit returns the n for which scores are whole numbers of 2^-n.
func (e *Export) Unit() int { return e.unit }

// A Window is a window that passes the cascade.
type Window struct {
	Box   image.Rectangle
	Score int64 // above the last exit's threshold, in units
}

// Windows returns what an exported search finds in g, in its order: by level, row and
// column. It is [engine.Engine.AppendWindows], but for a picture without any level between
// MinSize and MaxSize, which has none; package engine tries the nearest level.
func (e *Export) Windows(ctx context.Context, g *image.Gray) ([]Window, error) {
	options := e.options
	eng, err := engine.New(e.c, &options)
	if err != nil {
		return nil, err
	}
	size := g.Rect.Size()
	if !slices.ContainsFunc(e.levels, func(l level) bool {
		return l.Fits.X <= size.X && l.Fits.Y <= size.Y && l.Size.X <= size.X && l.Size.Y <= size.Y
	}) {
		return nil, nil
	}
	found, err := eng.AppendWindows(ctx, nil, g)
	if err != nil {
		return nil, err
	}
	windows := make([]Window, 0, len(found))
	for _, w := range found {
		windows = append(windows, Window{w.Box, int64(math.Ldexp(w.Margin, e.unit))})
	}
	return windows, nil
}

// identifier returns the cascade's name as a prefix of names in programs.
func (e *Export) identifier() string { return identifier(e.c.Name) }

func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '_'
	}, name)
	switch {
	case strings.Trim(name, "_") == "":
		return "cascade"
	case name[0] >= '0' && name[0] <= '9' || name[0] == '_':
		return "cascade_" + strings.TrimLeft(name, "_")
	}
	return name
}
