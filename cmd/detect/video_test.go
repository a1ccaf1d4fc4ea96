package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/cascade/detector"
)

// Without ffmpeg and OpenCV the commands are there and say in one line what is missing,
// for videos that need one of them.
func TestWithoutFFmpeg(t *testing.T) {
	before, name := backend, ffmpegName
	t.Cleanup(func() { backend, ffmpegName = before, name })
	backend, ffmpegName = nil, ""
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mp4")
	in := writeBytes(t, filepath.Join(dir, "in.mp4"), []byte("\x00\x00\x00\x20ftypisom, and more"))
	y4m := writeBytes(t, filepath.Join(dir, "in.y4m"), []byte("YUV4MPEG2 W8 H8 F25:1\n"))
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
	fakeBackend(t, nil) // which nobody may ask for
	dir := t.TempDir()
	there := writeBytes(t, filepath.Join(dir, "there.mp4"), []byte("x"))
	one := writePNG(t, filepath.Join(dir, "one.png"), oneFace(t))
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
		{"webcam -full 0", "want 1 or more"},
		{"webcam -save " + filepath.Join(dir, "none"), "there is no such folder"},
		{"webcam -model none.xml", "no such file"},
		{"blur", "no pictures"},
		{"blur " + one, "-out is missing"},
		{"blur " + one + " -out " + dir + " -margin -1", "want 0 to 5"},
		{"blur " + one + " a.mp4 -out " + dir, "is a video: give it alone"},
		{"blur a.mp4 -out " + dir, "want a name that ends in"},
		{"blur " + one + " -out b.mp4", "that is the name of a video"},
		{"blur " + one + " " + group + " -out " + filepath.Join(dir, "b.png"), "give a folder"},
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
	p := newPan(t, 30)
	var first string
	for _, workers := range []string{"1", "4"} {
		source := p.source("pan.mp4")
		fakeBackend(t, source)
		status, out, stderr := call(nil, append([]string{"video", "pan.mp4", "-workers", workers}, panArgs...)...)
		if status != statusOK || stderr != "" {
			t.Fatalf("status %d, %s", status, stderr)
		}
		p.checkLines(t, out, 30)
		if !source.closed {
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
	p := newPan(t, 12)
	movie := fakeBackend(t, p.source("pan.mp4"))
	dir := t.TempDir()
	film, lines := filepath.Join(dir, "a,b.mp4"), filepath.Join(dir, "c.jsonl")
	args := append([]string{"video", "pan.mp4", "-out", film, "-out", lines}, panArgs...)
	status, out, stderr := call(nil, args...)
	if status != statusOK || stderr != "" || !strings.Contains(out, "pan.mp4: 12 frames, ") || strings.Count(out, "\n") != 1 {
		t.Fatalf("status %d, %q, %q", status, out, stderr)
	}
	text, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	p.checkLines(t, string(text), 12)
	if got, err := os.ReadFile(film); err != nil || string(got) != "12" || !movie.closed {
		t.Errorf("the film: %q, %v", got, err)
	}
	for i, m := range movie.images {
		if bytes.Equal(m.Pix, p.images[i].Pix) {
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
		set    func(*fakeSource)
		say    string
	}{
		"cut off":        {7, func(s *fakeSource) { s.end = s.info.ended(7, 6*time.Second/panFPS) }, "ends after frame 7 of 30"},
		"unplugged":      {7, func(s *fakeSource) { s.info.live = true; s.end = s.info.ended(7, 0) }, "was it unplugged"},
		"nothing at all": {0, func(s *fakeSource) { s.images = nil; s.info.frames = 0; s.end = s.info.ended(0, 0) }, "holds no picture"},
		"black": {0, func(s *fakeSource) {
			s.info.live = true
			s.images = slices.Repeat([]*image.RGBA{black}, 200)
		}, "gives black pictures only"},
	} {
		p := newPan(t, 30)
		source := p.source("in")
		source.images = source.images[:test.frames]
		test.set(source)
		movie := fakeBackend(t, source)
		dir := t.TempDir()
		film, lines := filepath.Join(dir, "out.mp4"), filepath.Join(dir, "out.jsonl")
		status, out, stderr := call(nil, append([]string{"video", "in", "-out", film, "-out", lines}, panArgs...)...)
		if status != statusFailed || out != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.say) {
			t.Errorf("%s: status %d, stdout %q, stderr %q; want %q", name, status, out, stderr, test.say)
		}
		if test.frames == 0 {
			continue
		}
		text, _ := os.ReadFile(lines)
		p.checkLines(t, string(text), test.frames)
		if got, err := os.ReadFile(film); err != nil || string(got) != fmt.Sprint(test.frames) || !movie.closed {
			t.Errorf("%s: the film: %q, %v", name, got, err)
		}
		if !strings.Contains(stderr, film) || !strings.Contains(stderr, "complete up to there") {
			t.Errorf("%s: nothing about what is there: %s", name, stderr)
		}
	}
}

// A film may be black, and a camera that has shown something may become so.
func TestBlackIsNoMistake(t *testing.T) {
	black, grey := image.NewRGBA(image.Rect(0, 0, 64, 48)), image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i := range grey.Pix {
		grey.Pix[i] = 90
	}
	for name, test := range map[string]struct {
		live   bool
		images []*image.RGBA
	}{
		"a film":       {false, slices.Repeat([]*image.RGBA{black}, 150)},
		"a camera":     {true, append([]*image.RGBA{black, grey}, slices.Repeat([]*image.RGBA{black}, 150)...)},
		"a slow start": {true, append(slices.Repeat([]*image.RGBA{black}, 60), grey)},
	} {
		s := watchBlack(&fakeSource{info: footage{name: "x", fps: panFPS, live: test.live}, images: test.images, end: io.EOF})
		n := 0
		var err error
		for ; err == nil; n++ {
			_, err = s.next()
		}
		if !errors.Is(err, io.EOF) || n != len(test.images)+1 {
			t.Errorf("%s: %v after %d of %d frames", name, err, n-1, len(test.images))
		}
	}
}

func TestEnded(t *testing.T) {
	for _, test := range []struct {
		a     footage
		read  int
		last  time.Duration
		whole bool
	}{
		{footage{fps: 25, frames: 100}, 100, 3960 * time.Millisecond, true},
		{footage{fps: 25, frames: 100}, 98, 3880 * time.Millisecond, true}, // decoders keep the last ones
		{footage{fps: 25, frames: 100}, 60, 2360 * time.Millisecond, false},
		{footage{fps: 25, frames: 100}, 60, 3960 * time.Millisecond, true}, // frames of unequal length
		{footage{fps: 25, frames: 100}, 0, 0, false},
		{footage{fps: 25}, 60, 0, true}, // nobody knows
		{footage{fps: 25}, 0, 0, false},
		{footage{fps: 25, live: true}, 1000, 0, false},
	} {
		if err := test.a.ended(test.read, test.last); errors.Is(err, io.EOF) != test.whole {
			t.Errorf("%+v, %d frames until %v: %v", test.a, test.read, test.last, err)
		}
	}
}

// A film that cannot be written is an error, and no broken file has its name.
func TestVideoDiskFull(t *testing.T) {
	for name, spoil := range map[string]func(*fakeMovie){
		"while writing":  func(m *fakeMovie) { m.full = 4 },
		"found at close": func(*fakeMovie) { backend.check = func(string) (int, error) { return 3, nil } },
		"cannot be read": func(*fakeMovie) { backend.check = func(string) (int, error) { return 0, io.ErrUnexpectedEOF } },
		"cannot be made": func(*fakeMovie) {
			backend.create = func(string, []string, float64, image.Point) (movieWriter, error) { return nil, io.ErrClosedPipe }
		},
	} {
		movie := fakeBackend(t, newPan(t, 9).source("in"))
		spoil(movie)
		dir := t.TempDir()
		film := filepath.Join(dir, "out.mp4")
		status, out, stderr := call(nil, append([]string{"video", "in", "-out", film}, panArgs...)...)
		if status != statusFailed || out != "" || !strings.Contains(stderr, film) {
			t.Errorf("%s: status %d, %q, %q", name, status, out, stderr)
		}
		got, _ := os.ReadDir(dir)
		if want := map[bool]int{true: 1}[name == "while writing"]; len(got) != want {
			t.Errorf("%s: %v in the folder, want %d", name, got, want)
		}
	}
	var stderr bytes.Buffer
	fakeBackend(t, newPan(t, 3).source("in"))
	full := writerFunc(func([]byte) (int, error) { return 0, io.ErrShortWrite })
	if status := run(context.Background(), append([]string{"video", "in"}, panArgs...), nil, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "writing results") {
		t.Errorf("stdout is full: status %d, %s", status, stderr.String())
	}
}

// Ctrl-C: what is done is complete, even if the source gives no sign of life.
func TestVideoInterrupt(t *testing.T) {
	source := newPan(t, 20).source("in")
	source.info.frames = 0
	ctx, cancel := context.WithCancel(context.Background())
	asleep := make(chan struct{})
	defer close(asleep)
	source.before = func(i int) {
		if i == 5 {
			cancel()
			<-asleep
		}
	}
	fakeBackend(t, source)
	lines := filepath.Join(t.TempDir(), "x.jsonl")
	var out, stderr bytes.Buffer
	status := run(ctx, append([]string{"video", "in", "-out", lines}, panArgs...), nil, &out, &stderr)
	if status != statusInterrupted || !strings.Contains(stderr.String(), "interrupted after ") || strings.Count(stderr.String(), "\n") != 1 {
		t.Errorf("status %d, %s", status, stderr.String())
	}
	text, err := os.ReadFile(lines)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(parseFrames(t, string(text))); n > 5 {
		t.Errorf("%d frames of 5", n)
	}
}

// Frames come out in order though they take unequal times, several are on
// their way at once, and not more than a few.
func TestFlow(t *testing.T) {
	small := image.NewRGBA(image.Rect(0, 0, 8, 8))
	source := &fakeSource{info: footage{fps: 25}, images: slices.Repeat([]*image.RGBA{small}, 200), end: io.EOF}
	rng := rand.New(rand.NewPCG(1, 1))
	waits := make([]time.Duration, 200)
	for i := range waits {
		waits[i] = time.Duration(rng.IntN(800)) * time.Microsecond
	}
	delivered, far := 0, 0
	both := make(chan bool)
	f := flow{
		source: source, workers: 4,
		look: func(_ context.Context, f *frame) error {
			switch f.index { // two at once, or this waits forever
			case 3:
				both <- true
			case 4:
				<-both
			}
			time.Sleep(waits[f.index])
			f.found = []detector.Detection{{Neighbors: f.index}}
			return nil
		},
		deliver: func(f *frame) error {
			if f.index != delivered || f.found[0].Neighbors != f.index {
				t.Errorf("frame %d in place %d", f.index, delivered)
			}
			delivered++
			source.mu.Lock()
			far = max(far, source.given-delivered)
			source.mu.Unlock()
			return nil
		},
	}
	if err := f.run(context.Background()); err != nil || delivered != 200 {
		t.Errorf("%d frames, %v", delivered, err)
	}
	if far > 3*f.workers+3 {
		t.Errorf("%d frames were on their way at once", far)
	}

	for name, spoil := range map[string]func(*flow){
		"look":    func(f *flow) { f.look = func(context.Context, *frame) error { return io.ErrNoProgress } },
		"deliver": func(f *flow) { f.deliver = func(*frame) error { return io.ErrNoProgress } },
		"source":  func(f *flow) { f.source.(*fakeSource).end = io.ErrNoProgress },
	} {
		g := f
		g.source = &fakeSource{info: footage{fps: 25}, images: slices.Repeat([]*image.RGBA{small}, 20), end: io.EOF}
		g.look = func(context.Context, *frame) error { return nil }
		g.deliver = func(*frame) error { return nil }
		spoil(&g)
		if err := g.run(context.Background()); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A bar on a terminal, also where nobody knows how many frames there are.
func TestVideoProgress(t *testing.T) {
	for _, frames := range []int{0, 8} {
		source := newPan(t, 8).source("in")
		source.info.frames = frames
		fakeBackend(t, source)
		var out, bar bytes.Buffer
		asTerminal(t, &bar)
		if status := run(t.Context(), append([]string{"video", "in"}, panArgs...), nil, &out, &bar); status != statusOK {
			t.Fatal(bar.String())
		}
		if !strings.Contains(bar.String(), "frames") || len(parseFrames(t, out.String())) != 8 {
			t.Errorf("%d frames: bar %q", frames, bar.String())
		}
	}
}
