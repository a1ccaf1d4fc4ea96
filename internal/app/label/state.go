package label

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"haarlem/cascade"
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
