//go:build chromium

package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/chromium"
	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/serve"
)

// These tests need Chromium, and run with -tags chromium. They write what they
// see into the folder that HAARLEM_SCREENSHOTS names, if it does.

// program is the browser.
func program(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("there is no chromium in PATH, and these tests are about the page in a browser: install it, or leave the tag chromium out")
	return ""
}

func browser(t testing.TB, flags ...string) *chromium.Browser {
	t.Helper()
	b := must.Get(chromium.Start(program(t), t.TempDir(), flags...))
	t.Cleanup(func() {
		b.Close()
		if t.Failed() {
			t.Logf("chromium said:\n%s", b.Stderr())
		}
	})
	return b
}

// A site is a server of the page.
type site struct {
	url string
	end func()
}

func start(t testing.TB) *site {
	t.Helper()
	s := must.Get(serve.New(nil))
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, l) }()
	var ended bool
	stop := func() {
		if !ended {
			ended = true
			end()
			if err := <-done; err != nil {
				t.Errorf("the server: %v", err)
			}
		}
	}
	t.Cleanup(stop)
	return &site{fmt.Sprintf("http://%s/", l.Addr()), stop}
}

func limited(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func open(t testing.TB, ctx context.Context, b *chromium.Browser, url string) *chromium.Page {
	t.Helper()
	p, err := b.NewPage(ctx)
	if err != nil {
		t.Fatal(err)
	}
	view(t, ctx, p, 1280, 860, "light", false)
	must.Do(p.Open(ctx, url))
	must.Do(p.Until(ctx, "document.documentElement.dataset.ready === 'yes'"))
	return p
}

// view sets the size of the window, and what the visitor prefers.
func view(t testing.TB, ctx context.Context, p *chromium.Page, width, height int, scheme string, phone bool) {
	t.Helper()
	scale := 1
	if phone {
		scale = 2
	}
	must.Do(p.Call(ctx, "Emulation.setDeviceMetricsOverride", map[string]any{
		"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone}, nil))
	must.Do(p.Call(ctx, "Emulation.setEmulatedMedia", map[string]any{
		"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil))
}

func screenshot(t testing.TB, ctx context.Context, p *chromium.Page, name string) {
	t.Helper()
	data, err := p.Screenshot(ctx)
	must.Do(err)
	if dir := os.Getenv("HAARLEM_SCREENSHOTS"); dir != "" {
		must.Do(os.MkdirAll(dir, 0o777))
		must.Do(os.WriteFile(filepath.Join(dir, name+".png"), data, 0o666))
	}
}

// noProblems fails for everything that the page complained about.
func noProblems(t testing.TB, p *chromium.Page) {
	t.Helper()
	for _, problem := range p.Problems() {
		t.Error(problem)
	}
}

func sample(t testing.TB, name string) *image.RGBA {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "samples", name))
	must.Do(err)
	defer f.Close()
	m, err := png.Decode(f)
	must.Do(err)
	out := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

// cut is a part of a picture with its corner at (0, 0).
func cut(m image.Image, x, y, width, height int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Rect, m, image.Pt(x, y), draw.Src)
	return out
}

// native is what the detector finds in this process.
func native(t testing.TB, c *cascade.Cascade, o detector.Options, m image.Image) []detector.Detection {
	t.Helper()
	d, err := detector.New(&o, c)
	must.Do(err)
	found, err := d.Detect(context.Background(), m)
	must.Do(err)
	return found
}

func defaultModel(t testing.TB) *cascade.Cascade {
	t.Helper()
	c, err := models.Open(models.Default)
	must.Do(err)
	return c
}

// writeY4M makes a video that Chromium takes for a camera: frames one after
// the other, thirty a second, each scene for so many frames.
func writeY4M(t testing.TB, each int, scenes ...*image.RGBA) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "camera.y4m")
	f, err := os.Create(path)
	must.Do(err)
	w := bufio.NewWriter(f)
	size := scenes[0].Rect.Size()
	fmt.Fprintf(w, "YUV4MPEG2 W%d H%d F30:1 Ip A1:1 C420jpeg\n", size.X, size.Y)
	for _, m := range scenes {
		// Video has 16 for black and 235 for white.
		var luma, blue, red []byte
		for y := range size.Y {
			for x := range size.X {
				c := color.YCbCrModel.Convert(m.At(x, y)).(color.YCbCr)
				luma = append(luma, byte(16+int(c.Y)*219/255))
				if x%2 == 0 && y%2 == 0 {
					blue = append(blue, byte(128+(int(c.Cb)-128)*224/255))
					red = append(red, byte(128+(int(c.Cr)-128)*224/255))
				}
			}
		}
		for range each {
			fmt.Fprint(w, "FRAME\n")
			w.Write(luma)
			w.Write(blue)
			w.Write(red)
		}
	}
	must.Do(w.Flush())
	must.Do(f.Close())
	return path
}

// A face as the page tells it.
type face struct {
	X, Y, Width, Height, Score, Neighbors float64

	// On video only.
	Track     int
	Predicted bool
	Shown     *struct{ X, Y, Width, Height float64 }
}

func (f face) box() image.Rectangle {
	return image.Rect(int(f.X), int(f.Y), int(f.X+f.Width), int(f.Y+f.Height))
}

// shown is what the page has found in the picture that it shows.
func shown(t testing.TB, ctx context.Context, p *chromium.Page) []face {
	t.Helper()
	var text string
	must.Do(p.Eval(ctx, "document.getElementById('boxes').dataset.found ?? '[]'", &text))
	var all []face
	must.Do(json.Unmarshal([]byte(text), &all))
	return slices.DeleteFunc(all, func(f face) bool { return f.Predicted })
}

// same reports whether two boxes are about one face.
func same(a, b image.Rectangle) bool {
	both, x, y := a.Intersect(b).Size(), a.Size(), b.Size()
	common := both.X * both.Y
	return 2*common > x.X*x.Y+y.X*y.Y-common
}

// agree reports whether what is shown is what was found, one for one.
func agree(have []face, want []detector.Detection) bool {
	if len(have) != len(want) {
		return false
	}
	for _, w := range want {
		if !slices.ContainsFunc(have, func(f face) bool { return same(f.box(), w.Box) }) {
			return false
		}
	}
	return true
}

// A scene is a picture on video, whose grey levels are a little off: faces
// that are surely found, and all that may be.
type scene struct{ must, may []detector.Detection }

func sceneOf(t testing.TB, c *cascade.Cascade, m image.Image) scene {
	every := c.Search
	every.MinCandidates = 1
	may := native(t, c, detector.Options{MinSize: image.Pt(40, 40), Search: &every}, m)
	must := native(t, c, detector.Options{MinSize: image.Pt(60, 60), MinNeighbors: 10}, m)
	return scene{slices.DeleteFunc(must, func(d detector.Detection) bool { return d.Box.Dx() < 70 }), may}
}

// seen reports whether what is shown fits the scene.
func (s scene) seen(have []face) bool {
	for _, w := range s.must {
		if !slices.ContainsFunc(have, func(f face) bool { return same(f.box(), w.Box) }) {
			return false
		}
	}
	return !slices.ContainsFunc(have, func(f face) bool {
		return !slices.ContainsFunc(s.may, func(d detector.Detection) bool { return same(f.box(), d.Box) })
	})
}

func waitFor(t testing.TB, ctx context.Context, what string, ok func() bool) {
	t.Helper()
	for !ok() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: it did not happen in time", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func set(t testing.TB, ctx context.Context, p *chromium.Page, slider string, value float64) {
	t.Helper()
	must.Do(p.Eval(ctx, fmt.Sprintf("{ const e = document.getElementById(%q); e.value = %v; e.dispatchEvent(new Event('input')); }", slider, value), nil))
}

// followed watches the page until it has shown so many faces that were in the frame
// before, too, and demands that they keep their numbers.
func followed(t *testing.T, ctx context.Context, p *chromium.Page, want int) {
	t.Helper()
	must.Do(p.Eval(ctx, `
		globalThis.frames = [];
		globalThis.watch = new MutationObserver(() => frames.push(JSON.parse(document.getElementById("boxes").dataset.found)));
		watch.observe(document.getElementById("boxes"), { attributes: true, attributeFilter: ["data-found"] });`, nil))
	var pairs, kept int
	waitFor(t, ctx, "faces that are followed", func() bool {
		var frames [][]face
		must.Do(p.Eval(ctx, "frames", &frames))
		pairs, kept = 0, 0
		for i, frame := range frames {
			numbers := map[int]bool{}
			for _, f := range frame {
				if f.Track < 0 || f.Shown == nil || f.Track > 0 && numbers[f.Track] {
					t.Fatalf("frame %d: %+v, want numbers that are different", i, frame)
				}
				numbers[f.Track] = true
				if i == 0 || f.Track == 0 || f.Predicted {
					continue
				}
				for _, g := range frames[i-1] {
					if g.Track > 0 && !g.Predicted && same(f.box(), g.box()) {
						pairs++
						if f.Track == g.Track {
							kept++
						}
					}
				}
			}
		}
		return pairs >= want
	})
	must.Do(p.Eval(ctx, "watch.disconnect()", nil))
	if 10*kept < 9*pairs { // where the scene changes, another face may be in a face's place
		t.Errorf("of %d faces that stayed where they were %d kept their numbers", pairs, kept)
	}
}

// The camera: faces of known frames and their numbers, sliders, keys, and a picture
// of it all.
func TestCamera(t *testing.T) {
	group := sample(t, "group.png")
	left, right := cut(group, 0, 20, 640, 480), cut(group, 160, 20, 640, 480)
	model := defaultModel(t)
	wantLeft, wantRight := sceneOf(t, model, left), sceneOf(t, model, right)
	if len(wantLeft.must) < 3 || len(wantRight.must) < 3 {
		t.Fatalf("%d and %d faces are too few to tell the scenes apart by", len(wantLeft.must), len(wantRight.must))
	}
	ctx := limited(t, 6*time.Minute)
	b := browser(t, "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
		"--use-file-for-fake-video-capture="+writeY4M(t, 30, left, right))
	s := start(t)
	p := open(t, ctx, b, s.url+"#live-min-size=60")
	downloads := t.TempDir()
	must.Do(b.Call(ctx, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads}, nil))
	must.Do(p.Eval(ctx, `
		globalThis.asked = [];
		const old = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
		navigator.mediaDevices.getUserMedia = (c) => { asked.push(c); return old(c); };`, nil))
	var before int
	must.Do(p.Eval(ctx, "asked.length", &before))
	must.Do(p.Eval(ctx, "document.getElementById('camera').click()", nil))
	waitFor(t, ctx, "the faces of the left scene", func() bool { return wantLeft.seen(shown(t, ctx, p)) })
	waitFor(t, ctx, "the faces of the right scene", func() bool { return wantRight.seen(shown(t, ctx, p)) })
	followed(t, ctx, p, 100)
	var asked []struct{ Audio bool }
	must.Do(p.Eval(ctx, "asked.map(c => ({audio: Boolean(c.audio)}))", &asked))
	if before != 0 || len(asked) != 1 || asked[0].Audio {
		t.Errorf("the page asked %d times before the button was pressed, and then %+v: want one question, for the camera alone", before, asked)
	}

	// Speed, as the page itself shows it, of the fast model and of the default.
	for _, name := range []string{"frontalface", "face-fast", models.Default} {
		choose(ctx, p, name)
		time.Sleep(1500 * time.Millisecond)
		var says [3]string
		must.Do(p.Eval(ctx, "['fps', 'milliseconds', 'scale-value'].map((id) => document.getElementById(id).textContent)", &says))
		t.Logf("640x480, smallest 60, %s: %s searches, detector %s, scale %s", name, says[0], says[1], says[2])
	}
	screenshot(t, ctx, p, "camera-light")

	// Sliders: only the large ones; none that is so sure; back again.
	set(t, ctx, p, "min", 112)
	waitFor(t, ctx, "a larger smallest size", func() bool {
		list := shown(t, ctx, p)
		return len(list) > 0 && !slices.ContainsFunc(list, func(f face) bool { return f.Height < 75 }) // corrected boxes are smaller
	})
	set(t, ctx, p, "min", 400)
	waitFor(t, ctx, "no face of 400 pixels", func() bool { return len(shown(t, ctx, p)) == 0 })
	set(t, ctx, p, "min", 60)
	waitFor(t, ctx, "all faces again", func() bool { return wantLeft.seen(shown(t, ctx, p)) })
	set(t, ctx, p, "scale", 1.3)
	var label string
	must.Do(p.Eval(ctx, "document.getElementById('scale-value').textContent", &label))
	if label != "1.30" {
		t.Errorf("the factor's label says %q", label)
	}
	set(t, ctx, p, "scale", 1.1)

	// Keys.
	must.Do(p.Eval(ctx, "document.activeElement.blur()", nil))
	must.Do(p.Key(ctx, "+"))
	must.Do(p.Until(ctx, "document.getElementById('min').value === '64'"))
	must.Do(p.Key(ctx, "-"))
	must.Do(p.Until(ctx, "document.getElementById('min').value === '60'"))
	must.Do(p.Key(ctx, " "))
	must.Do(p.Until(ctx, "document.getElementById('video').paused && document.getElementById('pause').textContent === 'Go on'"))

	// Results have the numbers.
	must.Do(p.Until(ctx, "JSON.parse(document.getElementById('boxes').dataset.found).length > 2"))
	// Both at once: a paused page may still search the frame at which it stopped.
	must.Do(p.Eval(ctx, "document.getElementById('save-json').click(); document.getElementById('save-csv').click()", nil))
	var saved []struct{ Faces []face }
	data := fetch(t, ctx, filepath.Join(downloads, "results.json"))
	must.Do(json.Unmarshal(data, &saved))
	rows, err := csv.NewReader(bytes.NewReader(fetch(t, ctx, filepath.Join(downloads, "results.csv")))).ReadAll()
	must.Do(err)
	if len(saved) != 1 || len(rows) != 1+len(saved[0].Faces) || len(rows[0]) != 9 || rows[0][7] != "track" {
		t.Fatalf("JSON: %s\nCSV: %v", data, rows)
	}
	numbered := 0
	for i, f := range saved[0].Faces {
		if f.Shown == nil || rows[i+1][7] != fmt.Sprint(f.Track) || rows[i+1][8] != fmt.Sprint(f.Predicted) {
			t.Errorf("face %d is %+v in JSON and %v in CSV", i, f, rows[i+1])
		}
		if f.Track > 0 {
			numbered++
		}
	}
	if numbered < 3 {
		t.Errorf("%d faces with numbers: %s", numbered, data)
	}
	must.Do(p.Key(ctx, " "))
	must.Do(p.Until(ctx, "!document.getElementById('video').paused"))

	view(t, ctx, p, 390, 844, "dark", true)
	waitFor(t, ctx, "faces on a phone", func() bool { return wantLeft.seen(shown(t, ctx, p)) })
	var over int
	must.Do(p.Eval(ctx, "document.scrollingElement.scrollWidth - innerWidth", &over))
	if over > 0 {
		t.Errorf("on a phone the page is %d pixels too wide", over)
	}
	var small []string
	must.Do(p.Eval(ctx, "[...document.querySelectorAll('button:not([hidden]), select')].filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.id)", &small))
	if len(small) > 0 {
		t.Errorf("too small for a finger: %v", small)
	}
	screenshot(t, ctx, p, "camera-phone-dark")

	must.Do(p.Key(ctx, "c"))
	must.Do(p.Until(ctx, "document.getElementById('stage').classList.contains('empty')"))
	noProblems(t, p)
}

// choose chooses a model of the list.
func choose(ctx context.Context, p *chromium.Page, name string) {
	must.Do(p.Eval(ctx, fmt.Sprintf("{ const e = document.getElementById('model'); e.value = [...e.options].find((o) => o.textContent === %q).value; e.dispatchEvent(new Event('change')); }", name), nil))
}

// Live pictures are searched for larger faces only while a search takes long, and the page
// says so. What people have chosen stays.
func TestKeepsUp(t *testing.T) {
	ctx := limited(t, 2*time.Minute)
	group := cut(sample(t, "group.png"), 0, 20, 640, 480)
	b := browser(t, "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
		"--use-file-for-fake-video-capture="+writeY4M(t, 30, group, group))
	p := open(t, ctx, b, start(t).url)
	must.Do(p.Eval(ctx, `
		globalThis.speed = 100; // of a clock
		const now = performance.now.bind(performance);
		performance.now = () => speed * now();
		globalThis.text = (id) => document.getElementById(id).textContent;
		document.getElementById("camera").click();`, nil))
	must.Do(p.Until(ctx, `text("min-value") === "90 pixels, to keep up" && text("scale-value") === "the model's"`)) // which is larger
	choose(ctx, p, "frontalface")
	must.Do(p.Until(ctx, `text("min-value") === "90 pixels, to keep up" && text("scale-value") === "1.20, to keep up"`))
	must.Do(p.Eval(ctx, "speed = 0.01", nil))
	must.Do(p.Until(ctx, `text("min-value") === "60 pixels" && text("scale-value") === "the model's"`))
	must.Do(p.Eval(ctx, "speed = 100", nil))
	set(t, ctx, p, "min", 64)
	must.Do(p.Until(ctx, `text("min-value") === "64 pixels" && text("scale-value") === "1.20, to keep up"`))
	noProblems(t, p)
}

// A camera that is refused, and one that is not there.
func TestCameraRefused(t *testing.T) {
	ctx := limited(t, 6*time.Minute)
	b := browser(t, "--use-fake-device-for-media-stream")
	s := start(t)
	must.Do(b.Call(ctx, "Browser.setPermission", map[string]any{
		"origin": strings.TrimSuffix(s.url, "/"), "permission": map[string]any{"name": "camera"}, "setting": "denied"}, nil))
	p := open(t, ctx, b, s.url)
	must.Do(p.Eval(ctx, "document.getElementById('camera').click()", nil))
	must.Do(p.Until(ctx, "!document.getElementById('message').hidden"))
	var text string
	must.Do(p.Eval(ctx, "document.getElementById('message').textContent", &text))
	if !strings.Contains(text, "refused") || !strings.Contains(text, "allow") || !strings.Contains(text, "Pictures and videos work") {
		t.Errorf("the text is no help: %q", text)
	}
	screenshot(t, ctx, p, "refused")
	// And pictures do work.
	path, err := filepath.Abs("../samples/group.png")
	must.Do(err)
	must.Do(p.Drop(ctx, 300, 300, path))
	must.Do(p.Until(ctx, "document.getElementById('count').textContent > 0"))
	noProblems(t, p)
}

// A picture that the browser does not get done with is given up, and the page says so.
func TestPictureThatTakesForever(t *testing.T) {
	ctx := limited(t, 2*time.Minute)
	p := open(t, ctx, browser(t), start(t).url)
	must.Do(p.Eval(ctx, `(() => {
		globalThis.createImageBitmap = () => new Promise(() => {});
		const wait = globalThis.setTimeout;
		globalThis.setTimeout = (f, ms) => wait(f, ms === 20_000 ? 50 : ms);
	})()`, nil))
	picture, err := filepath.Abs("../samples/group.png")
	must.Do(err)
	must.Do(p.Drop(ctx, 300, 300, picture))
	must.Do(p.Until(ctx, `document.body.innerText.includes("group.png: this picture takes more than 20 s to read")`))
}

// Files that are dropped: a picture, a cascade of OpenCV's, what is neither;
// then blur and save, and all of it without the server.
func TestFilesAndOffline(t *testing.T) {
	ctx := limited(t, 6*time.Minute)
	b := browser(t)
	s := start(t)
	p := open(t, ctx, b, s.url)
	downloads := t.TempDir()
	must.Do(b.Call(ctx, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads}, nil))
	must.Do(p.Until(ctx, "navigator.serviceWorker.controller"))

	// The server goes; what follows needs nothing of it.
	s.end()
	must.Do(p.Eval(ctx, "globalThis.beforeReload = true", nil))
	must.Do(p.Call(ctx, "Page.reload", nil, nil))
	must.Do(p.Until(ctx, "!globalThis.beforeReload && document.documentElement.dataset.ready === 'yes'"))

	group := sample(t, "group.png")
	picture, err := filepath.Abs("../samples/group.png")
	must.Do(err)
	want := native(t, defaultModel(t), detector.Options{}, group)
	must.Do(p.Drop(ctx, 300, 300, picture))
	waitFor(t, ctx, "the faces of the dropped picture", func() bool { return agree(shown(t, ctx, p), want) })
	for i, f := range shown(t, ctx, p) {
		if f.box() != want[i].Box || int(f.Neighbors) != want[i].Neighbors || f.Track != 0 || f.Shown != nil {
			t.Errorf("face %d is %+v in the browser, %+v here", i, f, want[i])
		}
	}
	view(t, ctx, p, 1280, 860, "dark", false)
	screenshot(t, ctx, p, "picture-dark")

	must.Do(p.Key(ctx, "b"))
	saved := fetch(t, ctx, filepath.Join(downloads, "group-blurred.png"))
	blurred, err := png.Decode(bytes.NewReader(saved))
	must.Do(err)
	if blurred.Bounds() != group.Bounds() {
		t.Errorf("the blurred picture is %v, want %v", blurred.Bounds(), group.Bounds())
	}
	left := native(t, defaultModel(t), detector.Options{MinSize: image.Pt(40, 40)}, blurred)
	for _, w := range want {
		if slices.ContainsFunc(left, func(d detector.Detection) bool { return same(d.Box, w.Box) }) {
			t.Errorf("the face at %v can still be found in the blurred picture", w.Box)
		}
	}
	if dir := os.Getenv("HAARLEM_SCREENSHOTS"); dir != "" {
		must.Do(os.WriteFile(filepath.Join(dir, "blurred.png"), saved, 0o666))
	}

	// OpenCV's XML.
	xml, err := filepath.Abs("../cascade/detector/testdata/parity/upright-stumps.xml")
	must.Do(err)
	c, err := cascade.Open(xml)
	must.Do(err)
	want = native(t, c, detector.Options{}, group)
	said := func() (text string) { // by the page about itself
		must.Do(p.Eval(ctx, "document.title + ' ' + document.querySelector('header p').textContent", &text))
		return text
	}
	if text := said(); strings.Count(text, "faces") != 2 {
		t.Errorf("of a model of faces the page says %q", text)
	}
	must.Do(p.Drop(ctx, 300, 300, xml))
	must.Do(p.Until(ctx, "document.getElementById('model').selectedOptions[0].textContent === 'upright-stumps.xml'"))
	if text := said(); strings.Contains(text, "face") || strings.Count(text, "objects") != 2 {
		t.Errorf("of a model that does not say what it finds the page says %q", text)
	}
	waitFor(t, ctx, "what the dropped cascade finds", func() bool { return agree(shown(t, ctx, p), want) })
	must.Do(p.Eval(ctx, "document.activeElement.blur()", nil))
	must.Do(p.Key(ctx, "m"))
	must.Do(p.Until(ctx, fmt.Sprintf("document.getElementById('model').selectedOptions[0].textContent === %q", models.Default)))

	// What is neither says so, and all goes on.
	for name, text := range map[string]string{"broken.xml": "<html></html>", "notes.txt": "hello"} {
		path := filepath.Join(t.TempDir(), name)
		must.Do(os.WriteFile(path, []byte(text), 0o666))
		must.Do(p.Drop(ctx, 300, 300, path))
		must.Do(p.Until(ctx, fmt.Sprintf("document.getElementById('message').textContent.startsWith(%q)", name)))
	}
	noProblems(t, p)
}
