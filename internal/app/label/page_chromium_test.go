//go:build chromium

package label

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/chromium"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/models/facefast"
)

// These tests need Chromium, and run with -tags chromium. They write what they see into
// the folder that HAARLEM_SCREENSHOTS names, if it does.

// A visitor is somebody with a browser.
type visitor struct {
	*chromium.Page
	t   *testing.T
	ctx context.Context
}

func visit(t *testing.T, s *Server, size image.Point, touch bool) *visitor {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 6*time.Minute)
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.Close()
		cancel()
	})
	b := chromium.ForTest(t)
	p := must.Get(b.NewPage(ctx))
	v := &visitor{p, t, ctx}
	v.look(size, "light")
	if touch {
		v.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true, "maxTouchPoints": 3})
	}
	must.Do(p.Open(ctx, server.URL))
	v.until("document.documentElement.dataset.ready === 'yes'")
	t.Cleanup(func() {
		if ctx.Err() != nil {
			return
		}
		for _, problem := range p.Problems() {
			if !strings.Contains(problem, "409 (Conflict)") { // which is an answer, and not a fault
				t.Error(problem)
			}
		}
	})
	return v
}

func (v *visitor) do(method string, params any) {
	v.t.Helper()
	must.Do(v.Call(v.ctx, method, params, nil))
}

func (v *visitor) until(condition string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, time.Minute)
	defer cancel()
	if err := v.Until(ctx, condition); err != nil {
		v.t.Fatal(err)
	}
}

func (v *visitor) look(size image.Point, scheme string) {
	v.t.Helper()
	must.Do(v.View(v.ctx, size.X, size.Y, scheme, false))
}

func (v *visitor) shot(name string) {
	v.t.Helper()
	if os.Getenv("HAARLEM_SCREENSHOTS") != "" {
		time.Sleep(700 * time.Millisecond) // for thumbnails
		must.Do(chromium.Keep(name+".png", must.Get(v.Screenshot(v.ctx))))
	}
}

// at returns where a place of the picture is on the page.
func (v *visitor) at(x, y float64) (float64, float64) {
	v.t.Helper()
	must.Do(v.Eval(v.ctx, "await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))", nil))
	var text string
	must.Do(v.Eval(v.ctx, `(() => { const c = document.getElementById("view"), r = c.getBoundingClientRect();
		return JSON.stringify({ ...JSON.parse(c.dataset.view), x: r.left, y: r.top }); })()`, &text))
	var p struct{ Scale, Left, Top, X, Y float64 }
	must.Do(json.Unmarshal([]byte(text), &p))
	return p.X + p.Left + x*p.Scale, p.Y + p.Top + y*p.Scale
}

// drag presses at a place of the picture, moves, and lets go.
func (v *visitor) drag(x0, y0, x1, y1 float64) {
	v.t.Helper()
	ax, ay := v.at(x0, y0)
	bx, by := v.at(x1, y1)
	send := func(kind string, x, y float64, buttons int) {
		v.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1})
	}
	send("mouseMoved", ax, ay, 0)
	send("mousePressed", ax, ay, 1)
	send("mouseMoved", (ax+bx)/2, (ay+by)/2, 1)
	send("mouseMoved", bx, by, 1)
	send("mouseReleased", bx, by, 0)
}

func (v *visitor) click(x, y float64) { v.t.Helper(); v.drag(x, y, x, y) }

// touch drags fingers, each from a place of the picture to another.
func (v *visitor) touch(paths ...[4]float64) {
	v.t.Helper()
	at := func(part float64) []any {
		var all []any
		for i, p := range paths {
			x, y := p[0]+(p[2]-p[0])*part, p[1]+(p[3]-p[1])*part
			all = append(all, map[string]any{"x": x, "y": y, "id": i})
		}
		return all
	}
	for i := range paths {
		paths[i][0], paths[i][1] = v.at(paths[i][0], paths[i][1])
		paths[i][2], paths[i][3] = v.at(paths[i][2], paths[i][3])
	}
	v.do("Input.dispatchTouchEvent", map[string]any{"type": "touchStart", "touchPoints": at(0)})
	for i := 1; i <= 4; i++ {
		v.do("Input.dispatchTouchEvent", map[string]any{"type": "touchMove", "touchPoints": at(float64(i) / 4)})
	}
	v.do("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []any{}})
}

// Modifiers of keys.
const (
	alt   = 1
	ctrl  = 2
	shift = 8
)

func (v *visitor) press(key string, modifiers int) {
	v.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		v.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "modifiers": modifiers})
	}
}

