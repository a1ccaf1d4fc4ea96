package video

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
	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/search"
	"haarlem/internal/app/wholefile"
)

// A Run is one run over the frames of a video.
type Run struct {
	streams   *console.Streams
	Pipeline  pipeline
	object    cascade.Object // what is found
	Name      string
	Sound     string // the file whose sound can be copied, if there is one
	outs      []string
	overwrite bool
	Sinks     []frames.Sink
	Journal   *journal // nil: this run cannot be resumed

	KeepJournal bool   // though all frames are searched
	Searched    bool   // and in a journal that was kept: only the writing is left
	Things      string // for progress; empty means frames

	// Reopen opens the source again, from the beginning. Nil: it cannot.
	Reopen func() (frames.Source, error)

	Frames int
	Took   time.Duration
}

// NewRun reads the flags about searching, and opens the source.
func NewRun(s *console.Streams, v *search.Flags, stream *frames.StreamFlags, in string, outs []string, overwrite, resume bool) (*Run, error) {
	options, err := v.Options()
	if err != nil {
		return nil, err
	}
	if _, err := stream.Options(); err != nil {
		return nil, err
	}
	info, statErr := os.Stat(in)
	isFile := in != "-" && statErr == nil && info.Mode().IsRegular()
	journalOf := ""
	if i := slices.IndexFunc(outs, func(out string) bool { return out != "-" }); i >= 0 && isFile {
		journalOf = journalPath(outs[i])
	}
	if resume && journalOf == "" {
		return nil, cli.Usagef("-resume: only a run from a file into a file can be resumed")
	}
	if resume {
		if _, err := os.Stat(journalOf); err == nil {
			overwrite = true // what is there is of the run that is resumed
			for _, out := range outs {
				if err := wholefile.DropStale(out); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, out := range outs {
		if out == "-" {
			continue
		}
		if wholefile.IsSame(in, out) {
			return nil, cli.Usagef("-out %s: that is the video to look at", out)
		}
		if _, err := os.Lstat(out); err == nil && !overwrite {
			return nil, cli.Usagef("%s: not written: it exists (-overwrite replaces it)", out)
		}
		if dir := filepath.Dir(out); !wholefile.IsDir(dir) {
			return nil, cli.Usagef("-out %s: there is no folder %s", out, dir)
		}
		if frames.IsWritable(out) {
			if err := frames.CanWrite(out); err != nil {
				return nil, err
			}
		}
	}
	r := &Run{streams: s, Name: in, outs: outs, overwrite: overwrite}
	r.Pipeline.workers = cmp.Or(v.Workers, runtime.GOMAXPROCS(0))
	options.Workers = 1 // frames side by side need no agreement
	finder, models, err := v.Finder(s, options)
	if err != nil {
		return nil, err
	}
	r.object = finder.Object()
	if journalOf != "" {
		settings, err := settingsDigest(in, stream, options, models)
		if err != nil {
			return nil, err
		}
		if r.Journal, err = openJournal(journalOf, settings, resume); err != nil {
			return nil, err
		}
	}
	r.Pipeline.Process = func(ctx context.Context, f *frames.Frame) error {
		if !r.Journal.restore(f) {
			start := time.Now()
			var err error
			f.Found, err = finder.Detect(ctx, f.Picture())
			f.Took = time.Since(start)
			if err != nil {
				return err
			}
		}
		describeFaces(f)
		return nil
	}
	source, err := frames.Open(in, s.In, stream)
	if err != nil {
		return nil, errors.Join(err, r.Journal.close(r.Journal != nil && len(r.Journal.known) == 0))
	}
	r.Pipeline.Source = frames.WatchBlack(source)
	if isFile {
		r.Sound = in
	}
	if isFile || frames.IsSequence(in) {
		r.Reopen = func() (frames.Source, error) { return frames.Open(in, nil, stream) }
	}
	return r, nil
}

// Movie is a sink for one of the outputs.
func (r *Run) Movie(path, sound string, finish func(*frames.Frame) image.Image) *frames.FileSink {
	return &frames.FileSink{Path: path, Overwrite: r.overwrite, Sound: sound, About: r.Pipeline.Source.About(), Finish: finish, Create: frames.CreateMovie}
}

// Stdout is a sink for a video on standard output.
func (r *Run) Stdout(format string, finish func(*frames.Frame) image.Image) (*frames.StreamSink, error) {
	about := r.Pipeline.Source.About()
	y4m, err := frames.IsY4M(format, about)
	return frames.NewStreamSink(r.streams.Out, y4m, about, finish), err
}

// Summary says what was done, where results do not go.
func (r *Run) Summary(said string) error {
	to := r.streams.Out
	if slices.Contains(r.outs, "-") {
		to = r.streams.Err
	}
	var files []string
	for _, out := range r.outs {
		files = append(files, strings.Replace(out, "-", "stdout", max(0, 2-len(out))))
	}
	written := ""
	if len(files) > 0 {
		written = "; written to " + strings.Join(files, " and ")
	}
	_, err := fmt.Fprintf(to, "%s: %s%s\n", console.Printable(frames.Shown(r.Name)), said, written)
	return err
}

// Abandon ends a run that has not begun.
func (r *Run) Abandon() error {
	errs := []error{r.Pipeline.Source.Close(), r.Journal.close(r.Journal != nil && len(r.Journal.known) == 0)}
	for _, s := range r.Sinks {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// Run reads to the end, or as far as it goes, and makes the outputs complete.
func (r *Run) Run(ctx context.Context) error {
	about := r.Pipeline.Source.About()
	total := cmp.Or(about.Frames, about.Estimate, -1)
	bar := console.NewProgressOf(r.streams, cmp.Or(r.Things, "frames"), r.object, total)
	start := time.Now()
	var lost error // an output cannot be written
	r.Pipeline.deliver = func(f *frames.Frame) error {
		if lost = r.Journal.add(f); lost != nil {
			return fmt.Errorf("writing %s: %w", r.Journal.path, lost)
		}
		bar.Aside(false, func() {
			for _, s := range r.Sinks {
				if lost == nil {
					lost = s.Put(f)
				}
			}
		})
		if lost != nil {
			return fmt.Errorf("writing results: %w", lost)
		}
		r.Frames++
		bar.Add(len(f.Found))
		return nil
	}
	err := r.Pipeline.run(ctx)
	r.Took = time.Since(start)
	interrupted := ctx.Err() != nil && errors.Is(err, ctx.Err())
	for _, s := range r.Sinks {
		if e := s.Close(); e != nil {
			err, lost = errors.Join(err, e), e
		}
	}
	bar.Finish()
	if e := r.Journal.close(err == nil && !r.KeepJournal); e != nil {
		err = errors.Join(err, e)
	}
	switch {
	case interrupted && lost == nil:
		fmt.Fprintf(r.streams.Err, "detect: interrupted after %s%s\n", console.Count(r.Frames, "frame"), r.kept())
		return cli.Exit(cli.StatusInterrupted)
	case err != nil && lost == nil:
		return fmt.Errorf("%w%s", err, r.kept())
	}
	return err
}

// kept says what there is in spite of everything.
func (r *Run) kept() string {
	resume := ""
	if r.Journal != nil && r.Frames > 0 || r.Searched {
		resume = "-resume goes on"
	}
	complete := ""
	if r.Frames > 0 && len(r.outs) > 0 && !r.KeepJournal {
		complete = strings.Join(r.outs, " and ") + " is complete up to there"
	}
	switch {
	case complete == "" && resume == "":
		return ""
	case complete == "" || resume == "":
		return "; " + complete + resume
	}
	return "; " + complete + ", and " + resume
}
