package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/models"
)

const webcamDescription = `
Shows what a camera sees in a window, with a box, a number and a score at each
face, pictures a second, and what the detector needs. Detection runs beside and
never holds the picture up.

Keys: space pauses, s saves the picture as it is shown, m changes the model,
+ and - the smallest face, q or Escape ends.`

func newWebcam(s *streams) *cli.Command {
	// Parts of pictures are searched, whose edges are none of the picture's: no
	// pad. Nobody waits for faces of a few pixels: no enlarge.
	search := slices.DeleteFunc(searchFlags(), func(f cli.Flag) bool {
		return slices.Contains([]string{"model", "min", "pad", "enlarge"}, f.Names()[0])
	})
	flags := slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "device", Value: "0", Usage: "`CAMERA`: its number, its file such as /dev/video2, a stream, or\na video file that stands in for one; 0 if not given"},
		&cli.StringFlag{Name: "size", Usage: "ask the camera for pictures of this `SIZE`, such as 1280x720"},
		&cli.BoolFlag{Name: "mirror", Usage: "show people as they see themselves in a mirror"},
		&cli.StringFlag{Name: "save", Value: ".", Usage: "the key s saves into the folder `DIR`; the current one if not given"},
		&cli.IntFlag{Name: "full", Value: 12, Usage: "while nothing happens, search the whole picture every `N` frames,\nand in between near faces and one part of the rest; 12 if not given,\n1 searches all of each"},
		&cli.StringSliceFlag{Name: "model", Usage: "`MODEL` to use, as for pictures. May be given more than once, for\nthe key m; " + models.Default + " if not given"},
		&cli.StringFlag{Name: "min", Value: "60", Usage: "smallest face, `SIZE` in pixels; 60 if not given"},
	}, search)
	return command(s, "detect webcam", "detect webcam [flags]", webcamDescription, flags, func(ctx context.Context, c *cli.Command) error {
		return webcam(ctx, s, c)
	})
}

func webcam(ctx context.Context, s *streams, c *cli.Command) error {
	if c.Args().Len() > 0 {
		return usagef("webcam: %q is one word too many (-device says which camera)", c.Args().First())
	}
	options, err := findOptions(c)
	if err != nil {
		return err
	}
	size, err := parseSize("-size", c.String("size"))
	if err != nil {
		return err
	}
	if n := c.Int("full"); n < 1 {
		return usagef("-full %d: want 1 or more", n)
	}
	dir := c.String("save")
	if !isDir(dir) {
		return usagef("-save %s: there is no such folder", dir)
	}
	if backend == nil {
		return errNeedsOpenCV
	}
	l := &live{every: c.Int("full"), settings: settings{least: options.MinSize.X}}
	l.search = *options
	if l.search.Workers = c.Int("workers"); l.search.Workers == 0 {
		// One stays free for the picture.
		l.search.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	pose, err := poseOf(c)
	if err != nil {
		return err
	}
	names := c.StringSlice("model")
	switch {
	case len(names) == 0 && pose == models.Frontal:
		names = models.Names()
	case len(names) == 0:
		names = []string{""} // what the pose has for a default
	}
	for _, name := range names {
		m, err := openPose(c, name)
		if err != nil {
			return err
		}
		for _, c := range m {
			c.Search.Pad = 0 // see newWebcam
		}
		if _, err := detector.New(&l.search, m...); err != nil {
			return usageError{err}
		}
		shown := filepath.Base(name)
		if name == "" {
			shown = cascade.ObjectOf(m...).Plural + ", pose " + pose.String()
		}
		l.models = append(l.models, liveModel{shown, m})
	}
	l.save = func(img *image.RGBA) (string, error) {
		path := filepath.Join(dir, "webcam-"+time.Now().Format("20060102-150405.000")+".png")
		return path, writeFile(path, false, func(w io.Writer) error { return png.Encode(w, img) })
	}

	source, err := backend.camera(c.String("device"), size)
	if err != nil {
		return err
	}
	name := source.about().name
	l.source = pace(watchBlack(source))
	if c.Bool("mirror") {
		l.source = mirrored{l.source}
	}
	// Windows belong to the thread that opens them.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l.open = func(size image.Point) (screen, error) { return backend.window("detect: "+name, size) }
	err = l.run(ctx)
	if l.shown > 0 {
		fmt.Fprintf(s.err, "detect: %s\n", l.summary())
	}
	if err == nil && ctx.Err() != nil {
		return exit(statusInterrupted)
	}
	return err
}

// summary says what was shown and what it cost.
func (l *live) summary() string {
	l.mu.Lock() // the camera may still be running
	defer l.mu.Unlock()
	mean := func(kind int) float64 {
		return float64(l.searched[kind].Microseconds()) / 1e3 / float64(max(1, l.byKind[kind]))
	}
	return fmt.Sprintf("%s, %d shown, %d searched: %d as a whole, %.1f ms on average, %d near %s and in parts, %.1f ms",
		count(l.captured, "frame"), l.shown, l.searches, l.byKind[1], mean(1), l.byKind[0], l.objects(), mean(0))
}
