package main

import (
	"cmp"
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
	"haarlem/internal/app/cli"
)

const videoText = `
Finds faces in every frame of IN: a video file, - for standard input, numbered
pictures such as shots/%04d.png, or a stream such as rtsp://... Y4M, Motion
JPEG, PNG files one after another and, with -raw, plain frames need nothing
else; for other kinds of video ffmpeg is called, if it is installed:
  ffmpeg -i IN -f yuv4mpegpipe - | detect video - > faces.jsonl

Without -out it prints a line of JSON for each frame, with its number and its
time in seconds; faces that are tracked from frame to frame have the same
"track". One that is missed for a few frames is there as "predicted".

A video that is written has the boxes drawn into it that the lines call "shown".
ffmpeg copies the sound and keeps the time of each frame. -out - writes Y4M or
Motion JPEG to standard output.

When IN breaks off, what is written so far is complete, and the exit status is 1.
A run over a file that was killed goes on with -resume, and gives the same
results as one that was not.`

// videoFlags are those of video.
type videoFlags struct {
	outs              []string
	outFormat         string
	overwrite, resume bool
	streamFlags
	searchFlags
}

func videoCommand() *cli.Command {
	return &cli.Command{
		Name: "video", Summary: "find faces in every frame of a video", Args: "IN|-", Text: videoText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := newStreams(cs), &videoFlags{searchFlags: searchFlags{weak: true}}
			f.Group("Input and output")
			f.Strings(&v.outs, "out", "write to `OUT`: a video ("+movieKinds()+", or - for standard output) or lines of JSON (.jsonl). May be given twice")
			f.Choice(&v.outFormat, "out-format", outFormats, "-out - writes `FORMAT`: y4m or mjpeg; as IN is, if not given")
			f.Bool(&v.overwrite, "overwrite", "let -out replace files")
			f.Bool(&v.resume, "resume", "go on with a run over a file that was killed; the same flags again")
			v.streamFlags.declare(f)
			v.searchFlags.declare(f)
			f.Group("Limits")
			v.workersFlag(f)
			return func(ctx context.Context, args []string) error { return videoMain(ctx, s, v, args) }
		},
	}
}

