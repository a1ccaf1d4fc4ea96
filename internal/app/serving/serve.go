// Package serving is detect's command serve.
package serving

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/search"
	"haarlem/models"
	"haarlem/serve"
	"haarlem/web"
)

const serveText = `
Serves a page that finds faces in the browser itself, on its camera, on pictures
and on videos: no picture leaves the browser. For programs, POST /detect takes a
picture and answers the JSON of detect -format json:

  curl --data-binary @portrait.jpg 'http://127.0.0.1:8080/detect?min-size=60'

The answer is JSON, lines of JSON, CSV, or the picture with boxes or hidden faces,
as the header Accept says; a form with several files, or a camera's stream, gets a
line of JSON for each picture. /openapi.json describes it; /healthz, /readyz and
/metrics are for those who watch over it.

It listens on this machine only, unless -addr says otherwise. Browsers give
cameras only to pages from this machine or over https (-cert and -key). Pages
of other sites cannot use it: -allow-host names the hosts that it answers for.
Ctrl-C ends it: searches that have begun are answered (-grace), requests that
wait are told to come again.`

// serveFlags are those of serve.
type serveFlags struct {
	addr, cert, key, model, write string
	keys, access                  string
	hosts                         []string
	rate                          float64
	workers, waiting              int
	maxBytes, maxPixels           string
	timeout, grace                time.Duration
}

func Command() *cli.Command {
	return &cli.Command{
		Name: "serve", Summary: "serve a page and an HTTP interface", Text: serveText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := console.New(cs), &serveFlags{
				addr: "127.0.0.1:8080", waiting: 64, maxBytes: "16M", maxPixels: "25M", timeout: 20 * time.Second, grace: 10 * time.Second,
			}
			f.Group("Server")
			f.String(&v.addr, "addr", "`ADDRESS` to listen on; port 0 takes any free one, and :8080 lets other machines in")
			f.String(&v.model, "model", "`MODELS` to offer, with commas between, the first to begin with: files or names of built-in ones; all built-in ones if not given")
			f.String(&v.cert, "cert", "`FILE` with the certificate, for https")
			f.String(&v.key, "key", "`FILE` with the certificate's key")
			f.Strings(&v.hosts, "allow-host", "also take requests for the host `NAME`, such as photos.example.org; localhost and IP addresses always work, * allows all. May be repeated")
			f.String(&v.keys, "api-keys", "answer POST /detect only with one of the keys in `FILE`, a name and a secret a line, sent as Authorization: Bearer SECRET")
			f.String(&v.access, "access-log", "append a line of JSON about each request to `FILE`; - for stderr")
			f.Group("Limits")
			f.Float(&v.rate, "rate", "let each key, or without keys each host, send `N` pictures a second; any number if not given")
			f.Int(&v.workers, "workers", "search `N` pictures at one time; one for each processor if not given")
			f.Int(&v.waiting, "waiting", "let `N` requests wait for a worker, and tell others to come back")
			f.String(&v.maxBytes, "max-bytes", "refuse bodies with more than `N` bytes")
			f.String(&v.maxPixels, "max-pixels", "refuse pictures with more than `N` pixels")
			f.Duration(&v.timeout, "timeout", "maximum `TIME` for a body to come, and again for the work")
			f.Duration(&v.grace, "grace", "maximum `TIME` for searches to finish when the server ends")
			f.Group("Files instead of a server")
			f.String(&v.write, "write", "write the page as files into `DIR`, for any host, and end")
			return func(ctx context.Context, _ []string) error {
				offered, err := offeredModels(v.model)
				if err != nil {
					return err
				}
				if v.write != "" {
					return writePage(s, v.write, offered)
				}
				return serveHTTP(ctx, s, v, offered)
			}
		},
	}
}

// offeredModels opens the models in a list with commas. A file goes by its
// name without the folder.
func offeredModels(list string) ([]web.Model, error) {
	names := models.Names()
	if list != "" {
		names = strings.Split(list, ",")
	}
	var all []web.Model
	for _, name := range names {
		m, err := search.OpenModel(name)
		if err != nil {
			return nil, err
		}
		all = append(all, web.Model{Name: filepath.Base(name), Cascade: m})
	}
	return all, nil
}

