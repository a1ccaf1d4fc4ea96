package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/cli"
)

const videoText = `
Finds faces in every frame of IN: a video file, a stream such as rtsp://..., or
numbered pictures such as shots/%04d.png, as far as OpenCV opens them. Without
-out it prints a line of JSON for each frame, with its number and its time in
seconds; faces that are followed from frame to frame have the same "track". One
that is missed for a few frames is there as "predicted".

A video that is written has the boxes drawn into it that the lines call "shown",
but no sound: this puts the sound of IN.mp4 back:
  ffmpeg -i OUT.mp4 -i IN.mp4 -map 0:v -map 1:a -c copy WITH-SOUND.mp4

When IN breaks off, what is written so far is complete, and the exit status is 1.`

// videoFlags are those of video.
type videoFlags struct {
	outs      []string
	overwrite bool
	searchFlags
}

func videoCommand() *cli.Command {
	return &cli.Command{
		Name: "video", Summary: "find faces in every frame of a video", Args: "IN", Text: videoText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := newStreams(cs), &videoFlags{}
			f.Group("Output")
			f.Strings(&v.outs, "out", "write to `OUT`: a video ("+movieKinds()+") or lines of JSON (.jsonl). May be given twice")
			f.Bool(&v.overwrite, "overwrite", "let -out replace files")
			v.searchFlags.declare(f)
			f.Group("Limits")
			v.workersFlag(f)
			return func(ctx context.Context, args []string) error { return video(ctx, s, v, args) }
		},
	}
}

func video(ctx context.Context, s *streams, v *videoFlags, args []string) error {
	if len(args) != 1 {
		return cli.Usagef("video: want one video, not %d (detect video -help says more)", len(args))
	}
	in, outs := args[0], v.outs
	if in == "-" {
		return cli.Usagef("video: - is for pictures; standard input is called /dev/stdin here")
	}
	for i, out := range outs {
		ext := strings.ToLower(filepath.Ext(out))
		switch {
		case ext != ".jsonl" && movieCodecs[ext] == nil:
			return cli.Usagef("-out %s: want a name that ends in .jsonl, or for a video in %s", out, movieKinds())
		case slices.Contains(outs[:i], out):
			return cli.Usagef("-out %s: given twice", out)
		}
	}
	run, err := newVideoRun(s, &v.searchFlags, in, outs, v.overwrite)
	if err != nil {
		return err
	}
	info := run.flow.source.about()
	follow, err := newFollowSink()
	if err != nil {
		return errors.Join(err, run.abandon())
	}
	run.sinks = []frameSink{follow}
	for _, out := range outs {
		if strings.EqualFold(filepath.Ext(out), ".jsonl") {
			sink, err := createLines(out, in, run.object, v.overwrite)
			if err != nil {
				return errors.Join(err, run.abandon())
			}
			follow.sinks = append(follow.sinks, sink)
		}
	}
	if len(outs) == 0 {
		follow.sinks = append(follow.sinks, &frameReporter{in, run.object, s.out})
	}
	// Videos behind lines, since boxes are drawn into the frames.
	for _, out := range outs {
		if movieCodecs[strings.ToLower(filepath.Ext(out))] != nil {
			follow.sinks = append(follow.sinks, run.movie(out, v.overwrite, info.fps, drawFollowed))
		}
	}
	if err := run.run(ctx); err != nil {
		return err
	}
	if len(outs) == 0 {
		return nil
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, %s, %.1f frames a second; written to %s\n", printable(in), count(run.frames, "frame"),
		count(follow.follower.Count(), "track"), float64(run.frames)/max(run.took.Seconds(), 1e-9), strings.Join(outs, " and "))
	return err
}

// createLines makes a file for lines of JSON. They can be read while they are
// written, and remain if the run breaks off.
func createLines(path, in string, object cascade.Object, overwrite bool) (frameSink, error) {
	how := os.O_CREATE | os.O_WRONLY | os.O_EXCL
	if overwrite {
		how = os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	}
	f, err := os.OpenFile(path, how, 0o666)
	if errors.Is(err, os.ErrExist) {
		return nil, cli.Usagef("%s: not written: it exists (-overwrite replaces it)", path)
	} else if err != nil {
		return nil, cli.Usage(err)
	}
	return &linesFile{frameReporter{in, object, f}, f}, nil
}

