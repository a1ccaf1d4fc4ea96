// Package v4l2 reads frames from cameras through Video4Linux2, the interface of the
// Linux kernel, without a library in C. Structures and requests are those of
// linux/videodev2.h on 64-bit machines.
//
// A [Camera] is opened, asked for a format that package video understands, and then
// fills buffers that are mapped into memory:
//
//	query capabilities -> choose a format -> set it -> request buffers -> map and
//	queue each -> stream on -> (wait, take a buffer, copy, queue it again) ... ->
//	stream off -> unmap
package v4l2

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"haarlem/internal/video"
)

// What errors wrap, for callers who want to tell them apart.
var (
	// ErrDevice: the device is no camera, or none that can be used here.
	ErrDevice = errors.New("not a camera that can be used")

	// ErrNoFrame: the camera gave no frame for a while, as when it is unplugged.
	ErrNoFrame = errors.New("no frame came")
)

// A device is what a camera is reached by: the kernel, or a fake in tests.
type device interface {
	ioctl(request uint32, arg []byte) error
	mmap(offset int64, length int) ([]byte, error)
	munmap([]byte) error
	wait(time.Duration) (ready bool, err error)
	close() error
}

// request makes the number of a request: 2 bits direction (1 write, 2 read), 14 bits
// size, the letter V, and the number in videodev2.h.
func request(direction, number, size uint32) uint32 {
	return direction<<30 | size<<16 | 'V'<<8 | number
}

const (
	sizeCapability = 104
	sizeFormatDesc = 64
	sizeFormat     = 208
	sizeRequest    = 20
	sizeBuffer     = 88
)

var (
	queryCapability = request(2, 0, sizeCapability)
	enumFormat      = request(3, 2, sizeFormatDesc)
	getFormat       = request(3, 4, sizeFormat)
	setFormat       = request(3, 5, sizeFormat)
	requestBuffers  = request(3, 8, sizeRequest)
	queryBuffer     = request(3, 9, sizeBuffer)
	queueBuffer     = request(3, 15, sizeBuffer)
	takeBuffer      = request(3, 17, sizeBuffer)
	streamOn        = request(1, 18, 4)
	streamOff       = request(1, 19, 4)
)

const (
	capture    = 1 // V4L2_BUF_TYPE_VIDEO_CAPTURE
	mapped     = 1 // V4L2_MEMORY_MMAP
	fieldAny   = 0
	flagError  = 0x40
	canCapture = 0x00000001
	canStream  = 0x04000000
	hasOwnCaps = 0x80000000

	wantBuffers = 4
	maxBuffers  = 32
	maxFormats  = 64
	patience    = 5 * time.Second
)

// formats are those that are understood, the best first: compressed frames pass
// through a USB cable at the full rate, and then those without conversion.
var formats = []struct{ fourcc, name string }{
	{"MJPG", "mjpeg"}, {"JPEG", "mjpeg"}, {"YU12", "yuv420p"}, {"NV12", "nv12"}, {"YUYV", "yuyv422"},
	{"RGB3", "rgb24"}, {"BGR3", "bgr24"}, {"GREY", "gray"},
}

// A Camera gives frames. It is used by one goroutine.
type Camera struct {
	Name   string // what the driver calls it
	Format string // "mjpeg", or one of video.RawFormats
	Size   image.Point

	dev     device
	stride  int // bytes a row, of uncompressed frames
	buffers [][]byte
	on      bool
}

// open goes through everything up to the first frame. size is a wish; zero leaves it
// to the camera.
func open(dev device, size image.Point) (c *Camera, err error) {
	c = &Camera{dev: dev}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	if err := c.query(); err != nil {
		return c, err
	}
	if err := c.choose(size); err != nil {
		return c, err
	}
	if err := c.start(); err != nil {
		return c, err
	}
	return c, nil
}

