// Package serve is the detector behind HTTP: POST /detect answers what
// detect -format json prints, and / is the page of package web, which finds
// faces in the browser itself.
//
//	POST /detect         a picture in, faces out
//	GET  /openapi.json   the description of that, for programs
//	GET  /healthz        200 while requests are taken, 503 when shutting down
//	GET  /metrics        counters, as Prometheus reads them
//	GET  /               the page
//
// A [Server] is an [http.Handler] that bounds what a request may cost:
// [Options] lists the limits, and [Server.ServeHTTP] says which status code
// tells of each. [Server.Serve] adds what a handler cannot do: limits on
// connections, and an end in good order.
package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"haarlem/cascade"
	"haarlem/internal/webguard"
	"haarlem/picture"
	"haarlem/web"
)

// A Server answers requests. Any number of goroutines may use it.
type Server struct {
	o         Options
	limits    picture.Options
	models    map[string]*cascade.Cascade
	detectors detectors
	assets    map[string]*asset
	work      chan struct{} // a token for each worker that is busy
	waiting   atomic.Int64
	held      atomic.Int64  // bytes of bodies
	closing   chan struct{} // closed when the server takes no more
	closeOnce sync.Once
	guard     *webguard.Guard
	metrics   metrics
}

// New returns a server with these options.
func New(o *Options) (*Server, error) {
	v, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if v.Models == nil {
		if v.Models, err = web.Builtin(); err != nil {
			return nil, err
		}
	}
	s := &Server{
		o:       v,
		limits:  picture.Options{MaxPixels: v.MaxPixels, MaxBytes: v.MaxBytes},
		models:  map[string]*cascade.Cascade{},
		work:    make(chan struct{}, v.Workers),
		closing: make(chan struct{}),
	}
	if s.guard, err = webguard.New(v.Hosts); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	for _, m := range v.Models {
		if s.models[m.Name] != nil {
			return nil, fmt.Errorf("%w: two models are called %q", ErrOptions, m.Name)
		}
		if m.Name == "" {
			return nil, fmt.Errorf("%w: a model without a name", ErrOptions)
		}
		// So that what is wrong with a model is known before the first request.
		if _, err := cascade.NewDetector(m.Cascade, nil); err != nil {
			return nil, fmt.Errorf("serve: model %s: %w", m.Name, err)
		}
		s.models[m.Name] = m.Cascade
	}
	files, err := web.Files(v.Models)
	if err != nil {
		return nil, err
	}
	if s.assets, err = newAssets(files); err != nil {
		return nil, err
	}
	s.metrics.init(s)
	return s, nil
}

// A failure is an answer other than success.
type failure struct {
	status  int
	code    string // for programs; see openapi.json
	message string // for people
}

func (f *failure) Error() string { return f.message }

// statusGone is what the counters say where the client did not wait for the
// answer. Nobody is sent it.
const statusGone = 499

// ServeHTTP answers one request. Besides 200, and what browsers ask of files
// (206, 304, 416), the statuses are
//
//	403  a page of another site sent it
//	400  an option in the query is wrong, or the body ended early
//	404  there is nothing of this name
//	405  the method is wrong; the field Allow has the right one
//	408  the body took longer than BodyTime
//	413  the body has more than MaxBytes, or the picture more than MaxPixels
//	415  the body is not a picture of a format that is read here
//	421  it is for a host that is none of Hosts
//	422  the body is a damaged picture
//	500  there is a bug
//	503  all workers are busy and enough requests wait (with Retry-After),
//	     the work took longer than WorkTime, or the server is shutting down
//
// Their body is a JSON object with a code for programs and a message for
// people; openapi.json describes it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	rec := &recorder{ResponseWriter: w}
	route := "page"
	s.metrics.inFlight.Add(1)
	defer func() {
		s.metrics.inFlight.Add(-1)
		if p := recover(); p != nil {
			if p == http.ErrAbortHandler {
				panic(p)
			}
			s.o.Log.Error("a bug: a request made the server panic", "path", r.URL.Path, "panic", fmt.Sprint(p))
			if rec.status == 0 {
				fail(rec, bug())
			}
		}
		s.metrics.request(route, rec.status, time.Since(began))
	}()
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	if r.ContentLength != 0 {
		// The standard library reads what is left of a body before it answers,
		// which a refused client may never send. A handler that is called
		// without a connection has no deadlines.
		_ = http.NewResponseController(w).SetReadDeadline(began.Add(s.o.BodyTime))
	}
	if err := s.guard.Check(r); err != nil {
		fail(rec, stranger(err))
		return
	}

	handler, allow := s.page, "GET, HEAD"
	switch r.URL.Path {
	case "/detect":
		route, handler, allow = "detect", s.detect, "POST"
	case "/healthz":
		route, handler = "healthz", s.health
	case "/metrics":
		route, handler = "metrics", s.metrics.serve
	case "/openapi.json":
		route, handler = "openapi", description
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if want, _, _ := strings.Cut(allow, ","); method != want {
		header.Set("Allow", allow)
		fail(rec, &failure{http.StatusMethodNotAllowed, "method", fmt.Sprintf("%s takes %s, not %s", clip(r.URL.Path), allow, clip(r.Method))})
		return
	}
	handler(rec, r)
}

// stranger is the answer to a request that the guard refuses.
func stranger(err error) *failure {
	if errors.Is(err, webguard.ErrOrigin) {
		return &failure{http.StatusForbidden, "origin", err.Error()}
	}
	return &failure{http.StatusMisdirectedRequest, "host", err.Error() + " (detect serve -allow-host NAME)"}
}

// shuttingDown is the answer to requests that come too late.
func shuttingDown() *failure {
	return &failure{http.StatusServiceUnavailable, "closing", "the server is shutting down"}
}

// close ends the waiting of requests for a worker.
func (s *Server) close() { s.closeOnce.Do(func() { close(s.closing) }) }

// isClosing reports whether the server takes no more requests.
func (s *Server) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

func bug() *failure {
	return &failure{http.StatusInternalServerError, "bug", "this request met a bug of the server"}
}

// fail answers with f.
func fail(w http.ResponseWriter, f *failure) {
	body, _ := json.Marshal(struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}{f.code, f.message}) // two strings can always be written
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if f.code == "busy" || f.code == "closing" {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(f.status)
	_, _ = w.Write(append(body, '\n')) // the client may be gone
}

func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	if s.isClosing() {
		fail(w, shuttingDown())
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n")) // the client may be gone
}

// A recorder remembers the status for the counters.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
