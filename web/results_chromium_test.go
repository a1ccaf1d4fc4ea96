//go:build chromium

package web_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/chromium"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
)

// several opens files of these names as the file dialog does.
func several(t testing.TB, ctx context.Context, p *chromium.Page, paths ...string) {
	t.Helper()
	var document struct {
		Root struct {
			NodeID int `json:"nodeId"`
		} `json:"root"`
	}
	must.Do(p.Call(ctx, "DOM.getDocument", nil, &document))
	var input struct {
		NodeID int `json:"nodeId"`
	}
	must.Do(p.Call(ctx, "DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": "#file"}, &input))
	must.Do(p.Call(ctx, "DOM.setFileInputFiles", map[string]any{"files": paths, "nodeId": input.NodeID}, nil))
}

func savePNG(t testing.TB, path string, m image.Image) {
	t.Helper()
	f, err := os.Create(path)
	must.Do(err)
	must.Do(png.Encode(f, m))
	must.Do(f.Close())
}

// fetch waits for a download and returns it. It is whole when it grows no more.
func fetch(t testing.TB, ctx context.Context, path string) []byte {
	t.Helper()
	size, since := int64(-1), time.Now()
	waitFor(t, ctx, path, func() bool {
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
	data, err := os.ReadFile(path)
	must.Do(err)
	must.Do(os.Remove(path))
	return data
}

// Several pictures make a contact sheet; results are saved as JSON, CSV and a
// picture; two models are compared and measured; the address keeps the settings.
func TestResults(t *testing.T) {
	ctx := limited(t, 6*time.Minute)
	b := browser(t)
	s := start(t)
	p := open(t, ctx, b, s.url)
	downloads, dir := t.TempDir(), t.TempDir()
	must.Do(b.Call(ctx, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads}, nil))
	group := sample(t, "group.png")
	left, none := filepath.Join(dir, "left, half.png"), filepath.Join(dir, "none.png")
	savePNG(t, left, cut(group, 0, 0, 400, 500))
	savePNG(t, none, image.NewGray(image.Rect(0, 0, 300, 200)))
	whole, err := filepath.Abs("../samples/group.png")
	must.Do(err)
	several(t, ctx, p, whole, left, none)
	model := defaultModel(t)
	var counts []string
	for _, m := range []image.Image{group, cut(group, 0, 0, 400, 500), image.NewGray(image.Rect(0, 0, 300, 200))} {
		rgba := image.NewRGBA(m.Bounds())
		draw.Draw(rgba, rgba.Rect, m, image.Point{}, draw.Src)
		counts = append(counts, fmt.Sprint(len(native(t, model, detector.Options{}, rgba))))
	}
	want := strings.Join(counts, " ")
	must.Do(p.Until(ctx, fmt.Sprintf("[...document.querySelectorAll('#gallery span')].map((e) => e.textContent).join(' ') === %q", want)))
	screenshot(t, ctx, p, "gallery")

	// Points, and what is saved.
	must.Do(p.Eval(ctx, "document.getElementById('points').click()", nil))
	must.Do(p.Until(ctx, "JSON.parse(document.getElementById('boxes').dataset.found).every((f) => f.points?.length === 10)"))
	must.Do(p.Until(ctx, fmt.Sprintf("[...document.querySelectorAll('#gallery span')].map((e) => e.textContent).join(' ') === %q", want)))
	must.Do(p.Until(ctx, "document.getElementById('gallery').dataset.searched === 'yes'"))
	must.Do(p.Eval(ctx, "document.getElementById('save-json').click()", nil))
	var all []jsonout.Picture
	data := fetch(t, ctx, filepath.Join(downloads, "results.json"))
	must.Do(json.Unmarshal(data, &all))
	if len(all) != 3 || all[0].File != "group.png" || all[0].Width != 800 || fmt.Sprint(len(all[0].Faces)) != counts[0] || all[0].Faces[0].Points == nil || len(*all[0].Faces[0].Points) != 5 {
		t.Errorf("JSON: %s", data)
	}
	must.Do(p.Eval(ctx, "document.getElementById('save-csv').click()", nil))
	r := csv.NewReader(strings.NewReader(string(fetch(t, ctx, filepath.Join(downloads, "results.csv")))))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 1+len(all[0].Faces)+len(all[1].Faces) || rows[len(rows)-1][0] != "left, half.png" {
		t.Errorf("CSV: %v %v", err, rows)
	}
	must.Do(p.Eval(ctx, "document.getElementById('save-picture').click()", nil))
	drawn, err := png.Decode(strings.NewReader(string(fetch(t, ctx, filepath.Join(downloads, "group-found.png")))))
	if err != nil || drawn.Bounds() != group.Bounds() {
		t.Errorf("the picture: %v", err)
	}

	// Two models.
	must.Do(p.Eval(ctx, `{
		const e = document.getElementById("compare");
		e.value = [...e.options].find((o) => o.textContent === "face-fast").value;
		e.dispatchEvent(new Event("change"));
	}`, nil))
	must.Do(p.Until(ctx, "JSON.parse(document.getElementById('boxes').dataset.other).length > 5 && document.getElementById('count').textContent.includes('·')"))
	view(t, ctx, p, 1280, 860, "dark", false)
	screenshot(t, ctx, p, "compare-dark")
	must.Do(p.Eval(ctx, "document.getElementById('benchmark').open = true; document.getElementById('measure').click()", nil))
	must.Do(p.Until(ctx, "document.getElementById('measured').tBodies[0].rows.length === document.getElementById('model').options.length && document.getElementById('working').hidden"))
	screenshot(t, ctx, p, "benchmark-dark")

	// The next picture by a key, on a phone.
	view(t, ctx, p, 390, 844, "light", true)
	must.Do(p.Eval(ctx, "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))", nil))
	must.Do(p.Until(ctx, "document.querySelector('#gallery [aria-current=true]').title === 'left, half.png'"))
	screenshot(t, ctx, p, "gallery-phone")
	// The address is all of it.
	var address string
	must.Do(p.Eval(ctx, "document.activeElement.blur(); location.href", &address))
	if !strings.Contains(address, "compare=face-fast") || !strings.Contains(address, "points=face5") {
		t.Errorf("the address: %s", address)
	}
	q := open(t, ctx, b, address+"&min-size=80&scale=1.2")
	var got string
	must.Do(q.Eval(ctx, "[document.getElementById('compare').selectedOptions[0].textContent, document.getElementById('points').checked, document.getElementById('min').value, document.getElementById('scale').value].join(' ')", &got))
	if got != "face-fast true 80 1.2" {
		t.Errorf("from the address: %s", got)
	}
	noProblems(t, p)
}

// A search that takes too long can be cancelled, and the next one works.
func TestCancel(t *testing.T) {
	ctx := limited(t, 6*time.Minute)
	b := browser(t)
	s := start(t)
	p := open(t, ctx, b, s.url)
	group := sample(t, "group.png")
	large := image.NewRGBA(image.Rect(0, 0, 2000, 2000))
	for y := 0; y < 2000; y += 500 {
		for x := 0; x < 2000; x += 800 {
			draw.Draw(large, image.Rect(x, y, x+800, y+500), group, image.Point{}, draw.Src)
		}
	}
	path := filepath.Join(t.TempDir(), "large.png")
	savePNG(t, path, large)
	set(t, ctx, p, "scale", 1.05)
	must.Do(p.Eval(ctx, "globalThis.seen = 0; new MutationObserver((_, o) => { if (!document.getElementById('working').hidden) { seen++; o.disconnect(); document.getElementById('cancel').click(); } }).observe(document.getElementById('working'), { attributes: true })", nil))
	several(t, ctx, p, path)
	must.Do(p.Until(ctx, "seen > 0 && document.getElementById('message').textContent.includes('cancelled')"))
	small, err := filepath.Abs("../samples/group.png")
	must.Do(err)
	several(t, ctx, p, small)
	must.Do(p.Until(ctx, "JSON.parse(document.getElementById('boxes').dataset.found).length > 8"))
	noProblems(t, p)
}

// A whole video is blurred in the browser: its frames come out, in their size, and
// no face can be found in them.
func TestBlurVideo(t *testing.T) {
	ctx := limited(t, 8*time.Minute)
	b := browser(t)
	s := start(t)
	p := open(t, ctx, b, s.url)
	downloads := t.TempDir()
	must.Do(b.Call(ctx, "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads}, nil))
	path := filepath.Join(t.TempDir(), "pan.webm")
	must.Do(os.WriteFile(path, film(t, ctx, p), 0o666))
	several(t, ctx, p, path)
	must.Do(p.Until(ctx, "!document.getElementById('blur-video').hidden"))
	must.Do(p.Eval(ctx, "document.getElementById('blur-video').click()", nil))
	made := fetch(t, ctx, filepath.Join(downloads, "pan-blurred.webm"))
	screenshot(t, ctx, p, "blurred-video")
	out := filepath.Join(t.TempDir(), "blurred.webm")
	must.Do(os.WriteFile(out, made, 0o666))
	if dir := os.Getenv("HAARLEM_SCREENSHOTS"); dir != "" {
		must.Do(os.WriteFile(filepath.Join(dir, "blurred.webm"), made, 0o666))
	}
	// It plays in the page, which finds nothing in any frame.
	must.Do(p.Eval(ctx, `globalThis.frames = 0; globalThis.faces = 0;
		new MutationObserver(() => { frames++; faces += JSON.parse(document.getElementById("boxes").dataset.found).length; })
			.observe(document.getElementById("boxes"), { attributes: true, attributeFilter: ["data-found"] });`, nil))
	several(t, ctx, p, out)
	must.Do(p.Until(ctx, "frames > 20"))
	var faces, width int
	must.Do(p.Eval(ctx, "faces", &faces))
	must.Do(p.Eval(ctx, "document.getElementById('video').videoWidth", &width))
	if faces != 0 || width != 640 {
		t.Errorf("%d faces in the blurred video of width %d", faces, width)
	}
	noProblems(t, p)
}
