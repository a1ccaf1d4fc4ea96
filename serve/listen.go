package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

const (
	// headerTime is how long a client may take for a request's header, and a
	// new one until it begins.
	headerTime = 5 * time.Second

	// idleTime is how long a connection is kept for the next request.
	idleTime = 60 * time.Second

	// Connections that were opened just before the end get this time for
	// their first request.
	lateTime = 500 * time.Millisecond

	// lastWords is the time for telling requests that they are cut off: decoding
	// a picture does not look at contexts.
	lastWords = 2 * time.Second
)

// errCutOff is the cause with which requests' contexts end when the time of
// grace is over.
var errCutOff = errors.New("serve: requests were cut off: they took longer than the time of grace")

// Serve answers connections from l until ctx ends. Then it takes no more of
// them, answers 503 to requests that wait for a worker, lets those that have
// one come to their end, for Grace at most, and answers 503 to what is left.
// It returns nil if nothing was. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base, cutOff := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cutOff(nil)
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerTime,
		WriteTimeout:      s.o.BodyTime + 40*time.Second, // /detect sets its own
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
		ConnState:         follow,
		ConnContext:       remember,
		BaseContext:       func(net.Listener) context.Context { return base },
		// It would answer OPTIONS * without asking s.
		DisableGeneralOptionsHandler: true,
	}
	open := newConnections(l, s.o.Connections, func() { s.metrics.evicted.Add(1) })
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(open) }()
	select {
	case err := <-failed:
		return errors.Join(err, server.Close())
	case <-ctx.Done():
	}
	s.close()
	late := time.AfterFunc(lateTime, open.closeIdle)
	defer late.Stop()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Grace)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = errCutOff
		cutOff(errCutOff)
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
		defer cancel()
		if server.Shutdown(last) != nil {
			err = errors.Join(err, server.Close())
		}
	}
	<-failed // always http.ErrServerClosed now
	return err
}
