package serve

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A page that has led a name of its own to this machine gets nothing, from no path and by
// no method; and pages of other sites and ports get nothing done, and nothing to embed.
// Package webguard has all ways to ask.
func TestGuard(t *testing.T) {
	s := newServer(t, &Options{Hosts: []string{"camera.example"}})
	for _, test := range []struct {
		host, origin, site string
		status             int // 0: it is not refused
		code               string
	}{
		{"localhost", "http://localhost", "same-origin", 0, ""},
		{"127.0.0.1:80", "", "", 0, ""},
		{"camera.example", "http://camera.example", "same-origin", 0, ""},
		{"evil.example", "http://evil.example", "same-origin", 421, "host"},
		{"localhost.evil.example", "", "", 421, "host"},
		{"localhost", "https://evil.example", "cross-site", 403, "origin"},
		{"localhost", "http://localhost:1", "same-site", 403, "origin"},
		{"localhost", "null", "", 403, "origin"},
	} {
		for _, ask := range []string{"GET /", "GET /healthz", "GET /metrics", "GET /openapi.json", "GET /models/index.json", "HEAD /", "GET /nowhere", "OPTIONS /detect", "POST /detect"} {
			method, path, _ := strings.Cut(ask, " ")
			r := httptest.NewRequest(method, path, nil)
			r.Host = test.host
			if test.origin != "" {
				r.Header.Set("Origin", test.origin)
			}
			if test.site != "" {
				r.Header.Set("Sec-Fetch-Site", test.site)
			}
			w := send(s, r)
			if h := w.Header(); h.Get("Access-Control-Allow-Origin") != "" || h.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s by %+v: %v", ask, test, h)
			}
			switch {
			case test.status != 0:
				refused(t, ask, w, test.status, test.code)
			case w.Code == 403 || w.Code == 421:
				t.Errorf("%s by %+v: %d", ask, test, w.Code)
			}
			if text := w.Body.String(); test.status == 421 && !(strings.Contains(text, "-allow-host") && strings.Contains(text, test.host)) {
				t.Errorf("%s by %+v: %s", ask, test, text)
			}
		}
	}
}

// Requests that no browser makes.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	address, _ := listen(t, newServer(t, nil))
	for text, want := range map[string]int{
		"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n":                                 421,
		"GET http://evil.example/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n":              421,
		"GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n":           400,
		"GET /metrics HTTP/1.1\r\n\r\n":                                                    400,
		"GET /metrics HTTP/1.0\r\n\r\n":                                                    200,
		"GET /metrics HTTP/1.1\r\nHost:\r\n\r\n":                                           200,
		"GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n":                                 200,
		"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n":                     421,
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                                                 405,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\nA: " + strings.Repeat("a", 1<<16):     431,
		"GET /healthz?" + strings.Repeat("a", 1<<16) + " HTTP/1.1\r\n":                     431,
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("A: b\r\n", 1<<13): 431,
		// What one server takes for a body and another for a request.
		"POST /detect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n":                                  501,
		"POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab":                 400,
		"POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\na":                                      400,
		"POST /detect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n": 415,
	} {
		c := dial(t, address)
		_, _ = io.WriteString(c, text) // it may be closed before all is sent
		if status, body, _, err := c.answer(time.Minute); status != want {
			t.Errorf("%.60q: %d %.200s %v, want %d", text, status, body, err, want)
		}
	}
}
