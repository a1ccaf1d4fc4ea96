package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/video"
)

// ffmpegName is what is looked for on the PATH; empty in tests that want none.
var ffmpegName = "ffmpeg"

// findFFmpeg is the path of ffmpeg, or empty if it is not installed.
func findFFmpeg() string {
	if ffmpegName == "" {
		return ""
	}
	path, err := exec.LookPath(ffmpegName)
	if err != nil {
		return ""
	}
	return path
}

// errNeedsFFmpeg says what can be done about a container that is not read or written
// here.
func errNeedsFFmpeg(name, verb string) error {
	return cli.Usagef("%s: cannot be %s without ffmpeg, which is not on the PATH (Debian: apt install ffmpeg). Without it there are Y4M, Motion JPEG, AVI with Motion JPEG (to read), and numbered pictures", shown(name), verb)
}

// isURL tells whether a name is an address rather than that of a file.
func isURL(name string) bool { return strings.Contains(name, "://") }

// inputArgs name an input for ffmpeg. A file can make it open other files, but no
// addresses.
func inputArgs(name string) []string {
	switch {
	case name == "-":
		return []string{"-i", "pipe:0"}
	case isURL(name):
		return []string{"-i", name}
	}
	return []string{"-protocol_whitelist", "file,pipe,crypto,data", "-i", "file:" + name}
}

// openContainer opens what package video does not read. r is nil, or the stream
// whose name stands in messages.
func openContainer(name string, r io.Reader, c io.Closer) (frameSource, error) {
	switch path := findFFmpeg(); {
	case path != "":
		return newFFmpegSource(path, name, r, c)
	case backend != nil && name != "-":
		return backend.open(name)
	}
	return nil, errNeedsFFmpeg(name, "read")
}

// An ffmpegSource is a frameSource of ffmpeg, which decodes into Y4M and tells the time
// of each frame. Frames come upright, as a phone noted.
type ffmpegSource struct {
	*nativeSource
	cmd  *exec.Cmd
	told *ffmpegTold
	in   io.Closer // nil: none to close

	closing sync.Once
	ended   error
}

func newFFmpegSource(path, name string, r io.Reader, c io.Closer) (*ffmpegSource, error) {
	args := []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "level+info"}
	if r != nil {
		args = append(args, "-i", "pipe:0")
	} else {
		args = append(args, inputArgs(name)...)
	}
	args = append(args, "-map", "0:v:0", "-vf", "showinfo=checksum=0", "-fps_mode", "passthrough",
		"-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "pipe:1")
	s := &ffmpegSource{cmd: exec.Command(path, args...), in: c, told: newFFmpegTold()}
	s.cmd.Stdin = r
	inOwnGroup(s.cmd) // Ctrl-C is for us: what is on its way is finished
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	go s.told.listen(stderr)
	// A pipe holds less than a frame of most videos.
	if s.nativeSource, err = newNative(name, bufio.NewReaderSize(out, 1<<20), nil, &video.Options{}); err != nil {
		s.nativeSource = &nativeSource{info: footage{name: name}}
		if e := s.close(); e != nil {
			err = e
		}
		if why := s.told.why(); why != "" {
			return nil, fmt.Errorf("%s: not a video that ffmpeg can read: %s", shown(name), why)
		}
		return nil, fmt.Errorf("%s: not a video that ffmpeg can read: %w", shown(name), err)
	}
	s.info.live = isStream(name)
	if d := s.told.duration(); d > 0 {
		s.info.estimate = int(d.Seconds()*s.info.fps + 0.5)
	}
	return s, nil
}

func (s *ffmpegSource) next() (*frame, error) {
	f, err := s.nativeSource.next()
	if errors.Is(err, io.EOF) {
		// The length in the file's header is that of its longest stream.
		why, d := s.told.why(), s.told.duration()
		if why != "" && d > 0 && s.last < d-d/50-time.Second {
			return nil, fmt.Errorf("%s: ends after %.1f of %.1f seconds: the file is cut off or damaged (ffmpeg: %s)", shown(s.info.name), s.last.Seconds(), d.Seconds(), why)
		}
	}
	if err != nil {
		return nil, err
	}
	if at, ok := s.told.time(f.index); ok {
		f.at = max(at, 0)
	}
	s.last = f.at
	return f, nil
}

// close ends ffmpeg, whether it is done or not.
func (s *ffmpegSource) close() error {
	s.closing.Do(func() {
		_ = s.cmd.Process.Kill() // it may have ended
		_ = s.cmd.Wait()         // its status says that it was killed
		if s.in != nil {
			s.ended = s.in.Close()
		}
	})
	return s.ended
}

// ffmpegTold is what ffmpeg says while it works.
type ffmpegTold struct {
	mu     sync.Mutex
	change *sync.Cond
	times  map[int]time.Duration // of frames that were not asked for yet
	next   int                   // number of times
	length time.Duration
	errors []string
	over   bool
}

func newFFmpegTold() *ffmpegTold {
	t := &ffmpegTold{times: map[int]time.Duration{}}
	t.change = sync.NewCond(&t.mu)
	return t
}

var (
	toldTime   = regexp.MustCompile(`^\[Parsed_showinfo.*\bn: *\d+ pts:.*\bpts_time:([-0-9.e+]+|NOPTS)`)
	toldLength = regexp.MustCompile(`^\[info\] +Duration: (\d+):(\d+):(\d+\.\d+)`)
	toldError  = regexp.MustCompile(`\[(?:error|fatal)\] (.*)`)
)

