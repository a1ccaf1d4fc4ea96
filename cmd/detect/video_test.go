package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/annotate"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/video"
	"haarlem/internal/must"
	"haarlem/track"
)

// withoutFFmpeg takes ffmpeg and OpenCV away for the rest of a test.
func withoutFFmpeg(t *testing.T) {
	before := frames.Backend
	t.Cleanup(func() { frames.Backend = before })
	frames.Backend = nil
	t.Setenv("PATH", t.TempDir())
}

// Without ffmpeg and OpenCV the commands are there and say in one line what is missing,
// for videos that need one of them.
func TestWithoutFFmpeg(t *testing.T) {
	withoutFFmpeg(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "out.mp4")
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.mp4"), []byte("\x00\x00\x00\x20ftypisom, and more"))
	y4m := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), []byte("YUV4MPEG2 W8 H8 F25:1\n"))
	for _, args := range [][]string{{"video", in}, {"blur", "-out", out, in}, {"video", "-out", out, y4m}, {"pixelate", "-out", out, "rtsp://camera/1"}} {
		fails(t, statusUsage, "apt install ffmpeg ... Y4M", args...)
		clitest.Contains(t, quietly(t, args[0], "-help"), "\n  -min-neighbors")
	}
	fails(t, statusUsage, "go build -tags gocv", "webcam", "-show", "window")
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
	} {
		fails(t, statusUsage, test.say, strings.Fields(test.args)...)
	}
}

