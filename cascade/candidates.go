package cascade

import (
	"errors"
	"fmt"
)

// DefaultMaxCandidates is the default of Options.MaxCandidates. A face has thirty to
// a hundred and fifty candidates with the options' defaults, so that it takes some
// two thousand faces, each of them perfect, to come to so many.
const DefaultMaxCandidates = 1 << 18

// ErrTooManyCandidates is what errors about pictures wrap in which more windows
// pass the cascade than Options.MaxCandidates allows.
var ErrTooManyCandidates = errors.New("cascade: too many candidates")

// tooMany returns the error of a picture with more candidates than allowed. It is
// the same for any number of workers, so it does not say how many there were when
// the search was given up.
func (j *job) tooMany() error {
	return fmt.Errorf("%w: more than %d windows of the %d x %d pixels that are searched pass the cascade: no picture of single objects has so many, unless levels are very close; search with a larger Scale, Stride or MinSize, or raise Options.MaxCandidates",
		ErrTooManyCandidates, j.d.o.MaxCandidates, j.plan.width, j.plan.height)
}

// roomAtOnce is how much room for candidates a scanner takes at once.
const roomAtOnce = 256

// reserve makes room for the candidates of a search by so many scanners, and some
// more: that a scanner finds none left means that there are too many for certain,
// and whether there are is decided when all are together.
func (j *job) reserve(scanners int) {
	most := int64(j.d.o.MaxCandidates)
	if j.d.o.Around > 0 {
		most *= 2 // two bands may look at the same window
	}
	j.room.Store(most + int64(scanners)*roomAtOnce)
}

// found adds a candidate.
func (s *scanner) found(h hit) {
	if s.room == 0 {
		if s.job.d.o.MaxCandidates > 0 && s.job.room.Add(-roomAtOnce) < 0 {
			if s.err == nil {
				s.err = s.job.tooMany()
			}
			return
		}
		s.room = roomAtOnce
	}
	s.room--
	s.hits = append(s.hits, h)
}
