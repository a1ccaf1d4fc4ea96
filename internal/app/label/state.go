package label

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"haarlem/cascade"
	"haarlem/internal/app/filelock"
	"haarlem/internal/eval"
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

	// Learn makes a model of what is labelled, in the background, if Model is nil; nil:
	// there is none. It is called with 20 objects of a class and more.
	Learn func(context.Context, *Lesson) (*cascade.Cascade, error)

	// Other tells labels of other classes than the model's; nil: there are none.
	Other func(*eval.Object) bool
}

// A Server is the page and its interface. It is an [http.Handler] for the root of a
// server, and refuses requests from other sites' pages ([webguard]).
type Server struct {
	folder   *folder
	labels   *working
	decided  *working
	pictures *pictures
	learner  learner
	other    func(*eval.Object) bool
	scan     scan
	stop     context.CancelFunc
	handler  http.Handler
	exports  sync.Mutex
}

// lockPatience is how long a change waits for that of another server.
const lockPatience = 10 * time.Second

// lock takes both files, and reads them again if they have changed. For a change it
// also keeps other processes out, from this reading to the unlocking.
func (s *Server) lock(change bool) (unlock func(), err error) {
	s.labels.mu.Lock()
	s.decided.mu.Lock()
	var held *filelock.Lock
	unlock = func() {
		if held != nil {
			_ = held.Discard() // what was changed is on the disk
		}
		s.decided.mu.Unlock()
		s.labels.mu.Unlock()
	}
	if change {
		dir, name := filepath.Split(s.labels.path)
		if held, err = filelock.TakeWithin(filepath.Join(dir, "."+name+".lock"), lockPatience); err != nil {
			return unlock, fmt.Errorf("%s is not changed: %w", s.labels.path, err)
		}
	}
	return unlock, errors.Join(s.labels.refresh(change), s.decided.refresh(change))
}