func (c *Camera) query() error {
	b := make([]byte, sizeCapability)
	if err := c.dev.ioctl(queryCapability, b); err != nil {
		return fmt.Errorf("%w: it does not answer as Video4Linux2 does: %w", ErrDevice, err)
	}
	c.Name = text(b[16:48])
	caps := u32(b, 84)
	if caps&hasOwnCaps != 0 { // of this node instead of the whole device
		caps = u32(b, 88)
	}
	switch {
	case caps&canCapture == 0:
		return fmt.Errorf("%w: %s gives no pictures (another node of the same device may)", ErrDevice, c.Name)
	case caps&canStream == 0:
		return fmt.Errorf("%w: %s cannot stream", ErrDevice, c.Name)
	}
	return nil
}

// choose takes the best format that the camera has, at the size that comes closest.
func (c *Camera) choose(size image.Point) error {
	var has []string
	for i := range uint32(maxFormats) {
		b := make([]byte, sizeFormatDesc)
		put(b, 0, i)
		put(b, 4, capture)
		if c.dev.ioctl(enumFormat, b) != nil {
			break // there are no more
		}
		has = append(has, string(b[44:48]))
	}
	at := slices.IndexFunc(formats, func(f struct{ fourcc, name string }) bool { return slices.Contains(has, f.fourcc) })
	if at < 0 {
		return fmt.Errorf("%w: %s gives %q, want one of MJPG, YUYV, NV12, YU12, RGB3, BGR3, GREY", ErrDevice, c.Name, has)
	}
	b := make([]byte, sizeFormat)
	put(b, 0, capture)
	if err := c.dev.ioctl(getFormat, b); err != nil {
		return fmt.Errorf("%s: its format: %w", c.Name, err)
	}
	if size != (image.Point{}) {
		put(b, 8, uint32(size.X))
		put(b, 12, uint32(size.Y))
	}
	copy(b[16:20], formats[at].fourcc)
	put(b, 20, fieldAny)
	put(b, 24, 0)
	put(b, 28, 0)
	if err := c.dev.ioctl(setFormat, b); err != nil {
		return fmt.Errorf("%s: %dx%d in %s: %w", c.Name, u32(b, 8), u32(b, 12), formats[at].fourcc, err)
	}
	// The driver answers with what it will do instead.
	got := string(b[16:20])
	at = slices.IndexFunc(formats, func(f struct{ fourcc, name string }) bool { return f.fourcc == got })
	if at < 0 {
		return fmt.Errorf("%w: %s changes its format to %q", ErrDevice, c.Name, got)
	}
	w, h := u32(b, 8), u32(b, 12)
	if w < 1 || h < 1 || w > 1<<14 || h > 1<<14 {
		return fmt.Errorf("%w: %s gives frames of %dx%d pixels", ErrDevice, c.Name, w, h)
	}
	c.Format, c.Size, c.stride = formats[at].name, image.Pt(int(w), int(h)), int(min(u32(b, 24), 1<<20))
	return nil
}

func (c *Camera) start() error {
	b := make([]byte, sizeRequest)
	put(b, 0, wantBuffers)
	put(b, 4, capture)
	put(b, 8, mapped)
	if err := c.dev.ioctl(requestBuffers, b); err != nil {
		return fmt.Errorf("%s: buffers: is another program using it? %w", c.Name, err)
	}
	count := u32(b, 0)
	if count < 2 || count > maxBuffers {
		return fmt.Errorf("%w: %s has %d buffers", ErrDevice, c.Name, count)
	}
	for i := range count {
		b := buffer(i)
		if err := c.dev.ioctl(queryBuffer, b); err != nil {
			return fmt.Errorf("%s: buffer %d: %w", c.Name, i, err)
		}
		length := u32(b, 72)
		if length < 1 || length > 1<<28 {
			return fmt.Errorf("%w: %s has a buffer of %d bytes", ErrDevice, c.Name, length)
		}
		m, err := c.dev.mmap(int64(u32(b, 64)), int(length))
		if err != nil {
			return fmt.Errorf("%s: mapping buffer %d: %w", c.Name, i, err)
		}
		c.buffers = append(c.buffers, m)
		if err := c.dev.ioctl(queueBuffer, buffer(i)); err != nil {
			return fmt.Errorf("%s: queueing buffer %d: %w", c.Name, i, err)
		}
	}
	if err := c.dev.ioctl(streamOn, kind()); err != nil {
		return fmt.Errorf("%s: starting: %w", c.Name, err)
	}
	c.on = true
	return nil
}

