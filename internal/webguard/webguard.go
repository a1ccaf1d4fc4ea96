// Package webguard keeps other sites' web pages away from a server that runs on
// a user's own machine. A browser lets every page send requests to 127.0.0.1.
// With DNS rebinding, a page can even read the responses: its own name then
// resolves to 127.0.0.1.
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

// ErrHost reports a request for a host that this server is not.
var ErrHost = errors.New("unknown host name")

// ErrOrigin reports a request from another site's page.
var ErrOrigin = errors.New("refused: request from another site")

// A Guard checks requests. Make one with [New].
type Guard struct {
	names  []string
	any    bool
	origin *http.CrossOriginProtection
}

// New returns a guard that accepts requests for the given host names besides
// localhost, names that end in .localhost, and IP addresses, which no foreign
// page can have. "*" means any name: for servers behind a proxy that checks it.
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
// be refused. Requests of programs other than browsers pass unless they name
// another host.
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
// origin. [http.CrossOriginProtection] lets GET, HEAD and OPTIONS pass. They
// are refused here, since a page could make visitors' browsers do the server's
// work, and detect the server. A link may lead here, so GET must not change
// anything.
func (g *Guard) foreign(r *http.Request) bool {
	if r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document" {
		return false
	}
	strict := *r
	strict.Method = http.MethodPost
	return g.origin.Check(&strict) != nil
}

// known reports whether a Host field names this server. Only HTTP/1.0, which no
// browser uses, may have none.
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
