package cascade

import (
	"errors"
	"fmt"
	"image"
	"math"
	"unicode"
	"unicode/utf8"

	"haarlem/haar"
)

// Bounds of every model, besides the limits of a reader. Numbers are bounded so that
// scores and feature values do not overflow in float32.
const (
	maxWindow   = 1024
	maxHaarArea = math.MaxUint32 / (255 * 255) // of the window inside a border of one pixel
	maxWeight   = 1 << 16
	maxName     = 100     // bytes
	maxText     = 1 << 16 // bytes of one string of the provenance
	maxData     = 1000    // data sets
)

// Check reports an error that wraps [ErrModel] and names the place, unless c is valid.
// A valid cascade is complete: every index is in range, every tree is a tree, and the
// last exit comes after the last weak classifier. Its numbers are finite. Fields that
// its kind does not use are zero. So [Cascade.Encode] and [Read] preserve it.
//
// Windows have 3x3 to 1024x1024 pixels. With Haar features,
// (Width-2)*(Height-2)*255*255 fits in 32 bits, so that sums of squares do. Rectangles
// are inside the window, weights within 2^16 and leaves within 2^30.
func (c *Cascade) Check() error {
	err := c.checkHead()
	for i := 0; err == nil && i < c.features(); i++ {
		err = c.checkFeature(i)
	}
	var seen marks
	for i := 0; err == nil && i < len(c.Weak); i++ {
		err = c.checkWeak(i, &seen)
	}
	for i := 0; err == nil && i < len(c.Exits); i++ {
		err = c.checkExit(i)
	}
	if err == nil {
		err = c.checkWhole()
	}
	if err == nil && c.Verifier != nil {
		err = c.Verifier.check(&seen)
	}
	if err == nil && c.Network != nil {
		if err = c.Network.check(); err != nil {
			err = fmt.Errorf("network: %w", err)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	return nil
}

// checkHead checks everything but features, weak classifiers and exits.
func (c *Cascade) checkHead() error {
	if err := checkName(c.Name); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if err := c.Object.Check(); err != nil {
		return fmt.Errorf("object: %w", err)
	}
	if c.Kind != Haar && c.Kind != LBP {
		return fmt.Errorf("kind %d is unknown", c.Kind)
	}
	if c.Width < 3 || c.Height < 3 || c.Width > maxWindow || c.Height > maxWindow {
		return fmt.Errorf("window %dx%d, want 3x3 to %dx%d", c.Width, c.Height, maxWindow, maxWindow)
	}
	if area := (c.Width - 2) * (c.Height - 2); c.Kind == Haar && area > maxHaarArea {
		return fmt.Errorf("window %dx%d has %d pixels inside its border, want at most %d", c.Width, c.Height, area, maxHaarArea)
	}
	switch dev := c.MinStdDev; {
	case c.Kind == Haar && !(dev >= 0 && dev < 127.5): // the largest that 8 bits allow
		return fmt.Errorf("MinStdDev %v, want 0 to less than 127.5", dev)
	case c.Kind == LBP && dev != 0:
		return fmt.Errorf("MinStdDev %v, want 0: an LBP cascade has no contrast gate", dev)
	}
	if cal := c.Calibration; cal != nil {
		if !(cal.Slope > 0 && isFinite(cal.Slope) && isFinite(cal.Offset)) {
			return fmt.Errorf("calibration %v, %v, want finite numbers and a positive slope", cal.Slope, cal.Offset)
		}
	}
	return c.Provenance.check()
}

func (p *Provenance) check() error {
	if len(p.Data) > maxData {
		return fmt.Errorf("provenance: %d data sets, want at most %d", len(p.Data), maxData)
	}
	for i, s := range append([]string{p.Program, p.Command, p.Note}, p.Data...) {
		if len(s) > maxText || !utf8.ValidString(s) {
			what := fmt.Sprintf("data set %d", i-3)
			if i < 3 {
				what = [...]string{"program", "command", "note"}[i]
			}
			return fmt.Errorf("provenance: %s: want at most %d bytes of UTF-8", what, maxText)
		}
	}
	return nil
}

func checkName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("%d bytes, want at most %d", len(name), maxName)
	}
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return fmt.Errorf("%q is not printable", name)
		}
	}
	return nil
}