func (v *visitor) button(id string) {
	v.t.Helper()
	must.Do(v.Eval(v.ctx, fmt.Sprintf("document.getElementById(%q).click()", id), nil))
}

// fill types into a form of the page and sends it.
func (v *visitor) fill(form, field, text string) {
	v.t.Helper()
	must.Do(v.Eval(v.ctx, fmt.Sprintf("document.getElementById(%q).value = %q; document.getElementById(%q).requestSubmit()", field, text, form), nil))
}

// choose scrolls through the list, which has only the rows in sight, and goes to a
// picture.
func (v *visitor) choose(name string) {
	v.t.Helper()
	v.until(fmt.Sprintf(`await (async () => {
		const list = document.getElementById("list");
		for (let top = 0; top < list.scrollHeight; top += 200) {
			const row = [...document.querySelectorAll("#rows button")].find((b) => b.title === %q);
			if (row) {
				row.click();
				return true;
			}
			list.scrollTop = top;
			await new Promise((r) => setTimeout(r, 40));
		}
	})()`, name))
	v.until(fmt.Sprintf("location.hash === '#%s' && JSON.parse(document.getElementById('view').dataset.view).picture === %q", name, name))
}

// file waits until the working file is as wanted.
func (v *visitor) file(s *Server, what, want string) {
	v.t.Helper()
	got := ""
	for range 400 {
		b, _ := os.ReadFile(s.Labels())
		if got = string(b); got == want {
			v.until("document.getElementById('saved').dataset.state === 'saved'")
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	v.t.Fatalf("%s: the file is\n%swant\n%s", what, got, want)
}

func TestMouse(t *testing.T) {
	s := open(t, &Options{Folder: photos(t)})
	v := visit(t, s, image.Pt(1440, 900), false)
	v.choose("room.png")
	const head = "file,x,y,width,height\n"
	v.drag(100, 120, 300, 260)
	v.file(s, "drawn", head+"room.png,100,120,200,140\n")
	v.drag(200, 200, 230, 190)
	v.file(s, "moved", head+"room.png,130,110,200,140\n")
	v.drag(330, 250, 350, 300)
	v.file(s, "resized", head+"room.png,130,110,220,190\n")
	v.drag(130, 200, 100, 220) // the left edge
	v.file(s, "its edge", head+"room.png,100,110,250,190\n")
	v.click(700, 400) // away
	v.drag(110, 120, 90, 100)
	v.file(s, "drawn over another", head+"room.png,100,110,250,190\nroom.png,90,100,20,20\n")

	// Tags: of the selected one, and of the next.
	v.fill("new-class", "new-class-name", "cup")
	const tagged = "file,x,y,width,height,class\n"
	v.file(s, "tagged", tagged+"room.png,100,110,250,190,\nroom.png,90,100,20,20,cup\n")
	v.click(700, 400)
	v.drag(500, 400, 560, 450)
	v.file(s, "tagged by itself", tagged+"room.png,100,110,250,190,\nroom.png,90,100,20,20,cup\nroom.png,500,400,60,50,cup\n")
	v.click(340, 290)
	v.press("1", 0)
	v.file(s, "tagged by a key", tagged+"room.png,100,110,250,190,cup\nroom.png,90,100,20,20,cup\nroom.png,500,400,60,50,cup\n")
	v.fill("new-column", "new-column-name", "colour")
	must.Do(v.Eval(v.ctx, `{ const e = document.querySelector('[data-tag="colour"]'); e.value = "deep, red"; e.dispatchEvent(new Event("change")); e.blur(); }`, nil))
	const all = "file,x,y,width,height,class,colour\nroom.png,100,110,250,190,cup,\"deep, red\"\nroom.png,90,100,20,20,cup,\nroom.png,500,400,60,50,cup,\n"
	v.file(s, "another tag", all)

	// Back and forth.
	v.press("z", ctrl)
	v.press("z", ctrl)
	v.press("z", ctrl)
	v.file(s, "undone", "file,x,y,width,height,class,colour\nroom.png,100,110,250,190,,\nroom.png,90,100,20,20,cup,\n")
	v.press("z", ctrl|shift)
	v.button("redo")
	v.press("y", ctrl)
	v.file(s, "redone", all)

	// Zoomed in, a box is still where it was drawn; undo is there after coming back.
	x, y := v.at(600, 150)
	for range 6 {
		v.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -120})
	}
	if nx, ny := v.at(600, 150); nx-x > 1.5 || x-nx > 1.5 || ny-y > 1.5 || y-ny > 1.5 {
		t.Errorf("zooming moved %v,%v to %v,%v", x, y, nx, ny)
	}
	v.click(640, 190)
	v.drag(590, 140, 620, 170)
	v.file(s, "zoomed", all+"room.png,590,140,30,30,cup,\n")
	v.choose("group.png")
	v.press("x", 0)
	v.file(s, "no object", all+"room.png,590,140,30,30,cup,\ngroup.png,,,,,,\n")
	v.choose("room.png")
	v.press("z", ctrl)
	v.file(s, "undone later", all+"group.png,,,,,,\n")

	// The file that training takes.
	photos, err := samples.ReadTruth(s.Labels(), samples.Auto)
	if err != nil || len(photos) != 2 || len(photos[0].Objects) != 3 || len(photos[1].Objects) != 0 {
		t.Errorf("as truth: %+v, %v", photos, err)
	}
	must.Do(v.Eval(v.ctx, "document.querySelector('[data-format=\"voc\"]').click()", nil))
	v.until("document.getElementById('message').textContent.includes('3 objects in 2 pictures')")
	if photos, err = samples.ReadTruth(strings.TrimSuffix(s.Labels(), ".csv")+".export/voc", samples.VOC); err != nil || len(photos) != 2 {
		t.Errorf("as VOC: %+v, %v", photos, err)
	}
}