func videoMain(ctx context.Context, s *streams, v *videoFlags, args []string) error {
	if len(args) != 1 {
		return cli.Usagef("video: want one video, not %d (detect video -help says more)", len(args))
	}
	in, outs := args[0], v.outs
	for i, out := range outs {
		ext := extension(out)
		switch {
		case out != "-" && ext != ".jsonl" && !isWritable(out):
			return cli.Usagef("-out %s: want a name that ends in .jsonl or, for a video, in %s; or -", out, movieKinds())
		case slices.Contains(outs[:i], out):
			return cli.Usagef("-out %s: given twice", out)
		}
	}
	run, err := newVideoRun(s, &v.searchFlags, &v.streamFlags, in, outs, v.overwrite, v.resume)
	if err != nil {
		return err
	}
	follow := newFollowSink(v.strong)
	run.sinks = []frameSink{follow}
	for _, out := range outs {
		if extension(out) == ".jsonl" {
			sink, err := createLines(out, in, run.object, run.overwrite)
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
		switch {
		case out == "-":
			sink, err := run.stdout(v.outFormat, drawFollowed)
			if err != nil {
				return errors.Join(err, run.abandon())
			}
			follow.sinks = append(follow.sinks, sink)
		case isWritable(out):
			follow.sinks = append(follow.sinks, run.movie(out, run.soundOf(in), drawFollowed))
		}
	}
	if err := run.run(ctx); err != nil {
		return err
	}
	if len(outs) == 0 {
		return nil
	}
	return run.summary("%s, %s, %.1f frames a second", count(run.frames, "frame"),
		count(follow.tracks(), "track"), float64(run.frames)/max(run.took.Seconds(), 1e-9))
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
	streams   *streams
	flow      flow
	object    cascade.Object // what is found
	name      string
	outs      []string
	overwrite bool
	sinks     []frameSink
	journal   *journal // nil: this run cannot be resumed

	keepJournal bool   // though all frames are searched
	things      string // for progress; empty means frames

	// reopen opens the source again, from the beginning. Nil: it cannot.
	reopen func() (frameSource, error)

	frames int
	took   time.Duration
}

// newVideoRun reads the flags about searching, and opens the source.
func newVideoRun(s *streams, v *searchFlags, stream *streamFlags, in string, outs []string, overwrite, resume bool) (*videoRun, error) {
	options, err := v.options()
	if err != nil {
		return nil, err
	}
	if _, err := stream.options(); err != nil {
		return nil, err
	}
	info, statErr := os.Stat(in)
	isFile := in != "-" && statErr == nil && info.Mode().IsRegular()
	journalOf := ""
	for _, out := range outs {
		if out == "-" {
			continue
		}
		if journalOf == "" && isFile {
			journalOf = journalPath(out)
		}
	}
	if resume && journalOf == "" {
		return nil, cli.Usagef("-resume: only a run from a file into a file can be resumed")
	}
	if resume {
		if _, err := os.Stat(journalOf); err == nil {
			overwrite = true // what is there is of the run that is resumed
			for _, out := range outs {
				if err := dropStale(out); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, out := range outs {
		if out == "-" {
			continue
		}
		if isSame(in, out) {
			return nil, cli.Usagef("-out %s: that is the video to look at", out)
		}
		if _, err := os.Lstat(out); err == nil && !overwrite {
			return nil, cli.Usagef("%s: not written: it exists (-overwrite replaces it)", out)
		}
		if dir := filepath.Dir(out); !isDir(dir) {
			return nil, cli.Usagef("-out %s: there is no folder %s", out, dir)
		}
		if isWritable(out) {
			if err := canWrite(out); err != nil {
				return nil, err
			}
		}
	}
	r := &videoRun{streams: s, name: in, outs: outs, overwrite: overwrite}
	r.flow.workers = v.workers
	if r.flow.workers == 0 {
		r.flow.workers = runtime.GOMAXPROCS(0)
	}
	options.Workers = 1 // frames side by side need no agreement
	finder, models, err := v.finder(s, options)
	if err != nil {
		return nil, err
	}
	r.object = finder.Object()
	if journalOf != "" {
		settings, err := settingsDigest(in, stream, options, models)
		if err != nil {
			return nil, err
		}
		if r.journal, err = openJournal(journalOf, settings, resume); err != nil {
			return nil, err
		}
	}
	r.flow.look = func(ctx context.Context, f *frame) error {
		if !r.journal.restore(f) {
			start := time.Now()
			var err error
			f.found, err = finder.Detect(ctx, f.picture())
			f.took = time.Since(start)
			if err != nil {
				return err
			}
		}
		describeFaces(f)
		return nil
	}
	source, err := openFrames(in, s.in, stream)
	if err != nil {
		return nil, errors.Join(err, r.journal.close(r.journal != nil && len(r.journal.known) == 0))
	}
	r.flow.source = watchBlack(source)
	if isFile || isSequence(in) {
		r.reopen = func() (frameSource, error) { return openFrames(in, nil, stream) }
	}
	return r, nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// movie is a sink for one of the outputs.
func (r *videoRun) movie(path, sound string, finish func(*frame) image.Image) *movieSink {
	return &movieSink{path: path, overwrite: r.overwrite, sound: sound, about: r.flow.source.about(), finish: finish, create: createMovie}
}

// stdout is a sink for a video on standard output.
func (r *videoRun) stdout(format string, finish func(*frame) image.Image) (*streamSink, error) {
	about := r.flow.source.about()
	y4m, err := isY4M(format, about)
	return &streamSink{newPlainMovie(r.streams.out, y4m, about), finish}, err
}

// soundOf is the file whose sound can be copied, if there is one.
func (r *videoRun) soundOf(in string) string {
	if info, err := os.Stat(in); err == nil && info.Mode().IsRegular() {
		return in
	}
	return ""
}

// summary says what was done, where results do not go.
func (r *videoRun) summary(format string, args ...any) error {
	to := r.streams.out
	if slices.Contains(r.outs, "-") {
		to = r.streams.err
	}
	var files []string
	for _, out := range r.outs {
		files = append(files, strings.Replace(out, "-", "stdout", max(0, 2-len(out))))
	}
	_, err := fmt.Fprintf(to, "%s: %s; written to %s\n", printable(shown(r.name)), fmt.Sprintf(format, args...), strings.Join(files, " and "))
	return err
}

// abandon ends a run that has not begun.
func (r *videoRun) abandon() error {
	errs := []error{r.flow.source.close(), r.journal.close(r.journal != nil && len(r.journal.known) == 0)}
	for _, s := range r.sinks {
		errs = append(errs, s.close())
	}
	return errors.Join(errs...)
}

// run reads to the end, or as far as it goes, and makes the outputs complete.
func (r *videoRun) run(ctx context.Context) error {
	about := r.flow.source.about()
	total := cmp.Or(about.frames, about.estimate, -1)
	bar := newProgressOf(r.streams, cmp.Or(r.things, "frames"), r.object, total)
	start := time.Now()
	var lost error // an output cannot be written
	r.flow.deliver = func(f *frame) error {
		if lost = r.journal.add(f); lost != nil {
			return fmt.Errorf("writing %s: %w", r.journal.path, lost)
		}
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
	if e := r.journal.close(err == nil && !r.keepJournal); e != nil {
		err = errors.Join(err, e)
	}
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
	switch {
	case r.frames == 0 || len(r.outs) == 0:
		return ""
	case r.keepJournal && r.journal != nil: // nothing is written yet
		return "; -resume goes on"
	case r.keepJournal:
		return ""
	}
	more := ""
	if r.journal != nil {
		more = ", and -resume goes on"
	}
	return fmt.Sprintf("; %s is complete up to there%s", strings.Join(r.outs, " and "), more)
}
