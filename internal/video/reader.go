package video

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// What errors wrap, for callers who want to tell them apart.
var (
	// ErrFormat: the bytes are no video of a kind that is read here.
	ErrFormat = errors.New("not a video that can be read")

	// ErrDamaged: the stream is cut off or contradicts itself.
	ErrDamaged = errors.New("damaged video")

	// ErrTooLarge: a frame has more pixels or bytes than [Options] allow.
	ErrTooLarge = errors.New("video too large")
)

// Options limits what is read and says what a stream does not say itself. A nil
// *Options and the zero value mean every field's default.
type Options struct {
	// MaxPixels is the largest width times height of a frame. 0 means 64 million,
	// which is more than 8K.
	MaxPixels int

	// MaxFrameBytes is the largest compressed frame. 0 means 64 MiB.
	MaxFrameBytes int

	// Rate is the frame rate of streams that have none, such as Motion JPEG, or
	// instead of theirs. The zero value means that of the stream, or else 25.
	Rate Rate

	// Raw is the layout of a stream of frames without any header. Nil: the stream
	// says what it is.
	Raw *Raw
}

func (o *Options) withDefaults() Options {
	v := *cmp.Or(o, &Options{})
	v.MaxPixels = cmp.Or(v.MaxPixels, 64e6)
	v.MaxFrameBytes = cmp.Or(v.MaxFrameBytes, 64<<20)
	return v
}

// size checks the size of a frame.
func (o *Options) size(width, height int) error {
	switch {
	case width < 1 || height < 1:
		return fmt.Errorf("%w: frames of %dx%d pixels", ErrDamaged, width, height)
	case width > o.MaxPixels/height:
		return fmt.Errorf("%w: frames of %dx%d pixels, the limit is %d pixels", ErrTooLarge, width, height, o.MaxPixels)
	}
	return nil
}

// A Rate is a number of frames a second, as a fraction.
type Rate struct{ Num, Den int }

// usualRate is that of streams that do not say theirs.
var usualRate = Rate{25, 1}

const (
	largestRate   = 1000 // frames a second
	longestPeriod = 3600 // seconds from one frame to the next
)

func (r Rate) ok() bool {
	return r.Num > 0 && r.Den > 0 && r.Num <= math.MaxInt32 && r.Den <= math.MaxInt32 &&
		r.Num/largestRate <= r.Den && r.Den/longestPeriod <= r.Num
}

// Float is the rate as a number.
func (r Rate) Float() float64 { return float64(r.Num) / float64(r.Den) }

// Time is that of the n-th frame, counted from 0.
func (r Rate) Time(n int) time.Duration {
	// Whole seconds apart, so that nothing overflows for thousands of years.
	period := int64(r.Den) * int64(time.Second)
	num := int64(r.Num)
	return time.Duration(int64(n)/num*period + int64(n)%num*(period/num) + int64(n)%num*(period%num)/num)
}

// ParseRate reads "25", "29.97" or "30000/1001".
func ParseRate(text string) (Rate, error) {
	bad := fmt.Errorf("%q is no frame rate: want a number such as 25, 29.97 or 30000/1001, at most %d", text, largestRate)
	num, den, fraction := strings.Cut(text, "/")
	if fraction {
		n, err1 := strconv.Atoi(num)
		d, err2 := strconv.Atoi(den)
		if r := (Rate{n, d}); err1 == nil && err2 == nil && r.ok() {
			return r, nil
		}
		return Rate{}, bad
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= 0.001 && f <= largestRate) {
		return Rate{}, bad
	}
	if whole := math.Round(f); whole >= 1 && f != whole && math.Abs(whole*1000/1001-f) < 0.005 {
		return Rate{int(whole) * 1000, 1001}, nil // 23.976, 29.97, 59.94
	}
	return Rate{int(math.Round(f * 1000)), 1000}, nil
}

// Info is what is known of a stream before its frames.
type Info struct {
	Kind          string // "Y4M", "Motion JPEG", "AVI with Motion JPEG", "raw frames", "PNG files"
	Width, Height int    // 0: each frame says its own
	Rate          Rate
	Frames        int // 0: unknown

	// Y4M holds the parameters of a Y4M stream about interlacing, the shape of
	// pixels and the range of levels, for a copy: "Ip A1:1 XCOLORRANGE=FULL".
	Y4M string
}

