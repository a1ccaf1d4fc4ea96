package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/objects"
	"haarlem/picture"
)

// detect answers POST /detect. What is cheap to refuse is refused first: the
// client, the options, then the body while it comes in, then the header of the
// picture.
func (s *Server) detect(w http.ResponseWriter, r *http.Request) {
	if err := s.answer(w, r); err != nil {
		s.explain(w, r, err)
	}
}

// explain answers with what is wrong.
func (s *Server) explain(w http.ResponseWriter, r *http.Request, err error) {
	var refused *failure
	switch {
	case errors.As(err, &refused):
		fail(w, refused)
	case errors.Is(context.Cause(r.Context()), errCutOff):
		w.Header().Set("Connection", "close")
		fail(w, shuttingDown())
	case r.Context().Err() != nil: // nobody waits for an answer
		w.WriteHeader(statusGone)
	default:
		s.o.Log.Error("a request failed in an unexpected way", "error", err)
		fail(w, bug())
	}
}

// answer writes the whole answer, or nothing and returns why.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	boundary, several, err := multipartBoundary(r)
	if err != nil {
		return err
	}
	format, err := chooseForm(r.Header.Values("Accept"), several)
	if err != nil {
		return err
	}
	q, err := s.parseQuery(r.URL.Query())
	if err != nil {
		return err
	}
	if q.draw != drawNothing && !format.drawn {
		return &failure{http.StatusBadRequest, "option", "option draw: it is for pictures as answers: say Accept: image/png or image/jpeg"}
	}
	set, err := s.set(q)
	if err != nil {
		return &failure{http.StatusBadRequest, "option", strings.TrimPrefix(err.Error(), detector.ErrOptions.Error()+": ")}
	}
	l := &lookup{server: s, query: q, set: set, form: format}
	if several {
		return s.batch(w, r, boundary, l)
	}
	body, release, err := s.body(w, r)
	defer release()
	if err != nil {
		return err
	}
	out, err := l.look(r, body, q.name)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", format.kind)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(out) // the client may be gone
	return nil
}

// A lookup is how the pictures of one request are searched.
type lookup struct {
	server *Server
	query  *query
	set    objects.Set
	form   *form
}

// look returns the answer for one picture, or says after WorkTime that there is none. The
// worker is free when the work has ended, which can be a little later.
func (l *lookup) look(r *http.Request, body []byte, name string) ([]byte, error) {
	s := l.server
	defer atWork(r.Context())()
	ctx, cancel := context.WithTimeout(r.Context(), s.o.WorkTime)
	defer cancel()
	if err := s.acquire(ctx, r); err != nil {
		return nil, err
	}
	var (
		f     *found
		out   []byte
		err   error
		ended = make(chan struct{})
	)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				s.o.Log.Error("a bug: a picture made the server panic", "panic", fmt.Sprint(p))
				err = bug()
			}
			<-s.work
			close(ended)
		}()
		f, out, err = l.work(ctx, body, name)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		s.late.Add(1)
		go func() { <-ended; s.late.Add(-1) }()
		return nil, s.overtime(r, ctx.Err())
	}
	if err != nil {
		return nil, s.overtime(r, err)
	}
	size := f.image.Bounds().Size()
	s.metrics.picture(size.X*size.Y, len(f.faces), f.took)
	noteOf(r.Context()).found(size, len(f.faces))
	return out, nil
}

// overtime says what it means that the time of a picture is over; other errors stay.
func (s *Server) overtime(r *http.Request, err error) error {
	if r.Context().Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &failure{http.StatusServiceUnavailable, "time", fmt.Sprintf(
		"the search took longer than %v: send a smaller picture, or ask for a larger min-size or scale", s.o.WorkTime)}
}

// work decodes a picture, searches it, and writes the answer.
func (l *lookup) work(ctx context.Context, body []byte, name string) (*found, []byte, error) {
	limits := l.server.limits
	limits.Context = ctx
	p, err := picture.Read(bytes.NewReader(body), name, &limits)
	if err != nil {
		return nil, nil, pictureFailure(err)
	}
	began := time.Now()
	faces, err := l.set.Detect(ctx, p.Image)
	took := time.Since(began)
	if errors.Is(err, detector.ErrTooManyCandidates) {
		err = &failure{http.StatusUnprocessableEntity, "candidates", "so many places of the picture look like what is searched that the search was given up: ask for a larger min-size or scale"}
	}
	if err != nil {
		return nil, nil, err
	}
	f := &found{name: name, image: p.Image, object: l.query.cascade.Object, took: took, faces: faces}
	out, err := l.form.write(f, l.query)
	return f, out, err
}

