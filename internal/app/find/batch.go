package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/search"
	"haarlem/internal/objects"
	"haarlem/landmarks"
	"haarlem/picture"
)

// A batch is one run over pictures.
type batch struct {
	*selection
	streams  *console.Streams
	workers  int
	limits   picture.Options
	finder   search.Finder
	object   cascade.Object // what it finds
	reporter reporter
	points   *landmarks.Predictor // nil: not wanted
	annotate *outputs             // nil: not wanted
	crop     *outputs
	Hidden   *outputs
	Obscure  func(image.Image, []image.Rectangle) *image.RGBA // for hidden
}

// Run looks at pictures side by side and reports them in the order given.
func (b *batch) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan result)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(b.workers, len(b.Inputs)) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(b.Inputs) {
					return
				}
				done <- b.look(ctx, i)
			}
		})
	}
	go func() {
		wait.Wait()
		close(done)
	}()
	return b.report(ctx, stop, done)
}

// open reads one picture.
func (b *batch) open(in input) (*picture.Picture, error) {
	if in.stdin {
		return picture.Read(b.streams.In, "stdin", &b.limits)
	}
	return picture.Open(in.path, &b.limits)
}

// look does everything about one picture but report it.
func (b *batch) look(ctx context.Context, i int) result {
	in := b.Inputs[i]
	r := result{index: i, name: in.path, object: b.object}
	p, err := b.open(in)
	if err != nil {
		r.err = err
		if k := new(picture.KindError); errors.As(err, &k) && converted(k.Kind) {
			r.err = fmt.Errorf("%w; or -heic, which does it", err)
		}
		return r
	}
	size := p.Image.Bounds().Size()
	r.width, r.height, r.truncated = size.X, size.Y, p.Truncated
	start := time.Now()
	if set, ok := b.finder.(objects.Set); ok && len(set) > 1 {
		r.faces, r.objects, err = set.Named(ctx, p.Image)
	} else {
		r.faces, err = b.finder.Detect(ctx, p.Image)
	}
	r.took = time.Since(start)
	if errors.Is(err, detector.ErrTooManyCandidates) {
		err = fmt.Errorf("more windows pass the model than in any picture of single objects: try a larger -min-size or -scale")
	}
	if err != nil {
		r.err = fmt.Errorf("%s: %w", in.path, err)
		return r
	}
	if b.annotate != nil {
		r.note(b.annotate.writeAnnotated(i, p, &r))
	}
	if b.crop != nil {
		r.note(b.crop.writeCrops(i, p, &r, b.points))
	}
	if b.Hidden != nil {
		boxes := make([]image.Rectangle, len(r.faces))
		for k, f := range r.faces {
			boxes[k] = f.Box
		}
		r.note(b.Hidden.write(b.Hidden.stems[i], p.Format, b.Obscure(p.Image, boxes)))
	}
	return r
}

// report writes results as soon as all before them are written. When they can
// no longer be written it calls stop.
func (b *batch) report(ctx context.Context, stop func(), done <-chan result) error {
	bar := console.NewProgress(b.streams, b.object, len(b.Inputs))
	var (
		early  = map[int]result{} // finished before their turn
		turn   int                // whose it is
		shown  int                // pictures with results
		broken int                // and without
		partly int                // pictures of which something is missing
		faces  int
		failed bool  // something went wrong
		lost   error // stdout is closed or full
	)
	write := func(f func() error) {
		if lost != nil {
			return
		}
		bar.Aside(false, func() { lost = f() })
		if lost != nil {
			stop()
		}
	}
	say := func(err error) {
		failed = true
		bar.Aside(true, func() { fmt.Fprintf(b.streams.Err, "detect: %v\n", err) })
	}
	show := func(r result) {
		switch {
		case errors.Is(r.err, context.Canceled): // cut short, not broken
			return
		case r.err != nil:
			broken++
			say(r.err)
			return
		}
		shown++
		faces += len(r.faces)
		write(func() error { return b.reporter.picture(&r) })
		if r.truncated != nil {
			partly++
			bar.Aside(true, func() { fmt.Fprintf(b.streams.Err, "detect: warning: %v\n", r.truncated) })
		}
		for _, p := range r.problems {
			say(p)
		}
	}

	write(b.reporter.begin)
	for r := range done {
		early[r.index] = r
		bar.Add(len(r.faces))
		for {
			r, ok := early[turn]
			if !ok {
				break
			}
			show(r)
			delete(early, turn)
			turn++
		}
	}
	bar.Finish()
	write(func() error { return b.reporter.end(shown, faces) })
	if partly > 0 && len(b.Inputs) > 1 {
		fmt.Fprintf(b.streams.Err, "detect: %s of %d read only in part\n", console.Count(partly, "picture"), len(b.Inputs))
	}
	if lost == nil && b.tellUnread(b.streams.Err, b.Hidden != nil) {
		failed = true
	}
	switch {
	case lost != nil:
		return fmt.Errorf("writing results: %w", lost)
	case ctx.Err() != nil && shown+broken < len(b.Inputs):
		fmt.Fprintf(b.streams.Err, "detect: interrupted after %d of %d pictures\n", shown+broken, len(b.Inputs))
		return cli.Exit(cli.StatusInterrupted)
	case failed:
		return cli.Exit(cli.StatusFailed)
	}
	return nil
}

// NewBatch reads the flags and checks everything that can be wrong before the
// first picture.
func NewBatch(s *console.Streams, args []string, format string, pictures *PictureFlags, how *search.Flags) (*batch, error) {
	job := &batch{streams: s, workers: how.Workers}
	var err error
	if job.reporter, err = newReporter(format, s.Out); err != nil {
		return nil, err
	}
	options, err := how.Options()
	if err != nil {
		return nil, err
	}
	if job.limits.MaxPixels, err = search.ParsePixels("-max-pixels", "pixels", pictures.maxPixels); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, cli.Usagef("no pictures: give files, folders, patterns or - for stdin (detect -help says more)")
	}
	job.limits.Partial = pictures.readsPart()
	if pictures.heic {
		c := picture.FindConverter()
		if c == nil {
			return nil, cli.Usagef("-heic: there is no heif-dec, heif-convert, sips or magick on the PATH (Debian and Ubuntu: apt install libheif-examples)")
		}
		fmt.Fprintf(s.Err, "detect: HEIC and AVIF pictures are decoded by %s\n", c.Program)
		job.limits.Converter = c
	}
	if job.selection, err = expand(args, pictures.recursive); err != nil {
		return nil, err
	}
	job.selection.convert(job.limits.Converter)
	job.workers = cmp.Or(job.workers, runtime.GOMAXPROCS(0))
	// Whole pictures side by side need no agreement among workers; those
	// that are left over help inside a picture.
	options.Workers = max(1, job.workers/max(1, len(job.Inputs)))

	if job.finder, _, err = how.Finder(s, options); err != nil {
		return nil, err
	}
	if p, ok := options.Points.(*landmarks.Predictor); ok {
		job.points = p
	}
	job.object = job.finder.Object()
	return job, nil
}
