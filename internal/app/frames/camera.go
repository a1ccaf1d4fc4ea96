package frames

import (
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/v4l2"
)

// OpenCamera opens a camera by number or by name. Any other file is a video that stands
// in for one. On Linux the kernel is asked, elsewhere OpenCV, if it is built in.
func OpenCamera(device string, size image.Point) (Source, error) {
	if Backend != nil && (Backend.Only || !v4l2.Supported) {
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
	if !v4l2.Supported {
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

// A cameraSource is a frameSource of Video4Linux2.
type cameraSource struct {
	c     *v4l2.Camera
	info  Footage
	read  int
	start time.Time
}

func (s *cameraSource) About() Footage { return s.info }

func (s *cameraSource) Next() (*Frame, error) {
	data, err := s.c.Next()
	if errors.Is(err, v4l2.ErrNoFrame) {
		return nil, s.info.Ended(s.read, 0)
	} else if err != nil {
		return nil, err
	}
	if s.read == 0 {
		s.start = time.Now()
	}
	f := &Frame{Index: s.read, At: time.Since(s.start), coded: func() (image.Image, error) { return s.c.Decode(data) }}
	s.read++
	return f, nil
}

func (s *cameraSource) Close() error { return s.c.Close() }
