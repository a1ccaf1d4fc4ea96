package frames

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"haarlem/internal/app/console"
	"haarlem/internal/video"
)

// An ffmpegSource is a Source of ffmpeg, which decodes into Y4M and tells the time
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
		s.nativeSource = &nativeSource{info: Footage{Name: name}}
		if e := s.Close(); e != nil {
			err = e
		}
		if why := s.told.why(); why != "" {
			return nil, fmt.Errorf("%s: not a video that ffmpeg can read: %s", Shown(name), why)
		}
		return nil, fmt.Errorf("%s: not a video that ffmpeg can read: %w", Shown(name), err)
	}
	s.info.Live = IsStream(name)
	if d := s.told.duration(); d > 0 {
		s.info.Estimate = int(d.Seconds()*s.info.FPS + 0.5)
	}
	return s, nil
}

func (s *ffmpegSource) Next() (*Frame, error) {
	f, err := s.nativeSource.Next()
	if errors.Is(err, io.EOF) {
		// The length in the file's header is that of its longest stream.
		why, d := s.told.why(), s.told.duration()
		if why != "" && d > 0 && s.last < d-d/50-time.Second {
			return nil, fmt.Errorf("%s: ends after %.1f of %.1f seconds: the file is cut off or damaged (ffmpeg: %s)", Shown(s.info.Name), s.last.Seconds(), d.Seconds(), why)
		}
	}
	if err != nil {
		return nil, err
	}
	if at, ok := s.told.time(f.Index); ok {
		f.At = max(at, 0)
	}
	s.last = f.At
	return f, nil
}

// Close ends ffmpeg, whether it is done or not.
func (s *ffmpegSource) Close() error {
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

const maxErrors = 3 // that are kept

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
		if len(t.errors) < maxErrors {
			t.errors = append(t.errors, console.Printable(toldError.FindStringSubmatch(line)[1]))
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
