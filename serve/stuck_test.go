package serve

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/web"
)

// Work that does not look at its deadline is answered in time all the same, and the server
// says that it is not ready while no worker is.
func TestStuckWorkers(t *testing.T) {
	c, err := models.Open("frontalface")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, &Options{Models: []web.Model{{Name: "one", Cascade: c}}, Workers: 1, WorkTime: 100 * time.Millisecond})
	release := make(chan struct{})
	set := must.Get(s.set(&query{cascade: c}))
	l := &lookup{server: s, set: set, query: &query{cascade: c}, form: &form{write: func(*found, *query) ([]byte, error) {
		<-release
		return nil, nil
	}}}
	ready := func() int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/readyz", nil))
		return w.Code
	}
	var b bytes.Buffer
	must.Do(png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 30))))
	began := time.Now()
	_, err = l.look(httptest.NewRequest("POST", "http://localhost/detect", nil), b.Bytes(), "x")
	if f, ok := err.(*failure); !ok || f.code != "time" || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v, want that the time is over", err, time.Since(began))
	}
	if got := ready(); got != http.StatusServiceUnavailable {
		t.Errorf("with a worker that is stuck /readyz is %d", got)
	}
	close(release)
	for range 1000 {
		if ready() == http.StatusOK {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the server does not get ready again")
}
