package main

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/video"
)

// A movieWriter writes a video file picture by picture.
type movieWriter interface {
	write(img image.Image, at time.Duration) error
	close() error
}

// movieCodecs are the four letters by which OpenCV knows how pictures are packed, for
// each kind of video file the best first. ffmpeg writes the same kinds, and nothing of
// both is needed for those without letters.
var movieCodecs = map[string][]string{
	".mp4":   {"avc1", "mp4v"},
	".m4v":   {"avc1", "mp4v"},
	".mov":   {"avc1", "mp4v"},
	".mkv":   {"X264", "XVID"},
	".avi":   {"MJPG"},
	".y4m":   {},
	".mjpeg": {},
	".mjpg":  {},
}

// isMovie tells by its name whether a file is a video. Some can be read only.
func isMovie(name string) bool {
	ext := extension(name)
	return movieCodecs[ext] != nil || slices.Contains([]string{".webm", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts", ".wmv", ".flv", ".3gp", ".ogv"}, ext)
}

// isWritable tells by its name whether a file is a video of a kind that is written.
func isWritable(name string) bool { return movieCodecs[extension(name)] != nil }

func extension(name string) string { return strings.ToLower(filepath.Ext(name)) }

func movieKinds() string { return ".mp4, .m4v, .mov, .mkv, .avi, .y4m or .mjpeg" }

// canWrite says what is missing to write a video of the kind that a name says.
func canWrite(name string) error {
	if backend != nil || len(movieCodecs[extension(name)]) == 0 || findFFmpeg() != "" {
		return nil
	}
	return errNeedsFFmpeg(name, "written")
}

// createMovie begins a video file. check, if not nil, tells how many frames a player
// would find in it. sound is the file whose sound is copied, or empty; OpenCV copies
// none.
func createMovie(part, name, sound string, about footage, size image.Point) (w movieWriter, check func(string) (int, error), err error) {
	path := findFFmpeg()
	switch codecs := movieCodecs[extension(name)]; {
	case backend != nil && (backend.only || path == "" && len(codecs) > 0):
		w, err = backend.create(part, codecs, about.fps, size)
		return w, backend.check, err
	case len(codecs) > 0 && path == "":
		return nil, nil, errNeedsFFmpeg(name, "written")
	case len(codecs) > 0:
		w, err = newFFmpegWriter(path, part, sound, about, size)
		return w, nil, err
	}
	f, err := os.Create(part)
	if err != nil {
		return nil, nil, err
	}
	return &plainMovie{newPlainMovie(f, extension(name) == ".y4m", about), f}, nil, nil
}

// A plainMovie is a video file of package video.
type plainMovie struct {
	*streamMovie
	f *os.File
}

func (p *plainMovie) close() error { return errors.Join(p.streamMovie.close(), p.f.Close()) }

// A streamMovie is the same as a stream, such as standard output.
type streamMovie struct {
	b *bufio.Writer
	w video.Writer
}

func newPlainMovie(w io.Writer, y4m bool, about footage) *streamMovie {
	b := bufio.NewWriterSize(w, 1<<16)
	if y4m {
		parameters := about.y4m
		if parameters == "" && about.fullRange {
			parameters = "Ip A1:1 " + video.FullRange
		}
		return &streamMovie{b, video.NewY4M(b, about.exactRate(), parameters)}
	}
	return &streamMovie{b, video.NewMJPEG(b)}
}

// write writes all of a picture, so that whoever reads can follow.
func (s *streamMovie) write(img image.Image, at time.Duration) error {
	if err := s.w.Write(img, at); err != nil {
		return err
	}
	return s.b.Flush()
}

func (s *streamMovie) close() error { return errors.Join(s.w.Close(), s.b.Flush()) }

// A streamSink writes frames as a stream.
type streamSink struct {
	movie  *streamMovie
	finish func(*frame) image.Image // the picture to write
}

func (s *streamSink) put(f *frame) error { return s.movie.write(s.finish(f), f.at) }

func (s *streamSink) close() error { return s.movie.close() }

// A movieSink makes a video of frames. The file has its name only when it is
// complete; an error before that does not take away what has been written.
type movieSink struct {
	path      string
	overwrite bool
	sound     string // the file whose sound is copied, if the writer can
	about     footage
	finish    func(*frame) image.Image // the picture to write
	create    func(part, name, sound string, about footage, size image.Point) (movieWriter, func(string) (int, error), error)

	file    *staged
	writer  movieWriter
	check   func(path string) (frames int, err error) // nil: there is nothing to check
	size    image.Point
	written int
}

func (m *movieSink) put(f *frame) error {
	img := m.finish(f)
	size := img.Bounds().Size()
	if m.writer == nil {
		var err error
		if m.file, err = newStaged(m.path, m.overwrite); err != nil {
			return err
		}
		if m.writer, m.check, err = m.create(m.file.part, m.path, m.sound, m.about, size); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", m.path, err), m.file.drop())
		}
		m.size = size
	}
	if size != m.size {
		return fmt.Errorf("%s: frame %d has %dx%d pixels, those before have %dx%d; a video has one size", m.path, f.index, size.X, size.Y, m.size.X, m.size.Y)
	}
	if err := m.writer.write(img, f.at); err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	m.written++
	return nil
}

// close looks at the file as a player would before it gives it its name: some
// writers do not say when the disk is full.
func (m *movieSink) close() error {
	if m.writer == nil {
		return nil // no frame, no video
	}
	if err := m.writer.close(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", m.path, err), m.file.drop())
	}
	if m.check == nil {
		return m.file.keep()
	}
	frames, err := m.check(m.file.part)
	if err != nil || frames < m.written-m.written/50-1 {
		return errors.Join(fmt.Errorf("%s: the video cannot be played after it was written: is the disk full?", m.path), m.file.drop())
	}
	return m.file.keep()
}

// outFormats are those of videos on standard output.
var outFormats = []string{"y4m", "mjpeg"}

// isY4M tells which of them is meant: as the source has it, unless that is said.
func isY4M(format string, about footage) (bool, error) {
	switch format {
	case "":
		return !about.jpeg, nil
	case "y4m", "mjpeg":
		return format == "y4m", nil
	}
	return false, cli.Usagef("-out-format %s: want y4m or mjpeg", format)
}
