package main

import (
	"fmt"
	"image"
	"image/draw"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/video"
	"haarlem/picture"
	"haarlem/track"
)

// A frame is one picture of a video or a camera, and what was found in it. Its pixels
// belong to whoever has the frame.
type frame struct {
	index int
	at    time.Duration // from the first frame

	// One of them holds the pixels once the frame is decoded.
	image  *image.RGBA
	planes *image.YCbCr
	coded  func() (image.Image, error) // nil: it is decoded

	found []detector.Detection
	looks []*track.Descriptor // of found
	faces []track.Followed    // found and predicted, once they are tracked
	took  time.Duration       // by the detector

	thumbnail []byte // see track.Thumbnail; for hiding
	doubt     string // why what is hidden is uncertain
}

// decode makes the pixels of a frame that was read without them. Several frames may be
// decoded at once.
func (f *frame) decode() error {
	if f.coded == nil {
		return nil
	}
	img, err := f.coded()
	if err != nil {
		return err
	}
	f.coded = nil
	f.set(img)
	return nil
}

// set takes the pixels of an image that nobody else uses.
func (f *frame) set(img image.Image) {
	b := img.Bounds()
	switch m := img.(type) {
	case *image.RGBA:
		f.image = m
	case *image.YCbCr:
		f.planes = m
	case *image.Gray:
		f.planes = image.NewYCbCr(image.Rect(0, 0, b.Dx(), b.Dy()), image.YCbCrSubsampleRatio420)
		for y := range b.Dy() {
			copy(f.planes.Y[y*f.planes.YStride:][:b.Dx()], m.Pix[y*m.Stride:])
		}
		for i := range f.planes.Cb {
			f.planes.Cb[i], f.planes.Cr[i] = 128, 128
		}
	default:
		f.image = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(f.image, f.image.Rect, img, b.Min, draw.Src)
	}
}

// rgba makes sure that image holds the pixels.
func (f *frame) rgba() {
	if f.planes != nil {
		f.image = image.NewRGBA(f.planes.Rect)
		draw.Draw(f.image, f.image.Rect, f.planes, f.planes.Rect.Min, draw.Src)
		f.planes = nil
	}
}

// picture is what holds the pixels.
func (f *frame) picture() image.Image {
	if f.planes != nil {
		return f.planes
	}
	return f.image
}

// canvas is the same to draw on.
func (f *frame) canvas() draw.Image {
	if f.planes != nil {
		return picture.Planes{YCbCr: f.planes}
	}
	return f.image
}

func (f *frame) bounds() image.Rectangle { return f.picture().Bounds() }

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
	name     string
	fps      float64
	frames   int  // in all; 0 if that is not known
	estimate int  // instead, for progress only
	live     bool // a camera or a stream, which has no end of its own

	rate      video.Rate // fps as a fraction; 0/0 if that is not known
	y4m       string     // see video.Info
	fullRange bool       // levels from 0 to 255
	jpeg      bool       // frames are JPEG files
}

// exactRate is the rate as a fraction.
func (a footage) exactRate() video.Rate {
	if a.rate != (video.Rate{}) {
		return a.rate
	}
	if r, err := video.ParseRate(strconv.FormatFloat(a.fps, 'f', 3, 64)); err == nil {
		return r
	}
	return video.Rate{Num: 25, Den: 1}
}

// aspect is the shape of a pixel, width by height; 0 if it is not known.
func (a footage) aspect() float64 {
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
			return fmt.Errorf("%s: ends after frame %d of %d: %s", shown(a.name), read, a.frames, why)
		}
	}
	if read == 0 {
		return fmt.Errorf("%s: holds no picture that can be read", shown(a.name))
	}
	return io.EOF
}

// isStdin tells whether a name is that of a file or a pipe that was opened
// before, such as standard input. It comes as fast as it is read, and ends.
func isStdin(name string) bool {
	return name == "-" || name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
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
