package samples

import (
	"fmt"
	"image"
	"math"
	"strconv"
	"strings"
)

// number parses a decimal number. Go's other notations (hexadecimal, Inf, NaN,
// underscores) are errors in a truth file.
func number(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) || strings.Trim(s, "0123456789+-.eE") != "" {
		return 0, fmt.Errorf("%q, want a number", clip(s))
	}
	if checkPlace(v) != nil {
		return 0, fmt.Errorf("%s, want a number from -%d to %[2]d", clip(s), maxPlace)
	}
	return v, nil
}

// checkPlace reports whether v is a valid coordinate or size.
func checkPlace(v float64) error {
	if !(math.Abs(v) <= maxPlace) {
		return fmt.Errorf("%v, want a number from -%d to %[2]d", v, maxPlace)
	}
	return nil
}

// checkBox is checkPlace of a box that was computed.
func checkBox(r image.Rectangle) error {
	if r.Min.X < -maxPlace || r.Min.Y < -maxPlace || r.Max.X > 2*maxPlace || r.Max.Y > 2*maxPlace {
		return fmt.Errorf("a box of %v, want places from -%d to %d", r, maxPlace, 2*maxPlace)
	}
	return nil
}

// cornered makes a box from a corner and a size, which must be positive.
func cornered(x, y, w, h float64) (image.Rectangle, error) {
	switch {
	case !(w > 0):
		return image.Rectangle{}, fmt.Errorf("width %v, want more than 0", w)
	case !(h > 0):
		return image.Rectangle{}, fmt.Errorf("height %v, want more than 0", h)
	}
	return edges(x, y, x+w, y+h), nil
}
