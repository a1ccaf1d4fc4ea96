package serve

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"haarlem/web"
)

// An asset is one file of the page.
type asset struct {
	kind   string
	tag    string // of the content, so that browsers ask whether it changed
	plain  []byte
	packed func() []byte // with gzip, when it is first asked for; nil: it would not be smaller
}

// newAssets returns the files by path.
func newAssets(files []web.File) map[string]*asset {
	all := map[string]*asset{}
	for _, f := range files {
		a := &asset{kind: f.Type, plain: f.Data, tag: fmt.Sprintf(`"%x"`, sha256.Sum256(f.Data))[:33] + `"`}
		a.packed = sync.OnceValue(func() []byte { return packed(f.Data) })
		all["/"+f.Name] = a
		if f.Name == "index.html" {
			all["/"] = a
		}
	}
	return all
}

// packed returns what gzip makes of a file, or nil if that is not much smaller.
func packed(data []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)                                     // a level that there is
	if _, err := z.Write(data); err != nil || z.Close() != nil || b.Len() >= len(data)*9/10 { // writing into memory does not fail
		return nil
	}
	return b.Bytes()
}

// policy lets the page load from this server and nowhere else, and send to
// nowhere else: no picture leaves the browser. WebAssembly counts as script
// that is made at run time. The page says the same in itself, for other hosts.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; " +
	"media-src 'self' blob: mediastream:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	a := s.assets[r.URL.Path]
	if a == nil {
		fail(w, &failure{http.StatusNotFound, "path", "there is nothing at " + clip(r.URL.Path)})
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Content-Security-Policy", policy)
	h.Set("Permissions-Policy", "camera=(self), microphone=(), geolocation=()")
	h.Set("Cache-Control", "no-cache") // keep it, but ask
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", a.tag)
	data := a.plain
	if p := a.packed; accepts(r.Header.Get("Accept-Encoding"), "gzip") && p() != nil {
		data = p()
		h.Set("Content-Encoding", "gzip")
		h.Set("ETag", strings.TrimSuffix(a.tag, `"`)+`-gzip"`)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}

// accepts reports whether a field Accept-Encoding has the coding, and not
// with the weight 0, which says no.
func accepts(field, coding string) bool {
	for part := range strings.SplitSeq(field, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), coding) {
			continue
		}
		_, q, _ := strings.Cut(weight, "=")
		q = strings.TrimSpace(q)
		return q == "" || strings.Trim(q, "0.") != ""
	}
	return false
}
