package frames

import (
	"image"
)

// A VideoBackend reads and writes videos in the place of this package, in tests.
type VideoBackend struct {
	// Open opens a video file, a stream or a numbered sequence of pictures.
	Open func(name string) (Source, error)

	// Camera opens a camera. A size of zero is the camera's choice.
	Camera func(device string, size image.Point) (Source, error)

	// Create begins a video file.
	Create func(path string) (Writer, error)

	// Check opens a video file again, and returns how many frames it holds.
	Check func(path string) (frames int, err error)
}

// Backend is nil but in tests.
var Backend *VideoBackend
