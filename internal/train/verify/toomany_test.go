package verify

import (
	"context"
	"errors"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

// A shortened cascade may let more windows of a photograph pass than a search can
// take. That is no error, since it is cut short only to find some more to learn from.
// The whole cascade must be able to search all photographs.
func TestTooManyCandidates(t *testing.T) {
	photos := world(t, 5, 12)
	c := blobs()
	c.Exits[0].Threshold = -100 // all pass
	s := small
	s.Search.MaxCandidates = 3000
	res := must.Get(Train(context.Background(), c, photos, &s))
	if len(res.Looser) != 1 || res.Negatives == 0 {
		t.Errorf("%d false positives, and shortened cascades %v, want some and one", res.Negatives, res.Looser)
	}
	c.Exits[1].Threshold = -100
	if _, err := Train(context.Background(), c, photos, &s); !errors.Is(err, detector.ErrTooManyCandidates) {
		t.Errorf("error %v where the whole cascade lets too many pass, want ErrTooManyCandidates", err)
	}
}
