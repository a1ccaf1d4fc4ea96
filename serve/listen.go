package serve

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Serve answers connections from l until ctx ends. Then it takes no more of
// them, answers requests that wait for a worker with 503, lets those that have
// one come to their end, for Grace at most, and returns nil if that was enough
// time. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: 10 * time.Second,
		WriteTimeout:      s.o.BodyTime + 40*time.Second, // /detect sets its own
		IdleTimeout:       60 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelDebug),
		ConnContext:       withConnection,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(newConnections(l, s.o.Connections)) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.close()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Grace)
	defer cancel()
	err := server.Shutdown(grace)
	if err != nil {
		err = errors.Join(errors.New("serve: requests were cut off: they took longer than the time of grace"), server.Close())
	}
	<-failed // always http.ErrServerClosed now
	return err
}
