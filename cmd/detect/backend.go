package main

import "image"

// A videoBackend is a library that reads and writes videos: OpenCV.
type videoBackend struct {
	// open opens a video file, a stream or a numbered sequence of pictures.
	open func(name string) (frameSource, error)

	// camera opens a camera. A size of zero is the camera's choice.
	camera func(device string, size image.Point) (frameSource, error)

	// create begins a video file, with the first of the codecs that works.
	create func(path string, codecs []string, fps float64, size image.Point) (movieWriter, error)

	// check opens a video file again, and returns how many frames it holds.
	check func(path string) (frames int, err error)

	// only says that videos and cameras go through it even where there is another
	// way, which tests want.
	only bool
}

// backend is nil in a program that is built without the tag gocv.
var backend *videoBackend
