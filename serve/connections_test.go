package serve

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"image"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/models"
	"haarlem/web"
)

// A client is a connection by hand.
type client struct {
	net.Conn
	r *bufio.Reader
}

func dial(t testing.TB, address string) *client {
	t.Helper()
	c := must.Get(net.Dial("tcp", address))
	t.Cleanup(func() { c.Close() })
	return &client{c, bufio.NewReader(c)}
}

// answer reads one within limit.
func (c *client) answer(limit time.Duration) (status int, body []byte, header http.Header, err error) {
	if err := c.SetReadDeadline(time.Now().Add(limit)); err != nil {
		return 0, nil, nil, err
	}
	r, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	defer r.Body.Close()
	body, err = io.ReadAll(r.Body)
	return r.StatusCode, body, r.Header, err
}

func (c *client) health(limit time.Duration) error {
	fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
	status, body, _, err := c.answer(limit)
	if err == nil && status != 200 {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	return err
}

// Whatever clients do with their connections but to have pictures searched, a
// new client is answered at once.
func TestNobodyIsLockedOut(t *testing.T) {
	t.Parallel()
	const largest = 32
	for name, behave := range map[string]func(*client){
		"they say nothing":   func(c *client) {},
		"they begin to ask":  func(c *client) { fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: ") },
		"they were answered": func(c *client) { _ = c.health(time.Minute) },
		"they send slow bodies": func(c *client) {
			fmt.Fprintf(c, "POST /detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc")
		},
		"the body never comes": func(c *client) {
			fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
		},
		"they take no answer":   func(c *client) { fmt.Fprintf(c, "GET /detector.wasm.gz HTTP/1.1\r\nHost: localhost\r\n\r\n") },
		"a method of their own": func(c *client) { fmt.Fprintf(c, "PRI * HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n") },
		"they ask for a pipeful": func(c *client) {
			for range 200 {
				fmt.Fprintf(c, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, &Options{Connections: largest, Workers: 1, Waiting: 4})
			address, _ := listen(t, s)
			for range largest + 5 {
				c := dial(t, address)
				must.Do(c.SetWriteDeadline(time.Now().Add(time.Second)))
				behave(c)
			}
			began := time.Now()
			if err := dial(t, address).health(10 * time.Second); err != nil {
				t.Fatalf("a new client after %v: %v", time.Since(began), err)
			}
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("a new client waited %v", took)
			}
		})
	}
}

// A body that is not asked for and does not come holds its connection no
// longer than other bodies.
func TestBodyThatNobodyReads(t *testing.T) {
	s := newServer(t, &Options{BodyTime: 100 * time.Millisecond})
	address, _ := listen(t, s)
	c := dial(t, address)
	fmt.Fprintf(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
	must.Do(c.SetReadDeadline(time.Now().Add(10 * time.Second)))
	if _, err := io.Copy(io.Discard, c.r); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("the connection is still open: %v", err)
	}
}

// A connection that waits for a worker is not closed for a new one. If there
// are no others the new one waits, and gets its turn.
func TestWorkIsNotEvicted(t *testing.T) {
	t.Parallel()
	s := newServer(t, &Options{Connections: 1, Workers: 1, WorkTime: 2 * time.Minute})
	address, _ := listen(t, s)
	s.work <- struct{}{}
	first, rest := upload(t, s, address, group(t))
	rest()
	wait(t, "a waiting request", func() bool { return s.waiting.Load() == 1 })
	second := dial(t, address)
	if err := second.health(200 * time.Millisecond); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the second was answered beside the first: %v", err)
	}
	<-s.work
	if status, body, _, err := first.answer(time.Minute); status != 200 || err != nil {
		t.Errorf("the first: %d %s %v", status, body, err)
	}
	if status, body, _, err := second.answer(time.Minute); status != 200 || err != nil {
		t.Errorf("the second: %d %s %v", status, body, err)
	}
}

// An end while a connection waits to be taken does not wait for that.
func TestEndWhileFull(t *testing.T) {
	s := newServer(t, &Options{Connections: 1, Workers: 1, Grace: time.Minute})
	address, end := listen(t, s)
	s.work <- struct{}{}
	defer func() { <-s.work }()
	first, rest := upload(t, s, address, group(t))
	rest()
	wait(t, "a waiting request", func() bool { return s.waiting.Load() == 1 })
	dial(t, address)
	time.Sleep(20 * time.Millisecond) // for Accept, which is right without it too
	if err := end(); err != nil {
		t.Error(err)
	}
	if status, _, _, err := first.answer(time.Minute); status != 503 {
		t.Errorf("the first: %d %v", status, err)
	}
}

// from is a connection from wherever one likes.
type from struct {
	net.Conn
	addr   *net.TCPAddr
	closed bool
}

func (f *from) RemoteAddr() net.Addr { return f.addr }
func (f *from) Close() error         { f.closed = true; return nil }

// A script is a listener that says what it is told to.
type script struct {
	net.Listener
	next []any // *from or error
}

func (s *script) Accept() (net.Conn, error) {
	next := s.next[0]
	s.next = s.next[1:]
	if c, ok := next.(*from); ok {
		return c, nil
	}
	return nil, next.(error)
}

func (s *script) Close() error { return nil }

