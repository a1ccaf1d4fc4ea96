package watch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/train/report"
)

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	part := filepath.Join(dir, "."+name+".part")
	must.Do(os.WriteFile(part, []byte(text), 0o666))
	must.Do(os.Rename(part, filepath.Join(dir, name)))
}

func putState(t *testing.T, dir string, s *State) {
	t.Helper()
	b := must.Bytes(s.Write)
	put(t, dir, StateFile, string(b))
}

var dot = string(picturetest.PNG(image.NewGray(image.Rect(0, 0, 1, 1))))

// started serves a folder below /watch/, as a program may.
func started(t *testing.T, dir string) string {
	t.Helper()
	h := must.Get(Handler(dir))
	m := http.NewServeMux()
	m.Handle("/watch/", http.StripPrefix("/watch", h))
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL + "/watch/"
}

func get(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	r := must.Get(http.Get(url))
	defer r.Body.Close()
	return r, string(must.Get(io.ReadAll(r.Body)))
}

// A folder is served as it is: without a training, with one that runs, and after it.
func TestHandler(t *testing.T) {
	dir := t.TempDir()
	url := started(t, dir)
	if r, text := get(t, url); r.StatusCode != 200 || !strings.Contains(text, "watch.js") || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'") {
		t.Errorf("the page: %v, %v\n%s", r.Status, r.Header, text)
	}
	for name, kind := range map[string]string{"watch.js": "text/javascript; charset=utf-8", "watch.css": "text/css; charset=utf-8", "report.css": "text/css; charset=utf-8"} {
		r, text := get(t, url+name)
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != kind || r.Header.Get("X-Content-Type-Options") != "nosniff" || len(text) < 500 {
			t.Errorf("%s: %v, %v, %d bytes", name, r.Status, r.Header, len(text))
		}
	}
	if r, _ := get(t, url+"report.html"); r.StatusCode != 404 {
		t.Errorf("a report that is not there yet: %v", r.Status)
	}
	state := func() (m message) {
		t.Helper()
		r, text := get(t, url+"state.json")
		if err := json.Unmarshal([]byte(text), &m); err != nil || r.Header.Get("Content-Type") != "application/json" {
			t.Fatalf("%v, %v: %s", err, r.Header, text)
		}
		return m
	}
	if m := state(); m.Progress != nil || m.Report != "" || len(m.Pictures) != 0 || m.Age != nil {
		t.Errorf("an empty folder: %+v", m)
	}

	putState(t, dir, half())
	put(t, dir, ReportFile, "<!doctype html><p>one</p><script>alert(1)</script>")
	put(t, dir, "positives.png", dot)
	m := state()
	if m.Progress == nil || m.Progress.Step != 3 || len(m.Progress.Steps) != 2 || m.Progress.Steps[0].Curve != nil || m.Report == "" || *m.Age > 60 ||
		len(m.Pictures) != 1 || m.Pictures[0].Name != "positives.png" {
		t.Errorf("a training that runs: %+v", m)
	}
	r, text := get(t, url+"report.html")
	if !strings.Contains(text, "one") || r.Header.Get("ETag") != m.Report || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") ||
		strings.Contains(r.Header.Get("Content-Security-Policy"), "script-src") {
		t.Errorf("the report: %v, %s", r.Header, text)
	}
	request := must.Get(http.NewRequest(http.MethodGet, url+"report.html", nil))
	request.Header.Set("If-None-Match", m.Report)
	again, err := http.DefaultClient.Do(request)
	if err != nil || again.StatusCode != http.StatusNotModified {
		t.Errorf("the same report again: %v, %v", again, err)
	}
	if r, text := get(t, url+"files/positives.png"); r.Header.Get("Content-Type") != "image/png" || text != dot {
		t.Errorf("a picture: %v", r.Header)
	}

	put(t, dir, StateFile, "{damaged")
	if m := state(); m.Progress != nil || m.Report == "" {
		t.Errorf("a damaged state: %+v", m)
	}
	if r, err := http.Post(url+"state.json", "text/plain", nil); err != nil || r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a POST: %v, %v", r, err)
	}
}

// Only pictures of the folder are served, whatever a name or a link says.
func TestOnlyThisFolder(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "out")
	must.Do(os.Mkdir(dir, 0o777))
	put(t, outer, "secret.png", dot)
	put(t, dir, "state", "a checkpoint")
	put(t, dir, "no.png", "<script>no picture</script>")
	put(t, dir, "large.png", "")
	must.Do(os.Truncate(filepath.Join(dir, "large.png"), maxReport+1))
	must.Do(os.Mkdir(filepath.Join(dir, "folder.png"), 0o777))
	names := []string{"state", "log.jsonl", "..%2Fsecret.png", "../secret.png", "%2e%2e/secret.png", "no.png", "folder.png", "large.png", ".hidden.png", "none.png", "", "out%2F..%2F..%2Fsecret.png"}
	if err := os.Symlink(filepath.Join(outer, "secret.png"), filepath.Join(dir, "link.png")); err == nil {
		names = append(names, "link.png")
	}
	if err := os.Symlink(filepath.Join(outer, "secret.png"), filepath.Join(dir, ReportFile)); err == nil {
		names = append(names, "../"+ReportFile)
	}
	url := started(t, dir)
	for _, name := range names {
		if r, text := get(t, url+"files/"+name); r.StatusCode < 400 {
			t.Errorf("%s: %v, %d bytes", name, r.Status, len(text))
		}
	}
	if r, text := get(t, url+ReportFile); r.StatusCode < 400 {
		t.Errorf("a report that is a link out of the folder: %v, %d bytes", r.Status, len(text))
	}
}

