package frames

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
	"haarlem/internal/app/wholefile"
	"haarlem/internal/video"
)

// MovieCodecs are the four letters by which OpenCV knows how pictures are packed, for
// each kind of video file the best first. ffmpeg writes the same kinds, and nothing of
// both is needed for those without letters.
var MovieCodecs = map[string][]string{
	".mp4":   {"avc1", "mp4v"},
	".m4v":   {"avc1", "mp4v"},
	".mov":   {"avc1", "mp4v"},
	".mkv":   {"X264", "XVID"},
	".avi":   {"MJPG"},
	".y4m":   {},
	".mjpeg": {},
	".mjpg":  {},
}

// IsMovie tells by its name whether a file is a video. Some can be read only.
func IsMovie(name string) bool {
	ext := Extension(name)
	return MovieCodecs[ext] != nil || slices.Contains([]string{".webm", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts", ".wmv", ".flv", ".3gp", ".ogv"}, ext)
}

// IsWritable tells by its name whether a file is a video of a kind that is written.
func IsWritable(name string) bool { return MovieCodecs[Extension(name)] != nil }

func Extension(name string) string { return strings.ToLower(filepath.Ext(name)) }

func MovieKinds() string { return ".mp4, .m4v, .mov, .mkv, .avi, .y4m or .mjpeg" }

// CanWrite says what is missing to write a video of the kind that a name says.
func CanWrite(name string) error {
	if Backend != nil || len(MovieCodecs[Extension(name)]) == 0 || FindFFmpeg() != "" {
		return nil
	}
	return errNeedsFFmpeg(name, "written")
}

// CreateMovie begins a video file. check, if not nil, tells how many frames a player
// finds in it, and reads it to its end. sound is the file whose sound is copied, or empty; OpenCV copies
// none.
func CreateMovie(part, name, sound string, about Footage, size image.Point) (w Writer, check func(string) (int, error), err error) {
	path := FindFFmpeg()
	switch codecs := MovieCodecs[Extension(name)]; {
	case Backend != nil && (Backend.Only || path == "" && len(codecs) > 0):
		w, err = Backend.Create(part, codecs, about.FPS, size)
		return w, Backend.Check, err
	case len(codecs) > 0 && path == "":
		return nil, nil, errNeedsFFmpeg(name, "written")
	case len(codecs) > 0:
		w, err = newFFmpegWriter(path, part, sound, about, size)
		return w, func(file string) (int, error) { return countFrames(path, file) }, err
	}
	f, err := os.Create(part)
	if err != nil {
		return nil, nil, err
	}
	return &plainMovie{newPlainMovie(f, Extension(name) == ".y4m", about), f}, nil, nil
}

// A plainMovie is a video file of package video.
type plainMovie struct {
	*streamMovie
	f *os.File
}

func (p *plainMovie) Close() error { return errors.Join(p.streamMovie.Close(), p.f.Close()) }

// A streamMovie is the same as a stream, such as standard output.
type streamMovie struct {
	b *bufio.Writer
	w video.Writer
}

func newPlainMovie(w io.Writer, y4m bool, about Footage) *streamMovie {
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

// Write writes all of a picture, so that whoever reads can follow.
func (s *streamMovie) Write(img image.Image, at time.Duration) error {
	if err := s.w.Write(img, at); err != nil {
		return err
	}
	return s.b.Flush()
}

func (s *streamMovie) Close() error { return errors.Join(s.w.Close(), s.b.Flush()) }

// A StreamSink writes frames as a stream.
type StreamSink struct {
	movie  *streamMovie
	finish func(*Frame) image.Image // the picture to write
}

// NewStreamSink writes what finish makes of frames to w, as Y4M or Motion JPEG.
func NewStreamSink(w io.Writer, y4m bool, about Footage, finish func(*Frame) image.Image) *StreamSink {
	return &StreamSink{newPlainMovie(w, y4m, about), finish}
}

func (s *StreamSink) Put(f *Frame) error { return s.movie.Write(s.finish(f), f.At) }

func (s *StreamSink) Close() error { return s.movie.Close() }

// A FileSink makes a video of frames. The file has its name only when it is
// complete; an error before that does not take away what has been written.
type FileSink struct {
	Path      string
	Overwrite bool
	Sound     string // the file whose sound is copied, if the writer can
	About     Footage
	Finish    func(*Frame) image.Image // the picture to write
	Create    func(part, name, sound string, about Footage, size image.Point) (Writer, func(string) (int, error), error)

	file    *wholefile.Staged
	writer  Writer
	check   func(path string) (frames int, err error) // nil: there is nothing to check
	size    image.Point
	written int
	failed  bool // the writer takes nothing any more
}

func (m *FileSink) Put(f *Frame) error {
	img := m.Finish(f)
	size := img.Bounds().Size()
	if m.writer == nil {
		var err error
		if m.file, err = wholefile.Stage(m.Path, m.Overwrite); err != nil {
			return err
		}
		if m.writer, m.check, err = m.Create(m.file.Part, m.Path, m.Sound, m.About, size); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", m.Path, err), m.file.Drop())
		}
		m.size = size
	}
	if size != m.size {
		return fmt.Errorf("%s: frame %d has %dx%d pixels, those before have %dx%d; a video has one size", m.Path, f.Index, size.X, size.Y, m.size.X, m.size.Y)
	}
	if err := m.writer.Write(img, f.At); err != nil {
		m.failed = true
		return fmt.Errorf("%s: %w", m.Path, err)
	}
	m.written++
	return nil
}

// Close reads the file as a player would before it gives it its name: some writers do
// not say when the disk is full. A film that could not be written never has its name.
func (m *FileSink) Close() error {
	if m.writer == nil {
		return nil // no frame, no video
	}
	if err := m.writer.Close(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", m.Path, err), m.file.Drop())
	}
	if m.failed {
		return m.file.Drop()
	}
	if m.check == nil {
		return m.file.Keep()
	}
	frames, err := m.check(m.file.Part)
	if err != nil || frames < m.written-m.written/50-1 {
		return errors.Join(fmt.Errorf("%s: the video cannot be played after it was written: is the disk full?", m.Path), m.file.Drop())
	}
	return m.file.Keep()
}

// OutFormats are those of videos on standard output.
var OutFormats = []string{"y4m", "mjpeg"}

// IsY4M tells which of them is meant: as the source has it, unless that is said.
func IsY4M(format string, about Footage) (bool, error) {
	switch format {
	case "":
		return !about.jpeg, nil
	case "y4m", "mjpeg":
		return format == "y4m", nil
	}
	return false, cli.Usagef("-out-format %s: want y4m or mjpeg", format)
}
