package camera

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cascade/pico"
	"haarlem/cascade/pico/picotest"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/search"
	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/obscure"
	"haarlem/picture"
	"haarlem/track"
)

// call runs the command.
func call(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	p := &cli.Program{Name: "detect", Commands: []*cli.Command{Command()}}
	status = p.Run(context.Background(), args, &cli.Streams{Out: &out, Err: &err})
	return status, out.String(), err.String()
}

// A fakeScreen remembers what was shown, and presses keys.
type fakeScreen struct {
	shown   atomic.Int64
	last    *image.RGBA
	press   func(shown int) (key int, open bool)
	pressed int64
	closed  bool
}

func (s *fakeScreen) show(m *image.RGBA) error {
	s.last = &image.RGBA{Pix: slices.Clone(m.Pix), Stride: m.Stride, Rect: m.Rect}
	s.shown.Add(1)
	return nil
}

func (s *fakeScreen) key(time.Duration) (int, bool) {
	// Once for each picture: without a new one this is called again.
	shown := s.shown.Load()
	if s.press == nil || shown == s.pressed {
		return noKey, true
	}
	s.pressed = shown
	return s.press(int(shown))
}

func (s *fakeScreen) close() error { s.closed = true; return nil }

// pressed is the key that belongs to a number of pictures that were shown.
func pressed(keys map[int]int, shown int) (key int, open bool) {
	if key, ok := keys[shown]; ok {
		return key, true
	}
	return noKey, true
}

// showIn has the command show pictures in s, as if it were a window, until the test ends.
func showIn(t *testing.T, s *fakeScreen) {
	t.Helper()
	t.Cleanup(func() { openWindow = nil })
	openWindow = func(string, image.Point) (screen, error) { return s, nil }
}

// newLive is a view of pictures that come at five times the usual speed.
func newLive(t *testing.T, source *detecttest.FakeSource, s *fakeScreen) *live {
	t.Helper()
	model := must.Get(search.OpenModel(detecttest.Drawn))
	before := source.Before
	source.Before = func(i int) {
		time.Sleep(time.Second / detecttest.PanFPS / 5)
		if before != nil {
			before(i)
		}
	}
	return &live{
		source:   source,
		open:     func(image.Point) (screen, error) { return s, nil },
		models:   []liveModel{{name: "one", cascade: model}, {name: "two", cascade: model}},
		search:   detector.Options{Scale: 1.2, Workers: 1},
		settings: settings{smallest: 40},
		every:    12,
		save:     func(*image.RGBA) (string, error) { return "somewhere", nil },
	}
}

// The picture goes on while the detector is in its first search: it is let
// out of it only by the fortieth picture that is shown.
func TestSlowDetectorDoesNotStutter(t *testing.T) {
	const enough = 40
	release := make(chan struct{})
	s := &fakeScreen{}
	var searches, meanwhile atomic.Int64
	s.press = func(shown int) (int, bool) {
		if shown == enough {
			meanwhile.Store(searches.Load())
			close(release)
			return 'q', true
		}
		return noKey, true
	}
	l := newLive(t, detecttest.NewPan(t, 5).Repeat(400), s)
	l.look = func(ctx context.Context, _ *frames.Frame, _ []track.Area) ([]detector.Detection, error) {
		searches.Add(1)
		<-release
		return nil, ctx.Err()
	}
	must.Do(l.run(context.Background()))
	if n := meanwhile.Load(); n != 1 || l.shown != enough || !s.closed {
		t.Errorf("%d searches, %d pictures shown, closed %v", n, l.shown, s.closed)
	}
}

// The detector takes the newest frame, not the next one.
func TestDetectorTakesTheNewest(t *testing.T) {
	s := &fakeScreen{}
	var seen []int
	source := detecttest.NewPan(t, 5).Repeat(1000)
	l := newLive(t, source, s)
	l.look = func(_ context.Context, f *frames.Frame, _ []track.Area) ([]detector.Detection, error) {
		seen = append(seen, f.Index)
		for given := 0; given < f.Index+10; time.Sleep(time.Millisecond) { // ten frames pass meanwhile
			source.Mu.Lock()
			given = source.Given
			source.Mu.Unlock()
		}
		if len(seen) == 5 {
			return nil, io.ErrNoProgress // which ends all
		}
		return nil, nil
	}
	if err := l.run(context.Background()); !errors.Is(err, io.ErrNoProgress) {
		t.Fatal(err)
	}
	for i := 1; i < len(seen); i++ {
		if seen[i] < seen[i-1]+5 {
			t.Errorf("frames %v were searched: those in between were not left out", seen)
		}
	}
}

