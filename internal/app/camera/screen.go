package camera

import (
	"image"
	"time"
)

// A screen is a window with a picture.
type screen interface {
	show(*image.RGBA) error

	// key waits for a key, but not for long, and lets the window work
	// meanwhile. It returns noKey if there is none. open is false when
	// somebody has closed the window.
	key(wait time.Duration) (key int, open bool)

	close() error
}

const (
	noKey  = -1
	escape = 27
)
