package labelling

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
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/label"
	"haarlem/internal/app/output"
	"haarlem/internal/app/watch"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/webguard"
)

const uiText = `Serves a page on which you label the photographs of a folder, in a browser on this
machine: draw boxes and points, tag them, and judge what a model proposes. With -data it
serves a page that follows a training, at /watch/; then the folder may be left out.

   train-cascade ui photos/
   train-cascade ui photos/ -cascade face-fast
   train-cascade ui -data out

Without -cascade it learns from the labels, in the background, as soon as there are 20
objects in four pictures or more, and proposes boxes in the others; again when there are
half as many more.

Every change is saved at once, in -truth: a CSV that train-cascade auto -truth takes.
Columns and lines that the page does not know stay as they are. The page writes Pascal
VOC, COCO and YOLO too, into a folder beside it. With -cascade labels that the model
doubts come up for review, as train-cascade suspects lists them; what you decide about
them is kept in NAME.review.csv.

It listens on this machine only. Pages of other sites cannot use it. Ctrl-C ends it.`

// uiFlags are those of ui.
type uiFlags struct {
	truth, from, cascade, data, addr string
	where                            []string
	learn                            bool
	run                              func(context.Context, []string, *cli.Streams) error
}

// Command is ui. A model of what is labelled is made by commands of the program: run
// runs one.
func Command(run func(context.Context, []string, *cli.Streams) error) *cli.Command {
	return &cli.Command{
		Name: "ui", Args: "[FOLDER]", Summary: "label photographs, or watch a training, in a browser", Text: uiText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &uiFlags{addr: "127.0.0.1:8081", learn: true, run: run}
			f.Group("Labels")
			f.String(&v.truth, "truth", "`FILE` of labels, a CSV, which is made if it does not exist; labels.csv in the folder if not given")
			f.String(&v.from, "import", "begin with the labels in `PATH`, of any format that train -truth reads. -truth must not exist yet")
			f.String(&v.cascade, "cascade", "propose boxes by `MODEL`, a file in our format or OpenCV's, or a built-in model")
			f.Bool(&v.learn, "learn", "without -cascade: learn from 20 labels and more in the background, and propose boxes; -learn=false does not (default true)")
			f.Strings(&v.where, "where", "-cascade finds objects for which the labels say `COLUMN=VALUE,...`; the others are of other classes; may be repeated")
			f.Group("Training")
			f.String(&v.data, "data", "show at /watch/ the training in the folder `DIR`, as train and auto have it, also while it runs")
			f.Group("Server")
			f.String(&v.addr, "addr", "`ADDRESS` of this machine to listen on; port 0 takes any free one")
			return func(ctx context.Context, args []string) error {
				if len(args) > 1 || len(args) == 0 && v.data == "" {
					return cli.Usagef("ui: want one folder of photographs, not %d (train-cascade ui -help lists the flags)", len(args))
				}
				if err := loopback(v.addr); err != nil {
					return err
				}
				pages, paths := http.NewServeMux(), []string{"/"}
				if len(args) == 1 {
					page, err := labelling(v, args[0], s)
					if err != nil {
						return err
					}
					defer page.Close()
					pages.Handle("/", page)
				} else {
					for _, name := range []string{"truth", "import", "cascade", "where", "learn"} {
						if f.Given(name) {
							return cli.Usagef("-%s is for a folder of photographs, and none is given", name)
						}
					}
					pages.Handle("/{$}", http.RedirectHandler("/watch/", http.StatusSeeOther))
					paths = nil
				}
				if v.data != "" {
					page, err := watching(ctx, v.data)
					if err != nil {
						return err
					}
					pages.Handle("/watch/", page)
					paths = append(paths, "/watch/")
				}
				return serveLocally(ctx, v.addr, pages, paths, s)
			}
		},
	}
}

// labelling opens a folder of photographs, and says what is in it.
func labelling(v *uiFlags, folder string, s *cli.Streams) (*label.Server, error) {
	only, err := input.NewConditions("where", v.where)
	if err != nil {
		return nil, err
	}
	o := &label.Options{Folder: folder, Labels: v.truth, Name: v.cascade}
	o.Other = func(o *eval.Object) bool { return !only.Holds(&samples.Object{Tags: o.Tags}) }
	if v.learn {
		o.Learn = learner(v.run)
	}
	if v.cascade != "" {
		var m *cascade.Cascade
		if m, err = input.OpenModel(v.cascade); err != nil {
			return nil, err
		}
		o.Model = m
		o.Name, _ = input.Named(v.cascade)
	}
	if v.from != "" {
		err := label.Import(label.File(folder, v.truth), v.from)
		if missing, ok := errors.AsType[*samples.MissingError](err); ok {
			fmt.Fprintf(s.Err, "-import: %v\n", missing)
		} else if err != nil {
			return nil, fmt.Errorf("-import: %w", err)
		}
	}
	page, err := label.New(o)
	if err != nil {
		return nil, err
	}
	shown, left, why := page.Pictures()
	fmt.Fprintf(s.Err, "%s, labels in %s\n", output.Count(shown, "picture"), page.Labels())
	if left > 0 {
		fmt.Fprintf(s.Err, "%s not shown, such as %s\n", output.Count(left, "file"), why)
	}
	return page, nil
}

// watching is the page of a training, guarded as label's is. Its pages listen for as long
// as they are open, so ctx ends them.
func watching(ctx context.Context, dir string) (http.Handler, error) {
	page, err := watch.Handler(dir)
	if err != nil {
		return nil, cli.Usagef("-data: %w", err)
	}
	guard, err := webguard.New(nil)
	if err != nil {
		return nil, err
	}
	ending := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		until, end := context.WithCancel(r.Context())
		defer end()
		defer context.AfterFunc(ctx, end)()
		page.ServeHTTP(w, r.WithContext(until))
	})
	return guard.Handler(http.StripPrefix("/watch", ending)), nil
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

// serveLocally serves pages until ctx ends, and says where they begin.
func serveLocally(ctx context.Context, addr string, pages http.Handler, paths []string, s *cli.Streams) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return cli.Usagef("-addr %s: %v; name another one with -addr", addr, err)
	}
	for _, path := range paths {
		if _, err := fmt.Fprintf(s.Out, "http://%s%s\n", l.Addr(), path); err != nil {
			return errors.Join(fmt.Errorf("writing results: %w", err), l.Close())
		}
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
