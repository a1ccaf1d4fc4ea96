package picture

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"strings"
)

// Netpbm's formats are read as their manual pages (pbm, pgm, ppm, pam) define
// them: P1 to P6, plain and raw, and P7. Of several pictures in one file the
// first is read. Samples are scaled so that Maxval is white.

// maxPNMHeader is the largest number of bytes of a header, comments included.
const maxPNMHeader = 1 << 16

// A pnmHeader is what stands before the samples.
type pnmHeader struct {
	kind          byte // '1' to '7'
	width, height int
	maxval        int // 1 for bitmaps
	depth         int // samples a pixel: grey, grey and alpha, RGB, RGB and alpha
}

// plain reports whether samples are written as decimal numbers.
func (h *pnmHeader) plain() bool { return h.kind >= '1' && h.kind <= '3' }

// sampleBytes is the size of a raw sample that is not a bit.
func (h *pnmHeader) sampleBytes() int {
	if h.maxval > 255 {
		return 2
	}
	return 1
}

// isPNM tells a header from text that begins with the same letter and digit.
func isPNM(head string) bool {
	if len(head) < 4 || head[0] != 'P' || head[1] < '1' || head[1] > '7' {
		return false
	}
	if head[1] == '7' {
		return head[2] == '\n'
	}
	if !isSpace(head[2]) && head[2] != '#' {
		return false
	}
	rest := strings.TrimLeft(head[2:], " \t\r\n\v\f")
	return rest == "" || rest[0] == '#' || isDigit(rest[0])
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// A pnmReader reads headers and plain samples.
type pnmReader struct {
	r    *bufio.Reader
	left int // bytes that the header may still have; negative: no bound
}

// next returns the next byte; a comment counts as the end of its line.
func (p *pnmReader) next() (byte, error) {
	comment := false
	for {
		c, err := p.r.ReadByte()
		if err != nil {
			return 0, err
		}
		if p.left == 0 {
			return 0, fmt.Errorf("a header of more than %d bytes", maxPNMHeader)
		}
		p.left--
		switch {
		case c == '#':
			comment = true
		case c == '\n' || !comment:
			return c, nil
		}
	}
}

// word returns the first byte that is no space.
func (p *pnmReader) word() (byte, error) {
	for {
		if c, err := p.next(); err != nil || !isSpace(c) {
			return c, err
		}
	}
}

// number reads a decimal number and the one byte behind it. At the end of the
// file that byte may be missing.
func (p *pnmReader) number(what string, largest int) (int, error) {
	c, err := p.word()
	if err != nil {
		return 0, err
	}
	n := 0
	for digits := 0; ; digits++ {
		switch {
		case isDigit(c):
			if n = 10*n + int(c-'0'); n > largest {
				return 0, fmt.Errorf("%s is above %d", what, largest)
			}
		case isSpace(c) && digits > 0:
			return n, nil
		default:
			return 0, fmt.Errorf("%s has the character %q, want digits", what, c)
		}
		if c, err = p.next(); err == io.EOF {
			return n, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// maxPNMSide keeps products of two sides and six bytes within 64 bits.
const maxPNMSide = 1 << 28

func readPNMHeader(p *pnmReader) (*pnmHeader, error) {
	var magic [2]byte
	if _, err := io.ReadFull(p.r, magic[:]); err != nil {
		return nil, err
	}
	if magic[0] != 'P' || magic[1] < '1' || magic[1] > '7' {
		return nil, fmt.Errorf("it begins with %q, want P1 to P7", magic)
	}
	p.left = maxPNMHeader
	h := &pnmHeader{kind: magic[1], maxval: 1, depth: 1}
	if h.kind == '7' {
		return h, readPAMHeader(p, h)
	}
	var err error
	if h.width, err = p.number("the width", maxPNMSide); err != nil {
		return nil, err
	}
	if h.height, err = p.number("the height", maxPNMSide); err != nil {
		return nil, err
	}
	if h.kind != '1' && h.kind != '4' {
		if h.maxval, err = p.number("the maximal value", 65535); err != nil {
			return nil, err
		}
	}
	if h.kind == '3' || h.kind == '6' {
		h.depth = 3
	}
	return h, p.ended(h)
}

// ended is called at the end of a header.
func (p *pnmReader) ended(h *pnmHeader) error {
	if p.left = -1; h.maxval == 0 {
		return fmt.Errorf("the maximal value is 0, want 1 to 65535")
	}
	return nil
}

// readPAMHeader reads lines of a word and its value, up to ENDHDR. The tuple
// type adds nothing to the depth that matters here.
func readPAMHeader(p *pnmReader, h *pnmHeader) error {
	h.maxval, h.depth = 0, 0
	fields := map[string]*int{"WIDTH": &h.width, "HEIGHT": &h.height, "DEPTH": &h.depth, "MAXVAL": &h.maxval}
	for {
		var line []byte
		for len(line) == 0 || line[len(line)-1] != '\n' {
			c, err := p.next()
			if err != nil {
				return err
			}
			line = append(line, c)
		}
		word, value, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		switch to := fields[word]; {
		case word == "ENDHDR":
			if h.depth < 1 || h.depth > 4 {
				return fmt.Errorf("%d samples a pixel, want 1 to 4", h.depth)
			}
			return p.ended(h)
		case word == "" || word == "TUPLTYPE":
		case to == nil:
			return fmt.Errorf("the header has %q, want WIDTH, HEIGHT, DEPTH, MAXVAL, TUPLTYPE or ENDHDR", word)
		default:
			largest := maxPNMSide
			if to == &h.maxval {
				largest = 65535
			}
			n, err := (&pnmReader{r: bufio.NewReader(strings.NewReader(value)), left: -1}).number(word, largest)
			if err != nil {
				return err
			}
			*to = n
		}
	}
}

func pnmConfig(r io.Reader) (image.Config, error) {
	h, err := readPNMHeader(&pnmReader{r: bufio.NewReader(r)})
	if err != nil {
		return image.Config{}, err
	}
	return image.Config{Width: h.width, Height: h.height}, nil // nobody asks for the model
}

// minPNM is exact where samples are raw, and counts a digit and a space a
// sample where they are not.
func minPNM(r io.ReaderAt, width, height int64) int64 {
	h, err := readPNMHeader(&pnmReader{r: bufio.NewReader(io.NewSectionReader(r, 0, 1<<20))})
	if err != nil {
		return 0
	}
	switch samples := width * height * int64(h.depth); {
	case h.kind == '1': // digits may touch
		return samples
	case h.kind == '4':
		return (width + 7) / 8 * height
	case h.plain():
		return 2*samples - 1
	default:
		return samples * int64(h.sampleBytes())
	}
}

func decodePNM(r io.Reader) (image.Image, error) {
	p := &pnmReader{r: bufio.NewReaderSize(r, 1<<16)}
	h, err := readPNMHeader(p)
	if err != nil {
		return nil, err
	}
	img := newPNMImage(h)
	row := make([]uint16, h.width*h.depth)
	var raw []byte
	switch {
	case h.kind == '4':
		raw = make([]byte, (h.width+7)/8)
	case !h.plain():
		raw = make([]byte, len(row)*h.sampleBytes())
	}
	for y := range h.height {
		if err := h.readRow(p, row, raw); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, fmt.Errorf("row %d: %w", y, err)
		}
		img.put(y, row)
	}
	return img.image, nil
}

// readRow reads the samples of one row. Raw is as long as they are in the file.
func (h *pnmHeader) readRow(p *pnmReader, row []uint16, raw []byte) error {
	if raw != nil {
		if _, err := io.ReadFull(p.r, raw); err != nil {
			return err
		}
	}
	switch {
	case h.kind == '1':
		for i := range row {
			switch c, err := p.word(); {
			case err != nil:
				return err
			case c != '0' && c != '1':
				return fmt.Errorf("the character %q, want 0 or 1", c)
			default:
				row[i] = uint16('1' - c) // 1 is black
			}
		}
		return nil
	case h.kind == '4':
		for i := range row {
			row[i] = uint16(^raw[i/8] >> (7 - i%8) & 1)
		}
		return nil
	case h.plain():
		for i := range row {
			v, err := p.number("a sample", 65535)
			if err != nil {
				return err
			}
			row[i] = uint16(v)
		}
	case h.sampleBytes() == 2:
		for i := range row {
			row[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
		}
	default:
		for i := range row {
			row[i] = uint16(raw[i])
		}
	}
	for _, v := range row {
		if int(v) > h.maxval {
			return fmt.Errorf("a sample is %d, above the maximal value of %d", v, h.maxval)
		}
	}
	return nil
}

// A pnmImage is filled row by row.
type pnmImage struct {
	image  image.Image
	pix    []byte
	stride int
	depth  int // samples a pixel that come in
	maxval int
}

func newPNMImage(h *pnmHeader) *pnmImage {
	stride := h.width * len(sources[h.depth]) * h.sampleBytes()
	p := &pnmImage{pix: make([]byte, stride*h.height), stride: stride, depth: h.depth, maxval: h.maxval}
	r := image.Rect(0, 0, h.width, h.height)
	wide := h.sampleBytes() == 2
	switch {
	case h.depth == 1 && wide:
		p.image = &image.Gray16{Pix: p.pix, Stride: stride, Rect: r}
	case h.depth == 1:
		p.image = &image.Gray{Pix: p.pix, Stride: stride, Rect: r}
	case h.depth == 3 && wide:
		p.image = &image.RGBA64{Pix: p.pix, Stride: stride, Rect: r}
	case h.depth == 3:
		p.image = &image.RGBA{Pix: p.pix, Stride: stride, Rect: r}
	case wide:
		p.image = &image.NRGBA64{Pix: p.pix, Stride: stride, Rect: r}
	default:
		p.image = &image.NRGBA{Pix: p.pix, Stride: stride, Rect: r}
	}
	return p
}

// sources says which sample of a pixel goes where; -1 is opaque.
var sources = [5][]int{1: {0}, 2: {0, 0, 0, 1}, 3: {0, 1, 2, -1}, 4: {0, 1, 2, 3}}

func (p *pnmImage) put(y int, row []uint16) {
	out := p.pix[y*p.stride:][:p.stride]
	white := uint32(255)
	if p.maxval > 255 {
		white = 65535
	}
	maxval := uint32(p.maxval)
	at := 0
	for ; len(row) > 0; row = row[p.depth:] {
		for _, from := range sources[p.depth] {
			v := white
			if from >= 0 {
				if v = uint32(row[from]); maxval != white {
					v = (v*white + maxval/2) / maxval
				}
			}
			if white > 255 {
				out[at], out[at+1] = byte(v>>8), byte(v)
				at += 2
			} else {
				out[at] = byte(v)
				at++
			}
		}
	}
}
