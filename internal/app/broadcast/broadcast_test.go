package broadcast

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// There is a bound on clients, a slow one is dropped, and the end ends all.
func TestClients(t *testing.T) {
	s := New()
	s.patience = 100 * time.Millisecond
	server := httptest.NewServer(s)
	defer server.Close()
	get := func() *http.Response {
		t.Helper()
		r := must.Get(http.Get(server.URL))
		t.Cleanup(func() { r.Body.Close() })
		return r
	}
	for range maxClients {
		get()
	}
	if r := get(); r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one client too many: %s", r.Status)
	}
	noise := picturetest.Grey(1000, 1000, func(x, y int) byte { return byte((1000*y + x) * (1000*y + x) >> 7) })
	for range 1000 { // nobody reads
		must.Do(s.Send(noise))
		if len(s.clients) == 0 {
			break
		}
	}
	if n := len(s.clients); n != 0 {
		t.Errorf("%d clients that read nothing are still there", n)
	}
	s.file = nil
	last := get()
	s.End()
	if b, err := io.ReadAll(last.Body); err != nil || bytes.Contains(b, []byte("jpeg")) {
		t.Errorf("%d bytes, %v", len(b), err)
	}
}