// Boxes are where the faces are, with numbers, and the rest of the picture is
// as the camera gave it.
func TestLiveBoxes(t *testing.T) {
	p := detecttest.NewPan(t, 1)
	s := &fakeScreen{}
	var l *live
	// The first picture stays until four searches are over: it may be older
	// than they are, and the next one is not.
	s.press = func(shown int) (int, bool) {
		if shown > 1 {
			return escape, true
		}
		for over := false; !over; time.Sleep(time.Millisecond) {
			l.mu.Lock()
			over = l.searches >= 4 || l.failed != nil
			l.mu.Unlock()
		}
		return noKey, true
	}
	l = newLive(t, p.Repeat(1000), s)
	must.Do(l.run(context.Background()))
	tracks := l.tracker.Tracks(0)
	for _, face := range p.Faces[0] {
		if !slices.ContainsFunc(tracks, func(k track.Track) bool { return track.Overlap(k.Box, face) > 0.5 }) {
			t.Errorf("no track at %v, but %v", face, tracks)
		}
		if share := detecttest.Differs(p.Images[0], s.last, face.Inset(-8)); share < 0.02 {
			t.Errorf("no box is drawn at %v", face)
		}
		if share := detecttest.Differs(p.Images[0], s.last, face.Inset(face.Dx()/3)); share > 0 {
			t.Errorf("the face at %v is painted over", face)
		}
	}
	if !strings.Contains(l.summary(), "searched") || l.byKind[1] == 0 {
		t.Errorf("summary: %s", l.summary())
	}
}

// Keys: each does what the description says.
func TestLiveKeys(t *testing.T) {
	p := detecttest.NewPan(t, 20)
	s := &fakeScreen{}
	saved := 0
	var l *live
	var frozen *image.RGBA
	moves := false
	keys := map[int]int{3: '+', 4: '+', 5: '-', 6: 'm', 10: ' ', 14: 's', 20: ' ', 24: 'x', 30: 'q'}
	s.press = func(shown int) (int, bool) {
		switch shown {
		case 13:
			frozen = s.last
		case 14, 15, 16, 17, 18, 19: // the caption may change, the picture may not
			if detecttest.Differs(frozen, s.last, image.Rect(0, 160, 480, 320)) > 0 {
				t.Errorf("the picture moves while it pauses")
			}
		case 21, 22, 23, 24, 25, 26, 27, 28, 29:
			moves = moves || detecttest.Differs(frozen, s.last, image.Rect(0, 160, 480, 320)) > 0
		}
		return pressed(keys, shown)
	}
	l = newLive(t, p.Repeat(100), s)
	l.save = func(m *image.RGBA) (string, error) {
		saved++
		if m.Rect != p.Images[0].Rect {
			t.Errorf("a picture of %v is saved", m.Rect)
		}
		return "x.png", io.ErrShortWrite // said in the window, and no end
	}
	must.Do(l.run(context.Background()))
	if !moves {
		t.Error("the picture stands still after the pause")
	}
	want := ((40*5/4+1)*5/4 + 1) * 4 / 5
	if l.settings.smallest != want || l.settings.model != 1 || saved != 1 {
		t.Errorf("settings %+v, saved %d; want %d, model 1, saved 1", l.settings, saved, want)
	}
	l.models, l.settings.model = l.models[:1], 0
	if text := l.set('m'); !strings.Contains(text, "one model only") {
		t.Errorf("m with one model: %s", text)
	}
	for key, end := range map[rune]int{'-': smallestFace, '+': largestFace} {
		for range 50 {
			l.set(int(key))
		}
		if l.settings.smallest != end {
			t.Errorf("%c ends at %d", key, l.settings.smallest)
		}
	}
}

