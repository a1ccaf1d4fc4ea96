package train

import (
	"errors"
	"fmt"
	"image"
	"slices"
)

// Data is what a cascade is trained on.
type Data struct {
	// Positives are windows of the object, all of the cascade's size.
	Positives []*image.Gray

	// Validation are windows of the object from other photographs. Thresholds
	// are set so that they pass too.
	Validation []*image.Gray

	// Backgrounds are where negatives are mined.
	Backgrounds []Background

	// ValidationBackgrounds are other negative images. Nothing is learned from
	// them; the training ends when the cascade overfits, see [Overfits]. They
	// need Validation.
	ValidationBackgrounds []Background

	// MeasureOnly says that Validation and ValidationBackgrounds are for measuring
	// only: neither thresholds nor the end of the training depend on them, and the
	// cascade is the same as without.
	MeasureOnly bool

	// Fingerprint identifies the data, so that a training is resumed with the
	// same. It may be empty.
	Fingerprint string
}

// ErrData is wrapped by errors about invalid data.
var ErrData = errors.New("train: bad data")

func (d *Data) check(s *Settings) error {
	if d == nil || len(d.Positives) == 0 {
		return fmt.Errorf("%w: no positives", ErrData)
	}
	for i, g := range slices.Concat(d.Positives, d.Validation) {
		if g.Rect.Dx() != s.Width || g.Rect.Dy() != s.Height {
			return fmt.Errorf("%w: positive %d has %dx%d pixels, want the window's %dx%d", ErrData, i, g.Rect.Dx(), g.Rect.Dy(), s.Width, s.Height)
		}
	}
	if len(d.Backgrounds) == 0 {
		return fmt.Errorf("%w: no backgrounds", ErrData)
	}
	if len(d.ValidationBackgrounds) > 0 && len(d.Validation) == 0 {
		return fmt.Errorf("%w: validation backgrounds, and no validation windows to compare them with", ErrData)
	}
	return nil
}

// A Background is an image in which the object does not occur except where
// Forbids says so.
type Background interface {
	Grey() (*image.Gray, error)       // the caller does not change it
	Forbids(box image.Rectangle) bool // a window there is no negative
}

// Plain is an image in memory as a negative image.
type Plain struct{ *image.Gray }

// Grey returns the image.
func (p Plain) Grey() (*image.Gray, error) { return p.Gray, nil }

// Forbids is always false.
func (Plain) Forbids(image.Rectangle) bool { return false }
