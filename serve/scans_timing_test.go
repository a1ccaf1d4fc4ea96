//go:build timing

package serve

import (
	"bytes"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"haarlem/internal/picturetest"
)

// Progressive JPEGs whose decoding takes scans times pixels, some of them cut off, hold
// every worker. Each is answered within the time that is promised, and so are the others.
func TestScansHoldNobody(t *testing.T) {
	const promised, late = 3 * time.Second, 2 * time.Second // decoders are asked to stop between reads
	s := newServer(t, &Options{Workers: 2, Waiting: 20, WorkTime: promised})
	var hostile [][]byte
	for _, scans := range []int{32, 33, 6000} {
		data := picturetest.Progressive(5000, 5000, 1, scans)
		hostile = append(hostile, data, data[:len(data)-2], data[:len(data)*9/10])
	}
	good := group(t)
	answer := func(name string, body []byte, allowed ...int) {
		began := time.Now()
		w := post(s, "", body)
		took := time.Since(began)
		t.Logf("%s, %d bytes: %d after %v", name, len(body), w.Code, took)
		if took > promised+late || !slices.Contains(allowed, w.Code) {
			t.Errorf("%s: %d after %v: %s", name, w.Code, took, bytes.TrimSpace(w.Body.Bytes()))
		}
	}
	var all sync.WaitGroup
	for _, body := range hostile {
		all.Go(func() {
			answer("a JPEG of many scans", body, http.StatusOK, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusServiceUnavailable)
		})
	}
	for range 8 {
		answer("a picture of another client", good, http.StatusOK)
	}
	all.Wait()
	answer("a picture afterwards", good, http.StatusOK)
	if w := post(s, "", hostile[len(hostile)-3]); code(t, w.Body.Bytes()) != "too-large" && w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("6000 scans: %d %s", w.Code, w.Body)
	}
}