// Whatever ends it, the window is closed, and what is wrong is said.
func TestLiveEnds(t *testing.T) {
	p := detecttest.NewPan(t, 10)
	black := image.NewRGBA(p.Images[0].Rect)
	for name, test := range map[string]struct {
		set  func(*live, *detecttest.FakeSource, *fakeScreen)
		want string // of the error; empty: none
	}{
		"unplugged":        {func(_ *live, s *detecttest.FakeSource, _ *fakeScreen) { s.End = s.Info.Ended(10, 0) }, "was it unplugged"},
		"a file that ends": {func(_ *live, s *detecttest.FakeSource, _ *fakeScreen) { s.End = io.EOF }, ""},
		"black": {func(l *live, s *detecttest.FakeSource, _ *fakeScreen) {
			s.Images = slices.Repeat([]*image.RGBA{black}, 200)
			l.source = frames.WatchBlack(s)
		}, "black pictures only"},
		"window closed": {func(_ *live, _ *detecttest.FakeSource, w *fakeScreen) {
			w.press = func(int) (int, bool) { return noKey, false }
		}, ""},
		"no window": {func(l *live, _ *detecttest.FakeSource, w *fakeScreen) {
			w.closed = true
			l.open = func(image.Point) (screen, error) { return nil, io.ErrClosedPipe }
		}, "closed pipe"},
	} {
		source := p.Source("camera")
		source.Info.Live = true
		s := &fakeScreen{}
		l := newLive(t, source, s)
		test.set(l, source, s)
		err := l.run(context.Background())
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if !s.closed {
			t.Errorf("%s: the window stays", name)
		}
	}
}

// The command with a camera that is unplugged: status 1, and the message.
func TestWebcamUnplugged(t *testing.T) {
	source := detecttest.NewPan(t, 5).Source("camera 0")
	source.Info.Live = true
	source.End = source.Info.Ended(5, 0)
	detecttest.FakeBackend(t, source)
	s := &fakeScreen{}
	showIn(t, s)
	status, out, stderr := call("webcam", "-model", detecttest.Drawn, "-mirror")
	if status != cli.StatusFailed || out != "" || !strings.Contains(stderr, "camera 0: no more pictures after 5 frames: was it unplugged or switched off?\n") || !s.closed {
		t.Errorf("status %d, %q, %q", status, out, stderr)
	}
	// A camera that cannot be opened.
	frames.Backend.Camera = func(string, image.Point) (frames.Source, error) {
		return nil, errors.New("camera 0: there is no camera")
	}
	if status, _, stderr = call("webcam"); status != cli.StatusFailed || !strings.Contains(stderr, "there is no camera") {
		t.Errorf("no camera: status %d, %q", status, stderr)
	}
}

