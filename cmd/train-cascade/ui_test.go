package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/nms"
)

// photoFolder is a folder with the samples' pictures.
func photoFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"group.png", "room.png"} {
		putFile(t, filepath.Join(dir, name), contents(t, filepath.Join("..", "..", "samples", name)))
	}
	return dir
}

// A served is a command that serves pages.
type served struct {
	t      *testing.T
	url    string // the first that it prints
	errs   bytes.Buffer
	status chan int
	end    context.CancelFunc
}

// startUI runs the command until end is called.
func startUI(t *testing.T, args ...string) *served {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	t.Cleanup(end)
	s := &served{t: t, status: make(chan int, 1), end: end}
	read, write := io.Pipe()
	go func() {
		code := run(ctx, append([]string{"ui", "-addr", "127.0.0.1:0"}, args...), write, &s.errs)
		write.Close()
		s.status <- code
	}()
	if _, err := fmt.Fscanln(read, &s.url); err != nil {
		end()
		t.Fatalf("it says %q, %v, and ends with status %d: %s", s.url, err, <-s.status, &s.errs)
	}
	go io.Copy(io.Discard, read)
	return s
}

// get asks for a path, and returns the answer's status and body. A redirection is
// followed.
func (s *served) get(path string, change func(*http.Request)) (int, string) {
	s.t.Helper()
	at := must.Get(url.Parse(s.url))
	r := must.Get(http.NewRequest("GET", "http://"+at.Host+path, nil))
	if change != nil {
		change(r)
	}
	a := must.Get(http.DefaultClient.Do(r))
	defer a.Body.Close()
	return a.StatusCode, string(must.Get(io.ReadAll(a.Body)))
}

// close ends the command, and returns what it said.
func (s *served) close() string {
	s.t.Helper()
	http.DefaultClient.CloseIdleConnections()
	s.end()
	select {
	case code := <-s.status:
		if code != statusOK {
			s.t.Errorf("status %d: %s", code, &s.errs)
		}
	case <-time.After(time.Minute):
		s.t.Fatal("it does not end")
	}
	return s.errs.String()
}

// The command says where it is, serves the page, and ends.
func TestUI(t *testing.T) {
	dir := photoFolder(t)
	info := filepath.Join(dir, "info.dat")
	must.Do(os.WriteFile(info, []byte("group.png 1 1 2 3 4\nnone.png 0\n"), 0o666))
	s := startUI(t, dir, "-import", info, "-cascade", "face-fast")
	if code, body := s.get("/", nil); code != http.StatusOK || !strings.Contains(body, "<canvas") {
		t.Errorf("the page: status %d", code)
	}
	if code, body := s.get("/api/folder", nil); code != http.StatusOK || !strings.Contains(body, `"name":"face-fast"`) || !strings.Contains(body, `{"name":"group.png","objects":1,"labelled":true}`) {
		t.Errorf("the folder: status %d, %s", code, body)
	}
	if text := s.close(); !strings.Contains(text, "2 pictures, labels in ") || !strings.Contains(text, "none.png") {
		t.Errorf("it said %q", text)
	}
}

// A training is watched with photographs to label beside it, and without; its page is
// guarded too.
func TestUIWatches(t *testing.T) {
	out := t.TempDir()
	for _, args := range [][]string{{"-data", out}, {"-data", out, photoFolder(t)}} {
		s := startUI(t, args...)
		if watched := strings.HasSuffix(s.url, "/watch/"); watched != (len(args) == 2) {
			t.Errorf("%q: the first page is at %s", args, s.url)
		}
		code, first := s.get("/", nil)
		if labels := strings.Contains(first, "<canvas"); code != http.StatusOK || labels != (len(args) == 3) {
			t.Errorf("%q: /: status %d, labels: %v", args, code, labels)
		}
		if code, body := s.get("/watch/", nil); code != http.StatusOK || !strings.Contains(body, "watch.js") {
			t.Errorf("%q: /watch/: status %d, %.200s", args, code, body)
		}
		if code, body := s.get("/watch/state.json", nil); code != http.StatusOK || !strings.HasPrefix(body, "{") {
			t.Errorf("%q: the state: status %d, %.200s", args, code, body)
		}
		if code, _ := s.get("/watch/state.json", func(r *http.Request) { r.Host = "evil.example" }); code != http.StatusMisdirectedRequest {
			t.Errorf("%q: another host: status %d", args, code)
		}
		s.close()
	}
}

