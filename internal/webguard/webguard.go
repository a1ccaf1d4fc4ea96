// Package webguard keeps web pages of strangers away from a server that runs on
// somebody's own machine. A browser lets every page send requests to
// 127.0.0.1. With DNS rebinding, a page can even read the answers: its own name
// leads to 127.0.0.1 all of a sudden.
package webguard

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ErrHost says that a request is for a host that this server is not.
var ErrHost = errors.New("this server is not called that")

// ErrOrigin says that a request comes from another site's page.
var ErrOrigin = errors.New("a page of another site may not do this")

// A Guard checks requests. Make one with [New].
type Guard struct {
	names  []string
	any    bool
	origin *http.CrossOriginProtection
}

// New returns a guard that takes requests for the given host names besides
// those that it always takes: localhost, names that end in .localhost, and IP
// addresses, since no page of a stranger can have one of this machine's. "*"
// stands for any name: for servers behind a proxy that looks at it.
func New(names []string) (*Guard, error) {
	g := &Guard{origin: http.NewCrossOriginProtection()}
	for _, n := range names {
		if n == "*" {
			g.any = true
			continue
		}
		if n == "" || strings.ContainsAny(n, "/:* ") {
			return nil, fmt.Errorf("webguard: host %q, want a name without a port, such as photos.example.org", n)
		}
		g.names = append(g.names, canonical(n))
	}
	return g, nil
}

// Check returns an error that wraps [ErrHost] or [ErrOrigin] if a request must
// not be answered. What programs send, which are no browsers, passes unless
// they name another host.
func (g *Guard) Check(r *http.Request) error {
	if !g.any && !g.known(r.Host) {
		return fmt.Errorf("%w: the request is for %q; if that is right, allow this name", ErrHost, clip(r.Host))
	}
	if g.foreign(r) {
		return fmt.Errorf("%w: the request comes from %q", ErrOrigin, clip(r.Header.Get("Origin")))
	}
	return nil
}

// foreign reports whether a browser says that r comes from a page of another
// origin. [http.CrossOriginProtection] lets GET, HEAD and OPTIONS pass; here
// they are held to the same rule, since a page can make others' browsers do the
// server's work by them and tell from what happens that it is there. A link may
// lead here, so GET must not change anything.
func (g *Guard) foreign(r *http.Request) bool {
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
		return false
	}
	strict := *r
	strict.Method = http.MethodPost
	return g.origin.Check(&strict) != nil
}

// known reports whether a Host field names this server. Only HTTP/1.0, which no
// browser speaks, may have none.
func (g *Guard) known(host string) bool {
	if host == "" {
		return true
	}
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = canonical(strings.Trim(host, "[]"))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || slices.Contains(g.names, host)
}

// canonical returns the form of a name in which names are compared.
func canonical(host string) string { return strings.ToLower(strings.TrimSuffix(host, ".")) }

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "..."
	}
	return s
}