// acquire waits for a worker, who is given back by receiving from s.work.
func (s *Server) acquire(ctx context.Context, r *http.Request) error {
	if s.isClosing() {
		return shuttingDown()
	}
	select {
	case s.work <- struct{}{}:
		return nil
	default:
	}
	if s.waiting.Add(1) > int64(s.o.Waiting) {
		s.waiting.Add(-1)
		return &failure{http.StatusServiceUnavailable, "busy", "all workers are busy, and enough requests wait for them; try again"}
	}
	defer s.waiting.Add(-1)
	select {
	case s.work <- struct{}{}:
		return nil
	case <-s.closing:
		return shuttingDown()
	case <-ctx.Done():
		if r.Context().Err() != nil {
			return r.Context().Err()
		}
		return &failure{http.StatusServiceUnavailable, "busy", fmt.Sprintf("no worker had time within %v; try again", s.o.WorkTime)}
	}
}

func (s *Server) tooLarge() *failure {
	return &failure{http.StatusRequestEntityTooLarge, "bytes", fmt.Sprintf("the body has more than %d bytes", s.o.MaxBytes)}
}

func (s *Server) tooSlow() *failure {
	return &failure{http.StatusRequestTimeout, "slow", fmt.Sprintf("the body did not come within %v", s.o.BodyTime)}
}

func badBody() *failure {
	return &failure{http.StatusBadRequest, "body", "the body ended early, or its encoding is wrong"}
}

// body reads the request's body; release, which is never nil, says that it is
// no longer needed.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (data []byte, release func(), err error) {
	charged := int64(0)
	release = func() { s.held.Add(-charged) }
	if r.ContentLength > s.o.MaxBytes {
		return nil, release, s.tooLarge()
	}
	// Deadlines are the connection's. A handler that is called without one,
	// as tests do, has none.
	control := http.NewResponseController(w)
	deadline := time.Now().Add(s.o.BodyTime)
	if err := control.SetReadDeadline(deadline); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, release, err
	}
	// Until the answer, two more waits are allowed: for the work, and for the
	// client to take it.
	if err := control.SetWriteDeadline(deadline.Add(s.o.WorkTime + s.o.BodyTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, release, err
	}
	// Nobody waits for the body any more when the server has to end.
	defer context.AfterFunc(r.Context(), func() { _ = control.SetReadDeadline(time.Unix(1, 0)) })()
	data, err = s.readLimited(http.MaxBytesReader(w, r.Body, s.o.MaxBytes), r.ContentLength, &charged)
	var over *http.MaxBytesError
	switch {
	case err == nil:
	case errors.As(err, new(*failure)):
		return nil, release, err
	case errors.As(err, &over):
		return nil, release, s.tooLarge()
	case errors.Is(context.Cause(r.Context()), errCutOff):
		return nil, release, err
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.Header().Set("Connection", "close")
		return nil, release, s.tooSlow()
	case r.Context().Err() != nil:
		return nil, release, err
	default:
		w.Header().Set("Connection", "close")
		return nil, release, badBody()
	}
	// From here on the connection is watched for the client's leaving, which
	// must not end at the body's deadline.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, release, err
	}
	return data, release, nil
}

// readLimited reads all of a body, of which so many bytes are announced, or -1.
// Memory is taken as bytes come in, twice as much each time, and added to charged
// and to what the server holds before: what a client announces but does not send
// costs nothing.
func (s *Server) readLimited(body io.Reader, announced int64, charged *int64) ([]byte, error) {
	buf := []byte(nil)
	for {
		if len(buf) == cap(buf) {
			grown := max(64<<10, 2*cap(buf))
			if int64(len(buf)) < announced {
				grown = min(grown, int(announced))
			}
			more := int64(grown - cap(buf))
			*charged += more
			if s.held.Add(more) > s.o.MaxHeld {
				return nil, &failure{http.StatusServiceUnavailable, "busy", "as many bytes are held as may be, of other requests; try again"}
			}
			buf = append(make([]byte, 0, grown), buf...)
		}
		n, err := body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// pictureFailure turns what is wrong with a picture into an answer.
func pictureFailure(err error) error {
	f := &failure{message: err.Error()}
	switch {
	case errors.Is(err, picture.ErrTooLarge):
		f.status, f.code = http.StatusRequestEntityTooLarge, "pixels"
	case errors.Is(err, picture.ErrDamaged):
		f.status, f.code = http.StatusUnprocessableEntity, "damaged"
	case errors.Is(err, picture.ErrFormat):
		f.status, f.code = http.StatusUnsupportedMediaType, "format"
	default:
		return err
	}
	return f
}
