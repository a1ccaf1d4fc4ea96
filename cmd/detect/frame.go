package main

import (
	"errors"
	"fmt"
	"image"
	"io"
	"regexp"
	"strings"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/cli"
	"haarlem/track"
)

// A frame is one picture of a video or a camera, and what was found in it.
type frame struct {
	index int
	at    time.Duration // from the first frame
	image *image.RGBA   // its owner is whoever has the frame

	found []detector.Detection
	faces []track.Followed // found and predicted, once they are followed
	took  time.Duration    // by the detector
}

// A frameSource gives frames one after another. It is used by one goroutine.
type frameSource interface {
	// next returns the next frame, or io.EOF behind the last one. Any other
	// error says, for a reader, why there are no more frames although there
	// should be.
	next() (*frame, error)
	about() footage
	close() error
}

// A frameSink takes frames in order. After close what it wrote is complete,
// whatever happened before.
type frameSink interface {
	put(*frame) error
	close() error
}

// footage is what is known about frames before they are read.
type footage struct {
	name   string
	fps    float64
	frames int  // in all; 0 if that is not known
	live   bool // a camera or a stream, which has no end of its own
}

// ended tells why there is no frame behind the read-th, whose time was last:
// io.EOF if that was to be expected.
//
// Containers say how many frames they hold, but some say how many there would
// be at a constant rate. A file counts as cut off if both frames and time are
// missing, and more of them than the rounding of players and decoders explains.
func (a footage) ended(read int, last time.Duration) error {
	switch {
	case a.live && isStream(a.name):
		return fmt.Errorf("%s: no more pictures after %s: has the sender ended, or the network failed?", a.name, count(read, "frame"))
	case a.live:
		return fmt.Errorf("%s: no more pictures after %s: was it unplugged or switched off?", a.name, count(read, "frame"))
	}
	missing := a.frames - read
	if a.frames > 0 && missing > 2+a.frames/100 {
		length := time.Duration(float64(a.frames) / a.fps * float64(time.Second))
		period := time.Duration(float64(time.Second) / a.fps)
		if read == 0 || last+period < length-length/100-2*period {
			why := "the file is cut off or damaged"
			if isStdin(a.name) {
				why += ", or comes through a pipe, which cannot go back to an index at its end as some MP4 files want: give it as a file"
			}
			return fmt.Errorf("%s: ends after frame %d of %d: %s", a.name, read, a.frames, why)
		}
	}
	if read == 0 {
		return fmt.Errorf("%s: holds no picture that can be read", a.name)
	}
	return io.EOF
}

// isStdin tells whether a name is that of a file or a pipe that was opened
// before, such as standard input. It comes as fast as it is read, and ends.
func isStdin(name string) bool {
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// isDevice tells whether a name is that of a camera.
func isDevice(name string) bool { return strings.HasPrefix(name, "/dev/") && !isStdin(name) }

// isStream tells whether a name is that of a stream on the network that comes
// at its own time and has no end, rather than of a file.
func isStream(name string) bool {
	return strings.HasPrefix(name, "rtsp://") || strings.HasPrefix(name, "rtsps://") ||
		strings.HasPrefix(name, "rtmp://") || strings.HasPrefix(name, "udp://") || strings.HasPrefix(name, "rtp://")
}

// isSequence tells whether a name stands for numbered pictures: name-%04d.png.
func isSequence(name string) bool { return sequence.MatchString(name) }

var sequence = regexp.MustCompile(`%[0-9]*d`)

// errNeedsOpenCV is what everything about cameras and video ends with when it
// is not part of this program.
var errNeedsOpenCV = cli.Usage(errors.New("cameras and videos need a detect that is built with OpenCV: apt install libopencv-dev pkg-config g++, then: go build -tags gocv ./cmd/detect"))