// checkFeature checks feature i, which is a cell if c is of kind LBP.
func (c *Cascade) checkFeature(i int) error {
	if err := c.checkFeatureAlone(i); err != nil {
		return fmt.Errorf("feature %d: %w", i, err)
	}
	return nil
}

func (c *Cascade) checkFeatureAlone(i int) error {
	switch {
	case len(c.Features) > 0 && len(c.Cells) > 0:
		return errors.New("both Features and Cells are used")
	case (c.Kind == Haar) != (len(c.Features) > 0):
		return errors.New("want Features in a Haar cascade and Cells in an LBP cascade")
	case c.Kind == LBP:
		return checkCell(c.Cells[i], c.Width, c.Height)
	}
	f := &c.Features[i]
	if err := f.Check(c.Width, c.Height); err != nil {
		return err
	}
	for k, r := range f.Rects {
		switch {
		case math.Abs(float64(r.Weight)) > maxWeight:
			return fmt.Errorf("rectangle %d: weight %v, want at most %d", k, r.Weight, maxWeight)
		case r.Weight == 0 && r != (haar.Rect{}):
			return fmt.Errorf("rectangle %d has weight 0, want it empty", k)
		}
	}
	return nil
}

// checkCell checks that nine cells, of which r is the top-left, lie inside.
func checkCell(r image.Rectangle, width, height int) error {
	inside := r.Min.X >= 0 && r.Min.Y >= 0 && r.Max.X <= width && r.Max.Y <= height
	if !inside || r.Min.X >= r.Max.X || r.Min.Y >= r.Max.Y ||
		r.Min.X+3*r.Dx() > width || r.Min.Y+3*r.Dy() > height {
		return fmt.Errorf("3x3 cells of %d,%d %dx%d are not inside the %dx%d window", r.Min.X, r.Min.Y, r.Dx(), r.Dy(), width, height)
	}
	return nil
}

// checkWeak checks weak classifier i; the features must be there.
func (c *Cascade) checkWeak(i int, seen *marks) error {
	if err := c.Weak[i].check(c.questions(), seen); err != nil {
		return fmt.Errorf("weak classifier %d: %w", i, err)
	}
	return nil
}

func (c *Cascade) questions() questions { return questions{c.Kind, c.features()} }

// checkExit checks exit i; the weak classifiers must be there.
func (c *Cascade) checkExit(i int) error {
	e := c.Exits[i]
	before := 0
	if i > 0 {
		before = c.Exits[i-1].After
	}
	switch {
	case e.After <= before || e.After > len(c.Weak):
		return fmt.Errorf("exit %d comes after %d weak classifiers, want %d to %d", i, e.After, before+1, len(c.Weak))
	case !isFinite(float64(e.Threshold)):
		return fmt.Errorf("exit %d: threshold %v is not a finite number", i, e.Threshold)
	}
	return nil
}

// checkWhole checks that nothing is missing.
func (c *Cascade) checkWhole() error {
	switch {
	case c.features() == 0:
		return errors.New("no features")
	case len(c.Weak) == 0:
		return errors.New("no weak classifiers")
	case len(c.Exits) == 0:
		return errors.New("no exits")
	}
	if last := c.Exits[len(c.Exits)-1].After; last != len(c.Weak) {
		return fmt.Errorf("the last exit comes after %d weak classifiers, want it after all %d", last, len(c.Weak))
	}
	if e := c.Search.check(c); e != nil {
		return fmt.Errorf("%s %w", e.key, e.Err)
	}
	return nil
}

// CheckFor reports an invalid setting for searches with c as a [*SearchError].
func (s *Search) CheckFor(c *Cascade) error {
	if e := s.check(c); e != nil {
		return e
	}
	return nil
}

func (s *Search) check(c *Cascade) *SearchError {
	of := searched{side: min(c.Width, c.Height), exits: len(c.Exits)}
	for i := range max(len(c.Exits)-1, 0) {
		if c.Exits[i].Restart {
			of.soft = fmt.Errorf("is for a score that runs on, but behind exit %d the score restarts", i)
			break
		}
	}
	for i := range searchFields {
		if err := searchFields[i].check(s, of); err != nil {
			return &SearchError{searchFields[i].name, err, searchFields[i].key}
		}
	}
	return nil
}
