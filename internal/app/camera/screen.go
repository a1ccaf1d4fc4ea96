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
	// somebody has closed the window. Large letters mean nothing: OpenCV gives
	// some of them for keys without a letter, Q for the arrow to the left.
	key(wait time.Duration) (key int, open bool)

	close() error
}

const (
	noKey  = -1
	escape = 27
)

// openWindow opens a window of OpenCV, which is used by the goroutine that opened it. It is
// nil in a program that is built without the tag gocv.
var openWindow func(title string, size image.Point) (screen, error)