const mostErrors = 3 // that are kept

func (t *ffmpegTold) listen(r io.Reader) {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		t.line(lines.Text())
	}
	t.mu.Lock()
	t.over = true
	t.change.Broadcast()
	t.mu.Unlock()
	_, _ = io.Copy(io.Discard, r) // behind a line that is too long
}

func (t *ffmpegTold) line(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case toldTime.MatchString(line):
		seconds, err := strconv.ParseFloat(toldTime.FindStringSubmatch(line)[1], 64)
		if err == nil && seconds > -1e9 && seconds < 1e9 {
			t.times[t.next] = time.Duration(seconds * float64(time.Second))
		}
		t.next++
	case toldLength.MatchString(line):
		m := toldLength.FindStringSubmatch(line)
		h, _ := strconv.Atoi(m[1]) // digits
		minutes, _ := strconv.Atoi(m[2])
		seconds, _ := strconv.ParseFloat(m[3], 64)
		t.length = max(t.length, time.Duration((float64(3600*h+60*minutes)+seconds)*float64(time.Second)))
	case toldError.MatchString(line):
		if len(t.errors) < mostErrors {
			t.errors = append(t.errors, printable(toldError.FindStringSubmatch(line)[1]))
		}
	default:
		return
	}
	t.change.Broadcast()
}

// time is that of a frame. ffmpeg tells it before it writes the frame.
func (t *ffmpegTold) time(index int) (time.Duration, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.next <= index && !t.over {
		t.change.Wait()
	}
	at, ok := t.times[index]
	delete(t.times, index)
	return at, ok
}

// duration is what the file's header says. It is told before the first time.
func (t *ffmpegTold) duration() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.next == 0 && !t.over {
		t.change.Wait()
	}
	return t.length
}

func (t *ffmpegTold) why() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.errors, "; ")
}

// An ffmpegWriter is a movieWriter of ffmpeg.
type ffmpegWriter struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	frames video.Writer
	stderr bytes.Buffer
	last   time.Duration
	begun  bool
	failed bool
}

// newFFmpegWriter writes a file whose name says its kind. sound is the file whose sound
// goes into it as it is, or empty. Nothing else of that file is copied: no place, no
// title, no thumbnail.
func newFFmpegWriter(path, to, sound string, about footage, size image.Point) (*ffmpegWriter, error) {
	args := []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-f", "matroska", "-i", "pipe:0"}
	if sound != "" {
		args = append(args, inputArgs(sound)...)
		args = append(args, "-map", "0:v:0", "-map", "1:a?", "-c:a", "copy")
	}
	args = append(args, "-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-pix_fmt", "yuv420p")
	var filters []string
	if about.fullRange {
		filters = append(filters, "scale=in_range=pc:out_range=tv")
	}
	if size.X%2 != 0 || size.Y%2 != 0 {
		filters = append(filters, "pad=ceil(iw/2)*2:ceil(ih/2)*2")
	}
	if filters != nil {
		args = append(args, "-vf", strings.Join(filters, ","))
	}
	ext := strings.ToLower(filepath.Ext(to))
	switch ext {
	case ".avi": // which knows one rate only
		rate := about.exactRate()
		args = append(args, "-c:v", "mjpeg", "-q:v", "3", "-r", fmt.Sprintf("%d/%d", rate.Num, rate.Den))
	default:
		ticks := "60000" // which MPEG-4 can say
		if hasX264(path) && ext != ".webm" {
			args = append(args, "-c:v", "libx264", "-crf", "18", "-preset", "veryfast")
			ticks = "90000"
		} else {
			args = append(args, "-q:v", "3")
		}
		args = append(args, "-fps_mode", "passthrough", "-enc_time_base", "1:"+ticks)
		if ext != ".mkv" && ext != ".webm" {
			args = append(args, "-video_track_timescale", ticks)
		}
	}
	w := &ffmpegWriter{cmd: exec.Command(path, append(args, "-y", "file:"+to)...)}
	inOwnGroup(w.cmd)
	w.cmd.Stderr = &w.stderr
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	w.frames = video.NewMatroska(w.in, about.fullRange, about.aspect())
	return w, nil
}

// hasX264 tells whether ffmpeg was built with x264.
func hasX264(path string) bool {
	out, err := exec.Command(path, "-hide_banner", "-nostdin", "-encoders").Output()
	return err == nil && bytes.Contains(out, []byte(" libx264 "))
}

func (w *ffmpegWriter) write(img image.Image, at time.Duration) error {
	if w.begun && at <= w.last { // which no container takes
		at = w.last + 100*time.Microsecond
	}
	w.begun, w.last = true, at
	if err := w.frames.Write(img, at); err != nil {
		w.failed = true
		if e := w.end(); e != nil { // it says more than "broken pipe"
			return e
		}
		return err
	}
	return nil
}

func (w *ffmpegWriter) close() error {
	if w.failed {
		return nil
	}
	return w.end()
}

func (w *ffmpegWriter) end() error {
	_ = w.in.Close() // ffmpeg may be gone; Wait says why
	if err := w.cmd.Wait(); err != nil {
		if why := strings.TrimSpace(w.stderr.String()); why != "" {
			return fmt.Errorf("ffmpeg: %s", printable(strings.ReplaceAll(why, "\n", "; ")))
		}
		return fmt.Errorf("ffmpeg: %w", err)
	}
	return nil
}