func writePage(s *console.Streams, dir string, offered []web.Model) error {
	files, err := web.Files(offered)
	if err != nil {
		return err
	}
	if err := web.Write(dir, files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "%s: %d files\n", dir, len(files))
	return err
}

// readKeys reads a file of keys, of which there must be one.
func readKeys(name string) ([]serve.Key, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, cli.Usage(err)
	}
	defer f.Close()
	keys, err := serve.ReadKeys(f)
	switch {
	case err != nil:
		return nil, cli.Usagef("-api-keys %s: %v", name, err)
	case len(keys) == 0:
		return nil, cli.Usagef("-api-keys %s: there is no key in it", name)
	}
	return keys, nil
}

func serveHTTP(ctx context.Context, s *console.Streams, v *serveFlags, offered []web.Model) error {
	o := &serve.Options{
		Models: offered, Workers: v.workers, Waiting: v.waiting,
		BodyTime: v.timeout, WorkTime: v.timeout, Grace: v.grace,
		Hosts: v.hosts, Rate: v.rate,
		Log: slog.New(slog.NewTextHandler(s.Err, nil)),
	}
	if o.Waiting == 0 {
		o.Waiting = -1 // none, which 0 does not say
	}
	if o.BodyTime <= 0 {
		return cli.Usagef("-timeout %v: want more than no time, such as 20s", o.BodyTime)
	}
	if o.Grace < 0 {
		return cli.Usagef("-grace %v: want a time, such as 10s, or 0s for none", o.Grace)
	}
	o.Grace = max(o.Grace, 1) // to serve, 0 means its default
	var err error
	if v.keys != "" {
		if o.Keys, err = readKeys(v.keys); err != nil {
			return err
		}
	}
	switch v.access {
	case "":
	case "-":
		o.Access = slog.New(slog.NewJSONHandler(s.Err, nil))
	default:
		f, err := os.OpenFile(v.access, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o640)
		if err != nil {
			return cli.Usage(err)
		}
		defer f.Close()
		o.Access = slog.New(slog.NewJSONHandler(f, nil))
	}
	if o.MaxBytes, err = search.ParsePixels("-max-bytes", "bytes", v.maxBytes); err != nil {
		return err
	}
	if o.MaxPixels, err = search.ParsePixels("-max-pixels", "pixels", v.maxPixels); err != nil {
		return err
	}
	var secure *tls.Config
	switch cert, key := v.cert, v.key; {
	case cert != "" && key == "":
		return cli.Usagef("-cert %q: -key is missing, the FILE with this certificate's key", cert)
	case cert == "" && key != "":
		return cli.Usagef("-key %q: -cert is missing, the FILE with the certificate of this key", key)
	case cert != "":
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return cli.Usagef("-cert %q, -key %q: %v", cert, key, err)
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}}
	}
	server, err := serve.New(o)
	if err != nil {
		return cli.Usage(err)
	}
	// Whoever manages services sends this one.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", v.addr)
	if err != nil {
		return cli.Usagef("-addr %s: %v; name another one with -addr", v.addr, err)
	}
	address, scheme := l.Addr().(*net.TCPAddr), "http"
	if secure != nil {
		l, scheme = tls.NewListener(l, secure), "https"
	}
	if !address.IP.IsLoopback() {
		fmt.Fprintf(s.Err, "detect: other machines can reach this server too, at %s, as %s (-allow-host adds names)\n",
			address, strings.Join(append([]string{"an IP address", "localhost"}, v.hosts...), ", "))
	}
	host := address.String()
	if address.IP.IsUnspecified() { // which is no address to go to
		host = fmt.Sprintf("127.0.0.1:%d", address.Port)
	}
	if _, err := fmt.Fprintf(s.Out, "%s://%s/\n", scheme, host); err != nil {
		return errors.Join(fmt.Errorf("writing results: %w", err), l.Close())
	}
	if err := server.Serve(ctx, l); err != nil {
		return err
	}
	fmt.Fprintln(s.Err, "detect: the server has ended")
	return nil
}
