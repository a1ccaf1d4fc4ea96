package webguard

import (
	"errors"
	"net/http"
)

// Handler lets requests through to next that [Guard.Check] accepts. Others get its
// error as text, with status 403 for other sites and 421 for other hosts.
func (g *Guard) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := g.Check(r)
		switch {
		case err == nil:
			next.ServeHTTP(w, r)
		case errors.Is(err, ErrOrigin):
			http.Error(w, err.Error(), http.StatusForbidden)
		default:
			http.Error(w, err.Error(), http.StatusMisdirectedRequest)
		}
	})
}
