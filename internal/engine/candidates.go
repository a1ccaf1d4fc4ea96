package engine

import (
	"errors"
	"fmt"
	"image"
	"sync/atomic"
)

// ErrTooManyCandidates is wrapped by the error of a search with more candidates than
// Options.MaxCandidates.
var ErrTooManyCandidates = errors.New("cascade: too many candidates")

// A Candidate is a detection window that passed every exit.
type Candidate struct {
	Box    image.Rectangle
	Margin float64 // of the score above the last exit's threshold
}

// A hit is a candidate in compact form: cascades in training have millions, which are
// sorted.
type hit struct {
	at     uint64 // level, row and column; see level.at
	margin float64
}

// A quota limits the candidates of all workers of a search together.
type quota struct {
	max           int // -1 means no limit
	width, height int // of the image
	room          atomic.Int64
}

// roomAtOnce is the number of candidates that a worker reserves at a time.
const roomAtOnce = 256

// reserve makes room for the candidates of a search by a number of workers, and for
// roomAtOnce more of each. So a worker that finds no room left proves that there are
// too many; otherwise the total decides. twice says that two bands may find the same
// window.
func (q *quota) reserve(workers int, twice bool) {
	limit := int64(q.max)
	if twice {
		limit *= 2
	}
	q.room.Store(limit + int64(workers)*roomAtOnce)
}

// err returns the error for too many candidates. It does not say how many were found,
// since that depends on the number of workers.
func (q *quota) err() error {
	return fmt.Errorf("%w: more than %d windows of the %d x %d pixels that are searched pass the cascade: no picture of single objects has so many, unless levels are very close; search with a larger scale factor, stride or minimum size",
		ErrTooManyCandidates, q.max, q.width, q.height)
}

// results are the candidates of one worker.
type results struct {
	*budget
	quota *quota
	hits  []hit
	room  int // candidates still reserved
}

// found adds a candidate.
func (r *results) found(h hit) {
	if r.room == 0 {
		if r.quota.max > 0 && r.quota.room.Add(-roomAtOnce) < 0 {
			if r.err == nil {
				r.err = r.quota.err()
			}
			return
		}
		r.room = roomAtOnce
	}
	r.room--
	r.hits = append(r.hits, h)
}
