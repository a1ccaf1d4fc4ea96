package label

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"

	"haarlem/cascade"
	"haarlem/internal/webguard"
)

// Options say what is labelled.
type Options struct {
	// Folder has the pictures, in subfolders too.
	Folder string

	// Labels is the working file, a CSV. It is made with the first label. Empty means
	// labels.csv in Folder.
	Labels string

	// Model proposes boxes; nil: none. Name is what the page calls it.
	Model *cascade.Cascade
	Name  string
}

// A Server is the page and its interface. It is an [http.Handler] for the root of a
// server, and refuses requests from other sites' pages ([webguard]).
type Server struct {
	folder   *folder
	labels   *working
	decided  *working
	pictures *pictures
	model    *model // nil: none
	scan     scan
	stop     context.CancelFunc
	handler  http.Handler
	exports  sync.Mutex
}

// Verdicts about windows that came up for review, in a column of the file of
// decisions.
const (
	verdictTag    = "verdict"
	verdictReject = "reject" // no object, though the model says so
	verdictKeep   = "keep"   // the label is right, though the model does not see it
)

// New opens the folder and the labels. Close the server at the end.
func New(o *Options) (*Server, error) {
	f, err := openFolder(o.Folder)
	if err != nil {
		return nil, err
	}
	s := &Server{folder: f, pictures: newPictures(f)}
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
		s.model, err = newModel(o.Name, o.Model, f)
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
	return s.folder.root.Close()
}

// ServeHTTP is part of [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// lock takes both files, and reads them again if they have changed.
func (s *Server) lock(thorough bool) (unlock func(), err error) {
	s.labels.mu.Lock()
	s.decided.mu.Lock()
	unlock = func() {
		s.decided.mu.Unlock()
		s.labels.mu.Unlock()
	}
	return unlock, errors.Join(s.labels.refresh(thorough), s.decided.refresh(thorough))
}