// A Frame is one frame of a stream.
type Frame struct {
	Index int
	Time  time.Duration // from the first frame
	bytes []byte        // of a Y4M or raw frame the planes, otherwise a file
	form  func(bytes []byte, index int) (image.Image, error)
}

// Decode returns the frame's image, an *image.YCbCr where it is stored so. It may use
// the frame's memory: a frame is decoded once.
func (f *Frame) Decode() (image.Image, error) { return f.form(f.bytes, f.Index) }

// A Reader reads frames in order.
type Reader struct {
	info  Info
	next  func() ([]byte, error) // io.EOF behind the last frame
	form  func(bytes []byte, index int) (image.Image, error)
	read  int
	ended error

	frameBytes int
}

// NewReader reads a stream of one of the kinds of this package, which its first bytes
// tell, or raw frames if [Options].Raw is set.
func NewReader(r io.Reader, o *Options) (*Reader, error) {
	v := o.withDefaults()
	if v.Rate != (Rate{}) && !v.Rate.ok() {
		return nil, fmt.Errorf("video: a rate of %d/%d frames a second: want more than 0 and at most %d", v.Rate.Num, v.Rate.Den, largestRate)
	}
	b := bufio.NewReaderSize(r, 1<<16)
	var v2 *Reader
	var err error
	if v.Raw != nil {
		v2, err = newRaw(b, &v)
	} else {
		head, _ := b.Peek(SniffBytes) // a shorter stream has a shorter head
		switch Sniff(head) {
		case "y4m":
			v2, err = newY4M(b, &v)
		case "jpeg":
			v2 = newFiles(b, "Motion JPEG", &v, nextJPEG)
		case "png":
			v2 = newFiles(b, "PNG files", &v, nextPNG)
		case "avi":
			v2, err = newAVI(b, &v)
		default:
			if len(head) == 0 {
				return nil, fmt.Errorf("%w: it is empty", ErrFormat)
			}
			return nil, fmt.Errorf("%w: it begins with %.12q, want Y4M, JPEG or PNG files one after another, or AVI with Motion JPEG", ErrFormat, head)
		}
	}
	if err != nil {
		return nil, err
	}
	if v.Rate != (Rate{}) {
		v2.info.Rate = v.Rate
	} else if v2.info.Rate == (Rate{}) {
		v2.info.Rate = usualRate
	}
	return v2, nil
}

// SniffBytes is how much [Sniff] wants to see.
const SniffBytes = 12

// Sniff says what a stream that begins so is: "y4m", "jpeg", "png", "avi", or "" if it
// is of no kind of this package.
func Sniff(head []byte) string {
	switch s := string(head); {
	case strings.HasPrefix(s, "YUV4MPEG2"):
		return "y4m"
	case strings.HasPrefix(s, "\xff\xd8\xff"):
		return "jpeg"
	case strings.HasPrefix(s, pngSignature):
		return "png"
	case len(s) >= 12 && s[:4] == "RIFF" && s[8:12] == "AVI ":
		return "avi"
	}
	return ""
}

// Info is what the stream's header says.
func (r *Reader) Info() Info { return r.info }

// FrameBytes is how many bytes of the stream a frame takes, where all take the same;
// 0 where they do not.
func (r *Reader) FrameBytes() int { return r.frameBytes }

// Next reads the next frame. The error is io.EOF behind the last one. After an error
// it returns the same again.
func (r *Reader) Next() (*Frame, error) {
	if r.ended != nil {
		return nil, r.ended
	}
	bytes, err := r.next()
	if err != nil {
		if !errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("frame %d: %w", r.read, err)
		}
		r.ended = err
		return nil, err
	}
	f := &Frame{Index: r.read, Time: r.info.Rate.Time(r.read), bytes: bytes, form: r.form}
	r.read++
	return f, nil
}

// full reads n bytes into new memory. The first byte missing is io.EOF if that is
// where a stream may end.
func full(r io.Reader, n int, mayEnd bool) ([]byte, error) {
	data := make([]byte, n)
	got, err := io.ReadFull(r, data)
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, io.EOF) && got == 0 && mayEnd:
		return nil, io.EOF
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: it ends after %d of %d bytes", ErrDamaged, got, n)
	}
	return nil, err
}
