package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os/signal"
	"syscall"
	"time"

	"haarlem/cascade"
	"haarlem/internal/cli"
	"haarlem/internal/label"
	"haarlem/samples"
)

const uiText = `Serves a page on which you label the photographs of a folder, in a browser on this
machine: draw boxes and points, tag them, and judge what a model proposes.

   train-cascade ui photos/
   train-cascade ui photos/ -cascade frontalface

Every change is saved at once, in -truth: a CSV that train-cascade auto -truth takes.
Columns and lines that the page does not know stay as they are. The page writes Pascal
VOC, COCO and YOLO too, into a folder beside it. With -cascade the windows that are
hardest for the model come up for review; what you decide about its detections is kept
in NAME.review.csv.

It listens on this machine only. Pages of other sites cannot use it. Ctrl-C ends it.`

// uiFlags are those of ui.
type uiFlags struct {
	truth, from, cascade, addr string
}

func uiCommand() *cli.Command {
	return &cli.Command{
		Name: "ui", Args: "FOLDER", Summary: "label photographs in a browser", Text: uiText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &uiFlags{addr: "127.0.0.1:8081"}
			f.Group("Labels")
			f.String(&v.truth, "truth", "`FILE` of labels, a CSV, which is made if it does not exist; labels.csv in the folder if not given")
			f.String(&v.from, "import", "begin with the labels in `PATH`: Pascal VOC, COCO, YOLO or OpenCV's info file. -truth must not exist yet")
			f.String(&v.cascade, "cascade", "propose boxes by `MODEL`, a file in our format or OpenCV's, or a built-in model")
			f.Group("Server")
			f.String(&v.addr, "addr", "`ADDRESS` of this machine to listen on; port 0 takes any free one")
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("ui: want one folder of photographs, not %d (train-cascade ui -help lists the flags)", len(args))
				}
				return ui(ctx, v, args[0], s)
			}
		},
	}
}

func ui(ctx context.Context, v *uiFlags, folder string, s *cli.Streams) error {
	if err := loopback(v.addr); err != nil {
		return err
	}
	o := &label.Options{Folder: folder, Labels: v.truth, Name: v.cascade}
	if v.cascade != "" {
		var m *cascade.Cascade
		var err error
		if m, err = openModel(v.cascade); err != nil {
			return err
		}
		o.Model = m
		o.Name, _ = named(v.cascade)
	}
	if v.from != "" {
		err := label.Import(label.File(folder, v.truth), v.from)
		var missing *samples.MissingError
		if errors.As(err, &missing) {
			fmt.Fprintf(s.Err, "-import: %v\n", missing)
		} else if err != nil {
			return fmt.Errorf("-import: %w", err)
		}
	}
	page, err := label.New(o)
	if err != nil {
		return err
	}
	defer page.Close()
	shown, left, why := page.Pictures()
	fmt.Fprintf(s.Err, "%s, labels in %s\n", count(shown, "picture"), page.Labels())
	if left > 0 {
		fmt.Fprintf(s.Err, "%s not shown, such as %s\n", count(left, "file"), why)
	}
	// Other pages are mounted here. They guard themselves, as label does.
	mux := http.NewServeMux()
	mux.Handle("/", page)
	return serveLocally(ctx, v.addr, mux, s)
}

// loopback checks that an address is of this machine alone.
func loopback(addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return cli.Usagef("-addr %q: want an address and a port, such as 127.0.0.1:8081", addr)
	}
	if ip, err := netip.ParseAddr(host); host != "localhost" && (err != nil || !ip.IsLoopback()) {
		return cli.Usagef("-addr %q: other machines could change your labels there; want 127.0.0.1, [::1] or localhost", addr)
	}
	return nil
}

// serveLocally serves pages until ctx ends, and says where they are.
func serveLocally(ctx context.Context, addr string, pages http.Handler, s *cli.Streams) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return cli.Usage(err)
	}
	if _, err := fmt.Fprintf(s.Out, "http://%s/\n", l.Addr()); err != nil {
		return errors.Join(fmt.Errorf("writing results: %w", err), l.Close())
	}
	server := &http.Server{
		Handler:           pages,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return errors.Join(err, server.Close())
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if server.Shutdown(grace) != nil {
		_ = server.Close() // what is left waits for pictures, not for labels
	}
	return nil
}