func TestUIRefuses(t *testing.T) {
	dir := photoFolder(t)
	for line, want := range map[string]string{
		"ui":                                    "want one folder of photographs, not 0",
		"ui -data nowhere":                      "nowhere",
		"ui -data . -cascade x":                 "-cascade is for a folder of photographs",
		"ui a b":                                "want one folder of photographs, not 2",
		"ui " + dir + " -addr :8081":            "other machines could change your labels there",
		"ui " + dir + " -addr 0.0.0.0:8081":     "other machines could change your labels there",
		"ui " + dir + " -addr example.org:8081": "other machines could change your labels there",
		"ui " + dir + " -addr 8081":             "want an address and a port",
		"ui " + dir + " -cascade nil":           "there is no such file",
	} {
		says(t, statusUsage, want, strings.Fields(line)...)
	}
	says(t, statusFailed, "no pictures in this folder", "ui", t.TempDir())
}

// Labels teach a model by the real commands, which finds what is not labelled yet.
func TestUILearns(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	rng := rand.New(rand.NewPCG(8, 3))
	labels := "file,x,y,width,height\n"
	var last []image.Rectangle
	for i := range 7 {
		img := drawGround(120, 90, rng)
		last = nil
		for k := range 4 {
			wide := 20 + rng.IntN(12)
			box := image.Rect(0, 0, wide, wide).Add(image.Pt(5+60*(k%2)+rng.IntN(15), 5+44*(k/2)+rng.IntN(6)))
			drawCross(img, box.Inset(1), rng)
			last = append(last, box)
			if i < 6 {
				labels += fmt.Sprintf("%d.png,%d,%d,%d,%d\n", i, box.Min.X, box.Min.Y, wide, wide)
			}
		}
		save(t, fmt.Sprintf("%d.png", i), img)
	}
	putFile(t, "labels.csv", labels)
	s := startUI(t, dir)
	var at struct{ Version string }
	if _, body := s.get("/api/labels?picture=6.png", nil); json.Unmarshal([]byte(body), &at) != nil || at.Version == "" {
		t.Fatal(body)
	}
	code, body := s.get("/api/labels?picture=6.png", func(r *http.Request) {
		r.Method = "PUT"
		r.Header.Set("Content-Type", "application/json")
		r.Body = io.NopCloser(strings.NewReader(`{"picture":"6.png","version":"` + at.Version + `","objects":[{"line":-1,"box":[1,1,9,9],"points":{},"ignore":false,"tags":{}}],"decisions":[]}`))
	})
	if code != http.StatusOK {
		t.Fatal(code, body)
	}
	for range 600 {
		if _, body = s.get("/api/state", nil); !strings.Contains(body, "Learning from 24 objects") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if !strings.Contains(body, `"model":"the model of 24 objects","learning":""`) {
		t.Fatal(body)
	}
	var found []struct{ Box [4]int }
	if _, body = s.get("/api/proposals?picture=6.png", nil); json.Unmarshal([]byte(body), &found) != nil {
		t.Fatal(body)
	}
	right := 0
	for _, f := range found {
		got := image.Rect(f.Box[0], f.Box[1], f.Box[0]+f.Box[2], f.Box[1]+f.Box[3])
		if slices.ContainsFunc(last, func(box image.Rectangle) bool { return nms.Overlap(box, got) > 0.5 }) {
			right++
		}
	}
	if right < 3 || len(found) > 6 {
		t.Errorf("%d of %d proposals are right, of 4 objects", right, len(found))
	}
	s.close()
}
