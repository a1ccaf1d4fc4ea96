package label

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"

	"haarlem/internal/webguard"
)

// routes is the interface of the page. Only PUT and POST change anything, and they
// take JSON: a form of another site cannot send that.
func (s *Server) routes() http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /", page())
	answer := func(pattern string, f func(r *http.Request) (any, error)) {
		m.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			v, err := f(r)
			reply(w, v, err)
		})
	}
	answer("GET /api/folder", s.getFolder)
	answer("GET /api/state", s.getState)
	answer("GET /api/labels", s.getLabels)
	answer("PUT /api/labels", s.putLabels)
	answer("GET /api/proposals", s.getProposals)
	answer("GET /api/review", s.getReview)
	answer("POST /api/export", s.postExport)
	m.HandleFunc("GET /picture", func(w http.ResponseWriter, r *http.Request) {
		if err := s.pictures.whole(w, r, r.FormValue("picture"), r.FormValue("decoded") != ""); err != nil {
			reply(w, nil, err)
		}
	})
	m.HandleFunc("GET /crop", func(w http.ResponseWriter, r *http.Request) {
		part, side, err := partOf(r)
		if err == nil {
			err = s.pictures.crop(w, r, r.FormValue("picture"), part, side)
		}
		if err != nil {
			reply(w, nil, err)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		m.ServeHTTP(w, r)
	})
}

// New opens the folder and the labels. Close the server at the end.
func New(o *Options) (*Server, error) {
	f, err := openFolder(o.Folder)
	if err != nil {
		return nil, err
	}
	s := &Server{folder: f, pictures: newPictures(f), other: o.Other}
	path := File(f.dir, o.Labels)
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".csv" && ext != ".tsv" {
		err = fmt.Errorf("%s: want a file that ends in .csv", path)
	}
	if err == nil {
		s.labels, err = openWorking(path, f)
	}
	if err == nil {
		s.decided, err = openWorking(strings.TrimSuffix(s.labels.path, filepath.Ext(path))+".review.csv", f)
	}
	if err == nil && o.Model != nil {
		s.learner.model, err = newModel(o.Name, o.Model, f)
	}
	if err != nil {
		f.root.Close()
		return nil, err
	}
	guard, err := webguard.New(nil)
	if err != nil {
		f.root.Close()
		return nil, err
	}
	s.scan.ctx, s.stop = context.WithCancel(context.Background())
	s.learner.ctx, s.learner.folder = s.scan.ctx, f
	if o.Model == nil {
		s.learner.learn = o.Learn
	}
	s.handler = guard.Handler(s.routes())
	return s, nil
}

// File returns the path of the working file of a folder: the given one, or
// labels.csv in it.
func File(folder, given string) string {
	if given != "" {
		return given
	}
	return filepath.Join(folder, "labels.csv")
}

// Labels returns the path of the working file.
func (s *Server) Labels() string { return s.labels.path }

// Pictures returns how many pictures there are, and how many files are not shown.
func (s *Server) Pictures() (shown, left int, why string) {
	return len(s.folder.names), s.folder.left, s.folder.why
}

// Close ends what runs in the background. All labels are saved already.
func (s *Server) Close() error {
	s.stop()
	s.scan.done.Wait()
	s.learner.done.Wait()
	return s.folder.root.Close()
}

// ServeHTTP is part of [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