// All of it without a mouse.
func TestKeys(t *testing.T) {
	s := open(t, &Options{Folder: photos(t)})
	v := visit(t, s, image.Pt(1280, 860), false)
	v.choose("group.png")
	const head = "file,x,y,width,height\n"
	v.press("n", 0)
	v.file(s, "new", head+"group.png,338,188,125,125\n")
	v.press("ArrowRight", 0)
	v.press("ArrowRight", 0)
	v.press("ArrowUp", shift)
	v.press("ArrowLeft", alt)
	v.press("ArrowDown", alt|shift)
	v.file(s, "moved and resized", head+"group.png,340,178,124,135\n")
	v.press("c", ctrl)
	v.press("v", ctrl)
	v.file(s, "pasted", head+"group.png,340,178,124,135\ngroup.png,352,190,124,135\n")
	v.press("i", 0)
	v.file(s, "ignored", "file,x,y,width,height,ignore\ngroup.png,340,178,124,135,\ngroup.png,352,190,124,135,1\n")
	v.press("j", 0)
	v.press("Delete", 0)
	v.file(s, "deleted", "file,x,y,width,height,ignore\ngroup.png,352,190,124,135,1\n")
	v.press("v", 0)
	v.until("document.querySelector('[data-tool=\"select\"]').ariaChecked === 'true'")
	v.press("w", 0)
	v.until("document.querySelector('[data-tool=\"box\"]').ariaChecked === 'true'")
	v.press("d", 0)
	v.until("location.hash === '#room.png'")
	v.press("a", 0)
	v.until("location.hash === '#group.png'")
	v.press("k", 0)
	v.press("Delete", 0)
	v.file(s, "all deleted", "file,x,y,width,height,ignore\ngroup.png,,,,,0\n")
	v.press("z", ctrl)
	v.file(s, "undone", "file,x,y,width,height,ignore\ngroup.png,352,190,124,135,1\n")

	// Words in a field are no commands.
	must.Do(v.Eval(v.ctx, "document.getElementById('new-class-name').focus()", nil))
	v.press("Delete", 0)
	v.press("x", 0)
	v.press("Escape", 0)
	v.press("?", 0)
	v.until("document.getElementById('keys').open")
	v.shot("keys")
	v.press("Delete", 0)
	v.file(s, "nothing happened", "file,x,y,width,height,ignore\ngroup.png,352,190,124,135,1\n")
}

