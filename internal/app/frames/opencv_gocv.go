//go:build gocv

package frames

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

func init() {
	// OpenCV and FFmpeg write to stderr what we say in our own words.
	for name, value := range map[string]string{"OPENCV_LOG_LEVEL": "SILENT", "OPENCV_FFMPEG_LOGLEVEL": "-8"} {
		if os.Getenv(name) == "" {
			_ = os.Setenv(name, value) // noise is no reason to stop
		}
	}
	Backend = &VideoBackend{Open: OpenVideo, Camera: openOpenCVCamera, Create: CreateOpenCVMovie, Check: CheckMovie}
}

// A capture is a Source of OpenCV.
type capture struct {
	c      *gocv.VideoCapture
	info   Footage
	stored gocv.Mat // blue, green, red
	turned gocv.Mat // red, green, blue and 255
	read   int
	last   time.Duration
	start  time.Time // of a camera
}

func newCapture(c *gocv.VideoCapture, info Footage) *capture {
	if fps := c.Get(gocv.VideoCaptureFPS); fps > 0 && fps <= 1000 {
		info.FPS = fps
	} else {
		info.FPS = 25
	}
	if n := c.Get(gocv.VideoCaptureFrameCount); !info.Live && n >= 1 && n < 1<<40 {
		info.Frames = int(n)
	}
	return &capture{c: c, info: info, stored: gocv.NewMat(), turned: gocv.NewMat()}
}

func (c *capture) About() Footage { return c.info }

func (c *capture) Next() (*Frame, error) {
	// A camera may fail to deliver one picture and have the next.
	tries := 1
	if c.info.Live {
		tries = 3
	}
	ok := false
	for range tries {
		if ok = c.c.Read(&c.stored) && !c.stored.Empty(); ok {
			break
		}
	}
	if !ok {
		return nil, c.info.Ended(c.read, c.last)
	}
	f := &Frame{Index: c.read}
	if c.info.Live {
		if c.read == 0 {
			c.start = time.Now()
		}
		f.At = time.Since(c.start)
	} else {
		f.At = c.time()
	}
	var err error
	if f.Image, err = c.picture(); err != nil {
		return nil, fmt.Errorf("%s: frame %d: %w", c.info.Name, c.read, err)
	}
	c.read++
	c.last = f.At
	return f, nil
}

// time is the frame's as the file says it, or, where that makes no sense, the
// one that follows from the rate. It never goes back.
func (c *capture) time() time.Duration {
	ms := c.c.Get(gocv.VideoCapturePosMsec)
	t := time.Duration(float64(c.read) / c.info.FPS * float64(time.Second))
	if ms >= 0 && ms < 1e12 && (c.read == 0 || ms > 0) {
		t = time.Duration(math.Round(ms * float64(time.Millisecond)))
	}
	return max(t, c.last)
}

func (c *capture) picture() (*image.RGBA, error) {
	switch c.stored.Type() {
	case gocv.MatTypeCV8UC3:
		gocv.CvtColor(c.stored, &c.turned, gocv.ColorBGRToRGBA)
	case gocv.MatTypeCV8UC1:
		gocv.CvtColor(c.stored, &c.turned, gocv.ColorGrayToBGRA)
	default:
		return nil, fmt.Errorf("its pixels are of a type that is not supported, %v", c.stored.Type())
	}
	pix := c.turned.ToBytes() // a copy
	w, h := c.turned.Cols(), c.turned.Rows()
	if len(pix) != 4*w*h {
		return nil, fmt.Errorf("%d bytes for %dx%d pixels", len(pix), w, h)
	}
	return &image.RGBA{Pix: pix, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}, nil
}

func (c *capture) Close() error {
	return errors.Join(c.c.Close(), c.stored.Close(), c.turned.Close())
}

