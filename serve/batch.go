package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxInForm is the largest number of pictures of a form. A stream has no end.
const maxInForm = 1000

// multipartBoundary returns what separates the parts of a body, and whether it has
// parts.
func multipartBoundary(r *http.Request) (boundary string, several bool, err error) {
	text := r.Header.Get("Content-Type")
	if !strings.HasPrefix(strings.ToLower(text), "multipart/") {
		return "", false, nil
	}
	kind, parameters, err := mime.ParseMediaType(text)
	boundary = parameters["boundary"]
	if kind == "multipart/x-mixed-replace" {
		// Many cameras count the dashes that separate to the boundary.
		boundary = strings.TrimPrefix(boundary, "--")
	}
	if err != nil || boundary == "" || len(boundary) > 70 {
		return "", false, &failure{http.StatusBadRequest, "body", "Content-Type: a multipart body needs a boundary of at most 70 characters"}
	}
	return boundary, true, nil
}

// batch answers a request with several pictures: the parts of a form, or of a
// camera's stream (multipart/x-mixed-replace). Each gets a line of JSON, or is a part
// of a stream of pictures, as soon as it was searched, in their order: what was found,
// or what is wrong with it.
func (s *Server) batch(w http.ResponseWriter, r *http.Request, boundary string, l *lookup) error {
	stream := !strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "multipart/form-data")
	control := http.NewResponseController(w)
	// Without it the rest of the body is thrown away when the answer begins.
	if err := control.EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	defer context.AfterFunc(r.Context(), func() { _ = control.SetReadDeadline(time.Unix(1, 0)) })()
	parts := multipart.NewReader(r.Body, boundary)
	for n := 1; ; n++ {
		name, out, err, last := s.part(w, r, parts, l, n)
		wrong := err != nil
		if wrong {
			f := s.lineFailure(r, err)
			if last && n == 1 {
				return f // there are no parts: all of the request is wrong
			}
			out = failureLine(name, f)
		}
		if n == 1 {
			w.Header().Set("Content-Type", l.form.header())
			w.Header().Set("Cache-Control", "no-store")
		}
		if n > maxInForm && !stream && out != nil {
			out, last = failureLine(name, &failure{http.StatusRequestEntityTooLarge, "pictures", "a form has at most " + strconv.Itoa(maxInForm) + " pictures"}), true
			wrong = true
		}
		if out != nil {
			out = l.form.piece(out, wrong)
		}
		if last {
			out = append(out, l.form.end()...)
		}
		if _, err := w.Write(out); err != nil || last {
			return nil // the client has its answer, or is gone
		}
		if err := control.Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return nil
		}
	}
}

// part reads the n-th picture and returns its name and its line, or what is wrong,
// and whether nothing can come behind it.
func (s *Server) part(w http.ResponseWriter, r *http.Request, parts *multipart.Reader, l *lookup, n int) (name string, line []byte, err error, last bool) {
	control := http.NewResponseController(w)
	deadline := time.Now().Add(s.o.BodyTime)
	_ = control.SetReadDeadline(deadline)
	_ = control.SetWriteDeadline(deadline.Add(s.o.WorkTime + s.o.BodyTime))
	name = "#" + strconv.Itoa(n)
	p, err := parts.NextRawPart()
	if err == io.EOF && n > 1 {
		return name, nil, nil, true
	}
	if err != nil {
		return name, nil, err, true
	}
	defer p.Close()
	if given := p.FileName(); given != "" && len(given) <= maxName && utf8.ValidString(given) {
		name = given
	}
	charged := int64(0)
	defer func() { s.held.Add(-charged) }()
	body, err := s.readLimited(io.LimitReader(p, s.o.MaxBytes+1), -1, &charged)
	switch {
	case errors.As(err, new(*failure)):
		return name, nil, err, false // what is left of this part is skipped with the next one
	case err != nil:
		return name, nil, err, true
	case int64(len(body)) > s.o.MaxBytes:
		return name, nil, s.tooLarge(), false
	}
	if n > 1 { // the first one was admitted with the request
		if err := s.admit(r, false); err != nil {
			return name, nil, err, false
		}
	}
	_ = control.SetReadDeadline(time.Time{})
	line, err = l.look(r, body, name)
	if err != nil && !errors.As(err, new(*failure)) && r.Context().Err() == nil {
		s.o.Log.Error("a request failed in an unexpected way", "error", err)
		err = bug()
	}
	return name, line, err, err != nil && r.Context().Err() != nil
}

// lineFailure returns what is wrong with one of several pictures.
func (s *Server) lineFailure(r *http.Request, err error) *failure {
	var f *failure
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(context.Cause(r.Context()), errCutOff):
		return shuttingDown()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return s.tooSlow()
	}
	return badBody()
}

// failureLine says what is wrong with one of several pictures.
func failureLine(name string, f *failure) []byte {
	line, _ := json.Marshal(struct { // strings can always be written
		File    string `json:"file"`
		Code    string `json:"code"`
		Message string `json:"message"`
	}{name, f.code, f.message})
	return append(line, '\n')
}
