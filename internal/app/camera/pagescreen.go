package camera

import (
	"errors"
	"fmt"
	"html"
	"image"
	"io"
	"net"
	"net/http"
	"time"

	"haarlem/internal/app/broadcast"
	"haarlem/internal/webguard"
)

// A pageScreen shows pictures in a browser on this machine, as Motion JPEG, and takes
// keys from buttons and the keyboard there.
type pageScreen struct {
	server *http.Server
	stream *broadcast.Stream
	keys   chan int
}

// openPage serves a page on a free port of this machine only, and says where.
func openPage(title string, say io.Writer) (*pageScreen, error) {
	guard, err := webguard.New(nil)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &pageScreen{keys: make(chan int, 16), stream: broadcast.New()}
	p.server = &http.Server{Handler: p.handler(title, guard), ReadHeaderTimeout: 5 * time.Second}
	go p.server.Serve(l) // until close; its error is that it was closed
	fmt.Fprintf(say, "detect: the picture is at http://%s/\n", l.Addr())
	return p, nil
}

const screenPage = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>%[1]s</title>
<style>body{margin:0;background:#111;color:#ddd;font:16px system-ui;text-align:center}img{max-width:100vw;max-height:88vh}button{font:inherit;margin:.4em;padding:.4em .9em}</style>
<img src="/stream" alt="%[1]s"><br>
<button data-key=" ">pause</button><button data-key="s">save</button><button data-key="m">model</button><button data-key="+">larger</button><button data-key="-">smaller</button><button data-key="q">end</button>
<script>
const send = key => fetch("/key", {method: "POST", body: key})
for (const b of document.querySelectorAll("button")) b.onclick = () => send(b.dataset.key)
addEventListener("keydown", e => { if (e.key.length == 1 && !e.ctrlKey && !e.metaKey) { e.preventDefault(); send(e.key) } })
</script>
`

func (p *pageScreen) handler(title string, guard *webguard.Guard) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, screenPage, html.EscapeString(title))
	})
	mux.Handle("GET /stream", p.stream)
	mux.HandleFunc("POST /key", func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 1)
		if _, err := io.ReadFull(r.Body, b); err != nil {
			http.Error(w, "want one key", http.StatusBadRequest)
			return
		}
		select {
		case p.keys <- int(b[0]):
		default: // nobody listens
		}
		w.WriteHeader(http.StatusNoContent)
	})
	return guard.Handler(mux)
}

func (p *pageScreen) show(m *image.RGBA) error { return p.stream.Send(m) }

func (p *pageScreen) key(wait time.Duration) (int, bool) {
	select {
	case k := <-p.keys:
		return k, true
	case <-time.After(wait):
		return noKey, true
	}
}

func (p *pageScreen) close() error {
	p.stream.End()
	err := p.server.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