// s writes a picture that can be read, and replaces none.
func TestWebcamSaves(t *testing.T) {
	source := detecttest.NewPan(t, 5).Repeat(100)
	detecttest.FakeBackend(t, source)
	dir := t.TempDir()
	s := &fakeScreen{}
	s.press = func(shown int) (int, bool) { return pressed(map[int]int{5: 's', 8: 's', 12: 'q'}, shown) }
	source.Before = func(int) { time.Sleep(5 * time.Millisecond) }
	showIn(t, s)
	status, _, stderr := call("webcam", "-model", detecttest.Drawn, "-save", dir)
	if status != cli.StatusOK {
		t.Fatal(stderr)
	}
	files, err := filepath.Glob(filepath.Join(dir, "webcam-*.png"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	if m := detecttest.ReadPicture(t, files[0]); m.Bounds() != image.Rect(0, 0, 480, 320) {
		t.Errorf("%v", m.Bounds())
	}
}

func TestMirror(t *testing.T) {
	for _, w := range []int{1, 2, 5, 8} {
		m := image.NewRGBA(image.Rect(3, 2, 3+w, 6))
		for i := range m.Pix {
			m.Pix[i] = byte(i)
		}
		before := slices.Clone(m.Pix)
		mirror(m)
		for y := range 4 {
			for x := range w {
				if a, b := (y*w+x)*4, (y*w+w-1-x)*4; !slices.Equal(m.Pix[a:a+4], before[b:b+4]) {
					t.Fatalf("width %d: pixel %d,%d", w, x, y)
				}
			}
		}
	}
}

// A file that stands in for a camera gives its frames at their times.
func TestPace(t *testing.T) {
	source := detecttest.NewPan(t, 6).Source("x")
	s := pace(source)
	start := time.Now()
	for range 6 {
		must.Get(s.Next())
	}
	if took := time.Since(start); took < 5*time.Second/detecttest.PanFPS-5*time.Millisecond {
		t.Errorf("6 frames in %v", took)
	}
	source.Info.Live = true
	if pace(source) != frames.Source(source) {
		t.Error("a camera is held up")
	}
}

// What is found in parts is what is found in the whole picture.
func TestSearcher(t *testing.T) {
	p := detecttest.NewPan(t, 1)
	model := must.Get(search.OpenModel(detecttest.Drawn))
	s := must.Get(newSearcher(&liveModel{cascade: model}, detector.Options{Scale: 1.1, MinSize: image.Pt(40, 40)}))
	ctx, img := context.Background(), p.Images[0]
	whole := must.Get(s.search(ctx, img, []track.Area{{Rectangle: img.Rect}}))
	if len(whole) < len(p.Faces[0]) {
		t.Fatal(whole)
	}
	var areas []track.Area
	for _, face := range p.Faces[0] {
		areas = append(areas, track.Area{Rectangle: face.Inset(-face.Dx() * 3 / 4).Intersect(img.Rect), MinWidth: face.Dx() * 2 / 3, MaxWidth: face.Dx() * 3 / 2})
	}
	areas = append(areas, areas[0], track.Area{Rectangle: img.Rect}) // all twice at least
	found, err := s.search(ctx, img, areas)
	if err != nil || len(found) != len(whole) {
		t.Errorf("%d faces in parts, %d in the whole, %v", len(found), len(whole), err)
	}
	near := must.Get(s.search(ctx, img, areas[:len(areas)-2]))
	for _, face := range p.Faces[0] {
		if !slices.ContainsFunc(near, func(d detector.Detection) bool { return track.Overlap(d.Box, face) > 0.5 }) {
			t.Errorf("near it, %v is not found: %v", face, near)
		}
	}
	if n := len(s.detectors); n > 8 {
		t.Errorf("%d detectors", n)
	}
	if _, err := newSearcher(&liveModel{cascade: model}, detector.Options{Scale: -1}); err == nil {
		t.Error("a scale of -1 is taken")
	}
}

func TestCoarsely(t *testing.T) {
	for n := range 3000 {
		low, high := coarsely(n, false), coarsely(n, true)
		if low > n || high < n || 4*low < 3*n-4 || 4*high > 5*n+4 {
			t.Fatalf("%d: %d to %d", n, low, high)
		}
	}
}

// The webcam's words.
func TestObjectsInCaption(t *testing.T) {
	bus := cascade.Object{Singular: "bus", Plural: "buses"}
	l := &live{models: []liveModel{{name: "m", cascade: &cascade.Cascade{Object: bus}}}}
	l.settings.smallest = 50
	said := strings.Join(append(l.caption(rate{}), l.set('+'), l.summary()), "\n")
	if strings.Contains(said, "face") || strings.Count(said, "buses") != 4 {
		t.Errorf("%s", said)
	}
}

// A camera's pictures are searched in parts, for sizes that depend on the part.
func TestPicoLive(t *testing.T) {
	p := &search.PicoFinder{Model: must.Get(pico.Open(picotest.File(t))), MinScore: search.PicoScore, Options: pico.Options{Scale: 1.2}}
	m := &liveModel{name: "facefinder", pico: p}
	s := must.Get(newSearcher(m, detector.Options{MinSize: image.Pt(60, 60), MaxSize: image.Pt(200, 200)}))
	shot := must.Get(picture.Open(detecttest.Group, nil))
	img := obscure.Copy(shot.Image)
	whole, err := s.search(context.Background(), img, []track.Area{{Rectangle: img.Rect}})
	if err != nil || len(whole) < 3 {
		t.Fatalf("%v, %v", whole, err)
	}
	half := image.Rect(img.Rect.Dx()/2, 0, img.Rect.Dx(), img.Rect.Dy())
	part := must.Get(s.search(context.Background(), img, []track.Area{{Rectangle: half, MinWidth: 100, MaxWidth: 128}}))
	g, _ := luma.Of(img.SubImage(half), nil)
	all := must.Get(p.Model.Search(context.Background(), nil, &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: half.Sub(half.Min)}, &pico.Options{MinSize: 96, MaxSize: 128, Scale: 1.2}))
	want := 0
	clusters := must.Get(pico.Cluster(t.Context(), all, pico.UsualOverlap))
	for _, c := range clusters {
		if c.Q >= search.PicoScore {
			want++
		}
	}
	if len(part) != want || want == 0 || !part[0].Box.Overlaps(half) {
		t.Errorf("%v, want %d in %v", part, want, half)
	}
}

// What webcam sends has boxes, or hidden faces in every frame, and ends when the camera does.
func TestStream(t *testing.T) {
	for _, hide := range []string{"no", "blur", "solid"} {
		p := detecttest.NewPan(t, 1)
		source := p.Repeat(25)
		watching := make(chan bool)
		source.Before = func(i int) {
			if i == 0 {
				<-watching
			}
		}
		detecttest.FakeBackend(t, source)
		done := make(chan int)
		address := make(chan string, 1)
		go func() {
			program := &cli.Program{Name: "detect", Commands: []*cli.Command{Command()}}
			stderr := detecttest.WriterFunc(func(b []byte) (int, error) {
				if m := regexp.MustCompile(`at (http://127\.0\.0\.1:\d+/)`).FindSubmatch(b); m != nil {
					address <- string(m[1])
				}
				return len(b), nil
			})
			args := append([]string{"webcam", "-stream", ":0", "-hide", hide}, detecttest.PanArgs...)
			done <- program.Run(context.Background(), args, &cli.Streams{Out: &bytes.Buffer{}, Err: stderr})
		}()
		r := must.Get(http.Get(<-address))
		close(watching)
		parts := multipart.NewReader(r.Body, "haarlem-frame")
		received := 0
		for {
			part, err := parts.NextPart()
			if err != nil {
				break // the stream has no last boundary
			}
			img, err := jpeg.Decode(part)
			if err != nil {
				break
			}
			received++
			m := obscure.Copy(img)
			for _, face := range p.Faces[0] {
				inner := face.Inset(face.Dx() / 4)
				if share := detecttest.Differs(p.Images[0], m, inner); (share > 0.25) != (hide != "no") {
					t.Fatalf("%s, picture %d: %.2f of the face at %v changed", hide, received, share, face)
				}
				if share := detecttest.Differs(p.Images[0], m, face.Inset(-8)); share < 0.02 {
					t.Fatalf("%s, picture %d: nothing is drawn at %v", hide, received, face)
				}
			}
		}
		r.Body.Close()
		if status := <-done; status != 1 || received < 10 {
			t.Errorf("%s: status %d, %d pictures", hide, status, received)
		}
	}
}

func halves(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{0, 10, 20, 255}), image.Point{}, draw.Src)
	draw.Draw(m, image.Rect(0, h/2, w, h), image.NewUniform(color.RGBA{255, 10, 20, 255}), image.Point{}, draw.Src)
	return m
}

