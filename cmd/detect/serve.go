package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v3"

	"haarlem/models"
	"haarlem/serve"
	"haarlem/web"
)

const serveDescription = `
Serves a page that finds faces in the browser itself, on its camera, on pictures
and on videos: no picture leaves the browser. For programs, POST /detect takes a
picture and answers the JSON of detect -format json:

  curl --data-binary @portrait.jpg 'http://127.0.0.1:8080/detect?min=60'

/openapi.json describes it; /healthz and /metrics are for those who watch over
it. It listens on this machine only, unless -addr says otherwise. Browsers give
cameras only to pages from this machine or over https (-cert and -key). Pages
of other sites cannot use it: -allow-host names the hosts that it answers for.
Ctrl-C ends it: searches that have begun are answered (-grace), requests that
wait are told to come again.`

func newServe(s *streams) *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "addr", Value: "127.0.0.1:8080", Usage: "`ADDRESS` to listen on; 127.0.0.1:8080 if not given, port 0\ntakes any free one, and :8080 lets other machines in"},
		&cli.StringFlag{Name: "cert", Usage: "`FILE` with the certificate, for https"},
		&cli.StringFlag{Name: "key", Usage: "`FILE` with the certificate's key"},
		&cli.StringFlag{Name: "model", Usage: "`MODELS` to offer, with commas between, the first to begin with:\nfiles or names of built-in ones. All of these if not given:\n" + builtinNames()},
		&cli.IntFlag{Name: "workers", Usage: "`N` pictures at one time; one for each processor if not given"},
		&cli.IntFlag{Name: "waiting", Value: 64, Usage: "`N` requests may wait for a worker, others are told to come\nback; 64 if not given"},
		&cli.StringFlag{Name: "max-bytes", Value: "16M", Usage: "refuse bodies with more than `N` bytes; 16M if not given"},
		&cli.StringFlag{Name: "max-pixels", Value: "25M", Usage: "refuse pictures with more than `N` pixels; 25M if not given"},
		&cli.DurationFlag{Name: "timeout", Value: 20 * time.Second, Usage: "most `TIME` for a body to come, and again for the work; 20s if\nnot given"},
		&cli.StringSliceFlag{Name: "allow-host", Usage: "also take requests for the host `NAME`, such as photos.example.org;\nlocalhost and IP addresses always work, * allows all. May be repeated"},
		&cli.DurationFlag{Name: "grace", Value: 10 * time.Second, Usage: "most `TIME` for searches to come to their end when the server ends;\n10s if not given"},
		&cli.StringFlag{Name: "write", Usage: "write the page as files into `DIR`, for any host, and end"},
	}
	return command(s, "detect serve", "detect serve [flags]", serveDescription, flags, func(ctx context.Context, c *cli.Command) error {
		if c.Args().Len() != 0 {
			return usagef("serve: want no arguments, not %q (detect serve -help lists the flags)", c.Args().First())
		}
		offered, err := offeredModels(c.String("model"))
		if err != nil {
			return err
		}
		if dir := c.String("write"); dir != "" {
			return writePage(s, dir, offered)
		}
		return serveHTTP(ctx, s, c, offered)
	})
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
		m, err := openModel(name)
		if err != nil {
			return nil, err
		}
		all = append(all, web.Model{Name: filepath.Base(name), Cascade: m})
	}
	return all, nil
}

func writePage(s *streams, dir string, offered []web.Model) error {
	files, err := web.Files(offered)
	if err != nil {
		return err
	}
	if err := web.Write(dir, files); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: %d files\n", dir, len(files))
	return err
}

func serveHTTP(ctx context.Context, s *streams, c *cli.Command, offered []web.Model) error {
	o := &serve.Options{
		Models: offered, Workers: c.Int("workers"), Waiting: c.Int("waiting"),
		BodyTime: c.Duration("timeout"), WorkTime: c.Duration("timeout"), Grace: c.Duration("grace"),
		Hosts: c.StringSlice("allow-host"),
		Log:   slog.New(slog.NewTextHandler(s.err, nil)),
	}
	if o.Waiting == 0 {
		o.Waiting = -1 // none, which 0 does not say
	}
	if o.BodyTime <= 0 {
		return usagef("-timeout %v: want more than no time, such as 20s", o.BodyTime)
	}
	if o.Grace <= 0 {
		return usagef("-grace %v: want more than no time, such as 10s", o.Grace)
	}
	var err error
	if o.MaxBytes, err = parsePixels(c.String("max-bytes")); err != nil {
		return usagef("-max-bytes %q: want a number of bytes, such as 5000000 or 5M", c.String("max-bytes"))
	}
	if o.MaxPixels, err = parsePixels(c.String("max-pixels")); err != nil {
		return err
	}
	var secure *tls.Config
	switch cert, key := c.String("cert"), c.String("key"); {
	case cert != "" && key == "":
		return usagef("-cert %q: -key is missing, the FILE with this certificate's key", cert)
	case cert == "" && key != "":
		return usagef("-key %q: -cert is missing, the FILE with the certificate of this key", key)
	case cert != "":
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return usagef("-cert %q, -key %q: %v", cert, key, err)
		}
		secure = &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{"http/1.1"}}
	}
	server, err := serve.New(o)
	if err != nil {
		return usageError{err}
	}
	// Whoever manages services sends this one.
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.String("addr"))
	if err != nil {
		return usageError{err}
	}
	address, scheme := l.Addr().(*net.TCPAddr), "http"
	if secure != nil {
		l, scheme = tls.NewListener(l, secure), "https"
	}
	if !address.IP.IsLoopback() {
		fmt.Fprintf(s.err, "detect: other machines can reach this server too, at %s\n", address)
	}
	host := address.String()
	if address.IP.IsUnspecified() { // which is no address to go to
		host = fmt.Sprintf("127.0.0.1:%d", address.Port)
	}
	if _, err := fmt.Fprintf(s.out, "%s://%s/\n", scheme, host); err != nil {
		return errors.Join(fmt.Errorf("writing results: %w", err), l.Close())
	}
	if err := server.Serve(ctx, l); err != nil {
		return err
	}
	fmt.Fprintln(s.err, "detect: the server has ended")
	return nil
}