type linesFile struct {
	frameReporter
	f *os.File
}

func (l *linesFile) close() error { return l.f.Close() }

// A videoRun is one run over the frames of a video.
type videoRun struct {
	streams *streams
	flow    flow
	object  cascade.Object // what is found
	name    string
	outs    []string
	sinks   []frameSink

	frames int
	took   time.Duration
}

// newVideoRun reads the flags about searching, and opens the source.
func newVideoRun(s *streams, v *searchFlags, in string, outs []string, overwrite bool) (*videoRun, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	if backend == nil {
		return nil, errNeedsOpenCV
	}
	for _, out := range outs {
		if isSame(in, out) {
			return nil, cli.Usagef("-out %s: that is the video to look at", out)
		}
		if _, err := os.Lstat(out); err == nil && !overwrite {
			return nil, cli.Usagef("%s: not written: it exists (-overwrite replaces it)", out)
		}
		if dir := filepath.Dir(out); !isDir(dir) {
			return nil, cli.Usagef("-out %s: there is no folder %s", out, dir)
		}
	}
	cascades, err := v.open(v.model)
	if err != nil {
		return nil, err
	}
	r := &videoRun{streams: s, name: in, outs: outs}
	r.flow.workers = v.workers
	if r.flow.workers == 0 {
		r.flow.workers = runtime.GOMAXPROCS(0)
	}
	options.Workers = 1 // frames side by side need no agreement
	detector, err := detector.New(options, cascades...)
	if err != nil {
		return nil, cli.Usage(err)
	}
	r.object = detector.Object()
	s.tellOfWindow(detector)
	r.flow.look = func(ctx context.Context, f *frame) error {
		start := time.Now()
		var err error
		f.found, err = detector.Detect(ctx, f.image)
		f.took = time.Since(start)
		return err
	}
	source, err := backend.open(in)
	if err != nil {
		return nil, err
	}
	r.flow.source = watchBlack(source)
	return r, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// movie is a sink for one of the outputs.
func (r *videoRun) movie(path string, overwrite bool, fps float64, finish func(*frame) *image.RGBA) *movieSink {
	return &movieSink{path: path, overwrite: overwrite, fps: fps, finish: finish, create: backend.create, check: backend.check}
}

// abandon ends a run that has not begun.
func (r *videoRun) abandon() error {
	errs := []error{r.flow.source.close()}
	for _, s := range r.sinks {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// run reads to the end, or as far as it goes, and makes the outputs complete.
func (r *videoRun) run(ctx context.Context) error {
	total := r.flow.source.about().frames
	if total == 0 {
		total = -1
	}
	bar := newProgressOf(r.streams, "frames", r.object, total)
	start := time.Now()
	var lost error // an output cannot be written
	r.flow.deliver = func(f *frame) error {
		bar.aside(false, func() {
			for _, s := range r.sinks {
				if lost == nil {
					lost = s.put(f)
				}
			}
		})
		if lost != nil {
			return fmt.Errorf("writing results: %w", lost)
		}
		r.frames++
		bar.add(len(f.found))
		return nil
	}
	err := r.flow.run(ctx)
	r.took = time.Since(start)
	interrupted := ctx.Err() != nil && errors.Is(err, ctx.Err())
	for _, s := range r.sinks {
		if e := s.close(); e != nil {
			err, lost = errors.Join(err, e), e
		}
	}
	bar.finish()
	switch {
	case interrupted && lost == nil:
		fmt.Fprintf(r.streams.err, "detect: interrupted after %s%s\n", count(r.frames, "frame"), r.kept())
		return cli.Exit(cli.StatusInterrupted)
	case err != nil && lost == nil:
		return fmt.Errorf("%w%s", err, r.kept())
	}
	return err
}

// kept says what there is in spite of everything.
func (r *videoRun) kept() string {
	if r.frames == 0 || len(r.outs) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s is complete up to there", strings.Join(r.outs, " and "))
}
