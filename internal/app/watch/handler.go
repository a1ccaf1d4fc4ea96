package watch

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"haarlem/internal/train/report"
)

//go:embed page
var page embed.FS

// Handler serves a training's folder, below whatever path it is mounted (with
// [http.StripPrefix]): a page that follows the training, its report and its state. The
// folder may still be without a training. Nothing outside of it is served, and the
// caller keeps strangers away.
//
//	/              the page
//	/state.json    how far the training is, and which report and pictures there are
//	/events        the same as server-sent events, whenever it changes
//	/report.html   the report
//	/files/NAME    a picture of the folder
func Handler(dir string) (http.Handler, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("watch: %s is a file, want the folder of a training", dir)
	}
	h := &handler{dir: dir, places: make(chan struct{}, maxListeners), every: every, beat: beat}
	m := http.NewServeMux()
	own := func(path, name, kind string) {
		text, err := page.ReadFile("page/" + name)
		if err != nil {
			panic(err) // of this program's own files
		}
		m.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) { serve(w, r, text, kind, pagePolicy) })
	}
	own("/{$}", "index.html", "text/html; charset=utf-8")
	own("/watch.js", "watch.js", "text/javascript; charset=utf-8")
	own("/watch.css", "watch.css", "text/css; charset=utf-8")
	m.HandleFunc("GET /report.css", func(w http.ResponseWriter, r *http.Request) {
		serve(w, r, []byte(report.Style()), "text/css; charset=utf-8", pagePolicy)
	})
	m.HandleFunc("GET /report.html", h.report)
	m.HandleFunc("GET /state.json", h.state)
	m.HandleFunc("GET /events", h.events)
	m.HandleFunc("GET /files/{name}", h.picture)
	return m, nil
}

// Scripts and styles are this program's; those in a training's files never run.
const (
	pagePolicy   = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
	reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
)

const (
	every        = 300 * time.Millisecond // between two checks of the folder
	beat         = 10 * time.Second       // between two events if nothing changes
	maxListeners = 64
	maxReport    = 64 << 20 // bytes of a file that is served
)

// serve answers with bytes, or that they are what the browser has.
func serve(w http.ResponseWriter, r *http.Request, text []byte, kind, policy string) {
	h := w.Header()
	sum := sha256.Sum256(text)
	h.Set("Content-Type", kind)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache")
	if h.Get("ETag") == "" {
		h.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
}

type handler struct {
	dir         string
	places      chan struct{} // a listener has one
	every, beat time.Duration
}

// errLarge reports a file that no training writes.
var errLarge = errors.New("larger than any file of a training")

// file reads a regular file of the folder, which a link does not lead out of, with its
// tag.
func (h *handler) file(name string, largest int64) (text []byte, tag string, err error) {
	root, err := os.OpenRoot(h.dir)
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, "", err
	case !info.Mode().IsRegular():
		return nil, "", fs.ErrNotExist
	case info.Size() > largest:
		return nil, "", errLarge
	}
	text, err = io.ReadAll(io.LimitReader(f, largest))
	return text, tagOf(info), err
}

// tagOf changes with a file.
func tagOf(info fs.FileInfo) string {
	return fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size())
}

// fail answers that a file cannot be had.
func fail(w http.ResponseWriter, err error) {
	status, text := http.StatusInternalServerError, "the file cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		status, text = http.StatusNotFound, "there is no such file (yet)"
	case errors.Is(err, errLarge):
		text = errLarge.Error()
	}
	http.Error(w, text, status)
}

func (h *handler) report(w http.ResponseWriter, r *http.Request) {
	h.send(w, r, ReportFile, "text/html; charset=utf-8", reportPolicy)
}

// send answers with a file of a kind.
func (h *handler) send(w http.ResponseWriter, r *http.Request, name, kind, policy string) {
	text, tag, err := h.file(name, maxReport)
	if err == nil && kind == "image/png" && http.DetectContentType(text) != kind {
		err = fs.ErrNotExist
	}
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("ETag", tag)
	serve(w, r, text, kind, policy)
}

func (h *handler) picture(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	if !isPicture(name) {
		http.NotFound(w, r)
		return
	}
	h.send(w, r, name, "image/png", "default-src 'none'; sandbox")
}

// isPicture reports whether a name may be that of a training's picture.
func isPicture(name string) bool {
	return filepath.Ext(name) == ".png" && filepath.Base(name) == name && filepath.IsLocal(name) && !strings.HasPrefix(name, ".")
}

// A message is what the page is told.
type message struct {
	Progress *State    `json:"progress"` // nil if there is none yet, or it cannot be read
	Age      *float64  `json:"age,omitempty"`
	Report   string    `json:"report,omitempty"` // tag of the report, if there is one
	Pictures []picture `json:"pictures"`
}

// A picture is a file of the folder.
type picture struct {
	Name string `json:"name"`
	Tag  string `json:"tag"`
}

// look returns a message, and what changes when it has news.
func (h *handler) look(now time.Time) (m message, key string, err error) {
	m.Pictures = []picture{}
	all, err := os.ReadDir(h.dir)
	if err != nil {
		return m, "", err
	}
	for _, e := range all {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue // it may have been replaced just now
		}
		switch name := e.Name(); {
		case name == ReportFile:
			m.Report = tagOf(info)
			key += m.Report
		case name == StateFile:
			key += tagOf(info)
			age := max(0, now.Sub(info.ModTime()).Seconds())
			m.Age = &age
		case isPicture(name) && len(m.Pictures) < 100:
			one := picture{name, strings.Trim(tagOf(info), `"`)}
			m.Pictures = append(m.Pictures, one)
			key += name + one.Tag
		}
	}
	return m, key, nil
}

// read adds the state to a message. A file that is none says nothing.
func (h *handler) read(m *message) {
	if m.Age == nil {
		return
	}
	text, _, err := h.file(StateFile, maxBytes)
	if err != nil {
		return
	}
	if s, err := Read(bytes.NewReader(text)); err == nil {
		for i := range s.Steps {
			s.Steps[i].Curve = nil // the report draws them
		}
		m.Progress = s
	}
}

func (h *handler) state(w http.ResponseWriter, r *http.Request) {
	m, _, err := h.look(time.Now())
	if err != nil {
		fail(w, err)
		return
	}
	h.read(&m)
	text, err := json.Marshal(m)
	if err != nil {
		fail(w, err)
		return
	}
	serve(w, r, text, "application/json", "default-src 'none'")
}

// events sends messages until the browser goes.
func (h *handler) events(w http.ResponseWriter, r *http.Request) {
	select {
	case h.places <- struct{}{}:
		defer func() { <-h.places }()
	default:
		http.Error(w, "too many pages follow this training", http.StatusServiceUnavailable)
		return
	}
	out := http.NewResponseController(w)
	// A server's limit for writing is for answers that end.
	if err := out.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	tick := time.NewTicker(h.every)
	defer tick.Stop()
	last, sent := "?", time.Time{}
	for {
		now := time.Now()
		m, key, err := h.look(now)
		if err == nil && (key != last || now.Sub(sent) >= h.beat) {
			last, sent = key, now
			h.read(&m)
			text, err := json.Marshal(m)
			if err != nil {
				return
			}
			if _, err := fmt.Fprintf(w, "data: %s\n\n", text); err != nil {
				return
			}
			if err := out.Flush(); err != nil {
				return
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-tick.C:
		}
	}
}
