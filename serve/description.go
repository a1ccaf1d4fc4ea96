package serve

import (
	_ "embed"
	"net/http"
)

// openapi describes the interface for programs. A test holds the server to it.
//
//go:embed openapi.json
var openapi []byte

func description(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(openapi) // the client may be gone
}
