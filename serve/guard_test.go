package serve

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
)

// A web page that has led a name of its own to this machine gets nothing, from
// no path and by no method, and its request costs no worker.
func TestRebinding(t *testing.T) {
	t.Parallel()
	s := newServer(t, &Options{Hosts: []string{"camera.example"}})
	address, _ := listen(t, s)
	_, port := must.Get2(net.SplitHostPort(address))
	// A browser's network, in which every name leads here.
	transport := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
	defer transport.CloseIdleConnections()
	browser := &http.Client{Transport: transport, Timeout: time.Minute}
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "[::1]": true, "camera.example": true,
		"evil.example": false, "localhost.evil.example": false,
	} {
		for _, ask := range []string{"GET /", "GET /healthz", "GET /metrics", "GET /openapi.json", "GET /models/index.json", "HEAD /", "GET /nowhere", "OPTIONS /detect", "POST /detect"} {
			method, path, _ := strings.Cut(ask, " ")
			var body io.Reader
			if method == "POST" {
				body = bytes.NewReader(group(t))
			}
			r := must.Get(http.NewRequest(method, "http://"+net.JoinHostPort(strings.Trim(host, "[]"), port)+path, body))
			r.Header.Set("Sec-Fetch-Site", "same-origin") // as the browser sees it
			r.Header.Set("Origin", "http://"+r.Host)
			answer := must.Get(browser.Do(r))
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			if got := answer.StatusCode != 421; got != want || answer.StatusCode == 403 || answer.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
				t.Errorf("%s at %s: %d, %v", ask, host, answer.StatusCode, answer.Header)
			}
			if !want && method != "HEAD" && (code(t, text) != "host" || !strings.Contains(string(text), "-allow-host") || !strings.Contains(string(text), strings.Trim(host, "[]"))) {
				t.Errorf("%s at %s: %.200s", ask, host, text)
			}
		}
	}
	// The same on requests that no browser makes.
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

// Pages of other sites, and of other ports of this machine, get nothing done,
// and nothing to embed. Links work.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	s := newServer(t, nil)
	address, _ := listen(t, s)
	ask := func(method, path string, fields ...string) *http.Response {
		t.Helper()
		r := must.Get(http.NewRequest(method, "http://"+address+path, bytes.NewReader(group(t))))
		for i := 0; i < len(fields); i += 2 {
			r.Header.Set(fields[i], fields[i+1])
		}
		answer := must.Get(http.DefaultClient.Do(r))
		defer answer.Body.Close()
		body := must.Get(io.ReadAll(answer.Body))
		if answer.StatusCode == 403 && code(t, body) != "origin" {
			t.Errorf("%s", body)
		}
		if answer.Header.Get("Access-Control-Allow-Origin") != "" || answer.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
			t.Errorf("%s %s: %v", method, path, answer.Header)
		}
		return answer
	}
	own := "http://" + address
	for _, test := range []struct {
		method, path string
		fields       []string
		want         int
	}{
		{"POST", "/detect", nil, 200},
		{"POST", "/detect", []string{"Sec-Fetch-Site", "same-origin", "Origin", own}, 200},
		{"POST", "/detect", []string{"Origin", own}, 200},
		{"POST", "/detect", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
		{"POST", "/detect", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:1"}, 403},
		{"POST", "/detect", []string{"Origin", "https://evil.example", "Content-Type", "text/plain"}, 403},
		{"POST", "/detect", []string{"Origin", "null"}, 403},
		{"OPTIONS", "/detect", []string{"Origin", "https://evil.example", "Access-Control-Request-Method", "POST"}, 403},
		{"GET", "/metrics", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"GET", "/openapi.json", []string{"Origin", "https://evil.example"}, 403},
		{"GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"GET", "/", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"GET", "/app.js", []string{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"}, 200},
	} {
		if got := ask(test.method, test.path, test.fields...).StatusCode; got != test.want {
			t.Errorf("%s %s with %q: %d, want %d", test.method, test.path, test.fields, got, test.want)
		}
	}
}