// Events tell of a change when it happens, and otherwise now and then.
func TestEvents(t *testing.T) {
	dir := t.TempDir()
	url := started(t, dir)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request := must.Get(http.NewRequestWithContext(ctx, http.MethodGet, url+"events", nil))
	r := must.Get(http.DefaultClient.Do(request))
	defer r.Body.Close()
	if r.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%v", r.Header)
	}
	in := bufio.NewReader(r.Body)
	next := func() (m message) {
		t.Helper()
		for {
			line := must.Get(in.ReadString('\n'))
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				must.Do(json.Unmarshal([]byte(text), &m))
				return m
			}
		}
	}
	if m := next(); m.Progress != nil {
		t.Errorf("first: %+v", m)
	}
	putState(t, dir, half())
	if m := next(); m.Progress == nil || m.Progress.Round != 4 {
		t.Errorf("with a state: %+v", m)
	}
	put(t, dir, ReportFile, "one")
	first := next()
	put(t, dir, ReportFile, "another")
	if second := next(); first.Report == "" || second.Report == "" || first.Report == second.Report {
		t.Errorf("two reports: %q, %q", first.Report, second.Report)
	}
}

// A server does not run out of connections: those too many are refused.
func TestListenersAreBounded(t *testing.T) {
	h := &handler{dir: t.TempDir(), places: make(chan struct{}, 1), every: time.Hour, beat: time.Hour}
	h.places <- struct{}{}
	w := httptest.NewRecorder()
	h.events(w, httptest.NewRequest(http.MethodGet, "/events", nil))
	if w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
	<-h.places
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w = httptest.NewRecorder()
	h.events(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/events", nil))
	if w.Code != 200 || len(h.places) != 0 {
		t.Errorf("status %d, and %d places are taken", w.Code, len(h.places))
	}
}

func TestHandlerErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Handler(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	put(t, dir, "file", "")
	if _, err := Handler(filepath.Join(dir, "file")); err == nil || !strings.Contains(err.Error(), "is a file, want the folder of a training") {
		t.Error(err)
	}
}

func half() *State {
	validation := 0.98
	return &State{
		Name: "cup", Doing: "boosting", Goal: 15, Unit: "stages", Done: 0.13, Step: 3, Weak: 17, Round: 4, HitRate: 0.999, FalsePositiveRate: 0.61,
		Pictures: 12, Found: 1000, Seconds: 71.5, Left: [2]float64{300, 480}, Memory: 900 << 20, Peak: 1 << 30, Limit: 4 << 30,
		Steps: []Step{
			{Weak: 3, HitRate: 0.999, Validation: &validation, FalsePositiveRate: 0.45, Pictures: 3, Found: 1000, Negatives: 1000, Seconds: 12, Mining: 2,
				Curve: &report.Curve{Validation: true, HeldOut: true, AveragePrecision: 0.01, Points: [][2]float64{{1e-4, 0.5}, {1e-3, 1}}}},
			{Weak: 13, HitRate: 0.998, FalsePositiveRate: 0.42, Pictures: 40, Found: 560, Negatives: 1000},
		},
	}
}

func TestStateIsReadBack(t *testing.T) {
	want := half()
	b := must.Bytes(want.Write)
	got, err := Read(bytes.NewReader(b))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

// Before the first step there is an empty list, not null, whoever wrote the file.
func TestStateWithoutSteps(t *testing.T) {
	var b bytes.Buffer
	if err := new(State).Write(&b); err != nil || !strings.Contains(b.String(), `"steps":[]`) {
		t.Errorf("%s, %v", b.String(), err)
	}
	if s, err := Read(strings.NewReader(`{"steps":null}`)); err != nil || s.Steps == nil {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":             "unexpected end of JSON input",
		`{"steps":[{`:  "unexpected end of JSON input",
		`{"goal":"x"}`: "cannot unmarshal string",
		`{"steps":[{"curve":{"points":[` + strings.Repeat("[0,0],", maxPoints) + `[0,0]]}}]}`: "step 1 has a curve of 1001 points, want at most 1000",
		`{"steps":[` + strings.Repeat("{},", maxSteps) + `{}]}`:                               "100001 steps, want at most 100000",
		`{"name":"` + strings.Repeat("x", maxBytes) + `"}`:                                    "more than 16777216 bytes",
	} {
		if _, err := Read(strings.NewReader(text)); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", text, err, want)
		}
	}
	b := must.Bytes(half().Write)
	whole := strings.TrimSpace(string(b))
	for n := range len(whole) {
		if _, err := Read(strings.NewReader(whole[:n])); err == nil {
			t.Fatalf("%d of %d bytes are read as a state", n, len(whole))
		}
	}
	if _, err := Read(failing{}); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, os.ErrClosed }

func FuzzState(f *testing.F) {
	b := must.Bytes(half().Write)
	f.Add(string(b))
	f.Add(`{}`)
	f.Add(`{"steps":[{"curve":null,"validation":null}],"left":[1]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := s.Write(&again); err != nil {
			t.Fatalf("a state that was read cannot be written: %v", err)
		}
		must.Get(Read(&again))
	})
}
