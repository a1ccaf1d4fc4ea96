package models

import (
	"testing"

	"haarlem/internal/must"
)

// TestRouter: searches with face and face-fast have a router, which has one verifier and
// no calibration; others have none.
func TestRouter(t *testing.T) {
	for _, name := range Names() {
		c := must.Get(Open(name))
		r, err := Router(c)
		if want := name == Default || name == "face-fast"; err != nil || (r != nil) != want {
			t.Errorf("%s: a router %v, %v; want %v", name, r != nil, err, want)
		}
		if r != nil && (r.Verifier == nil || r.Verifier.Next != nil || r.Calibration != nil || r.Check() != nil) {
			t.Errorf("%s: not the router: %v", name, r.Check())
		}
	}
}