// Half blocks: the upper half of the picture in one colour and the lower in another, in
// the shape that the picture has, and the terminal is given back as it was.
func TestTerminalBlocks(t *testing.T) {
	var b bytes.Buffer
	s := newTerminal(&b, newTerminalInput(), false, func() (int, int) { return 40, 5 })
	must.Do(s.show(halves(80, 40)))
	text := b.String()
	if n := strings.Count(text, "▀"); n != 20*5 { // ten pixels high, twenty wide
		t.Errorf("%d characters:\n%q", n, text)
	}
	clitest.Contains(t, text, "38;2;0;10;20;48;2;0;10;20m", "38;2;255;10;20;48;2;255;10;20m", "\x1b[?1049h")
	if err := s.close(); err != nil || !strings.HasSuffix(b.String(), "\x1b[?25h\x1b[?1049l") {
		t.Errorf("%v, %q", err, b.String()[len(text):])
	}
}

// kitty gets the picture itself.
func TestTerminalPixels(t *testing.T) {
	var b bytes.Buffer
	s := newTerminal(&b, newTerminalInput(), true, func() (int, int) { return 80, 24 })
	m := image.NewRGBA(image.Rect(0, 0, 90, 70))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i / 7) // so that it takes more than one piece
	}
	must.Do(s.show(m))
	pieces := regexp.MustCompile("\x1b_G[^;]*;([^\x1b]*)\x1b\\\\").FindAllStringSubmatch(b.String(), -1)
	if len(pieces) < 2 {
		t.Fatalf("%d pieces", len(pieces))
	}
	var text strings.Builder
	for _, p := range pieces {
		if len(p[1]) > 4096 {
			t.Errorf("a piece of %d letters", len(p[1]))
		}
		text.WriteString(p[1])
	}
	got, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text.String())))
	if err != nil || got.Bounds() != m.Rect {
		t.Fatalf("%v, %v", got, err)
	}
	env := func(name, value string) func(string) string {
		return func(n string) string { return map[string]string{name: value}[n] }
	}
	if !hasKitty(env("TERM", "xterm-kitty")) || !hasKitty(env("TERM_PROGRAM", "WezTerm")) || hasKitty(env("TERM", "xterm-256color")) {
		t.Error("terminals are taken for others")
	}
}