// OpenVideo opens a file or a stream on the network by OpenCV's FFmpeg.
func OpenVideo(name string) (Source, error) {
	c, err := gocv.VideoCaptureFileWithAPI(name, gocv.VideoCaptureFFmpeg)
	if err == nil {
		return newCapture(c, Footage{Name: name, Live: IsStream(name)}), nil
	}
	_ = c.Close() // it did not open
	if isURL(name) {
		return nil, fmt.Errorf("%s: cannot be opened: no such stream, or nobody answers", name)
	}
	return nil, fmt.Errorf("%s: not a video that can be read: cut off, damaged, or of a kind that FFmpeg does not know", name)
}

// openOpenCVCamera opens a camera by number or by name.
func openOpenCVCamera(device string, size image.Point) (Source, error) {
	api := gocv.VideoCaptureAny
	if runtime.GOOS == "linux" {
		api = gocv.VideoCaptureV4L2
	}
	var c *gocv.VideoCapture
	var err error
	name := device
	if n, bad := strconv.Atoi(device); bad == nil {
		name = "camera " + device
		if runtime.GOOS == "linux" {
			name = fmt.Sprintf("camera %d (/dev/video%d)", n, n)
			if _, err := os.Stat(fmt.Sprintf("/dev/video%d", n)); err != nil {
				return nil, noCamera(name)
			}
		}
		c, err = gocv.VideoCaptureDeviceWithAPI(n, api)
	} else {
		if _, err := os.Stat(device); err != nil {
			return nil, noCamera(name)
		}
		c, err = gocv.VideoCaptureFileWithAPI(device, api)
	}
	if err != nil {
		_ = c.Close() // it did not open
		return nil, fmt.Errorf("%s: cannot be opened: another program may be using it, or you may not (group video)", name)
	}
	if size != (image.Point{}) {
		c.Set(gocv.VideoCaptureFrameWidth, float64(size.X))
		c.Set(gocv.VideoCaptureFrameHeight, float64(size.Y))
	}
	return newCapture(c, Footage{Name: name, Live: true}), nil
}

// A writing is a Writer of OpenCV.
type writing struct {
	w    *gocv.VideoWriter
	code gocv.Mat
}

func CreateOpenCVMovie(path string, codecs []string, fps float64, size image.Point) (Writer, error) {
	for _, codec := range codecs {
		w, err := gocv.VideoWriterFile(path, codec, fps, size.X, size.Y, true)
		if err != nil {
			return nil, err
		}
		if w.IsOpened() {
			return &writing{w, gocv.NewMat()}, nil
		}
		_ = w.Close() // it did not open
	}
	return nil, fmt.Errorf("OpenCV cannot write such a video (%dx%d, tried %s)", size.X, size.Y, strings.Join(codecs, ", "))
}

func (w *writing) Write(any image.Image, _ time.Duration) error {
	img, ok := any.(*image.RGBA)
	if !ok {
		img = image.NewRGBA(any.Bounds())
		draw.Draw(img, img.Rect, any, img.Rect.Min, draw.Src)
	}
	size := img.Rect.Size()
	pix := img.Pix
	if img.Stride != 4*size.X || len(pix) != 4*size.X*size.Y {
		return fmt.Errorf("a picture of %v with %d bytes a row, in %d", size, img.Stride, len(pix))
	}
	m, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, pix)
	if err != nil {
		return err
	}
	defer m.Close()
	gocv.CvtColor(m, &w.code, gocv.ColorRGBAToBGR)
	return w.w.Write(w.code)
}

func (w *writing) Close() error { return errors.Join(w.w.Close(), w.code.Close()) }

func CheckMovie(path string) (int, error) {
	c, err := gocv.VideoCaptureFileWithAPI(path, gocv.VideoCaptureFFmpeg)
	if err != nil {
		return 0, errors.Join(err, c.Close())
	}
	defer c.Close()
	m := gocv.NewMat()
	defer m.Close()
	if !c.Read(&m) {
		return 0, fmt.Errorf("%s: no first frame", path)
	}
	return int(c.Get(gocv.VideoCaptureFrameCount)), nil
}