func TestTouch(t *testing.T) {
	dir := photos(t)
	write(t, filepath.Join(dir, "labels.csv"), "file,left_x,left_y,right_x,right_y\n")
	s := open(t, &Options{Folder: dir})
	v := visit(t, s, image.Pt(1024, 768), true)
	v.choose("room.png")
	const head = "file,left_x,left_y,right_x,right_y,x,y,width,height\n"
	v.touch([4]float64{100, 100, 300, 250})
	v.file(s, "drawn", head+"room.png,,,,,100,100,200,150\n")
	v.touch([4]float64{200, 170, 240, 200})
	v.file(s, "moved", head+"room.png,,,,,140,130,200,150\n")
	v.touch([4]float64{342, 283, 382, 303}) // a finger beside the corner
	v.file(s, "resized", head+"room.png,,,,,140,130,240,170\n")

	// Two fingers zoom, and draw nothing.
	var before, after float64
	const scale = "JSON.parse(document.getElementById('view').dataset.view).scale"
	must.Do(v.Eval(v.ctx, scale, &before))
	v.touch([4]float64{500, 100, 450, 50}, [4]float64{560, 160, 640, 240})
	v.at(0, 0)
	must.Do(v.Eval(v.ctx, scale, &after))
	if after < 1.5*before {
		t.Errorf("two fingers zoomed from %v to %v", before, after)
	}
	v.file(s, "zoomed", head+"room.png,,,,,140,130,240,170\n")
	v.button("fit")

	// Points: of the selected box, one after the other; what was placed moves.
	must.Do(v.Eval(v.ctx, `document.querySelector('[data-tool="point"]').click()`, nil))
	v.touch([4]float64{200, 200, 200, 200})
	v.file(s, "one point", head+"room.png,200,200,,,140,130,240,170\n")
	v.until("document.querySelector('#rows .part') && document.getElementById('hint').textContent === 'Place: right (2 of 2)'")
	v.touch([4]float64{300, 210, 300, 210})
	v.touch([4]float64{200, 200, 210, 190})
	v.file(s, "two points", head+"room.png,210,190,300,210,140,130,240,170\n")
	// The next finger begins an object of points alone.
	v.touch([4]float64{600, 400, 600, 400})
	v.touch([4]float64{700, 420, 700, 420})
	v.file(s, "an object of points", head+"room.png,210,190,300,210,140,130,240,170\nroom.png,600,400,700,420,,,,\n")
	v.shot("tablet-points")
	photos, err := samples.ReadTruth(s.Labels(), samples.Auto)
	if err != nil || len(photos[0].Objects) != 2 || len(photos[0].Objects[1].Marks) != 2 {
		t.Errorf("as truth: %+v, %v", photos, err)
	}
}

// withModel opens a folder with a model, and labels of which one is wrong.
func withModel(t *testing.T, text string) *Server {
	t.Helper()
	dir := photos(t)
	c := must.Get(facefast.Cascade())
	if text != "" {
		write(t, filepath.Join(dir, "labels.csv"), text)
	}
	return open(t, &Options{Folder: dir, Model: c, Name: "face-fast"})
}

