package label

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/models/facefast"
)

// photos makes a folder with the samples' pictures, and returns it.
func photos(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"group.png", "room.png"} {
		write(t, filepath.Join(dir, name), read(t, filepath.Join("..", "..", "..", "samples", name)))
	}
	return dir
}

func write[T string | []byte](t *testing.T, path string, data T) {
	t.Helper()
	must.Do(os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(os.WriteFile(path, []byte(data), 0o666))
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path)))
}

func open(t *testing.T, o *Options) *Server {
	t.Helper()
	s := must.Get(New(o))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// call sends a request and returns the status and what came back.
func call(s http.Handler, method, path string, body any, change ...func(*http.Request)) (int, http.Header, []byte) {
	var in io.Reader
	if body != nil {
		in = bytes.NewReader(must.Get(json.Marshal(body)))
	}
	r := httptest.NewRequest(method, path, in)
	r.Host = "127.0.0.1:8081"
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w.Code, w.Header(), w.Body.Bytes()
}

// get reads JSON.
func get[T any](t *testing.T, s *Server, path string) T {
	t.Helper()
	status, _, body := call(s, "GET", path, nil)
	var v T
	if err := json.Unmarshal(body, &v); err != nil || status != http.StatusOK {
		t.Fatalf("GET %s: status %d, %v: %s", path, status, err, body)
	}
	return v
}

func labels(t *testing.T, s *Server, name string) labelled {
	t.Helper()
	return get[labelled](t, s, "/api/labels?picture="+url.QueryEscape(name))
}

type answer struct {
	Version string
	Lines   []int
	Code    string
	Message string
	Current *labelled
}

// put writes the labels of a picture.
func put(s *Server, l labelled) (int, answer) {
	status, _, body := call(s, "PUT", "/api/labels?picture="+url.QueryEscape(l.Picture), l)
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		panic(fmt.Sprintf("%v: %s", err, body))
	}
	return status, a
}

// saves is put of labels that are taken.
func saves(t *testing.T, s *Server, l labelled) answer {
	t.Helper()
	status, a := put(s, l)
	if status != http.StatusOK {
		t.Fatalf("status %d, %+v", status, a)
	}
	return a
}

// holds compares a file with what it should hold.
func holds(t *testing.T, path, want string) {
	t.Helper()
	if got := read(t, path); got != want {
		t.Errorf("%s: got\n%swant\n%s", path, got, want)
	}
}

func fresh(x, y, w, h float64, tags map[string]string) object {
	return object{Line: -1, Box: &[4]float64{x, y, w, h}, Points: map[string][2]float64{}, Tags: tags}
}

