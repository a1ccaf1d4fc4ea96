package webguard

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"haarlem/internal/must"
)

func TestHost(t *testing.T) {
	g := must.Get(New([]string{"Photos.Example.org"}))
	for host, ok := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LOCALHOST.": true, "a.localhost:1": true,
		"127.0.0.1": true, "127.0.0.1:8080": true, "[::1]": true, "[::1]:8080": true, "192.168.1.7:80": true,
		"photos.example.org": true, "photos.example.org.:8080": true, "PHOTOS.EXAMPLE.ORG": true, "": true,

		"evil.example": false, "evil.example:8080": false, "127.0.0.1.evil.example": false, "localhost.evil.example": false,
		"xphotos.example.org": false, "xlocalhost": false, "127.1": false, "0x7f000001": false, "a b": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		if err := g.Check(r); (err == nil) != ok || err != nil && !errors.Is(err, ErrHost) {
			t.Errorf("%q: %v", host, err)
		}
	}
}

func TestOrigin(t *testing.T) {
	g := must.Get(New(nil))
	for _, c := range []struct {
		method, site, origin string
		ok                   bool
	}{
		{"POST", "", "", true}, // curl
		{"POST", "same-origin", "http://127.0.0.1:8080", true},
		{"POST", "", "http://127.0.0.1:8080", true},
		{"POST", "none", "", true},
		{"GET", "same-origin", "", true},
		{"GET", "none", "", true}, // a bookmark
		{"GET", "cross-site", "https://evil.example", false},
		{"GET", "same-site", "", false}, // an image in a page of another server here
		{"GET", "", "https://evil.example", false},
		{"HEAD", "cross-site", "", false},
		{"OPTIONS", "cross-site", "https://evil.example", false}, // asks whether it may
		{"POST", "cross-site", "https://evil.example", false},
		{"POST", "same-site", "http://127.0.0.1:9999", false}, // another server here
		{"POST", "", "http://127.0.0.1:9999", false},
		{"POST", "", "null", false}, // a page from a file or a sandbox
	} {
		r := httptest.NewRequest(c.method, "/", nil)
		r.Host = "127.0.0.1:8080"
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if err := g.Check(r); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrOrigin) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A link may lead to a page, a frame or a form may not.
func TestNavigation(t *testing.T) {
	g := must.Get(New(nil))
	for _, c := range []struct {
		method, dest string
		ok           bool
	}{{"GET", "document", true}, {"GET", "iframe", false}, {"GET", "embed", false}, {"POST", "document", false}} {
		r := httptest.NewRequest(c.method, "http://127.0.0.1:8080/", nil)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "navigate")
		r.Header.Set("Sec-Fetch-Dest", c.dest)
		if err := g.Check(r); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrOrigin) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "a:8080", "http://a", "*.a", "a b"} {
		if _, err := New([]string{name}); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	g := must.Get(New([]string{"*"}))
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = "anything.example"
	if err := g.Check(r); err != nil {
		t.Error(err)
	}
}

// A guarded handler sees only requests that the guard accepts.
func TestHandler(t *testing.T) {
	g := must.Get(New(nil))
	h := g.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for _, test := range []struct {
		host, origin string
		want         int
	}{
		{"127.0.0.1:80", "", http.StatusTeapot},
		{"localhost", "http://localhost", http.StatusTeapot},
		{"localhost", "http://evil.example", http.StatusForbidden},
		{"evil.example", "", http.StatusMisdirectedRequest},
	} {
		r := httptest.NewRequest(http.MethodPut, "/", nil)
		r.Host = test.host
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != test.want {
			t.Errorf("%+v: status %d", test, w.Code)
		}
	}
}