// objects are those of group.png in the file.
func (v *visitor) objects(s *Server) []samples.Object {
	v.t.Helper()
	v.until("document.getElementById('saved').dataset.state === 'saved'")
	photos := must.Get(samples.ReadTruth(s.Labels(), samples.Auto))
	for _, p := range photos {
		if filepath.Base(p.File) == "group.png" {
			return p.Objects
		}
	}
	return nil
}

func TestProposals(t *testing.T) {
	s := withModel(t, "")
	v := visit(t, s, image.Pt(1440, 900), false)
	v.choose("group.png")
	const proposals = "document.querySelectorAll('#objects .proposal').length"
	v.until(proposals + " >= 11")
	var n int
	must.Do(v.Eval(v.ctx, proposals, &n))
	v.shot("proposals")

	// Without a selection, Enter accepts the one under the cursor, and none elsewhere.
	truth := must.Get(samples.ReadTruth(filepath.Join("..", "..", "..", "samples", "group.csv"), samples.Auto))
	face := truth[0].Objects[0].Box
	for at, left := range map[image.Point]int{image.Pt(2, 2): n, face.Min.Add(face.Max).Div(2): n - 1} {
		x, y := v.at(float64(at.X), float64(at.Y))
		v.do("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": x, "y": y})
		v.press("Enter", 0)
		v.until(fmt.Sprintf("%s === %d", proposals, left))
		if left < n {
			if got := v.objects(s); len(got) != 1 || !same(got[0].Box, face) {
				t.Errorf("under the cursor: %v, want %v", got, face)
			}
			v.press("z", ctrl)
			v.until(fmt.Sprintf("%s === %d", proposals, n))
		}
		v.press("Escape", 0)
	}

	// The best is accepted, the second rejected, the third corrected.
	v.press("j", 0)
	v.press("Enter", 0)
	v.until(fmt.Sprintf("%s === %d", proposals, n-1))
	v.press("Delete", 0)
	v.until(fmt.Sprintf("%s === %d && document.getElementById('saved').dataset.state === 'saved'", proposals, n-2))
	if got := v.objects(s); len(got) != 1 {
		t.Fatalf("%d objects", len(got))
	}
	if got := read(t, filepath.Join(filepath.Dir(s.Labels()), "labels.review.csv")); strings.Count(got, ",reject\n") != 1 {
		t.Errorf("the decisions are\n%s", got)
	}
	var text string
	must.Do(v.Eval(v.ctx, "document.querySelector('#objects [aria-current=\"true\"] span:last-child').textContent", &text))
	v.press("ArrowRight", shift)
	v.until(fmt.Sprintf("%s <= %d", proposals, n-3))
	if got := v.objects(s); len(got) != 2 {
		t.Fatalf("%d objects, want one more, corrected (%s)", len(got), text)
	}

	// Undone, they are proposals again; all can be accepted at once.
	for range 3 {
		v.press("z", ctrl)
	}
	v.until(fmt.Sprintf("%s === %d", proposals, n))
	v.press("Enter", shift)
	v.until(proposals + " === 0")
	if got := v.objects(s); len(got) != n {
		t.Errorf("%d objects, want all %d", len(got), n)
	}
	for _, w := range truth[0].Objects {
		if !slices.ContainsFunc(v.objects(s), func(o samples.Object) bool { return same(o.Box, w.Box) }) {
			t.Errorf("no label for the face at %v", w.Box)
		}
	}
}

