//go:build chromium

package web_test

import (
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
	"haarlem/internal/obscure"
	"haarlem/internal/picturetest"
)

// several opens files of these names as the file dialog does.
func (v *visit) several(paths ...string) {
	v.Helper()
	var document struct {
		Root struct {
			NodeID int `json:"nodeId"`
		} `json:"root"`
	}
	must.Do(v.page.Call(v.ctx, "DOM.getDocument", nil, &document))
	var input struct {
		NodeID int `json:"nodeId"`
	}
	must.Do(v.page.Call(v.ctx, "DOM.querySelector", map[string]any{"nodeId": document.Root.NodeID, "selector": "#file"}, &input))
	must.Do(v.page.Call(v.ctx, "DOM.setFileInputFiles", map[string]any{"files": paths, "nodeId": input.NodeID}, nil))
}

// Several pictures make a contact sheet; results are saved as JSON, CSV and a
// picture; two models are compared and measured; the address keeps the settings.
func TestResults(t *testing.T) {
	v := visited(t, 6*time.Minute, "")
	dir := t.TempDir()
	group := sample("group.png")
	left, none := filepath.Join(dir, "left, half.png"), filepath.Join(dir, "none.png")
	picturetest.Save(left, cut(group, 0, 0, 400, 500))
	picturetest.Save(none, image.NewGray(image.Rect(0, 0, 300, 200)))
	v.several(groupPath, left, none)
	model := defaultModel()
	var counts []string
	for _, m := range []image.Image{group, cut(group, 0, 0, 400, 500), image.NewGray(image.Rect(0, 0, 300, 200))} {
		counts = append(counts, fmt.Sprint(len(native(model, detector.Options{}, obscure.Copy(m)))))
	}
	want := strings.Join(counts, " ")
	v.until("[...document.querySelectorAll('#gallery span')].map((e) => e.textContent).join(' ') === %q", want)
	v.screenshot("gallery")

	// Points, and what is saved.
	v.click("points")
	v.until("JSON.parse(document.getElementById('boxes').dataset.found).every((f) => f.points?.length === 10)")
	v.until("[...document.querySelectorAll('#gallery span')].map((e) => e.textContent).join(' ') === %q", want)
	v.until("document.getElementById('gallery').dataset.searched === 'yes'")
	v.click("save-json")
	var all []jsonout.Picture
	data := v.saved("results.json")
	must.Do(json.Unmarshal(data, &all))
	if len(all) != 3 || all[0].File != "group.png" || all[0].Width != 800 || fmt.Sprint(len(all[0].Faces)) != counts[0] || all[0].Faces[0].Points == nil || len(*all[0].Faces[0].Points) != 5 {
		t.Errorf("JSON: %s", data)
	}
	v.click("save-csv")
	r := csv.NewReader(strings.NewReader(string(v.saved("results.csv"))))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil || len(rows) != 1+len(all[0].Faces)+len(all[1].Faces) || rows[len(rows)-1][0] != "left, half.png" {
		t.Errorf("CSV: %v %v", err, rows)
	}
	v.click("save-picture")
	drawn, err := png.Decode(strings.NewReader(string(v.saved("group-found.png"))))
	if err != nil || drawn.Bounds() != group.Bounds() {
		t.Errorf("the picture: %v", err)
	}

	// Two models.
	v.do(`{
		const e = document.getElementById("compare");
		e.value = [...e.options].find((o) => o.textContent === "face-fast").value;
		e.dispatchEvent(new Event("change"));
	}`)
	v.until("JSON.parse(document.getElementById('boxes').dataset.other).length > 5 && document.getElementById('count').textContent.includes('·')")
	v.view(1280, 860, "dark", false)
	v.screenshot("compare-dark")
	v.do("document.getElementById('benchmark').open = true; document.getElementById('measure').click()")
	v.until("document.getElementById('measured').tBodies[0].rows.length === document.getElementById('model').options.length && document.getElementById('working').hidden")
	v.screenshot("benchmark-dark")

	// The next picture by a key, on a phone.
	v.view(390, 844, "light", true)
	v.do("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))")
	v.until("document.querySelector('#gallery [aria-current=true]').title === 'left, half.png'")
	v.screenshot("gallery-phone")
	// The address is all of it.
	address := tell[string](v, "document.activeElement.blur(); location.href")
	if !strings.Contains(address, "compare=face-fast") || !strings.Contains(address, "points=face5") {
		t.Errorf("the address: %s", address)
	}
	q := v.open(address + "&min-size=80&scale=1.2")
	got := tell[string](q, "[document.getElementById('compare').selectedOptions[0].textContent, document.getElementById('points').checked, document.getElementById('min').value, document.getElementById('scale').value].join(' ')")
	if got != "face-fast true 80 1.2" {
		t.Errorf("from the address: %s", got)
	}
	v.noProblems()
}

// A search that takes too long can be cancelled, and the next one works.
func TestCancel(t *testing.T) {
	v := visited(t, 6*time.Minute, "")
	group := sample("group.png")
	large := image.NewRGBA(image.Rect(0, 0, 2000, 2000))
	for y := 0; y < 2000; y += 500 {
		for x := 0; x < 2000; x += 800 {
			draw.Draw(large, image.Rect(x, y, x+800, y+500), group, image.Point{}, draw.Src)
		}
	}
	path := filepath.Join(t.TempDir(), "large.png")
	picturetest.Save(path, large)
	v.set("scale", 1.05)
	v.do("globalThis.seen = 0; new MutationObserver((_, o) => { if (!document.getElementById('working').hidden) { seen++; o.disconnect(); document.getElementById('cancel').click(); } }).observe(document.getElementById('working'), { attributes: true })")
	v.several(path)
	v.until("seen > 0 && document.getElementById('message').textContent.includes('cancelled')")
	v.several(groupPath)
	v.until("JSON.parse(document.getElementById('boxes').dataset.found).length > 8")
	v.noProblems()
}

// A whole video is blurred in the browser: its frames come out, in their size, and
// no face can be found in them.
func TestBlurVideo(t *testing.T) {
	v := visited(t, 8*time.Minute, "")
	path := filepath.Join(t.TempDir(), "pan.webm")
	must.Do(os.WriteFile(path, v.film(), 0o666))
	v.several(path)
	v.until("!document.getElementById('blur-video').hidden")
	v.click("blur-video")
	made := v.saved("pan-blurred.webm")
	v.screenshot("blurred-video")
	out := filepath.Join(t.TempDir(), "blurred.webm")
	must.Do(os.WriteFile(out, made, 0o666))
	must.Do(chromium.Keep("blurred.webm", made))
	// It plays in the page, which finds nothing in any frame.
	v.do(`globalThis.frames = 0; globalThis.faces = 0;
		new MutationObserver(() => { frames++; faces += JSON.parse(document.getElementById("boxes").dataset.found).length; })
			.observe(document.getElementById("boxes"), { attributes: true, attributeFilter: ["data-found"] });`)
	v.several(out)
	v.until("frames > 20")
	faces, width := tell[int](v, "faces"), tell[int](v, "document.getElementById('video').videoWidth")
	if faces != 0 || width != 640 {
		t.Errorf("%d faces in the blurred video of width %d", faces, width)
	}
	v.noProblems()
}
