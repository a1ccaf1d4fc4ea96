package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/video"
	"haarlem/picture"
)

// streamFlags say what a stream of frames does not say itself.
type streamFlags struct {
	raw, fps string
}

func (v *streamFlags) declare(f *cli.Flags) {
	f.String(&v.raw, "raw", "a video is frames without any header in `LAYOUT`, such as yuv420p:1280x720")
	f.String(&v.fps, "fps", "frames a second of a video that does not say its `RATE`: 25, 29.97, 30000/1001")
}

func (v *streamFlags) options() (*video.Options, error) {
	o := &video.Options{}
	var err error
	if v.raw != "" {
		if o.Raw, err = video.ParseRaw(v.raw); err != nil {
			return nil, cli.Usagef("-raw %w", err)
		}
	}
	if v.fps != "" {
		if o.Rate, err = video.ParseRate(v.fps); err != nil {
			return nil, cli.Usagef("-fps %w", err)
		}
	}
	return o, nil
}

// openFrames opens what holds frames: a file, standard input (-), numbered pictures or
// a stream on the network. What package video reads needs nothing else; for other
// containers there is ffmpeg, if it is installed, and OpenCV, if it is built in.
func openFrames(name string, stdin io.Reader, v *streamFlags) (frameSource, error) {
	o, err := v.options()
	if err != nil {
		return nil, err
	}
	switch {
	case backend != nil && backend.only:
		return backend.open(name)
	case name == "-":
		return openStream(name, stdin, nil, o)
	case isStream(name) || isURL(name):
		return openContainer(name, nil, nil)
	case isSequence(name):
		return newSequence(name, o)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file", name)
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: this is a folder; for numbered pictures in it say %s", name, filepath.Join(name, "name-%04d.png"))
	case info.Mode()&fs.ModeCharDevice != 0 && isStdin(name):
		return nil, fmt.Errorf("%s: there is no video: give it one from a file or a pipe, as in detect video - < in.y4m", name)
	case info.Mode()&fs.ModeCharDevice != 0:
		return openCamera(name, image.Point{})
	case info.Mode().IsRegular() && info.Size() == 0:
		return nil, fmt.Errorf("%s: the file is empty", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return openStream(name, f, f, o)
	}
	head := make([]byte, video.SniffBytes)
	n, _ := io.ReadFull(f, head) // a shorter file has a shorter head
	if video.Sniff(head[:n]) == "" && o.Raw == nil {
		if err := f.Close(); err != nil {
			return nil, err
		}
		return openContainer(name, nil, nil)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s, err := newNative(name, f, f, o)
	if errors.Is(err, video.ErrFormat) && o.Raw == nil && findFFmpeg() != "" { // AVI with another codec, Y4M with ten bits
		return openContainer(name, nil, nil)
	}
	if err != nil {
		return nil, err
	}
	s.estimate(info.Size())
	return s, nil
}

// openStream opens a stream that cannot go back.
func openStream(name string, r io.Reader, c io.Closer, o *video.Options) (frameSource, error) {
	if o.Raw == nil {
		head := make([]byte, video.SniffBytes)
		n, err := io.ReadFull(r, head)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if n == 0 {
			return nil, fmt.Errorf("%s: there is no video: it is empty", shown(name))
		}
		r = io.MultiReader(bytes.NewReader(head[:n]), r)
		if video.Sniff(head[:n]) == "" {
			return openContainer(name, r, c)
		}
	}
	return newNative(name, r, c, o)
}

// shown is how messages call a source.
func shown(name string) string {
	if name == "-" {
		return "stdin"
	}
	return name
}

// A nativeSource is a frameSource of package video.
type nativeSource struct {
	r    *video.Reader
	c    io.Closer // nil: it stays open
	info footage
	read int
	last time.Duration
}

func newNative(name string, r io.Reader, c io.Closer, o *video.Options) (*nativeSource, error) {
	v, err := video.NewReader(r, o)
	if err != nil {
		err = fmt.Errorf("%s: %w", shown(name), err)
		if c != nil {
			err = errors.Join(err, c.Close())
		}
		return nil, err
	}
	info := v.Info()
	jpeg := info.Kind == "Motion JPEG" || info.Kind == "AVI with Motion JPEG"
	return &nativeSource{r: v, c: c, info: footage{
		name: name, fps: info.Rate.Float(), rate: info.Rate, frames: info.Frames, y4m: info.Y4M, jpeg: jpeg,
		fullRange: jpeg || bytes.Contains([]byte(info.Y4M), []byte(video.FullRange)),
	}}, nil
}

// estimate works out how many frames a file of so many bytes holds.
func (s *nativeSource) estimate(size int64) {
	if n := s.r.FrameBytes(); n > 0 {
		s.info.estimate = int(size / int64(n))
	}
}

func (s *nativeSource) about() footage { return s.info }

func (s *nativeSource) next() (*frame, error) {
	v, err := s.r.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, s.info.ended(s.read, s.last)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", shown(s.info.name), err)
	}
	s.read++
	s.last = v.Time
	name := shown(s.info.name)
	return &frame{index: v.Index, at: v.Time, coded: func() (image.Image, error) {
		img, err := v.Decode()
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return img, err
	}}, nil
}

func (s *nativeSource) close() error {
	if s.c == nil {
		return nil
	}
	return s.c.Close()
}

// A sequenceSource is numbered pictures, such as shots/%04d.png, from the first number
// of 0 to 4 that there is up to the first that is missing.
type sequenceSource struct {
	info   footage
	rate   video.Rate
	number int // of the next picture
	read   int
	limits picture.Options
}

func newSequence(name string, o *video.Options) (*sequenceSource, error) {
	s := &sequenceSource{rate: o.Rate}
	if s.rate == (video.Rate{}) {
		s.rate = video.Rate{Num: 25, Den: 1}
	}
	s.info = footage{name: name, fps: s.rate.Float(), rate: s.rate, fullRange: true}
	for s.number = 0; s.number <= 4; s.number++ {
		if _, err := os.Stat(s.path(s.number)); err == nil {
			for s.info.frames < 1<<30 { // so that progress knows the end
				if _, err := os.Stat(s.path(s.number + s.info.frames)); err != nil {
					return s, nil
				}
				s.info.frames++
			}
		}
	}
	return nil, fmt.Errorf("%s: cannot be opened: no pictures with such names (numbers begin at 0 to 4)", name)
}

// path is that of a picture. A percent sign that stands for no number stands for itself.
func (s *sequenceSource) path(n int) string {
	at := sequence.FindStringIndex(s.info.name)
	return s.info.name[:at[0]] + fmt.Sprintf(s.info.name[at[0]:at[1]], n) + s.info.name[at[1]:]
}

func (s *sequenceSource) about() footage { return s.info }

func (s *sequenceSource) next() (*frame, error) {
	if s.read >= s.info.frames {
		return nil, io.EOF
	}
	path := s.path(s.number + s.read)
	f := &frame{index: s.read, at: s.rate.Time(s.read), coded: func() (image.Image, error) {
		p, err := picture.Open(path, &s.limits)
		if err != nil {
			return nil, err
		}
		return p.Image, nil
	}}
	s.read++
	return f, nil
}

func (s *sequenceSource) close() error { return nil }
