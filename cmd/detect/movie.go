package main

import (
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
)

// A movieWriter writes a video file picture by picture.
type movieWriter interface {
	write(*image.RGBA) error
	close() error
}

// movieCodecs are the four letters that stand for how pictures are packed, for
// each kind of video file the best first.
var movieCodecs = map[string][]string{
	".mp4": {"avc1", "mp4v"},
	".m4v": {"avc1", "mp4v"},
	".mov": {"avc1", "mp4v"},
	".mkv": {"X264", "XVID"},
	".avi": {"MJPG"},
}

// isMovie tells by its name whether a file is a video. Some can be read only.
func isMovie(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return movieCodecs[ext] != nil || slices.Contains([]string{".webm", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts", ".wmv", ".flv", ".3gp", ".ogv"}, ext)
}

func movieKinds() string { return ".mp4, .m4v, .mov, .mkv or .avi" }

// A movieSink makes a video of frames. The file has its name only when it is
// complete; an error before that does not take away what has been written.
type movieSink struct {
	path      string
	overwrite bool
	fps       float64
	finish    func(*frame) *image.RGBA // the picture to write
	create    func(path string, codecs []string, fps float64, size image.Point) (movieWriter, error)
	check     func(path string) (frames int, err error)

	file    *staged
	writer  movieWriter
	size    image.Point
	written int
}

func (m *movieSink) put(f *frame) error {
	img := m.finish(f)
	size := img.Rect.Size()
	if m.writer == nil {
		var err error
		if m.file, err = newStaged(m.path, m.overwrite); err != nil {
			return err
		}
		if m.writer, err = m.create(m.file.part, movieCodecs[strings.ToLower(filepath.Ext(m.path))], m.fps, size); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", m.path, err), m.file.drop())
		}
		m.size = size
	}
	if size != m.size {
		return fmt.Errorf("%s: frame %d has %dx%d pixels, those before have %dx%d; a video has one size", m.path, f.index, size.X, size.Y, m.size.X, m.size.Y)
	}
	if err := m.writer.write(img); err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	m.written++
	return nil
}

// close looks at the file as a player would before it gives it its name: the
// writer does not say when the disk is full.
func (m *movieSink) close() error {
	if m.writer == nil {
		return nil // no frame, no video
	}
	if err := m.writer.close(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", m.path, err), m.file.drop())
	}
	frames, err := m.check(m.file.part)
	if err != nil || frames < m.written-m.written/50-1 {
		return errors.Join(fmt.Errorf("%s: the video cannot be played after it was written: is the disk full?", m.path), m.file.drop())
	}
	return m.file.keep()
}