// Who has most connections makes room, with an idle one first and with the
// oldest of these.
func TestVictims(t *testing.T) {
	evicted := 0
	began, age := time.Now().Add(-time.Hour), time.Duration(0)
	sc := &script{}
	cs := newConnections(sc, 6, func() { evicted++ })
	come := func(ip string) (*from, *connection) {
		t.Helper()
		f := &from{addr: &net.TCPAddr{IP: net.ParseIP(ip), Port: 1}}
		sc.next = append(sc.next, f)
		c := must.Get(cs.Accept())
		age += time.Second
		c.(*connection).since = began.Add(age)
		return f, c.(*connection)
	}
	enter := func(c *connection, p phase) {
		since := c.since
		c.enter(p)
		c.since = since
	}
	// Two of a small host, one of them idle for longest; four of a large one,
	// whose addresses are one network's.
	small, _ := come("192.0.2.1")
	smaller, _ := come("192.0.2.1")
	sends, c1 := come("2001:db8::1")
	works, c2 := come("2001:db8::2")
	older, _ := come("2001:db8::3")
	newer, c3 := come("2001:db8::4")
	enter(c1, transfer)
	enter(c2, working)
	all := []*from{small, smaller, sends, works, older, newer}
	expect := func(want ...*from) {
		t.Helper()
		for i, f := range all {
			if f.closed != slices.Contains(want, f) {
				t.Fatalf("connection %d: closed %v", i, f.closed)
			}
		}
		if evicted != len(want) || len(cs.open) > 6 {
			t.Errorf("%d evicted, want %d; %d are open", evicted, len(want), len(cs.open))
		}
	}
	was := c3.since
	c3.since = time.Now() // it has its turn
	expect()
	come("198.51.100.1")
	expect(older)
	come("198.51.100.2")
	expect(older, sends)
	come("198.51.100.3") // both hosts have two, but those of one are safe
	expect(older, sends, small)
	c3.since = was
	_, last := come("198.51.100.4")
	expect(older, sends, small, newer)
	// Too many open files of the process: one is closed, and the error handed on
	// for http.Server to come again.
	sc.next = append(sc.next, &net.OpError{Op: "accept", Err: os.NewSyscallError("accept", syscall.EMFILE)})
	if _, err := cs.Accept(); !errors.Is(err, syscall.EMFILE) {
		t.Error(err)
	}
	expect(older, sends, small, newer, smaller)
	if err := errors.Join(last.Close(), last.Close()); err != nil {
		t.Error(err)
	}
	if n := len(cs.open); n != 4 {
		t.Errorf("%d are open", n)
	}
	cs.closeIdle()
	if len(cs.open) != 1 || works.closed {
		t.Errorf("%d are open behind closeIdle; the one at work closed: %v", len(cs.open), works.closed)
	}
	if err := cs.Close(); err != nil {
		t.Error(err)
	}
	late := &from{addr: &net.TCPAddr{IP: net.ParseIP("192.0.2.9")}}
	sc.next = append(sc.next, late)
	if _, err := cs.Accept(); !errors.Is(err, net.ErrClosed) || !late.closed {
		t.Errorf("after the end: %v, closed %v", err, late.closed)
	}
}

// Over TLS too: silent connections, ones that shook hands, and ones that are
// in the middle of it.
func TestNobodyIsLockedOutOfTLS(t *testing.T) {
	t.Parallel()
	pattern := httptest.NewTLSServer(nil)
	defer pattern.Close()
	config := pattern.TLS.Clone()
	config.NextProtos = []string{"http/1.1"}
	s := newServer(t, &Options{Connections: 6})
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- s.Serve(ctx, tls.NewListener(l, config)) }()
	trusted := pattern.Client().Transport.(*http.Transport).TLSClientConfig
	for i := range 9 {
		c := dial(t, l.Addr().String())
		switch i % 3 {
		case 1:
			fmt.Fprintf(c, "\x16\x03\x01\x02\x00\x01")
		case 2:
			secure := trusted.Clone()
			secure.ServerName = "example.com"
			must.Do(tls.Client(c, secure).Handshake())
		}
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: trusted}, Timeout: 10 * time.Second}
	began := time.Now()
	answer := must.Get(client.Get("https://" + l.Addr().String() + "/healthz"))
	answer.Body.Close()
	if took := time.Since(began); answer.StatusCode != 200 || took > 3*time.Second {
		t.Errorf("%d after %v", answer.StatusCode, took)
	}
	began = time.Now()
	cancel()
	if err := <-done; err != nil || time.Since(began) > 3*time.Second {
		t.Errorf("the end: %v after %v", err, time.Since(began))
	}
	client.CloseIdleConnections()
}

// Work that does not look at its deadline is answered in time all the same, and the server
// says that it is not ready while no worker is.
func TestStuckWorkers(t *testing.T) {
	c := must.Get(models.Open("face-fast"))
	s := newServer(t, &Options{Models: []web.Model{{Name: "one", Cascade: c}}, Workers: 1, WorkTime: 100 * time.Millisecond})
	release := make(chan struct{})
	set := must.Get(s.set(&query{cascade: c}))
	l := &lookup{server: s, set: set, query: &query{cascade: c}, form: &form{write: func(*found, *query) ([]byte, error) {
		<-release
		return nil, nil
	}}}
	ready := func() int { return get(s, "/readyz").Code }
	began := time.Now()
	_, err := l.look(httptest.NewRequest("POST", "http://localhost/detect", nil), blank(t, 30, 30), "x")
	if f, ok := err.(*failure); !ok || f.code != "time" || time.Since(began) > 10*time.Second {
		t.Errorf("%v after %v, want that the time is over", err, time.Since(began))
	}
	if got := ready(); got != http.StatusServiceUnavailable {
		t.Errorf("with a worker that is stuck /readyz is %d", got)
	}
	close(release)
	wait(t, "the server gets ready again", func() bool { return ready() == http.StatusOK })
}

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
	t.Parallel()
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
	t.Parallel()
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
	return picturetest.PNG(image.NewGray(image.Rect(0, 0, width, height)))
}
