//go:build chromium

package web_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/chromium"
	"haarlem/internal/must"
	"haarlem/internal/obscure"
	"haarlem/internal/video"
	"haarlem/models"
	"haarlem/serve"
)

// These tests need Chromium, and run with -tags chromium. They write what they
// see into the folder that HAARLEM_SCREENSHOTS names, if it does.

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
	stop := sync.OnceFunc(func() {
		end()
		if err := <-done; err != nil {
			t.Errorf("the server: %v", err)
		}
	})
	t.Cleanup(stop)
	return &site{fmt.Sprintf("http://%s/", l.Addr()), stop}
}

// A visit is the page in a browser.
type visit struct {
	*testing.T
	ctx       context.Context
	page      *chromium.Page
	browser   *chromium.Browser
	site      *site
	downloads string
}

// visited opens the page of a new site, at a place such as a fragment, in a new browser.
// The test has so much time.
func visited(t *testing.T, limit time.Duration, place string, flags ...string) *visit {
	t.Helper()
	v := &visit{T: t, ctx: limited(t, limit), browser: chromium.ForTest(t, flags...), site: start(t), downloads: t.TempDir()}
	must.Do(v.browser.Call(v.ctx, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": v.downloads}, nil))
	return v.open(v.site.url + place)
}

// open opens another page in the browser.
func (v *visit) open(url string) *visit {
	v.Helper()
	w := *v
	w.page = must.Get(v.browser.NewPage(v.ctx))
	w.view(1280, 860, "light", false)
	must.Do(w.page.Open(v.ctx, url))
	w.until("document.documentElement.dataset.ready === 'yes'")
	return &w
}

func limited(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// do runs a script, which is a format if there are arguments. until waits until one is
// true, and tell returns what one is.
func (v *visit) do(script string, args ...any) {
	must.Do(v.page.Eval(v.ctx, formatted(script, args), nil))
}

func (v *visit) until(script string, args ...any) {
	must.Do(v.page.Until(v.ctx, formatted(script, args)))
}

func tell[T any](v *visit, script string) (what T) {
	must.Do(v.page.Eval(v.ctx, script, &what))
	return what
}

func formatted(script string, args []any) string {
	if len(args) == 0 {
		return script
	}
	return fmt.Sprintf(script, args...)
}

// text is that of an element. key presses a key, click an element, and drop drops a file.
func (v *visit) text(id string) string {
	return tell[string](v, fmt.Sprintf("document.getElementById(%q).textContent", id))
}

func (v *visit) key(key string)   { must.Do(v.page.Key(v.ctx, key)) }
func (v *visit) click(id string)  { v.do("document.getElementById(%q).click()", id) }
func (v *visit) drop(path string) { must.Do(v.page.Drop(v.ctx, 300, 300, path)) }

// saved waits for a download and returns it. It is whole when it grows no more.
func (v *visit) saved(name string) []byte {
	v.Helper()
	path, size, since := filepath.Join(v.downloads, name), int64(-1), time.Now()
	v.waitFor(path, func() bool {
		info, err := os.Stat(path)
		if err != nil || info.Size() == 0 || info.Size() != size {
			if err == nil {
				size = info.Size()
			}
			since = time.Now()
			return false
		}
		return time.Since(since) > 300*time.Millisecond
	})
	data := must.Get(os.ReadFile(path))
	must.Do(os.Remove(path))
	return data
}

// view sets the size of the window, and what the visitor prefers.
func (v *visit) view(width, height int, scheme string, phone bool) {
	must.Do(v.page.View(v.ctx, width, height, scheme, phone))
}

func (v *visit) screenshot(name string) {
	v.Helper()
	must.Do(chromium.Keep(name+".png", must.Get(v.page.Screenshot(v.ctx))))
}

// noProblems fails for everything that the page complained about.
func (v *visit) noProblems() {
	v.Helper()
	for _, problem := range v.page.Problems() {
		v.Error(problem)
	}
}

// groupPath is the sample picture with most faces.
var groupPath = must.Get(filepath.Abs("../samples/group.png"))

func sample(name string) *image.RGBA {
	f := must.Get(os.Open(filepath.Join("..", "samples", name)))
	defer f.Close()
	return obscure.Copy(must.Get(png.Decode(f)))
}

// cut is a part of a picture with its corner at (0, 0).
func cut(m image.Image, x, y, width, height int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(out, out.Rect, m, image.Pt(x, y), draw.Src)
	return out
}

// native is what the detector finds in this process.
func native(c *cascade.Cascade, o detector.Options, m image.Image) []detector.Detection {
	return must.Get(must.Get(detector.New(&o, c)).Detect(context.Background(), m))
}

func defaultModel() *cascade.Cascade { return must.Get(models.Open(models.Default)) }

// writeY4M makes a video that Chromium takes for a camera: frames one after
// the other, thirty a second, each scene for so many frames.
func writeY4M(t testing.TB, each int, scenes ...*image.RGBA) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "camera.y4m")
	f := must.Get(os.Create(path))
	w := video.NewY4M(f, video.Rate{Num: 30, Den: 1}, "")
	for _, m := range scenes {
		frame := video.To420(m)
		for i, v := range frame.Y { // video has 16 for black and 235 for white
			frame.Y[i] = byte(16 + int(v)*219/255)
		}
		for i := range frame.Cb {
			frame.Cb[i] = byte(128 + (int(frame.Cb[i])-128)*224/255)
			frame.Cr[i] = byte(128 + (int(frame.Cr[i])-128)*224/255)
		}
		for range each {
			must.Do(w.Write(frame, 0))
		}
	}
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
func (v *visit) shown() []face {
	v.Helper()
	text := tell[string](v, "document.getElementById('boxes').dataset.found ?? '[]'")
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

func sceneOf(c *cascade.Cascade, m image.Image) scene {
	every := c.Search
	every.MinCandidates = 1
	may := native(c, detector.Options{MinSize: image.Pt(40, 40), Search: &every}, m)
	must := native(c, detector.Options{MinSize: image.Pt(60, 60), MinNeighbors: 5}, m)
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

func (v *visit) waitFor(what string, ok func() bool) {
	v.Helper()
	for !ok() {
		select {
		case <-v.ctx.Done():
			v.Fatalf("%s: it did not happen in time", what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (v *visit) set(slider string, value float64) {
	v.Helper()
	v.do("{ const e = document.getElementById(%q); e.value = %v; e.dispatchEvent(new Event('input')); }", slider, value)
}

// followed watches the page until it has shown so many faces that were in the frame
// before, too, and demands that they keep their numbers.
func (v *visit) followed(want int) {
	t := v.T
	t.Helper()
	v.do(`
		globalThis.frames = [];
		globalThis.watch = new MutationObserver(() => frames.push(JSON.parse(document.getElementById("boxes").dataset.found)));
		watch.observe(document.getElementById("boxes"), { attributes: true, attributeFilter: ["data-found"] });`)
	var pairs, kept int
	v.waitFor("faces that are followed", func() bool {
		frames := tell[[][]face](v, "frames")
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
	v.do("watch.disconnect()")
	if 10*kept < 9*pairs { // where the scene changes, another face may be in a face's place
		t.Errorf("of %d faces that stayed where they were %d kept their numbers", pairs, kept)
	}
}

// The camera: faces of known frames and their numbers, sliders, keys, and a picture
// of it all.
func TestCamera(t *testing.T) {
	group := sample("group.png")
	left, right := cut(group, 0, 20, 640, 480), cut(group, 160, 20, 640, 480)
	model := defaultModel()
	wantLeft, wantRight := sceneOf(model, left), sceneOf(model, right)
	if len(wantLeft.must) < 3 || len(wantRight.must) < 3 {
		t.Fatalf("%d and %d faces are too few to tell the scenes apart by", len(wantLeft.must), len(wantRight.must))
	}
	v := visited(t, 6*time.Minute, "#live-min-size=60", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
		"--use-file-for-fake-video-capture="+writeY4M(t, 30, left, right))
	v.do(`
		globalThis.asked = [];
		const old = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
		navigator.mediaDevices.getUserMedia = (c) => { asked.push(c); return old(c); };`)
	before := tell[int](v, "asked.length")
	v.click("camera")
	v.waitFor("the faces of the left scene", func() bool { return wantLeft.seen(v.shown()) })
	v.waitFor("the faces of the right scene", func() bool { return wantRight.seen(v.shown()) })
	v.followed(100)
	asked := tell[[]struct{ Audio bool }](v, "asked.map(c => ({audio: Boolean(c.audio)}))")
	if before != 0 || len(asked) != 1 || asked[0].Audio {
		t.Errorf("the page asked %d times before the button was pressed, and then %+v: want one question, for the camera alone", before, asked)
	}

	// Speed, as the page itself shows it, of the fast model and of the default.
	for _, name := range []string{"face-fast", models.Default} {
		v.choose(name)
		time.Sleep(1500 * time.Millisecond)
		says := tell[[3]string](v, "['fps', 'milliseconds', 'scale-value'].map((id) => document.getElementById(id).textContent)")
		t.Logf("640x480, smallest 60, %s: %s searches, detector %s, scale %s", name, says[0], says[1], says[2])
	}
	v.screenshot("camera-light")

	// Sliders: only the large ones; none that is so sure; back again.
	v.set("min", 112)
	v.waitFor("a larger smallest size", func() bool {
		list := v.shown()
		return len(list) > 0 && !slices.ContainsFunc(list, func(f face) bool { return f.Height < 75 }) // corrected boxes are smaller
	})
	v.set("min", 400)
	v.waitFor("no face of 400 pixels", func() bool { return len(v.shown()) == 0 })
	v.set("min", 60)
	v.waitFor("all faces again", func() bool { return wantLeft.seen(v.shown()) })
	v.set("scale", 1.3)
	label := v.text("scale-value")
	if label != "1.30" {
		t.Errorf("the factor's label says %q", label)
	}
	v.set("scale", 1.1)

	// Keys.
	v.do("document.activeElement.blur()")
	v.key("+")
	v.until("document.getElementById('min').value === '64'")
	v.key("-")
	v.until("document.getElementById('min').value === '60'")
	v.key(" ")
	v.until("document.getElementById('video').paused && document.getElementById('pause').textContent === 'Go on'")

	// Results have the numbers.
	v.until("JSON.parse(document.getElementById('boxes').dataset.found).length > 2")
	// Both at once: a paused page may still search the frame at which it stopped.
	v.do("document.getElementById('save-json').click(); document.getElementById('save-csv').click()")
	var saved []struct{ Faces []face }
	data := v.saved("results.json")
	must.Do(json.Unmarshal(data, &saved))
	rows := must.Get(csv.NewReader(bytes.NewReader(v.saved("results.csv"))).ReadAll())
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
	v.key(" ")
	v.until("!document.getElementById('video').paused")

	v.view(390, 844, "dark", true)
	v.waitFor("faces on a phone", func() bool { return wantLeft.seen(v.shown()) })
	over := tell[int](v, "document.scrollingElement.scrollWidth - innerWidth")
	if over > 0 {
		t.Errorf("on a phone the page is %d pixels too wide", over)
	}
	small := tell[[]string](v, "[...document.querySelectorAll('button:not([hidden]), select')].filter(e => e.offsetParent && e.offsetHeight < 44).map(e => e.id)")
	if len(small) > 0 {
		t.Errorf("too small for a finger: %v", small)
	}
	v.screenshot("camera-phone-dark")

	v.key("c")
	v.until("document.getElementById('stage').classList.contains('empty')")
	v.noProblems()
}

// choose chooses a model of the list.
func (v *visit) choose(name string) {
	v.do("{ const e = document.getElementById('model'); e.value = [...e.options].find((o) => o.textContent === %q).value; e.dispatchEvent(new Event('change')); }", name)
}

// Live pictures are searched for larger faces only while a search takes long, and the page
// says so. What people have chosen stays.
func TestKeepsUp(t *testing.T) {
	group := cut(sample("group.png"), 0, 20, 640, 480)
	v := visited(t, 2*time.Minute, "", "--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream",
		"--use-file-for-fake-video-capture="+writeY4M(t, 30, group, group))
	v.do(`
		globalThis.speed = 100; // of a clock
		const now = performance.now.bind(performance);
		performance.now = () => speed * now();
		globalThis.text = (id) => document.getElementById(id).textContent;
		document.getElementById("camera").click();`)
	v.until(`text("min-value") === "90 pixels, to keep up" && text("scale-value") === "the model's"`) // which is larger
	v.choose("frontalface-opencv")
	v.until(`text("min-value") === "90 pixels, to keep up" && text("scale-value") === "1.20, to keep up"`)
	v.do("speed = 0.01")
	v.until(`text("min-value") === "60 pixels" && text("scale-value") === "the model's"`)
	v.do("speed = 100")
	v.set("min", 64)
	v.until(`text("min-value") === "64 pixels" && text("scale-value") === "1.20, to keep up"`)
	v.noProblems()
}

// A camera that is refused, and one that is not there.
func TestCameraRefused(t *testing.T) {
	v := visited(t, 6*time.Minute, "", "--use-fake-device-for-media-stream")
	must.Do(v.browser.Call(v.ctx, "Browser.setPermission", map[string]any{
		"origin": strings.TrimSuffix(v.site.url, "/"), "permission": map[string]any{"name": "camera"}, "setting": "denied"}, nil))
	v.click("camera")
	v.until("!document.getElementById('message').hidden")
	text := v.text("message")
	if !strings.Contains(text, "refused") || !strings.Contains(text, "allow") || !strings.Contains(text, "Pictures and videos work") {
		t.Errorf("the text is no help: %q", text)
	}
	v.screenshot("refused")
	// And pictures do work.
	v.drop(groupPath)
	v.until("document.getElementById('count').textContent > 0")
	v.noProblems()
}

// A picture that the browser does not get done with is given up, and the page says so.
func TestPictureThatTakesForever(t *testing.T) {
	v := visited(t, 2*time.Minute, "")
	v.do(`(() => {
		globalThis.createImageBitmap = () => new Promise(() => {});
		const wait = globalThis.setTimeout;
		globalThis.setTimeout = (f, ms) => wait(f, ms === 20_000 ? 50 : ms);
	})()`)
	v.drop(groupPath)
	v.until(`document.body.innerText.includes("group.png: this picture takes more than 20 s to read")`)
}

// Files that are dropped: a picture, a cascade of OpenCV's, what is neither;
// then blur and save, and all of it without the server.
func TestFilesAndOffline(t *testing.T) {
	v := visited(t, 6*time.Minute, "")
	v.until("navigator.serviceWorker.controller")

	// The server goes; what follows needs nothing of it.
	v.site.end()
	v.do("globalThis.beforeReload = true")
	must.Do(v.page.Call(v.ctx, "Page.reload", nil, nil))
	v.until("!globalThis.beforeReload && document.documentElement.dataset.ready === 'yes'")

	group := sample("group.png")
	want := native(defaultModel(), detector.Options{}, group)
	v.drop(groupPath)
	v.waitFor("the faces of the dropped picture", func() bool { return agree(v.shown(), want) })
	for i, f := range v.shown() {
		if f.box() != want[i].Box || int(f.Neighbors) != want[i].Neighbors || f.Track != 0 || f.Shown != nil {
			t.Errorf("face %d is %+v in the browser, %+v here", i, f, want[i])
		}
	}
	v.view(1280, 860, "dark", false)
	v.screenshot("picture-dark")

	v.key("b")
	saved := v.saved("group-blurred.png")
	blurred := must.Get(png.Decode(bytes.NewReader(saved)))
	if blurred.Bounds() != group.Bounds() {
		t.Errorf("the blurred picture is %v, want %v", blurred.Bounds(), group.Bounds())
	}
	left := native(defaultModel(), detector.Options{MinSize: image.Pt(40, 40)}, blurred)
	for _, w := range want {
		if slices.ContainsFunc(left, func(d detector.Detection) bool { return same(d.Box, w.Box) }) {
			t.Errorf("the face at %v can still be found in the blurred picture", w.Box)
		}
	}
	must.Do(chromium.Keep("blurred.png", saved))

	// OpenCV's XML.
	xml := must.Get(filepath.Abs("../cascade/detector/testdata/parity/upright-stumps.xml"))
	c := must.Get(cascade.Open(xml))
	want = native(c, detector.Options{}, group)
	said := func() string { // by the page about itself
		return tell[string](v, "document.title + ' ' + document.querySelector('header p').textContent")
	}
	if text := said(); strings.Count(text, "faces") != 2 {
		t.Errorf("of a model of faces the page says %q", text)
	}
	v.drop(xml)
	v.until("document.getElementById('model').selectedOptions[0].textContent === 'upright-stumps.xml'")
	if text := said(); strings.Contains(text, "face") || strings.Count(text, "objects") != 2 {
		t.Errorf("of a model that does not say what it finds the page says %q", text)
	}
	v.waitFor("what the dropped cascade finds", func() bool { return agree(v.shown(), want) })
	v.do("document.activeElement.blur()")
	v.key("m")
	v.until("document.getElementById('model').selectedOptions[0].textContent === %q", models.Default)

	// What is neither says so, and all goes on.
	for name, text := range map[string]string{"broken.xml": "<html></html>", "notes.txt": "hello"} {
		path := filepath.Join(t.TempDir(), name)
		must.Do(os.WriteFile(path, []byte(text), 0o666))
		v.drop(path)
		v.until("document.getElementById('message').textContent.startsWith(%q)", name)
	}
	v.noProblems()
}
