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
	"haarlem/internal/jsonout"
	"haarlem/picture"
)

// detect answers POST /detect. What is cheap to refuse is refused first: the
// options, then the body while it comes in, then the header of the picture.
func (s *Server) detect(w http.ResponseWriter, r *http.Request) {
	answer, err := s.look(w, r)
	var refused *failure
	switch {
	case err == nil:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(answer) // the client may be gone
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

func (s *Server) look(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	q, err := s.parseQuery(r.URL.Query())
	if err != nil {
		return nil, err
	}
	finder, err := s.detectors.get(s.models[q.model], q)
	if err != nil {
		return nil, &failure{http.StatusBadRequest, "option", strings.TrimPrefix(err.Error(), detector.ErrOptions.Error()+": ")}
	}
	body, release, err := s.body(w, r)
	defer release()
	if err != nil {
		return nil, err
	}

	defer atWork(r.Context())()
	ctx, cancel := context.WithTimeout(r.Context(), s.o.WorkTime)
	defer cancel()
	if err := s.acquire(ctx, r); err != nil {
		return nil, err
	}
	defer func() { <-s.work }()

	p, err := picture.Read(bytes.NewReader(body), q.name, &s.limits)
	if err != nil {
		return nil, pictureFailure(err)
	}
	began := time.Now()
	found, err := finder.Detect(ctx, p.Image)
	took := time.Since(began)
	if err != nil {
		if errors.Is(err, detector.ErrTooManyCandidates) {
			return nil, &failure{http.StatusUnprocessableEntity, "candidates", "so many places of the picture look like what is searched that the search was given up: ask for a larger min or scale"}
		}
		if r.Context().Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return nil, &failure{http.StatusServiceUnavailable, "time", fmt.Sprintf(
				"the search took longer than %v: send a smaller picture, or ask for a larger min or scale", s.o.WorkTime)}
		}
		return nil, err
	}
	size := p.Image.Bounds().Size()
	s.metrics.picture(size.X*size.Y, len(found), took)
	var out bytes.Buffer
	list, err := jsonout.NewArray(&out)
	if err != nil {
		return nil, err
	}
	if err := list.Add(jsonout.Of(q.name, size, took, s.models[q.model].Object, found)); err != nil {
		return nil, err
	}
	if err := list.End(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
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

// body reads the request's body; release, which is never nil, says that it is
// no longer needed.
func (s *Server) body(w http.ResponseWriter, r *http.Request) (data []byte, release func(), err error) {
	charged := int64(0)
	release = func() { s.held.Add(-charged) }
	tooLarge := &failure{http.StatusRequestEntityTooLarge, "bytes", fmt.Sprintf("the body has more than %d bytes", s.o.MaxBytes)}
	if kind := r.Header.Get("Content-Type"); strings.HasPrefix(strings.ToLower(kind), "multipart/") {
		return nil, release, &failure{http.StatusUnsupportedMediaType, "format", "the body is a form; send the picture's bytes alone (curl --data-binary @picture.jpg)"}
	}
	if r.ContentLength > s.o.MaxBytes {
		return nil, release, tooLarge
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
	charge := func(n int64) error {
		charged += n
		if s.held.Add(n) > s.o.MaxHeld {
			return &failure{http.StatusServiceUnavailable, "busy", "as many bytes are held as may be, of other requests; try again"}
		}
		return nil
	}
	limited := http.MaxBytesReader(w, r.Body, s.o.MaxBytes)
	// Memory is taken as bytes come in, twice as much each time, and accounted
	// for before: what a client announces but does not send costs nothing.
	buf := []byte(nil)
	for {
		if len(buf) == cap(buf) {
			grown := max(64<<10, 2*cap(buf))
			if announced := int(r.ContentLength); len(buf) < announced {
				grown = min(grown, announced)
			}
			if err := charge(int64(grown - cap(buf))); err != nil {
				return nil, release, err
			}
			buf = append(make([]byte, 0, grown), buf...)
		}
		n, err := limited.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			break
		}
		var over *http.MaxBytesError
		switch {
		case err == nil:
		case errors.As(err, &over):
			return nil, release, tooLarge
		case errors.Is(context.Cause(r.Context()), errCutOff):
			return nil, release, err
		case errors.Is(err, os.ErrDeadlineExceeded):
			w.Header().Set("Connection", "close")
			return nil, release, &failure{http.StatusRequestTimeout, "slow", fmt.Sprintf("the body did not come within %v", s.o.BodyTime)}
		case r.Context().Err() != nil:
			return nil, release, err
		default:
			w.Header().Set("Connection", "close")
			return nil, release, &failure{http.StatusBadRequest, "body", "the body ended early, or its encoding is wrong"}
		}
	}
	// From here on the connection is watched for the client's leaving, which
	// must not end at the body's deadline.
	if err := control.SetReadDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return nil, release, err
	}
	return buf, release, nil
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
