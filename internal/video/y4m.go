package video

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"
	"strconv"
	"strings"
)

// longestLine is that of a header of Y4M: programs write less than 100 bytes.
const longestLine = 4096

// FullRange is the parameter of Y4M for levels from 0 to 255, as in JPEG, instead of 16
// to 235. The name is FFmpeg's.
const FullRange = "XCOLORRANGE=FULL"

// chroma are the colour spaces of Y4M that are read. Where the samples of colour lie
// between those of brightness makes no difference here.
var chroma = map[string]image.YCbCrSubsampleRatio{
	"": image.YCbCrSubsampleRatio420, "420": image.YCbCrSubsampleRatio420, "420jpeg": image.YCbCrSubsampleRatio420,
	"420mpeg2": image.YCbCrSubsampleRatio420, "420paldv": image.YCbCrSubsampleRatio420,
	"411": image.YCbCrSubsampleRatio411, "422": image.YCbCrSubsampleRatio422, "444": image.YCbCrSubsampleRatio444,
}

// newY4M reads the header of Y4M, as yuv4mpeg(5) of mjpegtools describes it.
func newY4M(b *bufio.Reader, o *Options) (*Reader, error) {
	line, err := y4mLine(b)
	if err != nil {
		return nil, fmt.Errorf("the header of Y4M: %w", err)
	}
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "YUV4MPEG2" {
		return nil, fmt.Errorf("%w: a Y4M stream begins with YUV4MPEG2, this one with %.20q", ErrFormat, line)
	}
	info := Info{Kind: "Y4M"}
	space := ""
	var kept []string
	for _, w := range words[1:] {
		value := w[1:]
		switch w[0] {
		case 'W', 'H':
			n, err := strconv.Atoi(value)
			if err != nil {
				return nil, fmt.Errorf("%w: the header of Y4M says %q, want a number of pixels", ErrDamaged, w)
			}
			if w[0] == 'W' {
				info.Width = n
			} else {
				info.Height = n
			}
		case 'F':
			num, den, _ := strings.Cut(value, ":")
			n, err1 := strconv.Atoi(num)
			d, err2 := strconv.Atoi(den)
			// 0:0 is how "unknown" is written.
			if err1 != nil || err2 != nil || n < 0 || d < 0 || n > 0 && !(Rate{n, d}).ok() {
				return nil, fmt.Errorf("%w: the header of Y4M says %q, want frames a second such as F30000:1001", ErrDamaged, w)
			}
			if n > 0 {
				info.Rate = Rate{n, d}
			}
		case 'C':
			space = value
		case 'I', 'A':
			if shape(value) {
				kept = append(kept, w)
			}
		case 'X':
			if w == FullRange || w == "XCOLORRANGE=LIMITED" {
				kept = append(kept, w)
			}
		}
	}
	if err := o.size(info.Width, info.Height); err != nil {
		return nil, err
	}
	info.Y4M = strings.Join(kept, " ")
	ratio, ok := chroma[space]
	mono := space == "mono"
	if !ok && !mono {
		return nil, fmt.Errorf("%w: Y4M with the colours %q, want 8 bits a sample in 420, 422, 444, 411 or mono (ffmpeg: -pix_fmt yuv420p)", ErrFormat, space)
	}
	r := &Reader{info: info}
	planes := newPlanes(info.Width, info.Height, ratio, mono)
	size := planes.bytes()
	r.frameBytes = size + len("FRAME\n")
	r.next = func() ([]byte, error) {
		line, err := y4mLine(b)
		if err != nil {
			return nil, err
		}
		if line != "FRAME" && !strings.HasPrefix(line, "FRAME ") {
			return nil, fmt.Errorf("%w: %.20q where FRAME should be", ErrDamaged, line)
		}
		return full(b, size, false)
	}
	r.form = func(bytes []byte, _ int) (image.Image, error) { return planes.image(bytes), nil }
	return r, nil
}

// shape tells whether a value of a header is short and plain enough to be copied.
func shape(value string) bool {
	return len(value) <= 24 && strings.Trim(value, "0123456789:ptbm?") == ""
}

// y4mLine reads a line. It is io.EOF if there is nothing, and an error if the line has
// no end.
func y4mLine(b *bufio.Reader) (string, error) {
	line, err := b.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull) || len(line) > longestLine:
		return "", fmt.Errorf("%w: a line of more than %d bytes", ErrDamaged, longestLine)
	case errors.Is(err, io.EOF) && len(line) > 0:
		return "", fmt.Errorf("%w: it ends within a line, after %.20q", ErrDamaged, line)
	case err != nil:
		return "", err
	}
	return string(line[:len(line)-1]), nil
}

// planes is how the samples of a frame lie one after another.
type planes struct {
	width, height int
	ratio         image.YCbCrSubsampleRatio
	mono          bool
	cw, ch        int // of a plane of colour
}

func newPlanes(width, height int, ratio image.YCbCrSubsampleRatio, mono bool) planes {
	p := planes{width: width, height: height, ratio: ratio, mono: mono, cw: width, ch: height}
	switch ratio {
	case image.YCbCrSubsampleRatio420:
		p.cw, p.ch = (width+1)/2, (height+1)/2
	case image.YCbCrSubsampleRatio422:
		p.cw = (width + 1) / 2
	case image.YCbCrSubsampleRatio411:
		p.cw = (width + 3) / 4
	}
	if mono {
		p.cw, p.ch = 0, 0
	}
	return p
}

// bytes is the size of a frame: at most three times the pixels.
func (p planes) bytes() int { return p.width*p.height + 2*p.cw*p.ch }

// image is a view of a frame's bytes.
func (p planes) image(b []byte) image.Image {
	n, c := p.width*p.height, p.cw*p.ch
	rect := image.Rect(0, 0, p.width, p.height)
	if p.mono {
		return &image.Gray{Pix: b[:n:n], Stride: p.width, Rect: rect}
	}
	return &image.YCbCr{Y: b[:n:n], Cb: b[n : n+c : n+c], Cr: b[n+c : n+2*c : n+2*c], YStride: p.width, CStride: p.cw, SubsampleRatio: p.ratio, Rect: rect}
}
