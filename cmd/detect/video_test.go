package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
	"haarlem/internal/must"
)

// Without ffmpeg and OpenCV the commands are there and say in one line what is missing,
// for videos that need one of them.
func TestWithoutFFmpeg(t *testing.T) {
	before, name := frames.Backend, frames.FFmpegName
	t.Cleanup(func() { frames.Backend, frames.FFmpegName = before, name })
	frames.Backend, frames.FFmpegName = nil, ""
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mp4")
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.mp4"), []byte("\x00\x00\x00\x20ftypisom, and more"))
	y4m := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), []byte("YUV4MPEG2 W8 H8 F25:1\n"))
	for _, args := range [][]string{{"video", in}, {"blur", "-out", out, in}, {"video", "-out", out, y4m}, {"pixelate", "-out", out, "rtsp://camera/1"}} {
		status, stdout, stderr := call(nil, args...)
		if status != statusUsage || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "apt install ffmpeg") || !strings.Contains(stderr, "Y4M") {
			t.Errorf("detect %q: status %d, stdout %q, stderr %q", args, status, stdout, stderr)
		}
		status, stdout, stderr = call(nil, args[0], "-help")
		if status != statusOK || stderr != "" || !strings.Contains(stdout, "\n  -min-neighbors") {
			t.Errorf("detect %s -help: status %d, %q%q", args[0], status, stdout, stderr)
		}
	}
	if status, _, stderr := call(nil, "webcam", "-show", "window"); status != statusUsage || !strings.Contains(stderr, "go build -tags gocv") {
		t.Errorf("a window: status %d, %s", status, stderr)
	}
}

// What is wrong with the call is said before anything is opened.
func TestVideoUsage(t *testing.T) {
	detecttest.FakeBackend(t, nil) // which nobody may ask for
	dir := t.TempDir()
	there := detecttest.WriteBytes(t, filepath.Join(dir, "there.mp4"), []byte("x"))
	one := detecttest.WritePNG(t, filepath.Join(dir, "one.png"), detecttest.OneFace(t))
	for _, test := range []struct{ args, say string }{
		{"video", "want one video"},
		{"video a.mp4 b.mp4", "want one video"},
		{"video - -raw h264", "want FORMAT:WIDTHxHEIGHT"},
		{"video - -fps 0", "no frame rate"},
		{"video - -resume -out " + filepath.Join(dir, "b.jsonl"), "only a run from a file into a file"},
		{"video a.mp4 -out b.gif", "want a name that ends in"},
		{"video a.mp4 -out b.mp4 -out b.mp4", "given twice"},
		{"video a.mp4 -out " + there, "it exists (-overwrite replaces it)"},
		{"video -overwrite " + there + " -out " + there, "that is the video to look at"},
		{"video a.mp4 -out " + filepath.Join(dir, "none", "b.mp4"), "there is no folder"},
		{"video a.mp4 -scale 0", "above 1"},
		{"video a.mp4 -model none.xml", "no such file"},
		{"webcam now", "one word too many"},
		{"webcam -size big", "want a size in pixels"},
		{"webcam -hide blur", "needs -stream"},
		{"webcam -stream :1 -show page", "not together with -stream"},
		{"blur -stream :1 -out b.mp4 a.mp4", "not together with -out"},
		{"webcam -full 0", "want 1 or more"},
		{"webcam -save " + filepath.Join(dir, "none"), "there is no such folder"},
		{"webcam -model none.xml", "no such file"},
		{"blur", "no pictures"},
		{"blur " + one, "-out is missing"},
		{"blur " + one + " -out " + dir + " -margin -1", "want 0 to 5"},
		{"blur " + one + " a.mp4 -out " + dir, "is a video: give it alone"},
		{"blur a.mp4 -out " + dir, "want a name that ends in"},
		{"blur " + one + " -out b.mp4", "that is the name of a video"},
		{"blur " + one + " " + detecttest.Group + " -out " + filepath.Join(dir, "b.png"), "give a folder"},
		{"pixelate " + one + " -out " + filepath.Join(dir, "b.gif"), "written as .png or .jpg"},
		{"help film", "there are blur, completion, convert,"},
	} {
		status, out, stderr := call(nil, strings.Fields(test.args)...)
		if status != statusUsage || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.say) {
			t.Errorf("detect %s: status %d, stdout %q, stderr %q; want status 2 and one line with %q", test.args, status, out, stderr, test.say)
		}
	}
}

