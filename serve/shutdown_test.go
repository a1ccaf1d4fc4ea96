package serve

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
)

func wait(t testing.TB, what string, until func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !until(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain: %s", what)
		}
	}
}

// upload begins to send data and returns a function that sends the rest.
func upload(t testing.TB, s *Server, address string, data []byte) (*client, func()) {
	t.Helper()
	before := s.held.Load()
	c := dial(t, address)
	fmt.Fprintf(c, "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(data), data[:1000])
	wait(t, "a request's body", func() bool { return s.held.Load() > before })
	return c, func() { _, _ = c.Write(data[1000:]) }
}

// With nothing to be done the end is fast, whatever connections are open.
func TestShutdownIsFast(t *testing.T) {
	s := newServer(t, &Options{Grace: time.Minute})
	address, end := listen(t, s)
	for i := range 20 {
		c := dial(t, address)
		switch i % 3 {
		case 0:
			must.Do(c.health(time.Minute))
		case 1:
			fmt.Fprintf(c, "GET / HTT")
		}
	}
	began := time.Now()
	if err := end(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}

// Requests that take longer than the time of grace are told so, as far as they
// listen, and the server says that it cut them off.
func TestShutdownTells(t *testing.T) {
	for name, grace := range map[string]time.Duration{"short": 100 * time.Millisecond, "shorter": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			large := blank(t, 1600, 1200)
			s := newServer(t, &Options{Grace: grace, WorkTime: time.Minute, BodyTime: time.Minute})
			address, end := listen(t, s)
			slow, _ := upload(t, s, address, group(t))
			searched := dial(t, address)
			fmt.Fprintf(searched, "POST /detect?scale=1.01&rotate=0,5,10,15,20,25,30,35,40,45,50,55,60,65,70,75 HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s", len(large), large)
			wait(t, "a worker at work", func() bool { return len(s.work) == 1 })
			deaf := dial(t, address) // takes no answer
			for range 50 {
				fmt.Fprintf(deaf, "GET /detector.wasm.gz HTTP/1.1\r\nHost: localhost\r\n\r\n")
			}
			wait(t, "an answer that is not taken", func() bool { return s.metrics.inFlight.Load() == 3 })
			began := time.Now()
			if err := end(); err == nil || !strings.Contains(err.Error(), "cut off") {
				t.Errorf("end: %v", err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v", took)
			}
			for what, c := range map[string]*client{"a slow body": slow, "a long search": searched} {
				status, body, header, err := c.answer(10 * time.Second)
				if status != 503 || header.Get("Retry-After") == "" || code(t, body) != "closing" {
					t.Errorf("%s: %d %s %v", what, status, body, err)
				}
			}
			if n := s.held.Load(); n != 0 {
				t.Errorf("%d bytes are still held", n)
			}
		})
	}
}

// blank is a PNG without anything to find.
func blank(t testing.TB, width, height int) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.Bytes()
}
