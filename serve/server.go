// Package serve is the detector behind HTTP: POST /detect answers what
// detect -format json prints, or with the header Accept other forms of it, and / is
// the page of package web, which finds faces in the browser itself.
//
//	POST /detect         a picture in, faces out
//	GET  /openapi.json   the description of that, for programs
//	GET  /healthz        200 while requests are taken, 503 when shutting down
//	GET  /readyz         200 while a request would be taken now
//	GET  /metrics        counters, as Prometheus reads them
//	GET  /               the page
//
// A [Server] is an [http.Handler] that bounds what a request may cost:
// [Options] lists the limits, and [Server.ServeHTTP] says which status code
// tells of each. [Server.Serve] adds what a handler cannot do: limits on
// connections, and an end in good order.
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/webguard"
	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/face68"
	"haarlem/picture"
	"haarlem/web"
)

// A Server answers requests. Any number of goroutines may use it.
type Server struct {
	o          Options
	limits     picture.Options
	models     map[string]*cascade.Cascade
	detectors  detectors
	assets     map[string]*asset
	work       chan struct{} // a token for each worker that is busy
	waiting    atomic.Int64
	late       atomic.Int64  // workers whose request was answered that there is no time
	held       atomic.Int64  // bytes of bodies
	closing    chan struct{} // closed when the server takes no more
	closeOnce  sync.Once
	guard      *webguard.Guard
	keys       keyring
	rates      rates
	landmarks  map[string]*landmarks.Model
	predictors predictors
	metrics    metrics
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

		predictors: predictors{kept: map[[2]string]*landmarks.Predictor{}},
	}
	if s.guard, err = webguard.New(v.Hosts); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	if s.keys, err = newKeyring(v.Keys); err != nil {
		return nil, err
	}
	s.rates = rates{rate: v.Rate, burst: max(1, 2*v.Rate), buckets: map[string]bucket{}}
	if s.landmarks, err = openLandmarks(); err != nil {
		return nil, err
	}
	for _, m := range v.Models {
		if s.models[m.Name] != nil {
			return nil, fmt.Errorf("%w: two models are called %q", ErrOptions, m.Name)
		}
		if m.Name == "" {
			return nil, fmt.Errorf("%w: a model without a name", ErrOptions)
		}
		// So that what is wrong with a model is known before the first request.
		if _, err := detector.New(nil, m.Cascade); err != nil {
			return nil, fmt.Errorf("serve: model %s: %w", m.Name, err)
		}
		s.models[m.Name] = m.Cascade
	}
	files, err := web.Files(v.Models)
	if err != nil {
		return nil, err
	}
	s.assets = newAssets(files)
	s.metrics.init(s)
	return s, nil
}

// openLandmarks opens the built-in landmark models.
func openLandmarks() (map[string]*landmarks.Model, error) {
	all := map[string]*landmarks.Model{}
	for name, open := range map[string]func() (*landmarks.Model, error){face5.Name: face5.Model, face68.Name: face68.Model} {
		var err error
		if all[name], err = open(); err != nil {
			return nil, err
		}
	}
	return all, nil
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
//	400  an option in the query is wrong, or the body ended early
//	401  it has none of Keys
//	403  a page of another site sent it
//	404  there is nothing of this name
//	405  the method is wrong; the field Allow has the right one
//	406  the field Accept takes none of the answers that there are
//	408  the body took longer than BodyTime
//	413  the body has more than MaxBytes, or the picture more than MaxPixels
//	415  the body is not a picture of a format that is read here
//	421  it is for a host that is none of Hosts
//	422  the body is a damaged picture
//	429  it comes too soon after others: Rate (with Retry-After)
//	500  there is a bug
//	503  all workers are busy and enough requests wait (with Retry-After),
//	     the work took longer than WorkTime, or the server is shutting down
//
// Their body is a JSON object with a code for programs and a message for
// people; openapi.json describes it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	rec := &recorder{ResponseWriter: w}
	about := new(note)
	r = r.WithContext(context.WithValue(r.Context(), noteKey{}, about))
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
		took := time.Since(began)
		s.metrics.request(route, rec.status, took)
		s.logAccess(r, about, rec, took)
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

	handler, allow, closed := s.page, "GET, HEAD", false
	switch r.URL.Path {
	case "/detect":
		route, handler, allow, closed = "detect", s.detect, "POST", true
	case "/healthz":
		route, handler = "healthz", s.health
	case "/readyz":
		route, handler = "readyz", s.ready
	case "/metrics":
		route, handler, closed = "metrics", s.metrics.serve, true
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
	if closed {
		if err := s.admit(r, true); err != nil {
			s.explain(rec, r, err)
			return
		}
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
	switch f.code {
	case "busy", "closing", "rate":
		w.Header().Set("Retry-After", "1")
	case "key":
		w.Header().Set("WWW-Authenticate", "Bearer")
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

// ready tells whether a request that comes now would find a worker or a place to
// wait for one, and whether workers end their work in time: what a load balancer asks.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if !s.isClosing() && len(s.work) == cap(s.work) && s.waiting.Load() >= int64(s.o.Waiting) {
		fail(w, &failure{http.StatusServiceUnavailable, "busy", "all workers are busy, and enough requests wait for them"})
		return
	}
	if s.late.Load() >= int64(cap(s.work)) {
		fail(w, &failure{http.StatusServiceUnavailable, "busy", fmt.Sprintf("all workers are busy with pictures that have taken longer than %v", s.o.WorkTime)})
		return
	}
	s.health(w, r)
}

// A recorder remembers the status and the length of an answer.
type recorder struct {
	http.ResponseWriter
	status  int
	written int64
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
	n, err := r.ResponseWriter.Write(b)
	r.written += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
