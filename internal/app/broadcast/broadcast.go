// Package broadcast sends pictures over HTTP as Motion JPEG, which browsers, OBS and
// VLC show.
package broadcast

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/frames"
	"haarlem/internal/webguard"
)

// maxClients bounds who watches at once. patience is how long a client may take to
// read a picture; one that takes longer is dropped.
const (
	maxClients = 16
	patience   = 5 * time.Second
)

// A Stream gives each client the newest picture. A slow client misses some. Nobody gets
// anything but what was sent with Send.
type Stream struct {
	patience time.Duration

	clients chan struct{} // each has a place

	mu     sync.Mutex
	file   []byte        // the newest picture
	change chan struct{} // closed when there is a newer one
	closed bool
}

func New() *Stream {
	return &Stream{patience: patience, clients: make(chan struct{}, maxClients), change: make(chan struct{})}
}

// Send gives clients a new picture.
func (s *Stream) Send(m image.Image) error {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 85}); err != nil {
		return err
	}
	s.next(func() { s.file = b.Bytes() })
	return nil
}

// End ends all responses.
func (s *Stream) End() { s.next(func() { s.closed = true }) }

func (s *Stream) next(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	close(s.change)
	s.change = make(chan struct{})
}

// ServeHTTP sends pictures until the client is gone, too slow, or the stream ends.
func (s *Stream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const boundary = "haarlem-frame"
	select {
	case s.clients <- struct{}{}:
		defer func() { <-s.clients }()
	default:
		http.Error(w, "too many clients", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary="+boundary)
	w.Header().Set("Cache-Control", "no-store")
	c := http.NewResponseController(w)
	if err := c.Flush(); err != nil { // players wait for the first picture, then
		return
	}
	for {
		s.mu.Lock()
		file, change, closed := s.file, s.change, s.closed
		s.mu.Unlock()
		if closed {
			return
		}
		if file != nil {
			if err := c.SetWriteDeadline(time.Now().Add(s.patience)); err != nil {
				return
			}
			if _, err := fmt.Fprintf(w, "--%s\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n", boundary, len(file), file); err != nil {
				return
			}
			if err := c.Flush(); err != nil {
				return
			}
		}
		select {
		case <-change:
		case <-r.Context().Done():
			return
		}
	}
}

// A Sink is a server that sends frames at the times that they have.
type Sink struct {
	stream *Stream
	server *http.Server
	finish func(*frames.Frame) image.Image // the picture to send
	start  time.Time
}

// Listen serves a stream at an address such as 127.0.0.1:8090, and says where. A port
// alone means this machine only.
func Listen(address string, say io.Writer, finish func(*frames.Frame) image.Image) (*Sink, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" {
		return nil, cli.Usagef("-stream %q: want an address such as 127.0.0.1:8090, or :8090 for this machine only", address)
	}
	host = cmp.Or(host, "127.0.0.1")
	guard, err := webguard.New(nil)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	s := &Sink{stream: New(), finish: finish}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", s.stream)
	s.server = &http.Server{Handler: guard.Handler(mux), ReadHeaderTimeout: patience, MaxHeaderBytes: 1 << 16}
	go s.server.Serve(l) // until Close; its error is that it was closed
	fmt.Fprintf(say, "detect: the stream is at http://%s/\n", l.Addr())
	return s, nil
}

// Put sends a frame when its time has come. A late one is sent at once.
func (s *Sink) Put(f *frames.Frame) error {
	if s.start.IsZero() {
		s.start = time.Now().Add(-f.At)
	}
	time.Sleep(min(time.Until(s.start.Add(f.At)), time.Second))
	return s.stream.Send(s.finish(f))
}

// Close ends the stream.
func (s *Sink) Close() error {
	s.stream.End()
	if err := s.server.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}