// What was learned from the labels proposes in the picture that is open, and with the
// class of these labels.
func TestLearning(t *testing.T) {
	dir := photos(t)
	group := read(t, filepath.Join(dir, "group.png"))
	var text strings.Builder
	text.WriteString("file,x,y,width,height,class\n")
	for i := range 4 {
		write(t, filepath.Join(dir, fmt.Sprintf("g%d.png", i)), group)
		for k := range 5 {
			fmt.Fprintf(&text, "g%d.png,%d,20,40,40,smiling\n", i, 10+50*k)
		}
	}
	write(t, filepath.Join(dir, "labels.csv"), text.String())
	going := make(chan struct{})
	s := open(t, &Options{Folder: dir, Learn: func(context.Context, *Lesson) (*cascade.Cascade, error) {
		<-going
		return facefast.Cascade()
	}})
	v := visit(t, s, image.Pt(1440, 900), false)
	v.choose("room.png")
	v.press("x", 0) // a change
	v.until("document.getElementById('learning').textContent.startsWith('Learning from 20 objects')")
	v.choose("group.png")
	v.shot("learning")
	close(going)
	v.until("document.querySelectorAll('#objects .proposal').length >= 11 && document.getElementById('learning').textContent === 'Proposals are by the model of 20 objects'")
	for name, size := range map[string]image.Point{"desktop": {1440, 900}, "phone": {390, 844}} {
		for _, scheme := range []string{"light", "dark"} {
			v.look(size, scheme)
			if name == "phone" {
				v.button("show-list")
			}
			v.shot(fmt.Sprintf("learned-%s-%s", name, scheme))
			must.Do(v.Eval(v.ctx, "document.body.dataset.drawer = ''", nil))
		}
	}
	v.press("Enter", shift)
	for _, o := range v.objects(s) {
		if o.Tags["class"] != "smiling" {
			t.Errorf("%+v", o)
		}
	}
	if len(v.objects(s)) < 11 {
		t.Errorf("%d objects", len(v.objects(s)))
	}
}

