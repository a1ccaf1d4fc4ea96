package frames

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/v4l2"
	"haarlem/internal/video"
)

// openContainer opens what package video does not read. r is nil, or the stream
// whose name stands in messages.
func openContainer(name string, r io.Reader, c io.Closer) (Source, error) {
	switch path := FindFFmpeg(); {
	case path != "":
		return newFFmpegSource(path, name, r, c)
	case Backend != nil && name != "-":
		return Backend.Open(name)
	}
	return nil, errNeedsFFmpeg(name, "read")
}

// Open opens what holds frames: a file, standard input (-), numbered pictures or
// a stream on the network. What package video reads needs nothing else; for other
// containers there is ffmpeg, if it is installed, and OpenCV, if it is built in.
func Open(name string, stdin io.Reader, v *StreamFlags) (Source, error) {
	o, err := v.Options()
	if err != nil || v.Opened != nil {
		return v.Opened, err
	}
	switch {
	case Backend != nil && Backend.Only:
		return Backend.Open(name)
	case name == "-":
		return openStream(name, stdin, nil, o)
	case IsStream(name) || isURL(name):
		return openContainer(name, nil, nil)
	case IsSequence(name):
		return newSequence(name, o)
	}
	info, err := os.Stat(name)
	if err := noFilm(name, info, err); err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeCharDevice != 0 {
		return OpenCamera(name, image.Point{})
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return openStream(name, f, f, o)
	}
	head := make([]byte, video.SniffBytes)
	n, _ := io.ReadFull(f, head) // a shorter file has a shorter head
	if video.Sniff(head[:n]) == "" && o.Raw == nil {
		if err := f.Close(); err != nil {
			return nil, err
		}
		return openContainer(name, nil, nil)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s, err := newNative(name, f, f, o)
	if errors.Is(err, video.ErrFormat) && o.Raw == nil && FindFFmpeg() != "" { // AVI with another codec, Y4M with ten bits
		return openContainer(name, nil, nil)
	}
	if err != nil {
		return nil, err
	}
	s.estimate(info.Size())
	return s, nil
}

// noFilm says why something with such a name is neither a film nor a camera.
func noFilm(name string, info fs.FileInfo, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", name)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: this is a folder; for numbered pictures in it say %s", name, filepath.Join(name, "name-%04d.png"))
	case info.Mode()&fs.ModeCharDevice != 0 && IsStdin(name):
		return fmt.Errorf("%s: there is no video: give it one from a file or a pipe, as in detect video - < in.y4m", name)
	case info.Mode().IsRegular() && info.Size() == 0:
		return fmt.Errorf("%s: the file is empty", name)
	}
	return nil
}

// openStream opens a stream that cannot go back.
func openStream(name string, r io.Reader, c io.Closer, o *video.Options) (Source, error) {
	if o.Raw == nil {
		head := make([]byte, video.SniffBytes)
		n, err := io.ReadFull(r, head)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: there is no video: it is empty", Shown(name))
		}
		r = io.MultiReader(bytes.NewReader(head[:n]), r)
		if video.Sniff(head[:n]) == "" {
			return openContainer(name, r, c)
		}
	}
	return newNative(name, r, c, o)
}

// OpenCamera opens a camera by number or by name. Any other file is a video that stands
// in for one. On Linux the kernel is asked, elsewhere OpenCV, if it is built in.
func OpenCamera(device string, size image.Point) (Source, error) {
	if Backend != nil && Backend.Only {
		return Backend.Camera(device, size)
	}
	path, name := device, device
	if n, err := strconv.Atoi(device); err == nil {
		path = fmt.Sprintf("/dev/video%d", n)
		name = fmt.Sprintf("camera %d", n)
		if runtime.GOOS == "linux" {
			name = fmt.Sprintf("camera %d (%s)", n, path)
		}
	} else if info, err := os.Stat(device); !strings.HasPrefix(device, "/dev/") && (err != nil || info.Mode()&fs.ModeCharDevice == 0) {
		return Open(device, nil, &StreamFlags{})
	}
	switch {
	case !v4l2.Supported && Backend != nil:
		return Backend.Camera(device, size)
	case !v4l2.Supported:
		return nil, cli.Usagef("%s: cameras need 64-bit Linux, or a detect that is built with OpenCV: install OpenCV with its headers, then: go build -tags gocv ./cmd/detect", name)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, noCamera(name)
	}
	c, err := v4l2.Open(path, size)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: you may not open it: are you in the group video?", name)
	case err != nil:
		return nil, err
	}
	return &cameraSource{c: c, info: Footage{Name: name, FPS: 25, Live: true}}, nil
}

func noCamera(name string) error {
	there, _ := filepath.Glob("/dev/video*") // a fixed pattern, which is right
	if len(there) == 0 {
		return fmt.Errorf("%s: there is no camera: nothing is called /dev/video*. Is it plugged in?", name)
	}
	return fmt.Errorf("%s: there is no such camera; there are: %s", name, strings.Join(there, " "))
}
