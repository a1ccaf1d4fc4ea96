package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A firstLine is a writer that tells what was written first.
type firstLine struct {
	mu    sync.Mutex
	b     bytes.Buffer
	ready chan string
}

func (l *firstLine) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.b.Write(p)
	if line, _, ok := strings.Cut(l.b.String(), "\n"); ok && l.ready != nil {
		l.ready <- line
		l.ready = nil
	}
	return len(p), nil
}

// photoFolder is a folder with the samples' pictures.
func photoFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"group.png", "room.png"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The command says where it is, serves the page, guards it, and ends.
func TestUI(t *testing.T) {
	dir := photoFolder(t)
	info := filepath.Join(dir, "info.dat")
	if err := os.WriteFile(info, []byte("group.png 1 1 2 3 4\nnone.png 0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	ready := make(chan string, 1)
	out := &firstLine{ready: ready}
	var errs bytes.Buffer
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"ui", dir, "-import", info, "-cascade", "frontalface-fast", "-addr", "127.0.0.1:0"}, out, &errs)
	}()
	var url string
	select {
	case url = <-ready:
	case s := <-status:
		t.Fatalf("status %d: %s", s, &errs)
	case <-time.After(time.Minute):
		t.Fatal("it does not say where it is")
	}
	get := func(path string, change func(*http.Request)) (int, string) {
		r, err := http.NewRequest("GET", strings.TrimSuffix(url, "/")+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(r)
		}
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		b, err := io.ReadAll(a.Body)
		if err != nil {
			t.Fatal(err)
		}
		return a.StatusCode, string(b)
	}
	if code, body := get("/", nil); code != http.StatusOK || !strings.Contains(body, "<canvas") {
		t.Errorf("the page: status %d", code)
	}
	if code, body := get("/api/folder", nil); code != http.StatusOK || !strings.Contains(body, `"name":"frontalface-fast"`) || !strings.Contains(body, `{"name":"group.png","objects":1,"labelled":true}`) {
		t.Errorf("the folder: status %d, %s", code, body)
	}
	if code, _ := get("/api/folder", func(r *http.Request) { r.Host = "evil.example" }); code != http.StatusMisdirectedRequest {
		t.Errorf("another host: status %d", code)
	}
	if code, _ := get("/api/folder", func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }); code != http.StatusForbidden {
		t.Errorf("another origin: status %d", code)
	}
	http.DefaultClient.CloseIdleConnections()
	end()
	select {
	case s := <-status:
		if s != statusOK {
			t.Errorf("status %d: %s", s, &errs)
		}
	case <-time.After(time.Minute):
		t.Fatal("it does not end")
	}
	if text := errs.String(); !strings.Contains(text, "2 pictures, labels in ") || !strings.Contains(text, "none.png") {
		t.Errorf("it said %q", text)
	}
}

func TestUIRefuses(t *testing.T) {
	dir := photoFolder(t)
	for line, want := range map[string]string{
		"ui":                                    "want one folder of photographs, not 0",
		"ui a b":                                "want one folder of photographs, not 2",
		"ui " + dir + " -addr :8081":            "other machines could change your labels there",
		"ui " + dir + " -addr 0.0.0.0:8081":     "other machines could change your labels there",
		"ui " + dir + " -addr example.org:8081": "other machines could change your labels there",
		"ui " + dir + " -addr 8081":             "want an address and a port",
		"ui " + dir + " -cascade nil":           "there is no such file",
	} {
		var errs bytes.Buffer
		if status := run(context.Background(), strings.Fields(line), io.Discard, &errs); status != statusUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: status %d, %q, want %q", line, status, &errs, want)
		}
	}
	var errs bytes.Buffer
	if status := run(context.Background(), []string{"ui", t.TempDir()}, io.Discard, &errs); status != statusFailed || !strings.Contains(errs.String(), "no pictures in this folder") {
		t.Errorf("an empty folder: status %d, %q", status, &errs)
	}
}
