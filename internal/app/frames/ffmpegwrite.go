package frames

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"haarlem/internal/app/console"
	"haarlem/internal/video"
)

// An ffmpegWriter is a Writer of ffmpeg.
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
// goes into it, as it is if that kind can hold it, or empty. Nothing else of that file is copied: no place, no
// title, no thumbnail.
func newFFmpegWriter(path, to, sound string, about Footage, size image.Point) (*ffmpegWriter, error) {
	args := []string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "error", "-f", "matroska", "-i", "pipe:0"}
	if sound != "" {
		args = append(args, inputArgs(sound)...)
		args = append(args, "-map", "0:v:0", "-map", "1:a?", "-c:a", soundCodec(path, sound, strings.ToLower(filepath.Ext(to))))
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

// held are the codecs of sound that players expect in a kind of file; others hold all.
var held = map[string][]string{
	".mp4": {"aac", "mp3", "ac3", "eac3", "opus", "alac", "flac"},
	".m4v": {"aac", "ac3", "eac3", "alac"},
	".avi": {"mp3", "ac3", "pcm_s16le", "pcm_u8"},
}

var toldSound = regexp.MustCompile(`Audio: (\w+)`)

// soundCodec is how the sound of a file gets into one of another kind: as it is, or
// encoded if that cannot hold it.
func soundCodec(path, sound, ext string) string {
	told, _ := exec.Command(path, append([]string{"-hide_banner", "-nostdin"}, inputArgs(sound)...)...).CombinedOutput() // without an output it ends with an error
	for _, m := range toldSound.FindAllSubmatch(told, -1) {
		if codecs := held[ext]; codecs != nil && !slices.Contains(codecs, string(m[1])) {
			if ext == ".avi" {
				return "ac3"
			}
			return "aac"
		}
	}
	return "copy"
}

// countFrames reads a film to its end, and tells how many frames it holds.
func countFrames(path, film string) (int, error) {
	args := append([]string{"-hide_banner", "-nostdin", "-nostats", "-loglevel", "error"}, inputArgs(film)...)
	cmd := exec.Command(path, append(args, "-map", "0:v:0", "-c", "copy", "-f", "framecrc", "pipe:1")...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	n := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if text := lines.Text(); text != "" && text[0] != '#' {
			n++
		}
	}
	return n, cmd.Wait()
}

// hasX264 tells whether ffmpeg was built with x264.
func hasX264(path string) bool {
	out, err := exec.Command(path, "-hide_banner", "-nostdin", "-encoders").Output()
	return err == nil && bytes.Contains(out, []byte(" libx264 "))
}

func (w *ffmpegWriter) Write(img image.Image, at time.Duration) error {
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

func (w *ffmpegWriter) Close() error {
	if w.failed {
		return nil
	}
	return w.end()
}

func (w *ffmpegWriter) end() error {
	_ = w.in.Close() // ffmpeg may be gone; Wait says why
	err := w.cmd.Wait()
	why := strings.TrimSpace(w.stderr.String())
	if err == nil && !noEnd.MatchString(why) {
		return nil
	}
	if why != "" {
		return fmt.Errorf("ffmpeg: %s", console.Printable(strings.ReplaceAll(why, "\n", "; ")))
	}
	return fmt.Errorf("ffmpeg: %w", err)
}

// noEnd is what ffmpeg says, with status 0, of a file whose end it could not write: the
// last frames and the index are missing.
var noEnd = regexp.MustCompile("(?m)^Error (writing trailer|closing file)")