// Known boxes in each frame, in order, whatever the number of workers: a video with boxes,
// and lines, at once; then the summary on stdout.
func TestVideoFiles(t *testing.T) {
	p := detecttest.NewPan(t, 12)
	var first string
	for _, workers := range []string{"1", "4"} {
		source := p.Source("pan.mp4")
		movie := detecttest.FakeBackend(t, source)
		dir := t.TempDir()
		film, lines := filepath.Join(dir, "a,b.mp4"), filepath.Join(dir, "c.jsonl")
		args := append([]string{"video", "pan.mp4", "-workers", workers, "-out", film, "-out", lines}, detecttest.PanArgs...)
		if out := quietly(t, args...); !strings.Contains(out, "pan.mp4: 12 frames, ") || strings.Count(out, "\n") != 1 {
			t.Fatalf("%q", out)
		}
		found := string(must.Get(os.ReadFile(lines)))
		checkLines(t, p, found, 12)
		if found = withoutTimes(found); first != "" && found != first {
			t.Error("4 workers find other faces than one")
		}
		first = found
		if got, err := os.ReadFile(film); err != nil || string(got) != "12" || !movie.Closed || !source.Closed {
			t.Errorf("the film: %q, %v; closed: %v, and its source: %v", got, err, movie.Closed, source.Closed)
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
		say := test.say
		if test.frames > 0 {
			say += " ... " + film + " ... complete up to there"
		}
		fails(t, statusFailed, say, append([]string{"video", "in", "-out", film, "-out", lines}, detecttest.PanArgs...)...)
		if test.frames == 0 {
			continue
		}
		text, _ := os.ReadFile(lines)
		checkLines(t, p, string(text), test.frames)
		if got, err := os.ReadFile(film); err != nil || string(got) != fmt.Sprint(test.frames) || !movie.Closed {
			t.Errorf("%s: the film: %q, %v", name, got, err)
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
		if out := says(t, statusFailed, film, append([]string{"video", "in", "-out", film}, detecttest.PanArgs...)...); out != "" {
			t.Errorf("%s: %q", name, out)
		}
		if got, _ := os.ReadDir(dir); len(got) != 0 {
			t.Errorf("%s: %v in the folder", name, got)
		}
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
	if n := len(parseFrames(t, string(must.Get(os.ReadFile(lines))))); n > 5 {
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

// The lines hold what the video shows: the boxes that they call shown, with
// their numbers and scores, drawn into the frames, are the video to the last
// pixel. A face has its number in its first frame, and is there as predicted in
// frames in which it is missed.
func TestLinesHoldWhatIsDrawn(t *testing.T) {
	p := detecttest.NewPan(t, 24)
	grey := image.NewRGBA(p.Images[0].Rect)
	for i := range grey.Pix {
		grey.Pix[i] = 128
	}
	for i := 10; i < 13; i++ { // nothing can be found there
		p.Images[i] = grey
	}
	movie := detecttest.FakeBackend(t, p.Source("pan.mp4"))
	dir := t.TempDir()
	lines := filepath.Join(dir, "c.jsonl")
	works(t, append([]string{"video", "pan.mp4", "-out", filepath.Join(dir, "a.mp4"), "-out", lines}, detecttest.PanArgs...)...)
	frames := parseFrames(t, string(must.Get(os.ReadFile(lines))))
	if len(frames) != 24 || len(movie.Images) != 24 {
		t.Fatalf("%d lines and %d pictures for 24 frames", len(frames), len(movie.Images))
	}
	numbered, first := 0, map[int]int{}
	for i, f := range frames {
		want := &image.RGBA{Pix: slices.Clone(p.Images[i].Pix), Stride: p.Images[i].Stride, Rect: p.Images[i].Rect}
		var marks []annotate.Mark
		for _, face := range f.Faces {
			s := face.Shown
			label := fmt.Sprintf("%.2f", face.Score)
			if face.Track > 0 {
				label = fmt.Sprintf("%d: %s", face.Track, label)
			}
			marks = append(marks, annotate.Mark{Box: image.Rect(s.X, s.Y, s.X+s.Width, s.Y+s.Height), Label: label})
			if blind := i >= 10 && i < 13; blind && !face.Predicted {
				t.Errorf("frame %d: found where nothing is: %+v", i, face)
			}
			if face.Predicted && (image.Rect(face.X, face.Y, face.X+face.Width, face.Y+face.Height) != image.Rect(s.X, s.Y, s.X+s.Width, s.Y+s.Height) || face.Track == 0) {
				t.Errorf("frame %d: predicted %+v", i, face)
			}
			if _, ok := first[face.Track]; !ok && face.Track > 0 {
				first[face.Track] = i
				if face.Predicted {
					t.Errorf("frame %d: the first one of track %d is predicted", i, face.Track)
				}
			}
		}
		annotate.Draw(want, marks)
		if !bytes.Equal(want.Pix, movie.Images[i].Pix) {
			t.Errorf("frame %d shows other boxes than the lines, %+v", i, f.Faces)
		}
		if i == 0 || i >= 10 && i < 13 {
			for _, face := range f.Faces {
				if face.Track > 0 {
					numbered++
				}
			}
		}
	}
	if numbered < 4*3 {
		t.Errorf("in the first frame and where nothing can be found, %d faces have a number, want three each", numbered)
	}
	if !slices.Contains([]int{first[1], first[2], first[3]}, 0) {
		t.Errorf("tracks begin in frames %v", first)
	}
}

// A full disk is said once, though frames are held behind the one that did not
// fit.
func TestFullDiskIsSaidOnce(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"video", "in", "-out", filepath.Join(dir, "a.mp4")},
		{"blur", "in.mp4", "-out", filepath.Join(dir, "b.mp4")},
	} {
		movie := detecttest.FakeBackend(t, detecttest.NewPan(t, 40).Source("in"))
		movie.Full = 4
		status, _, stderr := call(append(args, detecttest.PanArgs...)...)
		if status != statusFailed || strings.Count(stderr, "no space left") != 1 {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	for _, n := range []int{1, 3} { // one is written when all is over
		detecttest.FakeBackend(t, detecttest.NewPan(t, n).Source("in"))
		fullStdout(t, append([]string{"video", "in"}, detecttest.PanArgs...)...)
	}
}

// What was worked out by hand: a face of four frames, the last of which nobody has to
// find, under number 1, then 2; and one box where nothing is. Three boxes of the truth,
// four found: no miss, one false alarm, one change: MOTA 1 - 2/3; the better number has
// two of three: IDF1 4/7.
func TestEvalTracks(t *testing.T) {
	dir := t.TempDir()
	truth := detecttest.WriteBytes(t, filepath.Join(dir, "t.csv"), []byte("frame,id,x,y,width,height,visible\n0,1,10,10,20,20,1\n1,1,10,10,20,20,1\n2,1,10,10,20,20,0.9\n3,1,10,10,20,20,0.1\n"))
	face := func(track, x string) string {
		return `{"track":` + track + `,"shown":{"x":` + x + `,"y":10,"width":20,"height":20}}`
	}
	lines := `{"frame":0,"faces":[` + face("1", "10") + `]}
{"frame":1,"faces":[` + face("1", "11") + `,` + face("3", "200") + `]}
{"frame":2,"faces":[` + face("2", "10") + `,` + face("0", "50") + `]}
{"frame":3,"faces":[` + face("2", "10") + `]}
`
	out := given(strings.NewReader(lines)).Works(t, "eval-tracks", "-truth", truth, "-")
	if !strings.HasPrefix(out, "IDF1 0.571  MOTA 0.333  switches 1  objects 1  tracks 3\n") {
		t.Errorf("%s", out)
	}
	clitest.Contains(t, given(strings.NewReader(lines)).Works(t, "eval-tracks", "-truth", truth, "-format", "json", "-"), `"Switches":1`)
	for say, args := range map[string][]string{
		"-truth is missing": {"-"},
		"want one file":     {"-truth", truth},
		"-overlap 0":        {"-truth", truth, "-overlap", "0", "-"},
		"no such file":      {"-truth", filepath.Join(dir, "none.csv"), "-"},
		`no column "frame"`: {"-truth", detecttest.WriteBytes(t, filepath.Join(dir, "a.csv"), []byte("x,y\n1,2\n")), "-"},
		"want a whole number": {"-truth", detecttest.WriteBytes(t, filepath.Join(dir, "b.csv"),
			[]byte("frame,id,x,y,width,height\n0,1,1,1,1,-5\n")), "-"},
		"want 0 to 1": {"-truth", detecttest.WriteBytes(t, filepath.Join(dir, "c.csv"), []byte("frame,id,x,y,width,height,visible\n0,1,1,1,1,5,2\n")), "-"},
	} {
		if status, _, stderr := given(strings.NewReader(lines)).Call(append([]string{"eval-tracks"}, args...)...); status == statusOK || !strings.Contains(stderr, say) {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	given(strings.NewReader("{")).Says(t, statusFailed, "stdin: line 1", "eval-tracks", "-truth", truth, "-")
}

// checkLines holds lines of JSON against the truth: every frame is there, and
// the faces are where they were drawn, nearly all of them, with one number
// from frame to frame.
func checkLines(t *testing.T, p *detecttest.Pan, lines string, frames int) {
	t.Helper()
	all := parseFrames(t, lines)
	if len(all) != frames {
		t.Fatalf("%d frames, want %d", len(all), frames)
	}
	shown, found, numbered, changed := 0, 0, 0, 0
	last := map[string]int{} // track by the face's size, which none shares
	for i, f := range all {
		if f.Frame != i || f.Width != 480 || f.Height != 320 {
			t.Fatalf("line %d: frame %d, %dx%d", i, f.Frame, f.Width, f.Height)
		}
		if want := float64(i) / detecttest.PanFPS; f.Time < want-0.02 || f.Time > want+0.1 {
			t.Errorf("frame %d: at %v s, want %v", i, f.Time, want)
		}
		for _, face := range p.Faces[i] {
			shown++
			for _, got := range f.Faces {
				box := image.Rect(got.X, got.Y, got.X+got.Width, got.Y+got.Height)
				if track.Overlap(box, face) < 0.5 {
					continue
				}
				found++
				key := face.Size().String()
				if got.Track > 0 {
					numbered++
					if last[key] != 0 && last[key] != got.Track {
						changed++
					}
					last[key] = got.Track
				}
				break
			}
		}
	}
	if found*100 < shown*90 {
		t.Errorf("%d of %d faces found", found, shown)
	}
	if numbered*100 < found*80 || changed > 2 {
		t.Errorf("of %d faces %d have a track, and %d times it is another than before", found, numbered, changed)
	}
}

func parseFrames(t *testing.T, lines string) []video.Line {
	t.Helper()
	var all []video.Line
	for line := range strings.Lines(lines) {
		if !strings.HasSuffix(line, "\n") {
			t.Fatalf("half a line: %s", line)
		}
		var f video.Line
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(&f); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, f)
	}
	return all
}
