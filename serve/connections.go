package serve

import (
	"container/list"
	"context"
	"net"
	"sync"
)

// connections is a listener with so many connections open at most. When they
// are, a new client takes the place of the one that has kept the server waiting
// longest: that sent nothing, sends its body slowly, or takes its answer
// slowly. So nobody can lock others out by holding connections. Those whose
// request waits for a worker or has one stay; of them there are fewer.
type connections struct {
	net.Listener
	most int

	mu      sync.Mutex
	changed *sync.Cond
	open    int
	idle    *list.List // of *connection: those that may be closed, the longest waiting first
	closed  bool
}

func newConnections(l net.Listener, most int) *connections {
	c := &connections{Listener: l, most: most, idle: list.New()}
	c.changed = sync.NewCond(&c.mu)
	return c
}

// Accept waits for a client and makes room for it.
func (l *connections) Accept() (net.Conn, error) {
	raw, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.open >= l.most && !l.closed {
		oldest := l.idle.Front()
		if oldest == nil {
			l.changed.Wait()
			continue
		}
		l.mu.Unlock()
		_ = oldest.Value.(*connection).Close() // the client has no part in it any more
		l.mu.Lock()
	}
	if l.closed {
		_ = raw.Close() // nothing was said on it
		return nil, net.ErrClosed
	}
	l.open++
	c := &connection{Conn: raw, of: l}
	c.place = l.idle.PushBack(c)
	return c, nil
}

// Close ends Accept.
func (l *connections) Close() error {
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	l.changed.Broadcast()
	return l.Listener.Close()
}

// A connection is one of a connections.
type connection struct {
	net.Conn
	of    *connections
	once  sync.Once
	place *list.Element // in of.idle; nil: it stays
}

func (c *connection) Close() error {
	c.once.Do(func() {
		c.of.mu.Lock()
		c.leave()
		c.of.open--
		c.of.mu.Unlock()
		c.of.changed.Signal()
	})
	return c.Conn.Close()
}

// leave takes c out of those that may be closed. The caller has the lock.
func (c *connection) leave() {
	if c.place != nil {
		c.of.idle.Remove(c.place)
		c.place = nil
	}
}

// stay keeps c open until the returned function is called.
func (c *connection) stay() (release func()) {
	if c == nil {
		return func() {}
	}
	c.of.mu.Lock()
	c.leave()
	c.of.mu.Unlock()
	return func() {
		c.of.mu.Lock()
		if c.place == nil {
			c.place = c.of.idle.PushBack(c)
		}
		c.of.mu.Unlock()
		c.of.changed.Signal()
	}
}

// connectionKey is what a request's context has its connection under.
type connectionKey struct{}

func withConnection(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// connectionOf returns a request's connection, or nil if it did not come by
// [Server.Serve].
func connectionOf(ctx context.Context) *connection {
	c, _ := ctx.Value(connectionKey{}).(*connection)
	return c
}
