package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// A phase says for whom a connection waits.
type phase int

const (
	idle     phase = iota // for the client, who has not asked for anything yet, or not again
	transfer              // for the client, who sends a request or takes an answer
	working               // for this server: a queue or a worker
)

// turn is how long each phase lasts before the connection may be closed to make
// room: time for a request to come, and for an answer to go.
const turn = time.Second

// connections are a listener that keeps at most so many connections open. When
// one more comes, one that waits for its client is closed to make room: of the
// host that has most connections, so that a host that opens many closes its
// own; of these one that is idle, if there is one; and of these the oldest. So
// clients cannot lock each other out by holding connections. Only those for
// which the server itself works are safe, and of these there are no more than
// workers and requests that may wait; and each has its turn of a second. If
// there is none but these, the new connection waits.
type connections struct {
	net.Listener
	largest int
	evicted func() // told of each connection that is closed to make room

	mu     sync.Mutex
	change *sync.Cond // a connection has ended, or cs has
	open   map[*connection]struct{}
	hosts  map[netip.Prefix]int
	closed bool
}

func newConnections(l net.Listener, largest int, evicted func()) *connections {
	cs := &connections{Listener: l, largest: largest, evicted: evicted, open: map[*connection]struct{}{}, hosts: map[netip.Prefix]int{}}
	cs.change = sync.NewCond(&cs.mu)
	return cs
}

// A connection is one of them. What is not constant belongs to in.mu.
type connection struct {
	net.Conn
	in    *connections
	host  netip.Prefix
	phase phase
	since time.Time // when the phase began
}

func (cs *connections) Accept() (net.Conn, error) {
	inner, err := cs.Listener.Accept()
	if err != nil {
		// The process may have no more files before there are too many
		// connections; http.Server tries again in a moment.
		if errors.Is(err, syscall.EMFILE) {
			cs.mu.Lock()
			victim, _ := cs.takeVictim()
			cs.mu.Unlock()
			cs.evict(victim)
		}
		return nil, err
	}
	c := &connection{Conn: inner, in: cs, host: hostOf(inner.RemoteAddr()), since: time.Now()}
	cs.mu.Lock()
	for len(cs.open) >= cs.largest && !cs.closed {
		victim, after := cs.takeVictim()
		if victim == nil {
			t := time.AfterFunc(after, cs.change.Broadcast)
			cs.change.Wait()
			t.Stop()
			continue
		}
		cs.mu.Unlock()
		cs.evict(victim)
		cs.mu.Lock()
	}
	closed := cs.closed
	if !closed {
		cs.open[c] = struct{}{}
		cs.hosts[c.host]++
	}
	cs.mu.Unlock()
	if closed {
		cut(inner)
		return nil, net.ErrClosed
	}
	return c, nil
}

// takeVictim removes the connection to be closed, if there is one. If there is
// none it says after what time there may be. cs.mu is held.
func (cs *connections) takeVictim() (victim *connection, after time.Duration) {
	after = turn
	now := time.Now()
	for c := range cs.open {
		left := turn - now.Sub(c.since)
		switch {
		case c.phase == working:
		case left > 0:
			after = min(after, left)
		case victim == nil || c.before(victim):
			victim = c
		}
	}
	if victim != nil {
		cs.remove(victim)
	}
	return victim, after
}

// before reports whether c is to be closed rather than d.
func (c *connection) before(d *connection) bool {
	if n, m := c.in.hosts[c.host], c.in.hosts[d.host]; n != m {
		return n > m
	}
	if c.phase != d.phase {
		return c.phase == idle
	}
	return c.since.Before(d.since)
}

func (cs *connections) evict(victim *connection) {
	if victim != nil {
		cut(victim.Conn)
		cs.evicted()
	}
}

// remove forgets c, if it is known; cs.mu is held.
func (cs *connections) remove(c *connection) {
	if _, ok := cs.open[c]; !ok {
		return
	}
	delete(cs.open, c)
	if cs.hosts[c.host]--; cs.hosts[c.host] == 0 {
		delete(cs.hosts, c.host)
	}
	cs.change.Signal()
}

func (cs *connections) Close() error {
	cs.mu.Lock()
	cs.closed = true
	cs.change.Broadcast()
	cs.mu.Unlock()
	return cs.Listener.Close()
}

// closeIdle closes those on which nobody asks for anything.
func (cs *connections) closeIdle() {
	var all []*connection
	cs.mu.Lock()
	for c := range cs.open {
		if c.phase == idle {
			all = append(all, c)
			cs.remove(c)
		}
	}
	cs.mu.Unlock()
	for _, c := range all {
		cut(c.Conn)
	}
}

// cut closes a connection without a word. TLS would want to send one, and wait
// for a client that does not take it.
func cut(c net.Conn) {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = t.NetConn()
	}
	_ = c.Close() // nobody could be told
}

func (c *connection) Close() error {
	err := c.Conn.Close()
	c.in.mu.Lock()
	c.in.remove(c)
	c.in.mu.Unlock()
	return err
}

func (c *connection) enter(p phase) {
	c.in.mu.Lock()
	defer c.in.mu.Unlock()
	c.phase, c.since = p, time.Now()
}

// follow is for http.Server.ConnState.
func follow(c net.Conn, state http.ConnState) {
	switch c := c.(*connection); state {
	case http.StateActive: // a request's header has come
		c.enter(transfer)
	case http.StateIdle:
		c.enter(idle)
	}
}

type connectionKey struct{}

// remember is for http.Server.ConnContext.
func remember(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connectionKey{}, c)
}

// atWork says that the request's connection waits for this server until done
// is called.
func atWork(ctx context.Context) (done func()) {
	c, ok := ctx.Value(connectionKey{}).(*connection)
	if !ok { // another server's, or a test's
		return func() {}
	}
	c.enter(working)
	return func() { c.enter(transfer) }
}

// hostOf returns what is taken for one host: an IPv4 address, or the 64 bits
// of an IPv6 address that a network gives to one customer or more.
func hostOf(a net.Addr) netip.Prefix {
	t, ok := a.(*net.TCPAddr)
	if !ok {
		return netip.Prefix{}
	}
	addr := t.AddrPort().Addr().Unmap().WithZone("")
	bits := 32
	if addr.Is6() {
		bits = 64
	}
	p, err := addr.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return p
}
