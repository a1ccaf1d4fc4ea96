package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// Serve answers connections from l until ctx ends. Then it takes no more of
// them, lets requests that are being answered come to their end, for Grace at
// most, and returns nil if that was enough time. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      s.o.BodyTime + 40*time.Second, // /detect sets its own
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
	}
	limited := &limitedListener{Listener: l, free: make(chan struct{}, s.o.Connections), closed: make(chan struct{})}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(limited) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.closing.Store(true)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Grace)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = errors.Join(errors.New("serve: requests were cut off: they took longer than the time of grace"), server.Close())
	}
	<-failed // always http.ErrServerClosed now
	return err
}

// A limitedListener takes a connection only when fewer than so many are open.
// Others wait in the system's queue.
type limitedListener struct {
	net.Listener
	free   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &limitedConn{Conn: c, release: sync.OnceFunc(func() { <-l.free })}, nil
}

func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	defer c.release()
	return c.Conn.Close()
}
