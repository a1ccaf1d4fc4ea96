package engine

import (
	"errors"
	"fmt"
	"image"
	"sync/atomic"
)

// ErrTooManyCandidates is what errors about pictures wrap in which more windows
// pass the cascade than Options.MaxCandidates allows.
var ErrTooManyCandidates = errors.New("cascade: too many candidates")

// A Candidate is a window that passed every exit.
type Candidate struct {
	Box    image.Rectangle
	Margin float64 // how far the score at the last exit was above its threshold
}

// A hit is a candidate in little memory, since cascades in training have
// millions, which are put in order.
type hit struct {
	at     uint64 // level, row and column, in this order: see level.at
	margin float64
}

// A quota is how many candidates the workers of a search may find together.
type quota struct {
	max           int // -1: any number
	width, height int // of what is searched
	room          atomic.Int64
}

// roomAtOnce is how much room for candidates a worker takes at once.
const roomAtOnce = 256

// reserve makes room for the candidates of a search by so many workers, and some
// more: that a worker finds none left means that there are too many for certain,
// and whether there are is decided when all are together. twice says that two bands
// may look at the same window.
func (q *quota) reserve(workers int, twice bool) {
	most := int64(q.max)
	if twice {
		most *= 2
	}
	q.room.Store(most + int64(workers)*roomAtOnce)
}

// err returns the error of a picture with more candidates than allowed. It is
// the same for any number of workers, so it does not say how many there were when
// the search was given up.
func (q *quota) err() error {
	return fmt.Errorf("%w: more than %d windows of the %d x %d pixels that are searched pass the cascade: no picture of single objects has so many, unless levels are very close; search with a larger Scale, Stride or MinSize, or raise Options.MaxCandidates",
		ErrTooManyCandidates, q.max, q.width, q.height)
}

// results are what one worker has found.
type results struct {
	*budget
	quota *quota
	hits  []hit
	room  int // for so many more is none reserved
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