func TestReviewing(t *testing.T) {
	truth := strings.SplitAfter(read(t, filepath.Join("..", "..", "..", "samples", "group.csv")), "\n")
	// Besides the first face, which has no label, the second has one in the wrong place.
	var x, y, w, h int
	must.Get(fmt.Sscanf(truth[2], "group.png,%d,%d,%d,%d", &x, &y, &w, &h))
	moved := fmt.Sprintf("group.png,%d,%d,%d,%d\n", x+w*2/5, y, w, h)
	s := withModel(t, truth[0]+moved+strings.Join(truth[3:], "")+"group.png,600,380,90,90\nroom.png,,,,\n")
	v := visit(t, s, image.Pt(1440, 900), false)
	must.Do(v.Eval(v.ctx, `document.querySelector('[data-filter="review"]').click()`, nil))
	v.until("document.querySelectorAll('#rows button').length >= 2 && !document.getElementById('nothing').textContent.includes('Searching')")
	v.until("document.getElementById('proposed-count').textContent.startsWith('The model does not find this')")
	v.shot("review")
	before := len(v.objects(s))
	v.press("Delete", 0) // the label that is no face
	v.until("document.getElementById('proposed-count').textContent.startsWith('proposal')")
	v.press("Enter", 0) // the face that has no label
	v.until("document.getElementById('proposed-count').textContent.startsWith('The model finds this in another box')")
	v.shot("review-box")
	v.press("Enter", 8) // Shift: the model's box
	for range 200 {
		if all := v.objects(s); len(all) == before && slices.ContainsFunc(all, func(o samples.Object) bool { return same(o.Box, image.Rect(x, y, x+w, y+h)) }) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	wrong, missed, mended := false, false, false
	for _, o := range v.objects(s) {
		wrong = wrong || o.Box == image.Rect(600, 380, 690, 470)
		mended = mended || same(o.Box, image.Rect(x, y, x+w, y+h))
		missed = missed || same(o.Box, image.Rect(245, 133, 279, 167))
	}
	if wrong || !missed || !mended {
		t.Errorf("wrong label there: %v, missing face there: %v, moved one mended: %v: %+v", wrong, missed, mended, v.objects(s))
	}
}

// Somebody else writes the same file.
func TestConflict(t *testing.T) {
	const head = "file,x,y,width,height,who\n"
	dir := photos(t)
	write(t, filepath.Join(dir, "labels.csv"), head+"room.png,100,100,50,50,Ann\n")
	s := open(t, &Options{Folder: dir})
	v := visit(t, s, image.Pt(1280, 860), false)
	v.choose("room.png")
	// Without changes here, the page shows what is there now.
	write(t, s.Labels(), head+"room.png,100,100,50,50,Ann\nroom.png,300,300,60,60,Bob\n")
	v.until("document.querySelectorAll('#objects li').length === 2")
	// With changes on both sides the visitor decides.
	write(t, s.Labels(), head+"room.png,100,100,50,50,Eve\nroom.png,300,300,60,60,Bob\nroom.png,10,10,9,9,Tim\n")
	v.drag(500, 100, 560, 160)
	v.until("document.getElementById('conflict').open")
	v.shot("conflict")
	if got := read(t, s.Labels()); strings.Contains(got, "500") || !strings.Contains(got, "Tim") {
		t.Errorf("it was overwritten:\n%s", got)
	}
	must.Do(v.Eval(v.ctx, `document.querySelector('#conflict [value="both"]').click()`, nil))
	v.until("document.getElementById('saved').dataset.state === 'saved' && document.querySelectorAll('#objects li').length === 4")
	got := read(t, s.Labels())
	clitest.Contains(t, got, "room.png,100,100,50,50,Ann", "room.png,300,300,60,60,Bob", "room.png,10,10,9,9,Tim", "room.png,500,100,60,60,")
}

// What it looks like, with one box and with sixty.
func TestLooks(t *testing.T) {
	dir := photos(t)
	for i := range 14 { // drawn, so that the list is a list
		m := picturetest.Grey(320, 240, func(x, y int) uint8 { return uint8(x*i/12 + y/4 + 30) })
		picturetest.Save(filepath.Join(dir, fmt.Sprintf("drawn%02d.png", i)), m)
	}
	var b strings.Builder
	b.WriteString("file,x,y,width,height,class,pose,left_x,left_y,right_x,right_y,ignore\nroom.png,330,150,180,200,window,frontal,380,200,460,200,\n")
	classes := []string{"face", "hand", "cup", "picture frame", "book"}
	for i := range 60 {
		fmt.Fprintf(&b, "group.png,%d,%d,%d,%d,%s,,,,,,%d\n", 12+i%12*65, 10+i/12*97, 44+i%4*12, 50+i%5*9, classes[i%5], i%17/16)
	}
	for i := range 5 {
		fmt.Fprintf(&b, "drawn%02d.png,%d,20,40,40,cup,,,,,,\n", i, 10*i)
	}
	b.WriteString("drawn05.png,,,,,,,,,,,\n")
	write(t, filepath.Join(dir, "labels.csv"), b.String())
	s := open(t, &Options{Folder: dir})
	v := visit(t, s, image.Pt(1440, 900), false)
	for name, size := range map[string]image.Point{"desktop": {1440, 900}, "tablet": {1024, 768}, "upright": {768, 1024}, "phone": {390, 844}} {
		for _, scheme := range []string{"light", "dark"} {
			v.look(size, scheme)
			for picture, boxes := range map[string]string{"room.png": "1", "group.png": "60"} {
				v.choose(picture)
				v.until(fmt.Sprintf("document.querySelectorAll('#objects li').length === %s", boxes))
				v.press("j", 0)
				v.shot(fmt.Sprintf("%s-%s-%s", name, scheme, boxes))
				// Nothing is cut off, and nothing lies over the picture's own controls.
				var overflow bool
				must.Do(v.Eval(v.ctx, "document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight", &overflow))
				if overflow {
					t.Errorf("%s: the page is larger than the window", name)
				}
			}
		}
	}
	// On a narrow page the list and the labels are drawers.
	v.look(image.Pt(768, 1024), "dark")
	for _, name := range []string{"list", "panel"} {
		v.button("show-" + name)
		v.shot("upright-" + name)
		must.Do(v.Eval(v.ctx, "document.body.dataset.drawer = ''", nil))
	}
	if got := read(t, s.Labels()); got != b.String() {
		t.Error("looking changed the labels")
	}
}