// Known boxes in each frame, in order, whatever the number of workers.
func TestVideoLines(t *testing.T) {
	p := detecttest.NewPan(t, 30)
	var first string
	for _, workers := range []string{"1", "4"} {
		source := p.Source("pan.mp4")
		detecttest.FakeBackend(t, source)
		status, out, stderr := call(nil, append([]string{"video", "pan.mp4", "-workers", workers}, detecttest.PanArgs...)...)
		if status != statusOK || stderr != "" {
			t.Fatalf("status %d, %s", status, stderr)
		}
		checkLines(t, p, out, 30)
		if !source.Closed {
			t.Error("the source stays open")
		}
		out = withoutTimes(out)
		if first != "" && out != first {
			t.Error("4 workers find other faces than one")
		}
		first = out
	}
}

// A video with boxes, and lines, at once; then the summary on stdout.
func TestVideoFiles(t *testing.T) {
	p := detecttest.NewPan(t, 12)
	movie := detecttest.FakeBackend(t, p.Source("pan.mp4"))
	dir := t.TempDir()
	film, lines := filepath.Join(dir, "a,b.mp4"), filepath.Join(dir, "c.jsonl")
	args := append([]string{"video", "pan.mp4", "-out", film, "-out", lines}, detecttest.PanArgs...)
	status, out, stderr := call(nil, args...)
	if status != statusOK || stderr != "" || !strings.Contains(out, "pan.mp4: 12 frames, ") || strings.Count(out, "\n") != 1 {
		t.Fatalf("status %d, %q, %q", status, out, stderr)
	}
	text := must.Get(os.ReadFile(lines))
	checkLines(t, p, string(text), 12)
	if got, err := os.ReadFile(film); err != nil || string(got) != "12" || !movie.Closed {
		t.Errorf("the film: %q, %v", got, err)
	}
	for i, m := range movie.Images {
		if bytes.Equal(m.Pix, p.Images[i].Pix) {
			t.Errorf("frame %d has no boxes", i)
		}
	}
	if names, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(names) > 0 {
		t.Errorf("left behind: %q, %v", names, err)
	}
}

// Whatever ends the source early: what was read is complete, one line says
// what happened, and the status is 1.
func TestVideoBreaksOff(t *testing.T) {
	black := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for name, test := range map[string]struct {
		frames int // given before
		set    func(*detecttest.FakeSource)
		say    string
	}{
		"cut off":        {7, func(s *detecttest.FakeSource) { s.End = s.Info.Ended(7, 6*time.Second/detecttest.PanFPS) }, "ends after frame 7 of 30"},
		"unplugged":      {7, func(s *detecttest.FakeSource) { s.Info.Live = true; s.End = s.Info.Ended(7, 0) }, "was it unplugged"},
		"nothing at all": {0, func(s *detecttest.FakeSource) { s.Images = nil; s.Info.Frames = 0; s.End = s.Info.Ended(0, 0) }, "holds no picture"},
		"black": {0, func(s *detecttest.FakeSource) {
			s.Info.Live = true
			s.Images = slices.Repeat([]*image.RGBA{black}, 200)
		}, "gives black pictures only"},
	} {
		p := detecttest.NewPan(t, 30)
		source := p.Source("in")
		source.Images = source.Images[:test.frames]
		test.set(source)
		movie := detecttest.FakeBackend(t, source)
		dir := t.TempDir()
		film, lines := filepath.Join(dir, "out.mp4"), filepath.Join(dir, "out.jsonl")
		status, out, stderr := call(nil, append([]string{"video", "in", "-out", film, "-out", lines}, detecttest.PanArgs...)...)
		if status != statusFailed || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.say) {
			t.Errorf("%s: status %d, stdout %q, stderr %q; want %q", name, status, out, stderr, test.say)
		}
		if test.frames == 0 {
			continue
		}
		text, _ := os.ReadFile(lines)
		checkLines(t, p, string(text), test.frames)
		if got, err := os.ReadFile(film); err != nil || string(got) != fmt.Sprint(test.frames) || !movie.Closed {
			t.Errorf("%s: the film: %q, %v", name, got, err)
		}
		if !strings.Contains(stderr, film) || !strings.Contains(stderr, "complete up to there") {
			t.Errorf("%s: nothing about what is there: %s", name, stderr)
		}
	}
}