// Keys come through, arrows do not, Ctrl-C ends, and so does the end of the input.
func TestTerminalKeys(t *testing.T) {
	in := newTerminalInput()
	s := newTerminal(io.Discard, in, false, nil)
	r, w := io.Pipe()
	go in.read(r)
	for text, want := range map[string]int{"s": 's', "\x03": 'q', "\x1b": escape} {
		must.Get(w.Write([]byte("\x1b[A")))
		must.Get(w.Write([]byte(text)))
		if key, open := s.key(time.Second); key != want || !open {
			t.Errorf("%q is key %d, %v", text, key, open)
		}
	}
	if key, open := s.key(time.Millisecond); key != noKey || !open {
		t.Errorf("a key %d that nobody pressed, %v", key, open)
	}
	w.Close()
	<-in.ended
	if _, open := s.key(time.Second); open {
		t.Error("it is open without an input")
	}
}

// The page shows pictures, passes keys on, and answers no page of a stranger.
func TestPageScreen(t *testing.T) {
	var said bytes.Buffer
	s := must.Get(openPage("detect: <camera>", &said))
	url := regexp.MustCompile(`http://\S+/`).FindString(said.String())
	must.Do(s.show(halves(64, 48)))
	get := func(path string) *http.Response {
		t.Helper()
		return must.Get(http.Get(url + path))
	}
	page, err := io.ReadAll(get("").Body)
	if err != nil || !strings.Contains(string(page), "detect: &lt;camera&gt;") {
		t.Errorf("%s, %v", page, err)
	}
	stream := get("stream")
	head := make([]byte, 300)
	if _, err := io.ReadFull(stream.Body, head); err != nil || !bytes.Contains(head, []byte("image/jpeg")) || !bytes.Contains(head, []byte("\xff\xd8\xff")) {
		t.Errorf("%q, %v", head, err)
	}
	stream.Body.Close()
	if r, err := http.Post(url+"key", "text/plain", strings.NewReader("s")); err != nil || r.StatusCode != http.StatusNoContent {
		t.Errorf("%v, %v", r, err)
	}
	if key, open := s.key(time.Second); key != 's' || !open {
		t.Errorf("key %d, %v", key, open)
	}
	stranger := must.Get(http.NewRequest("POST", url+"key", strings.NewReader("q")))
	stranger.Header.Set("Origin", "https://stranger.example")
	if r, err := http.DefaultClient.Do(stranger); err != nil || r.StatusCode != http.StatusForbidden {
		t.Errorf("a stranger's page: %v, %v", r, err)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}
