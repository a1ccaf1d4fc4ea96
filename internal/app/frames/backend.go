package frames

import (
	"image"
)

// A VideoBackend is a library that reads and writes videos: OpenCV.
type VideoBackend struct {
	// Open opens a video file or a stream.
	Open func(name string) (Source, error)

	// Camera opens a camera. A size of zero is the camera's choice.
	Camera func(device string, size image.Point) (Source, error)

	// Create begins a video file, with the first of the codecs that works.
	Create func(path string, codecs []string, fps float64, size image.Point) (Writer, error)

	// Check opens a video file again, and returns how many frames it holds.
	Check func(path string) (frames int, err error)

	// Only says that videos and cameras go through it even where there is another
	// way, which tests want.
	Only bool
}

// Backend is nil in a program that is built without the tag gocv.
var Backend *VideoBackend