// A film that cannot be written is an error, and no broken file has its name.
func TestVideoDiskFull(t *testing.T) {
	for name, spoil := range map[string]func(*detecttest.FakeMovie){
		"while writing":  func(m *detecttest.FakeMovie) { m.Full = 4 },
		"found at close": func(*detecttest.FakeMovie) { frames.Backend.Check = func(string) (int, error) { return 3, nil } },
		"cannot be read": func(*detecttest.FakeMovie) {
			frames.Backend.Check = func(string) (int, error) { return 0, io.ErrUnexpectedEOF }
		},
		"cannot be made": func(*detecttest.FakeMovie) {
			frames.Backend.Create = func(string, []string, float64, image.Point) (frames.Writer, error) { return nil, io.ErrClosedPipe }
		},
	} {
		movie := detecttest.FakeBackend(t, detecttest.NewPan(t, 9).Source("in"))
		spoil(movie)
		dir := t.TempDir()
		film := filepath.Join(dir, "out.mp4")
		status, out, stderr := call(nil, append([]string{"video", "in", "-out", film}, detecttest.PanArgs...)...)
		if status != statusFailed || out != "" || !strings.Contains(stderr, film) {
			t.Errorf("%s: status %d, %q, %q", name, status, out, stderr)
		}
		got, _ := os.ReadDir(dir)
		if len(got) != 0 {
			t.Errorf("%s: %v in the folder", name, got)
		}
	}
	var stderr bytes.Buffer
	detecttest.FakeBackend(t, detecttest.NewPan(t, 3).Source("in"))
	full := detecttest.WriterFunc(func([]byte) (int, error) { return 0, io.ErrShortWrite })
	if status := run(context.Background(), append([]string{"video", "in"}, detecttest.PanArgs...), nil, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "writing results") {
		t.Errorf("stdout is full: status %d, %s", status, stderr.String())
	}
}

// Ctrl-C: what is done is complete, even if the source gives no sign of life.
func TestVideoInterrupt(t *testing.T) {
	source := detecttest.NewPan(t, 20).Source("in")
	source.Info.Frames = 0
	ctx, cancel := context.WithCancel(context.Background())
	asleep := make(chan struct{})
	defer close(asleep)
	source.Before = func(i int) {
		if i == 5 {
			cancel()
			<-asleep
		}
	}
	detecttest.FakeBackend(t, source)
	lines := filepath.Join(t.TempDir(), "x.jsonl")
	var out, stderr bytes.Buffer
	status := run(ctx, append([]string{"video", "in", "-out", lines}, detecttest.PanArgs...), nil, &out, &stderr)
	if status != statusInterrupted || !strings.Contains(stderr.String(), "interrupted after ") || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("status %d, %s", status, stderr.String())
	}
	text := must.Get(os.ReadFile(lines))
	if n := len(parseFrames(t, string(text))); n > 5 {
		t.Errorf("%d frames of 5", n)
	}
}

// A bar on a terminal, also where nobody knows how many frames there are.
func TestVideoProgress(t *testing.T) {
	for _, frames := range []int{0, 8} {
		source := detecttest.NewPan(t, 8).Source("in")
		source.Info.Frames = frames
		detecttest.FakeBackend(t, source)
		var out, bar bytes.Buffer
		asTerminal(t, &bar)
		if status := run(t.Context(), append([]string{"video", "in"}, detecttest.PanArgs...), nil, &out, &bar); status != statusOK {
			t.Fatal(bar.String())
		}
		if !strings.Contains(bar.String(), "frames") || len(parseFrames(t, out.String())) != 8 {
			t.Errorf("%d frames: bar %q", frames, bar.String())
		}
	}
}