func TestLabels(t *testing.T) {
	dir := photos(t)
	s := open(t, &Options{Folder: dir})
	folder := get[struct {
		Labels   string
		Pictures []listed
	}](t, s, "/api/folder")
	if len(folder.Pictures) != 2 || folder.Pictures[0].Name != "group.png" || folder.Pictures[0].Labelled {
		t.Fatalf("the folder is %+v", folder)
	}
	l := labels(t, s, "group.png")
	if l.Width != 800 || l.Height != 500 || len(l.Objects) != 0 {
		t.Fatalf("the labels are %+v", l)
	}
	if _, err := os.Stat(s.Labels()); err == nil {
		t.Error("there is a file before the first label")
	}
	l.Objects = []object{fresh(10, 20, 30, 40, map[string]string{"class": "face"}), fresh(50.5, 60, 70, 80, nil)}
	l.Objects[1].Points = map[string][2]float64{"nose": {70.5, 90}}
	l.Objects[1].Ignore = true
	status, a := put(s, l)
	if status != http.StatusOK || len(a.Lines) != 2 || a.Lines[1] != 1 {
		t.Fatalf("status %d, %+v", status, a)
	}
	const want = "file,x,y,width,height,nose_x,nose_y,ignore,class\ngroup.png,10,20,30,40,,,,face\ngroup.png,50.5,60,70,80,70.5,90,1,\n"
	holds(t, s.Labels(), want)
	// A picture without objects is labelled too.
	r := labels(t, s, "room.png")
	r.Objects = []object{{Line: -1}}
	saves(t, s, r)
	// The second goes, the first is moved.
	l = labels(t, s, "group.png")
	l.Objects = l.Objects[:1]
	l.Objects[0].Box[0] = 11
	saves(t, s, l)
	const then = "file,x,y,width,height,nose_x,nose_y,ignore,class\ngroup.png,11,20,30,40,,,,face\nroom.png,,,,,,,,\n"
	holds(t, s.Labels(), then)
	all, err := samples.ReadTruth(s.Labels(), samples.Auto)
	if err != nil || len(all) != 2 || len(all[1].Objects) != 0 || all[0].Objects[0].Box != image.Rect(11, 20, 41, 60) {
		t.Errorf("as truth it is %+v, %v", all, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// What the page does not know stays: columns, lines, pictures elsewhere, the form of
// numbers. Names lead to pictures as samples.ReadTruth finds them.
func TestForeignLabels(t *testing.T) {
	dir := photos(t)
	const text = "id;file;x;y;width;height;license\r\n" +
		"1;photos/../photos/group.png;1.50;2;3;4;CC0\r\n" +
		"2;elsewhere/gone.jpg;5;5;5;5;BSD\r\n" +
		"3;photos\\group.png;9;9;9;9;\"a;b\"\r\n"
	outer := filepath.Dir(dir)
	must.Do(os.Rename(dir, filepath.Join(outer, "photos")))
	file := filepath.Join(outer, "all.csv")
	write(t, file, text)
	s := open(t, &Options{Folder: filepath.Join(outer, "photos"), Labels: file})
	l := labels(t, s, "group.png")
	if len(l.Objects) != 2 || l.Objects[0].Tags["license"] != "CC0" || l.Objects[1].Tags["id"] != "3" {
		t.Fatalf("the labels are %+v", l)
	}
	l.Objects[0].Box[1] = 7
	l.Objects = append(l.Objects, fresh(1, 1, 2, 2, nil))
	status, a := put(s, l)
	if status != http.StatusOK || fmt.Sprint(a.Lines) != "[0 1 2]" {
		t.Fatalf("status %d, %+v", status, a)
	}
	const want = "id;file;x;y;width;height;license\r\n" +
		"1;photos/../photos/group.png;1.50;7;3;4;CC0\r\n" +
		"2;elsewhere/gone.jpg;5;5;5;5;BSD\r\n" +
		"3;photos\\group.png;9;9;9;9;\"a;b\"\r\n" +
		";photos\\group.png;1;1;2;2;\r\n"
	holds(t, file, want)
}

// A change on the disk is seen. About another picture it is taken over; about the same
// one it is a conflict, and nothing is written.
func TestChangedOnDisk(t *testing.T) {
	dir := photos(t)
	file := filepath.Join(dir, "labels.csv")
	const head = "file,x,y,width,height\n"
	write(t, file, head+"group.png,1,1,9,9\n")
	s := open(t, &Options{Folder: dir})
	l := labels(t, s, "group.png")
	edition := get[struct{ Edition int }](t, s, "/api/state").Edition

	write(t, file, head+"group.png,1,1,9,9\nroom.png,2,2,5,5\n")
	if now := get[struct{ Edition int }](t, s, "/api/state").Edition; now == edition {
		t.Error("the change was not noticed")
	}
	l.Objects[0].Box[0] = 3
	a := saves(t, s, l)
	holds(t, file, head+"group.png,3,1,9,9\nroom.png,2,2,5,5\n")

	// Same size, same time: only the bytes tell.
	const theirs = head + "group.png,7,1,9,9\nroom.png,2,2,5,5\n"
	info := must.Get(os.Stat(file))
	write(t, file, theirs)
	must.Do(os.Chtimes(file, info.ModTime(), info.ModTime()))
	l.Version = a.Version
	l.Objects[0].Box[0] = 5
	status, a := put(s, l)
	if status != http.StatusConflict || a.Code != "conflict" || a.Current == nil || a.Current.Objects[0].Box[0] != 7 || a.Current.Width != 800 {
		t.Fatalf("status %d, %+v", status, a)
	}
	holds(t, file, theirs)

	// What cannot be read is not overwritten, and nothing is lost.
	broken := head + "group.png,7,1,9\n"
	write(t, file, broken)
	l.Version = a.Current.Version
	if status, a = put(s, l); status != http.StatusInternalServerError || !strings.Contains(a.Message, "labels.csv:2: another number of columns") {
		t.Errorf("status %d, %+v", status, a)
	}
	holds(t, file, broken)
	// A file that is gone comes back with all that was in it.
	must.Do(os.Remove(file))
	saves(t, s, l)
	holds(t, file, head+"group.png,5,1,9,9\nroom.png,2,2,5,5\n")
}

// Windows write at once, to one server or to two of one file: each change is saved or
// refused, none is lost.
func TestManyWriters(t *testing.T) {
	for _, servers := range []int{1, 2} {
		dir := photos(t)
		var all []*Server
		for range servers {
			all = append(all, open(t, &Options{Folder: dir}))
		}
		var wait sync.WaitGroup
		var mu sync.Mutex
		saved := map[string]int{}
		for i := range 8 / (servers * servers) {
			wait.Go(func() {
				s, name := all[i%servers], []string{"group.png", "room.png"}[i%2]
				for range 15 {
					var l labelled
					_, _, body := call(s, "GET", "/api/labels?picture="+name, nil)
					if err := json.Unmarshal(body, &l); err != nil {
						t.Error(err)
						return
					}
					l.Objects = append(l.Objects, fresh(float64(i), 1, 2, 3, nil))
					switch status, a := put(s, l); status {
					case http.StatusOK:
						mu.Lock()
						saved[name]++
						mu.Unlock()
					case http.StatusConflict:
					default:
						t.Errorf("status %d, %+v", status, a)
					}
				}
			})
		}
		wait.Wait()
		for _, p := range must.Get(samples.ReadTruth(all[0].Labels(), samples.Auto)) {
			if n := saved[filepath.Base(p.File)]; len(p.Objects) != n || n == 0 {
				t.Errorf("%s has %d objects, and %d were saved", p.File, len(p.Objects), n)
			}
		}
		if left, _ := filepath.Glob(filepath.Join(dir, ".*.lock")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

// Bad boxes are the caller's fault, and change nothing.
func TestBadBoxes(t *testing.T) {
	dir := photos(t)
	s := open(t, &Options{Folder: dir})
	for _, box := range [][4]float64{{1, 1, 0, 5}, {1, 1, 5, 0}, {1, 1, -5, 5}, {1, 1, 5, -5}, {1e300, 1, 5, 5}, {1, 1, 1e300, 5}, {-1e12, 1, 5, 5}} {
		l := labels(t, s, "group.png")
		l.Objects = []object{fresh(box[0], box[1], box[2], box[3], nil)}
		decided := l
		decided.Objects, decided.Decisions = nil, []decision{{Line: -1, Box: box, Verdict: verdictKeep}}
		for _, l := range []labelled{l, decided} {
			if status, a := put(s, l); status != http.StatusBadRequest {
				t.Errorf("box %v: status %d, %+v", box, status, a)
			}
		}
	}
	l := labels(t, s, "group.png")
	l.Objects = []object{fresh(1, 1, 5, 5, nil)}
	l.Objects[0].Line = 7
	if status, a := put(s, l); status != http.StatusBadRequest {
		t.Errorf("line 7: status %d, %+v", status, a)
	}
	if _, err := os.Stat(s.Labels()); err == nil {
		t.Error("there is a file")
	}
}

// If the file cannot be written, memory stays what the disk is.
func TestCannotWrite(t *testing.T) {
	dir := photos(t)
	sub := filepath.Join(dir, "out")
	file := filepath.Join(sub, "labels.csv")
	write(t, file, "file,x,y,width,height\n../group.png,1,1,9,9\n")
	s := open(t, &Options{Folder: dir, Labels: file})
	l := labels(t, s, "group.png")
	must.Do(os.Rename(sub, sub+"2"))
	l.Objects[0].Box[0] = 5
	if status, a := put(s, l); status != http.StatusNotFound && status != http.StatusInternalServerError {
		t.Errorf("status %d, %+v", status, a)
	}
	must.Do(os.Rename(sub+"2", sub))
	if now := labels(t, s, "group.png"); now.Objects[0].Box[0] != 1 || now.Version != l.Version {
		t.Errorf("the labels are %+v", now)
	}
	saves(t, s, l)
	holds(t, file, "file,x,y,width,height\n../group.png,5,1,9,9\n")
}

// Pages of other sites can neither read nor write, in any of the ways that they have.
func TestGuards(t *testing.T) {
	s := open(t, &Options{Folder: photos(t)})
	l := labels(t, s, "group.png")
	l.Objects = []object{fresh(1, 1, 2, 2, nil)}
	set := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	const path = "/api/labels?picture=group.png"
	for name, test := range map[string]struct {
		method, path string
		body         any
		change       func(*http.Request)
		want         int
	}{
		"another host":          {"GET", path, nil, func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		"another origin":        {"PUT", path, l, set("Origin", "http://evil.example"), http.StatusForbidden},
		"another site":          {"PUT", path, l, set("Sec-Fetch-Site", "cross-site"), http.StatusForbidden},
		"a form":                {"PUT", path, l, set("Content-Type", "text/plain"), http.StatusBadRequest},
		"a form's type":         {"POST", "/api/export", map[string]string{"format": "voc"}, set("Content-Type", "application/x-www-form-urlencoded"), http.StatusBadRequest},
		"writing by POST":       {"POST", path, l, nil, http.StatusMethodNotAllowed},
		"deleting":              {"DELETE", path, nil, nil, http.StatusMethodNotAllowed},
		"exporting by GET":      {"GET", "/api/export", nil, nil, http.StatusNotFound},
		"unknown field":         {"PUT", path, map[string]any{"objekts": 1}, nil, http.StatusBadRequest},
		"too much":              {"PUT", path, map[string]any{"picture": strings.Repeat("x", 9<<20)}, nil, http.StatusBadRequest},
		"a box without width":   {"PUT", path, labelled{Version: l.Version, Objects: []object{fresh(1, 1, 0, 2, nil)}}, nil, http.StatusBadRequest},
		"an unknown verdict":    {"PUT", path, labelled{Version: l.Version, Decisions: []decision{{-1, [4]float64{1, 1, 2, 2}, "maybe"}}}, nil, http.StatusBadRequest},
		"too many":              {"PUT", path, labelled{Version: l.Version, Objects: make([]object, 20_001)}, nil, http.StatusBadRequest},
		"an unknown format":     {"POST", "/api/export", map[string]string{"format": "../../etc"}, nil, http.StatusBadRequest},
		"a picture of any size": {"GET", "/crop?picture=group.png&side=100000", nil, nil, http.StatusBadRequest},
	} {
		var change []func(*http.Request)
		if test.change != nil {
			change = append(change, test.change)
		}
		if status, _, body := call(s, test.method, test.path, test.body, change...); status != test.want {
			t.Errorf("%s: status %d, want %d: %s", name, status, test.want, body)
		}
	}
	if _, err := os.Stat(s.Labels()); err == nil {
		t.Error("something was written")
	}
	// The page itself works, and says what it may load.
	status, h, body := call(s, "GET", "/", nil, set("Sec-Fetch-Site", "none"))
	if csp := h.Get("Content-Security-Policy"); status != http.StatusOK || !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || !bytes.Contains(body, []byte("<canvas")) {
		t.Errorf("the page: status %d, policy %q", status, csp)
	}
	status, h, _ = call(s, "GET", "/picture?picture=group.png", nil)
	if status != http.StatusOK || h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("a picture: status %d, %v", status, h)
	}
}

// Only pictures of the folder can be named, and links do not lead out of it.
func TestEscapes(t *testing.T) {
	dir := photos(t)
	outside := t.TempDir()
	data := read(t, filepath.Join(dir, "room.png"))
	secret := filepath.Join(outside, "secret.png")
	write(t, secret, data)
	write(t, filepath.Join(dir, "notes.txt"), "not a picture")
	write(t, filepath.Join(dir, ".hidden.png"), data)
	for name, to := range map[string]string{"link.png": secret, "inside.png": "room.png", "folder": outside, "broken.png": "nowhere.png"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	s := open(t, &Options{Folder: dir})
	if shown, left, why := s.Pictures(); shown != 3 || left != 3 {
		t.Errorf("%d pictures, and %d left out (%s), want 3 and 3", shown, left, why)
	}
	for _, name := range []string{"../" + filepath.Base(outside) + "/secret.png", secret, "link.png", "folder/secret.png", "notes.txt", ".hidden.png", "labels.csv", "", ".",
		"room.png/../group.png", "./room.png", "room.png\x00", `..\secret.png`} {
		for _, path := range []string{"/picture?picture=", "/crop?side=64&picture=", "/api/labels?picture=", "/api/proposals?picture="} {
			if status, _, _ := call(s, "GET", path+url.QueryEscape(name), nil); status != http.StatusNotFound {
				t.Errorf("GET %s%s: status %d", path, name, status)
			}
		}
		if status, _ := put(s, labelled{Picture: name}); status != http.StatusNotFound {
			t.Errorf("PUT %s: status %d", name, status)
		}
	}
	for _, path := range []string{"/../server.go", "/page.go", "/%2e%2e/server.go", "/..%2fserver.go"} {
		if status, _, _ := call(s, "GET", path, nil); status == http.StatusOK {
			t.Errorf("GET %s: status %d", path, status)
		}
	}
	if status, _, _ := call(s, "GET", "/picture?picture=inside.png", nil); status != http.StatusOK {
		t.Errorf("a link within the folder: status %d", status)
	}
	// Neither do links that are made later.
	must.Do(os.Remove(filepath.Join(dir, "group.png")))
	must.Do(os.Symlink(secret, filepath.Join(dir, "group.png")))
	for _, path := range []string{"/picture?picture=group.png", "/crop?side=64&picture=group.png", "/api/labels?picture=group.png"} {
		if status, _, body := call(s, "GET", path, nil); status == http.StatusOK || bytes.Contains(body, []byte("PNG")) {
			t.Errorf("GET %s: status %d", path, status)
		}
	}
}

// Pictures come upright and in a form that browsers show; large ones smaller, with
// coordinates that stay.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	m := picturetest.Grey(60, 40, func(x, y int) byte { return byte(60*y + x) })
	// EXIF that says: turn by 90 degrees.
	exif := []byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	write(t, filepath.Join(dir, "turned.jpg"), append(exif, picturetest.JPEG(m, 75)[2:]...))
	write(t, filepath.Join(dir, "grey.pgm"), append([]byte("P5 60 40 255\n"), m.Pix...))
	write(t, filepath.Join(dir, "broken.png"), "\x89PNG\r\n\x1a\n and no more")
	big := image.NewPaletted(image.Rect(0, 0, 8192, 5120), color.Palette{color.Black, color.White})
	for i := range big.Pix {
		big.Pix[i] = byte(i >> 10 & 1)
	}
	var b bytes.Buffer
	must.Do((&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, big))
	write(t, filepath.Join(dir, "big.png"), b.Bytes())
	s := open(t, &Options{Folder: dir})

	if l := labels(t, s, "turned.jpg"); l.Width != 40 || l.Height != 60 {
		t.Errorf("turned: %dx%d", l.Width, l.Height)
	}
	if l := labels(t, s, "big.png"); l.Width != 8192 || l.Height != 5120 {
		t.Errorf("big: %dx%d", l.Width, l.Height)
	}
	for _, test := range []struct {
		path, kind    string
		width, height int
	}{
		{"/picture?picture=turned.jpg", "image/jpeg", 60, 40}, // the browser turns it
		{"/picture?decoded=yes&picture=turned.jpg", "image/png", 40, 60},
		{"/picture?picture=grey.pgm", "image/png", 60, 40},
		{"/picture?picture=big.png", "image/jpeg", 4096, 2560},
		{"/crop?side=144&picture=big.png", "image/jpeg", 144, 90},
		{"/crop?side=64&picture=grey.pgm&x=-10&y=0&width=30&height=10", "image/jpeg", 64, 32},
	} {
		status, h, body := call(s, "GET", test.path, nil)
		c, _, err := image.DecodeConfig(bytes.NewReader(body))
		if status != http.StatusOK || h.Get("Content-Type") != test.kind || err != nil || c.Width != test.width || c.Height != test.height {
			t.Errorf("%s: status %d, %s, %dx%d, %v; want %s of %dx%d", test.path, status, h.Get("Content-Type"), c.Width, c.Height, err, test.kind, test.width, test.height)
		}
		// The browser keeps it while the file is the same.
		status, _, _ = call(s, "GET", test.path, nil, func(r *http.Request) { r.Header.Set("If-None-Match", h.Get("ETag")) })
		if status != http.StatusNotModified {
			t.Errorf("%s again: status %d", test.path, status)
		}
	}
	for _, path := range []string{"/picture?picture=broken.png", "/api/labels?picture=broken.png", "/crop?side=64&picture=broken.png"} {
		status, _, body := call(s, "GET", path, nil)
		if status == http.StatusOK || !bytes.Contains(body, []byte("broken.png")) {
			t.Errorf("%s: status %d, %s", path, status, body)
		}
	}
	if status, _, _ := call(s, "GET", "/crop?side=64&picture=grey.pgm&x=100&y=0&width=30&height=10", nil); status != http.StatusBadRequest {
		t.Errorf("a part outside: status %d", status)
	}
}

// The model proposes what the detector finds, and orders what is hard for it.
func TestReview(t *testing.T) {
	dir := photos(t)
	c := must.Get(facefast.Cascade())
	// Of the eleven faces, the first is not labelled, and there is one label too many.
	truth := strings.SplitAfter(read(t, filepath.Join("..", "..", "..", "samples", "group.csv")), "\n")
	text := truth[0] + strings.Join(truth[2:], "") + "group.png,600,380,90,90\nroom.png,,,,\n"
	write(t, filepath.Join(dir, "labels.csv"), text)
	s := open(t, &Options{Folder: dir, Model: c, Name: "face-fast"})

	found := get[[]proposal](t, s, "/api/proposals?picture=group.png")
	if len(found) < 11 {
		t.Fatalf("%d proposals, want the 11 faces", len(found))
	}
	type state struct {
		Items        []item
		Searched, Of int
	}
	var r state
	for range 600 {
		if r = get[state](t, s, "/api/review"); r.Searched == 2 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if r.Searched != 2 || r.Of != 2 || len(r.Items) < 2 {
		t.Fatalf("the review is %+v", r)
	}
	if i := r.Items[0]; i.Kind != "label" || i.Why != "no object" || i.Score != nil || i.Box != [4]float64{600, 380, 90, 90} {
		t.Errorf("the hardest label is %+v", i)
	}
	if i := r.Items[1]; i.Kind != "detection" || i.Score == nil || !same(rectOf(i.Box), image.Rect(245, 133, 279, 167)) {
		t.Errorf("the best detection without a label is %+v", i)
	}

	// What is decided does not come up again.
	l := labels(t, s, "group.png")
	l.Decisions = []decision{{-1, r.Items[0].Box, verdictKeep}, {-1, r.Items[1].Box, verdictReject}}
	saves(t, s, l)
	for _, i := range get[state](t, s, "/api/review").Items {
		if i.Box == r.Items[0].Box || i.Box == r.Items[1].Box {
			t.Errorf("%+v comes up again", i)
		}
	}
	if got, want := read(t, filepath.Join(dir, "labels.review.csv")), "file,x,y,width,height,verdict\ngroup.png,600,380,90,90,keep\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q first", got, want)
	}
	if got := read(t, s.Labels()); got != text {
		t.Errorf("the labels have changed to\n%s", got)
	}
	// A label makes its detection one that is found.
	l = labels(t, s, "group.png")
	l.Objects = append(l.Objects, fresh(245, 133, 34, 34, nil))
	l.Decisions = nil
	saves(t, s, l)
	for _, i := range get[state](t, s, "/api/review").Items {
		if i.Kind == "detection" && same(rectOf(i.Box), image.Rect(245, 133, 279, 167)) {
			t.Errorf("%+v comes up, though it is labelled", i)
		}
	}
}

func same(a, b image.Rectangle) bool {
	both := a.Intersect(b).Size()
	return 4*both.X*both.Y > a.Dx()*a.Dy()+b.Dx()*b.Dy()
}

// A label in the wrong place comes with the box that is found, and what is said of a
// label of another class or of an empty line is about the right line.
func TestReviewItems(t *testing.T) {
	var r reviewed
	box := func(x, y, w, h float64, class string) samples.Label {
		return samples.Label{X: x, Y: y, Width: w, Height: h, Tags: map[string]string{"class": class}}
	}
	found := []detector.Detection{{Box: image.Rect(0, 0, 40, 40), Score: 0.9}, {Box: image.Rect(100, 0, 140, 40), Score: 0.8}, {Box: image.Rect(200, 0, 240, 40), Score: 0.99}}
	r.add("a.png", []samples.Label{{Tags: map[string]string{"class": "cup"}}, box(20, 0, 40, 40, "cup"), box(100, 0, 40, 40, "bus"), box(200, 0, 40, 40, "cup")}, found)
	none := func(string) []samples.Label { return nil }
	all := r.items(func(o *eval.Object) bool { return o.Tags["class"] != "cup" }, none)
	if len(all) != 2 || all[0].Why != "wrong box" || all[0].Line != 1 || *all[0].Better != [4]float64{0, 0, 40, 40} || all[1].Why != "wrong class" || all[1].Line != 2 || all[1].Kind != "label" {
		t.Errorf("%+v", all)
	}
}

// What is exported is read again, with pictures elsewhere too; what a format cannot say
// is told.
func TestExport(t *testing.T) {
	dir := photos(t)
	other := t.TempDir()
	write(t, filepath.Join(other, "b.png"), read(t, filepath.Join(dir, "room.png")))
	s := open(t, &Options{Folder: dir})
	write(t, s.Labels(), []byte("file,x,y,width,height,nose_x,nose_y,class,ignore\ngroup.png,1,2,30,40,7,8,cup,\n"+
		filepath.ToSlash(filepath.Join(other, "b.png"))+",5,6,7,8,9,9,bus,1\nroom.png,,,,,,,,\ngone.png,1,1,2,2,,,cup,\n"))
	for format, f := range map[string]samples.Format{"voc": samples.VOC, "coco": samples.COCO, "yolo": samples.YOLO} {
		status, _, body := call(s, "POST", "/api/export", map[string]string{"format": format})
		var e exported
		if err := json.Unmarshal(body, &e); err != nil || status != http.StatusOK {
			t.Fatalf("%s: status %d, %s", format, status, body)
		}
		if e.Pictures != 3 || e.Objects != 2 || !strings.Contains(e.Note, "gone.png") || strings.Contains(e.Note, "points") == (format == "coco") {
			t.Errorf("%s: %+v", format, e)
		}
		all, err := samples.ReadTruth(e.Path, f)
		if err != nil || len(all) != 3 {
			t.Errorf("%s: %v, %v", format, all, err)
			continue
		}
		n := 0
		for _, p := range all {
			for _, o := range p.Objects {
				n++
				if o.Tags["class"] == "cup" && o.Box != image.Rect(1, 2, 31, 42) || o.Tags["class"] == "bus" && !o.Ignore {
					t.Errorf("%s: %+v", format, o)
				}
			}
		}
		if want := map[string]int{"voc": 2, "coco": 2, "yolo": 1}[format]; n != want {
			t.Errorf("%s: %d objects, want %d", format, n, want)
		}
	}
}

func TestImport(t *testing.T) {
	dir := photos(t)
	from, to := filepath.Join(dir, "info.dat"), filepath.Join(dir, "labels.csv")
	write(t, from, "group.png 2 1 2 3 4 5 6 7 8\nroom.png 0\n")
	must.Do(Import(to, from))
	holds(t, to, "file,x,y,width,height\ngroup.png,1,2,3,4\ngroup.png,5,6,7,8\nroom.png,,,,\n")
	if err := Import(to, from); err == nil || !strings.Contains(err.Error(), "is there already") {
		t.Errorf("a second time: %v", err)
	}
}

// What New refuses.
func TestNew(t *testing.T) {
	dir := photos(t)
	write(t, filepath.Join(dir, "bad.csv"), "file,x,y,width,height\ngroup.png,1,2,x,4\n")
	for want, o := range map[string]*Options{
		"no such file":      {Folder: filepath.Join(dir, "none")},
		"no pictures":       {Folder: t.TempDir()},
		"ends in .csv":      {Folder: dir, Labels: filepath.Join(dir, "a.json")},
		"bad.csv:2: column": {Folder: dir, Labels: filepath.Join(dir, "bad.csv")},
		"not a directory":   {Folder: filepath.Join(dir, "room.png")},
	} {
		if s, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
			if s != nil {
				s.Close()
			}
		}
	}
}

// From 20 objects of a class in finished pictures on, a model is made of them, proposes
// with that class, and is made again of half as many more.
func TestLearns(t *testing.T) {
	dir := photos(t)
	group := read(t, filepath.Join(dir, "group.png"))
	for i := range 8 {
		write(t, filepath.Join(dir, fmt.Sprintf("g%d.png", i)), group)
	}
	lessons := make(chan Lesson, 9)
	var fail atomic.Bool
	s := open(t, &Options{Folder: dir, Learn: func(_ context.Context, l *Lesson) (*cascade.Cascade, error) {
		defer func() { lessons <- *l }()
		train, err1 := samples.ReadTruth(l.Train, samples.Auto)
		dev, err2 := samples.ReadTruth(l.Dev, samples.Auto)
		n := 0
		for _, p := range append(train, dev...) {
			n += len(p.Objects)
		}
		if err1 != nil || err2 != nil || n != l.Objects || len(dev) == 0 || l.Width != 14 || l.Height != 28 {
			t.Errorf("%+v: %d objects, %v, %v", l, n, err1, err2)
		}
		if fail.Load() {
			return nil, errors.New("too dark")
		}
		return facefast.Cascade()
	}})
	type state struct{ Model, Learning string }
	settled := func() (st state) {
		for range 2000 {
			if st = get[state](t, s, "/api/state"); !strings.HasPrefix(st.Learning, "Learning") {
				return st
			}
			time.Sleep(5 * time.Millisecond)
		}
		t.Fatal("a lesson does not end")
		return st
	}
	save := func(name string, class ...string) {
		l := labels(t, s, name)
		l.Objects = nil
		for i, c := range class {
			l.Objects = append(l.Objects, fresh(float64(10+20*i), 20, 20, 40, map[string]string{"class": c}))
		}
		saves(t, s, l)
	}
	faces := slices.Repeat([]string{"face"}, 5)
	for i := range 4 {
		save(fmt.Sprintf("g%d.png", i), append(slices.Clone(faces), "cup")...)
	}
	if len(lessons) > 0 || settled() != (state{}) {
		t.Error("the picture that somebody is at counts")
	}
	save("g4.png", faces...)
	if st := settled(); len(lessons) != 1 || (<-lessons).Objects != 20 || st.Model != "the model of 20 objects" {
		t.Errorf("%+v", st)
	}
	if all := get[[]proposal](t, s, "/api/proposals?picture=g7.png"); len(all) < 11 {
		t.Errorf("%d proposals", len(all))
	}
	folder := get[struct {
		Model struct{ Object, Column, Class string }
	}](t, s, "/api/folder")
	if m := folder.Model; m.Object != "face" || m.Column != "class" || m.Class != "face" {
		t.Errorf("%+v", m)
	}
	save("g5.png", faces...) // 25 in others
	if settled(); len(lessons) != 0 {
		t.Error("it learns after every picture")
	}
	fail.Store(true)
	save("g6.png", faces...) // 30
	if st := settled(); len(lessons) != 1 || st.Model != "the model of 20 objects" || st.Learning != "Learned nothing from 30 objects: too dark" {
		t.Errorf("%d lessons, %+v", len(lessons), st)
	}
}

// Averages are those of blocks, wherever the part begins, and white shows through.
func TestScaled(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	for y := range 20 {
		for x := range 30 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x * 8), uint8(y * 12), 40, 255})
		}
	}
	m.SetNRGBA(10, 10, color.NRGBA{})
	got := scaled(m, image.Rect(4, 4, 24, 20), 10, 4) // blocks of 2 by 4
	want := func(x, y int) color.RGBA {
		var s [3]int
		for v := range 4 {
			for u := range 2 {
				c := color.RGBAModel.Convert(m.At(4+2*x+u, 4+4*y+v)).(color.RGBA)
				for i, v := range []uint8{c.R, c.G, c.B} {
					s[i] += int(v) + 255 - int(c.A)
				}
			}
		}
		return color.RGBA{uint8((s[0] + 4) / 8), uint8((s[1] + 4) / 8), uint8((s[2] + 4) / 8), 255}
	}
	for y := range 4 {
		for x := range 10 {
			if got.RGBAAt(x, y) != want(x, y) {
				t.Fatalf("at %d,%d there is %v, want %v", x, y, got.RGBAAt(x, y), want(x, y))
			}
		}
	}
	// Sizes that do not divide, and enlargement.
	for _, size := range []image.Point{{7, 3}, {1, 1}, {29, 19}, {60, 45}} {
		g := scaled(m, m.Rect, size.X, size.Y)
		if g.Rect.Size() != size || g.RGBAAt(0, 0).A != 255 || g.RGBAAt(size.X-1, size.Y-1).A != 255 {
			t.Errorf("%v: %v, %v", size, g.Rect, g.RGBAAt(0, 0))
		}
	}
}
