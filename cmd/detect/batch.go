package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"
	"sync/atomic"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/landmarks"
	"haarlem/picture"
)

// A batch is one run over pictures.
type batch struct {
	*selection
	streams  *streams
	workers  int
	limits   picture.Options
	finder   finder
	object   cascade.Object // what it finds
	reporter reporter
	points   *landmarks.Predictor // nil: not wanted
	annotate *outputs             // nil: not wanted
	crop     *outputs
	hidden   *outputs
	obscure  func(image.Image, []image.Rectangle) *image.RGBA // for hidden
}

// A result is what became of one input.
type result struct {
	index         int
	name          string
	object        cascade.Object
	width, height int
	took          time.Duration // by the detector alone
	faces         []detector.Detection
	truncated     *picture.TruncatedError // of a file that ends too early

	// err is why there is nothing above; problems are what else went wrong.
	err      error
	problems []error
}

// run looks at pictures side by side and reports them in the order given.
func (b *batch) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan result)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(b.workers, len(b.inputs)) {
		wait.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(b.inputs) {
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
		return picture.Read(b.streams.in, "stdin", &b.limits)
	}
	return picture.Open(in.path, &b.limits)
}

// look does everything about one picture but report it.
func (b *batch) look(ctx context.Context, i int) result {
	in := b.inputs[i]
	r := result{index: i, name: in.path, object: b.object}
	p, err := b.open(in)
	if err != nil {
		r.err = err
		return r
	}
	size := p.Image.Bounds().Size()
	r.width, r.height, r.truncated = size.X, size.Y, p.Truncated
	start := time.Now()
	r.faces, err = b.finder.Detect(ctx, p.Image)
	r.took = time.Since(start)
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
	if b.hidden != nil {
		boxes := make([]image.Rectangle, len(r.faces))
		for k, f := range r.faces {
			boxes[k] = f.Box
		}
		r.note(b.hidden.write(b.hidden.stems[i], p.Format, b.obscure(p.Image, boxes)))
	}
	return r
}

func (r *result) note(err error) {
	if err != nil {
		r.problems = append(r.problems, err)
	}
}

// report writes results as soon as all before them are written. When they can
// no longer be written it calls stop.
func (b *batch) report(ctx context.Context, stop func(), done <-chan result) error {
	bar := newProgress(b.streams, b.object, len(b.inputs))
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
		bar.aside(false, func() { lost = f() })
		if lost != nil {
			stop()
		}
	}
	say := func(err error) {
		failed = true
		bar.aside(true, func() { fmt.Fprintf(b.streams.err, "detect: %v\n", err) })
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
			bar.aside(true, func() { fmt.Fprintf(b.streams.err, "detect: warning: %v\n", r.truncated) })
		}
		for _, p := range r.problems {
			say(p)
		}
	}

	write(b.reporter.begin)
	for r := range done {
		early[r.index] = r
		bar.add(len(r.faces))
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
	bar.finish()
	write(func() error { return b.reporter.end(shown, faces) })
	if partly > 0 && len(b.inputs) > 1 {
		fmt.Fprintf(b.streams.err, "detect: %s of %d read only in part\n", count(partly, "picture"), len(b.inputs))
	}
	if lost == nil && b.tellUnread() {
		failed = true
	}
	switch {
	case lost != nil:
		return fmt.Errorf("writing results: %w", lost)
	case ctx.Err() != nil && shown+broken < len(b.inputs):
		fmt.Fprintf(b.streams.err, "detect: interrupted after %d of %d pictures\n", shown+broken, len(b.inputs))
		return cli.Exit(cli.StatusInterrupted)
	case failed:
		return cli.Exit(cli.StatusFailed)
	}
	return nil
}
