package v4l2

import (
	"bytes"
	"errors"
	"image"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// The numbers of requests are those that a C compiler makes of linux/videodev2.h on
// 64-bit machines.
func TestRequests(t *testing.T) {
	for want, got := range map[uint32]uint32{
		0x80685600: queryCapability, 0xc0405602: enumFormat, 0xc0d05604: getFormat, 0xc0d05605: setFormat, 0xc0145608: requestBuffers,
		0xc0585609: queryBuffer, 0xc058560f: queueBuffer, 0xc0585611: takeBuffer, 0x40045612: streamOn, 0x40045613: streamOff,
	} {
		if got != want {
			t.Errorf("%#x, want %#x", got, want)
		}
	}
}

var errFake = errors.New("no such thing")

// A fake is a camera that keeps the rules, and says when somebody breaks them.
type fake struct {
	t       *testing.T
	caps    uint32
	formats []string
	size    image.Point
	stride  int
	answer  string // the format that is set whatever is asked for
	frames  [][]byte
	bad     map[int]bool // frames that are marked as damaged
	fail    uint32       // a request that fails

	set     bool
	count   uint32
	memory  map[int64][]byte
	queued  []uint32
	on      bool
	given   int
	mapped  int
	closed  int
	unplug  bool
	setSize image.Point
}

func (f *fake) ioctl(r uint32, b []byte) error {
	if want := int(r >> 16 & 0x3FFF); len(b) != want {
		f.t.Errorf("request %#x with %d bytes, want %d", r, len(b), want)
	}
	if r == f.fail {
		return errFake
	}
	switch r {
	case queryCapability:
		copy(b[16:], "Fake Camera\x00rest")
		put(b, 84, f.caps|hasOwnCaps)
		put(b, 88, f.caps)
	case enumFormat:
		i := u32(b, 0)
		if int(i) >= len(f.formats) || u32(b, 4) != capture {
			return errFake
		}
		copy(b[44:], f.formats[i])
	case getFormat:
		put(b, 8, 640)
		put(b, 12, 480)
		copy(b[16:], "ZZZZ")
	case setFormat:
		if f.count > 0 {
			f.t.Error("the format is set when there are buffers")
		}
		f.setSize = image.Pt(int(u32(b, 8)), int(u32(b, 12)))
		put(b, 8, uint32(f.size.X))
		put(b, 12, uint32(f.size.Y))
		put(b, 24, uint32(f.stride))
		if f.answer != "" {
			copy(b[16:], f.answer)
		}
		f.set = true
	case requestBuffers:
		if !f.set || u32(b, 8) != mapped {
			f.t.Error("buffers before a format")
		}
		f.count = 3
		put(b, 0, f.count)
	case queryBuffer:
		if u32(b, 0) >= f.count {
			return errFake
		}
		put(b, 64, 4096*u32(b, 0))
		put(b, 72, 1<<14)
	case queueBuffer:
		i := u32(b, 0)
		if i >= f.count || slices.Contains(f.queued, i) || f.memory[int64(4096*i)] == nil || u32(b, 60) != mapped {
			f.t.Errorf("buffer %d is queued, %v are already", i, f.queued)
		}
		f.queued = append(f.queued, i)
	case streamOn:
		if len(f.queued) == 0 {
			f.t.Error("streaming without buffers")
		}
		f.on = true
	case streamOff:
		f.on, f.queued = false, nil
	case takeBuffer:
		if !f.on || len(f.queued) == 0 {
			return errFake
		}
		i := f.queued[0]
		f.queued = f.queued[1:]
		put(b, 0, i)
		data := f.frames[f.given%len(f.frames)]
		if f.bad[f.given] {
			put(b, 12, flagError)
		}
		put(b, 8, uint32(copy(f.memory[int64(4096*i)], data)))
		f.given++
	default:
		f.t.Errorf("request %#x", r)
	}
	return nil
}

func (f *fake) mmap(offset int64, length int) ([]byte, error) {
	if f.memory == nil {
		f.memory = map[int64][]byte{}
	}
	f.memory[offset] = make([]byte, length)
	f.mapped++
	return f.memory[offset], nil
}

func (f *fake) munmap([]byte) error { f.mapped--; return nil }

func (f *fake) wait(time.Duration) (bool, error) {
	if f.unplug {
		return false, errFake
	}
	return len(f.frames) > 0, nil
}

func (f *fake) close() error {
	if f.on || f.mapped > 0 {
		f.t.Errorf("closed while it streams (%v) or with %d buffers mapped", f.on, f.mapped)
	}
	f.closed++
	return nil
}

func jpegOf(t *testing.T, w, h int) []byte {
	t.Helper()
	return picturetest.JPEG(picturetest.Even(w, h, 77), 95)
}

// The best format is chosen, damaged frames are left out, each frame is a copy, and
// everything is given back.
func TestCamera(t *testing.T) {
	f := &fake{t: t, caps: canCapture | canStream, formats: []string{"YUYV", "H264", "MJPG"}, size: image.Pt(32, 24), frames: [][]byte{jpegOf(t, 32, 24)}, bad: map[int]bool{1: true, 2: true}}
	c := must.Get(open(f, image.Pt(30, 20)))
	if c.Name != "Fake Camera" || c.Format != "mjpeg" || c.Size != image.Pt(32, 24) || f.setSize != image.Pt(30, 20) {
		t.Errorf("%+v, asked for %v", c, f.setSize)
	}
	for range 10 {
		data := must.Get(c.Next())
		img, err := c.Decode(data)
		if err != nil || img.Bounds() != image.Rect(0, 0, 32, 24) {
			t.Fatalf("%v, %v", img, err)
		}
	}
	if f.given != 12 || len(f.queued) != 3 {
		t.Errorf("%d frames taken, %d buffers queued", f.given, len(f.queued))
	}
	f.unplug = true
	if _, err := c.Next(); !errors.Is(err, ErrNoFrame) {
		t.Errorf("unplugged: %v", err)
	}
	if err := c.Close(); err != nil || f.closed != 1 || f.on {
		t.Errorf("%v, closed %d times", err, f.closed)
	}
}

// Rows with something behind them come without it.
func TestPaddedRows(t *testing.T) {
	for fourcc, rowBytes := range map[string]int{"YUYV": 12, "GREY": 6, "RGB3": 18} {
		stride := rowBytes + 5
		frame := bytes.Repeat([]byte{9}, 4*stride-5)
		for y := range 4 {
			for x := range rowBytes {
				frame[y*stride+x] = byte(100 + y)
			}
		}
		f := &fake{t: t, caps: canCapture | canStream, formats: []string{fourcc}, size: image.Pt(6, 4), stride: stride, frames: [][]byte{frame}}
		c := must.Get(open(f, image.Point{}))
		data, err := c.Next()
		if err != nil || len(data) != 4*rowBytes || slices.Contains(data, 9) || data[3*rowBytes] != 103 {
			t.Errorf("%s: %v, %v", fourcc, data, err)
		}
		if _, err := c.Decode(data); err != nil {
			t.Error(err)
		}
		f.frames[0] = frame[:stride] // too short: it never becomes a frame
		if _, err := c.Next(); !errors.Is(err, ErrNoFrame) {
			t.Errorf("%s: a short frame: %v", fourcc, err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Whatever goes wrong while a camera is opened is said, and nothing stays open.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*fake)
		say    string
	}{
		"no camera": {func(f *fake) { f.caps = canStream }, "gives no pictures"},
		"no stream": {func(f *fake) { f.caps = canCapture }, "cannot stream"},
		"formats":   {func(f *fake) { f.formats = []string{"H264"} }, "H264"},
		"changed":   {func(f *fake) { f.answer = "H264" }, "changes its format"},
		"size":      {func(f *fake) { f.size = image.Pt(0, 5) }, "0x5"},
		"busy":      {func(f *fake) { f.fail = requestBuffers }, "another program"},
		"map":       {func(f *fake) { f.fail = queryBuffer }, "buffer 0"},
		"on":        {func(f *fake) { f.fail = streamOn }, "starting"},
		"not v4l2":  {func(f *fake) { f.fail = queryCapability }, "does not answer"},
	} {
		f := &fake{t: t, caps: canCapture | canStream, formats: []string{"MJPG"}, size: image.Pt(32, 24)}
		test.change(f)
		if _, err := open(f, image.Point{}); err == nil || !strings.Contains(err.Error(), test.say) || f.closed != 1 || f.mapped != 0 {
			t.Errorf("%s: %v, closed %d times, %d mapped", name, err, f.closed, f.mapped)
		}
	}
	if _, err := Open("/nonexistent/video0", image.Point{}); err == nil {
		t.Error("a camera that is not there")
	}
}
