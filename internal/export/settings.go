package export

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"

	"haarlem/cascade"
)

// ErrExport is wrapped by errors about cascades that cannot be exported.
var ErrExport = errors.New("export: cannot be exported")

// ErrSettings is wrapped by errors about invalid settings.
var ErrSettings = errors.New("export: bad settings")

// Settings say how a cascade is exported. A nil *Settings and the zero value mean every
// field's default.
type Settings struct {
	Profile Profile
	Scale   float64     // factor between levels of the pyramid; 0 means Search.Scale of the cascade
	MinSize image.Point // of windows, in image pixels; zero means no bound
	MaxSize image.Point // of windows, in image pixels; zero means no bound
	Picture image.Point // largest picture; zero means 640x480

	// WithoutVerifier exports a cascade that has a verifier, without it.
	WithoutVerifier bool
}

// Profile selects the size of tables.
type Profile uint8

const (
	// Exact keeps all numbers of the cascade.
	Exact Profile = iota

	// Small rounds the cascade's numbers to 8 and 16 bits. What is exported is
	// another cascade: see [Export.Model].
	Small
)

// Bounds of what is exported.
const (
	maxSide   = 16384 // of pictures
	maxWindow = 255   // bytes hold rectangles
	maxLevels = 250
	minScale  = 1.01
	maxScale  = 1 << 10
)

// withDefaults returns a checked copy, for an export of c.
func (s *Settings) withDefaults(c *cascade.Cascade) (Settings, error) {
	v := *cmp.Or(s, &Settings{})
	v.Scale = cmp.Or(v.Scale, c.Search.Scale, 1.1)
	if v.Picture == (image.Point{}) {
		v.Picture = image.Pt(640, 480)
	}
	bad := func(format string, args ...any) (Settings, error) {
		return v, fmt.Errorf("%w: %s", ErrSettings, fmt.Sprintf(format, args...))
	}
	switch {
	case v.Profile > Small:
		return bad("Profile %d is unknown", v.Profile)
	case !(v.Scale >= minScale && v.Scale <= maxScale):
		return bad("Scale %v, want %v to %v", v.Scale, minScale, maxScale)
	case v.MinSize.X < 0 || v.MinSize.Y < 0 || v.MaxSize.X < 0 || v.MaxSize.Y < 0:
		return bad("MinSize %v, MaxSize %v, want none negative", v.MinSize, v.MaxSize)
	case v.Picture.X < 1 || v.Picture.Y < 1 || v.Picture.X > maxSide || v.Picture.Y > maxSide:
		return bad("Picture %v, want 1x1 to %dx%d", v.Picture, maxSide, maxSide)
	}
	return v, nil
}

// check reports why c cannot be exported.
func (s *Settings) check(c *cascade.Cascade) error {
	if err := c.Check(); err != nil {
		return err
	}
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrExport, fmt.Sprintf(format, args...))
	}
	if (c.Verifier != nil || c.Network != nil) && !s.WithoutVerifier {
		return refuse("the cascade has a verifier or a network, which cannot be exported: without it, there are more false positives; say so (-without-verifier) to export the cascade alone")
	}
	if c.Width > maxWindow || c.Height > maxWindow {
		return refuse("window %dx%d, want at most %dx%d", c.Width, c.Height, maxWindow, maxWindow)
	}
	for i := range c.Features {
		f := &c.Features[i]
		bound := 0.0
		for k := range f.Count() {
			r := f.Rects[k]
			if math.Abs(float64(r.Weight)) > math.MaxInt8 || r.Weight != float32(int8(r.Weight)) {
				return refuse("feature %d, rectangle %d: weight %v, want a whole number of 8 bits", i, k, r.Weight)
			}
			area := float64(r.W) * float64(r.H)
			if f.Tilted {
				area *= 2
			}
			bound += 255 * area * math.Abs(float64(r.Weight))
		}
		if bound >= 1<<24 {
			return refuse("feature %d has sums beyond 24 bits", i)
		}
	}
	for i := range c.Weak {
		w := &c.Weak[i]
		if w.Histogram() != c.Weak[0].Histogram() || w.Histogram() && len(w.Leaves) != len(c.Weak[0].Leaves) {
			return refuse("weak classifier %d is of another kind than the first, want histograms of one size, or trees only", i)
		}
		if len(w.Nodes) > math.MaxInt8 {
			return refuse("weak classifier %d has %d nodes, want at most %d", i, len(w.Nodes), math.MaxInt8)
		}
	}
	return nil
}