// maxDamaged is how many frames in a row may be marked as damaged.
const maxDamaged = 30

// Next waits for the next frame, and returns a copy of its bytes: a JPEG file, or a
// frame of [Camera.Format] without gaps between rows.
func (c *Camera) Next() ([]byte, error) {
	for range maxDamaged {
		ready, err := c.dev.wait(patience)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%w: %w", ErrNoFrame, err)
		case !ready:
			return nil, fmt.Errorf("%w within %v", ErrNoFrame, patience)
		}
		b := buffer(0)
		if err := c.dev.ioctl(takeBuffer, b); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoFrame, err)
		}
		i, used := u32(b, 0), u32(b, 8)
		if int(i) >= len(c.buffers) || int64(used) > int64(len(c.buffers[i])) {
			return nil, fmt.Errorf("%w: %s gives %d bytes in buffer %d", ErrDevice, c.Name, used, i)
		}
		var data []byte
		if u32(b, 12)&flagError == 0 && used > 0 {
			data = c.copied(c.buffers[i][:used])
		}
		if err := c.dev.ioctl(queueBuffer, buffer(i)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoFrame, err)
		}
		if data != nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("%w: %d in a row were damaged", ErrNoFrame, maxDamaged)
}

// copied returns the frame without what is behind its rows; nil if it is too short.
func (c *Camera) copied(from []byte) []byte {
	w, h := c.Size.X, c.Size.Y
	var rows [][3]int // bytes a row, rows, stride, of each plane
	switch c.Format {
	case "mjpeg":
		return slices.Clone(from)
	case "yuv420p":
		half := max(c.stride/2, (w+1)/2)
		rows = [][3]int{{w, h, max(c.stride, w)}, {(w + 1) / 2, (h + 1) / 2, half}, {(w + 1) / 2, (h + 1) / 2, half}}
	case "nv12":
		rows = [][3]int{{w, h, max(c.stride, w)}, {(w + 1) / 2 * 2, (h + 1) / 2, max(c.stride, (w+1)/2*2)}}
	case "yuyv422":
		rows = [][3]int{{(w + 1) / 2 * 4, h, max(c.stride, (w+1)/2*4)}}
	case "gray":
		rows = [][3]int{{w, h, max(c.stride, w)}}
	default:
		rows = [][3]int{{3 * w, h, max(c.stride, 3*w)}}
	}
	var out []byte
	for _, p := range rows {
		for y := range p[1] {
			n := p[2]
			if y == p[1]-1 {
				n = min(n, max(len(from), p[0])) // the last row may end early
			}
			if len(from) < p[0] || y < p[1]-1 && len(from) < n {
				return nil
			}
			out = append(out, from[:p[0]]...)
			from = from[min(n, len(from)):]
		}
	}
	return out
}

// Decode makes an image of a frame.
func (c *Camera) Decode(data []byte) (image.Image, error) {
	if c.Format == "mjpeg" {
		return video.Picture(data, nil, 0)
	}
	return (&video.Raw{Format: c.Format, Width: c.Size.X, Height: c.Size.Y}).Image(data)
}

// Close ends the stream and gives the memory and the device back.
func (c *Camera) Close() error {
	var errs []error
	if c.on {
		c.on = false
		errs = append(errs, c.dev.ioctl(streamOff, kind()))
	}
	for _, b := range c.buffers {
		errs = append(errs, c.dev.munmap(b))
	}
	c.buffers = nil
	return errors.Join(append(errs, c.dev.close())...)
}

func buffer(index uint32) []byte {
	b := make([]byte, sizeBuffer)
	put(b, 0, index)
	put(b, 4, capture)
	put(b, 60, mapped)
	return b
}

func kind() []byte { return binary.NativeEndian.AppendUint32(nil, capture) }

func put(b []byte, at int, v uint32) { binary.NativeEndian.PutUint32(b[at:], v) }

func u32(b []byte, at int) uint32 { return binary.NativeEndian.Uint32(b[at:]) }

// text is a string of C.
func text(b []byte) string {
	if i := slices.Index(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}
