package frames

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"haarlem/internal/app/console"
	"haarlem/internal/video"
)

// Footage is what is known about frames before they are read.
type Footage struct {
	Name     string
	FPS      float64
	Frames   int  // in all; 0 if that is not known
	Estimate int  // instead, for progress only
	Live     bool // a camera or a stream, which has no end of its own

	rate      video.Rate // fps as a fraction; 0/0 if that is not known
	y4m       string     // see video.Info
	fullRange bool       // levels from 0 to 255
	jpeg      bool       // frames are JPEG files
}

// exactRate is the rate as a fraction.
func (a Footage) exactRate() video.Rate {
	if a.rate != (video.Rate{}) {
		return a.rate
	}
	if r, err := video.ParseRate(strconv.FormatFloat(a.FPS, 'f', 3, 64)); err == nil {
		return r
	}
	return video.Rate{Num: 25, Den: 1}
}

// aspect is the shape of a pixel, width by height; 0 if it is not known.
func (a Footage) aspect() float64 {
	for word := range strings.FieldsSeq(a.y4m) {
		num, den, ok := strings.Cut(strings.TrimPrefix(word, "A"), ":")
		n, err1 := strconv.Atoi(num)
		d, err2 := strconv.Atoi(den)
		if ok && err1 == nil && err2 == nil && n > 0 && d > 0 && n < 100*d && d < 100*n {
			return float64(n) / float64(d)
		}
	}
	return 0
}

// Ended tells why there is no frame behind the read-th, whose time was last:
// io.EOF if that was to be expected.
//
// Containers say how many frames they hold, but some say how many there would
// be at a constant rate. A file counts as cut off if both frames and time are
// missing, and more of them than the rounding of players and decoders explains.
func (a Footage) Ended(read int, last time.Duration) error {
	switch {
	case a.Live && IsStream(a.Name):
		return fmt.Errorf("%s: no more pictures after %s: has the sender ended, or the network failed?", a.Name, console.Count(read, "frame"))
	case a.Live:
		return fmt.Errorf("%s: no more pictures after %s: was it unplugged or switched off?", a.Name, console.Count(read, "frame"))
	}
	missing := a.Frames - read
	if a.Frames > 0 && missing > 2+a.Frames/100 {
		length := time.Duration(float64(a.Frames) / a.FPS * float64(time.Second))
		period := time.Duration(float64(time.Second) / a.FPS)
		if read == 0 || last+period < length-length/100-2*period {
			why := "the file is cut off or damaged"
			if IsStdin(a.Name) {
				why += ", or comes through a pipe, which cannot go back to an index at its end as some MP4 files want: give it as a file"
			}
			return fmt.Errorf("%s: ends after frame %d of %d: %s", Shown(a.Name), read, a.Frames, why)
		}
	}
	if read == 0 {
		return fmt.Errorf("%s: holds no picture that can be read", Shown(a.Name))
	}
	return io.EOF
}

// IsStdin tells whether a name is that of a file or a pipe that was opened
// before, such as standard input. It comes as fast as it is read, and ends.
func IsStdin(name string) bool {
	return name == "-" || name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// IsDevice tells whether a name is that of a camera.
func IsDevice(name string) bool { return strings.HasPrefix(name, "/dev/") && !IsStdin(name) }

// IsStream tells whether a name is that of a stream on the network that comes
// at its own time and has no end, rather than of a file.
func IsStream(name string) bool {
	return strings.HasPrefix(name, "rtsp://") || strings.HasPrefix(name, "rtsps://") ||
		strings.HasPrefix(name, "rtmp://") || strings.HasPrefix(name, "udp://") || strings.HasPrefix(name, "rtp://")
}

// IsSequence tells whether a name stands for numbered pictures: name-%04d.png.
func IsSequence(name string) bool { return sequence.MatchString(name) }

var sequence = regexp.MustCompile(`%[0-9]*d`)

// Shown is how messages call a source.
func Shown(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}
