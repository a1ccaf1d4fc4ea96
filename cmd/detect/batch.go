package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"haarlem/cascade"
	"haarlem/picture"
)

// A batch is one run over pictures.
type batch struct {
	streams  *streams
	inputs   []input
	workers  int
	limits   picture.Options
	detector *cascade.Detector
	reporter reporter
	annotate *outputs // nil: not wanted
	crop     *outputs
}

// A result is what became of one input.
type result struct {
	index         int
	name          string
	width, height int
	took          time.Duration // by the detector alone
	faces         []cascade.Detection

	// err is why there is nothing above; problems are what else went wrong.
	err      error
	problems []error
}

// run looks at pictures side by side and reports them in the order given.
func (b *batch) run(ctx context.Context) error {
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
	return b.report(ctx, done)
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
	r := result{index: i, name: in.path}
	p, err := b.open(in)
	if err != nil {
		r.err = err
		return r
	}
	size := p.Image.Bounds().Size()
	r.width, r.height = size.X, size.Y
	start := time.Now()
	r.faces, err = b.detector.Detect(ctx, p.Image)
	r.took = time.Since(start)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", in.path, err)
		return r
	}
	if b.annotate != nil {
		r.note(b.annotate.writeAnnotated(i, p, r.faces))
	}
	if b.crop != nil {
		r.note(b.crop.writeCrops(i, p, r.faces))
	}
	return r
}

func (r *result) note(err error) {
	if err != nil {
		r.problems = append(r.problems, err)
	}
}

// report writes results as soon as all before them are written.
func (b *batch) report(ctx context.Context, done <-chan result) (err error) {
	bar := newProgress(b.streams, len(b.inputs))
	early := map[int]result{} // finished before their turn
	turn, failed, finished, faces := 0, 0, 0, 0
	var broken error // stdout is

	write := func(f func() error) {
		if broken == nil {
			bar.pause()
			broken = f()
		}
	}
	say := func(err error) {
		bar.pause()
		failed++
		fmt.Fprintf(b.streams.err, "detect: %v\n", err)
	}
	show := func(r result) {
		switch {
		case r.err != nil && ctx.Err() != nil:
			return // cut short, not broken
		case r.err != nil:
			say(r.err)
		default:
			write(func() error { return b.reporter.picture(&r) })
			for _, p := range r.problems {
				say(p)
			}
		}
		finished++
		faces += len(r.faces)
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
	// Only after Ctrl-C something is left: pictures behind one that was cut.
	for ; turn < len(b.inputs); turn++ {
		if r, ok := early[turn]; ok {
			show(r)
		}
	}
	write(func() error { return b.reporter.end(finished-failed, faces) })
	bar.finish()
	switch {
	case broken != nil:
		return fmt.Errorf("writing results: %w", broken)
	case ctx.Err() != nil && finished < len(b.inputs):
		fmt.Fprintf(b.streams.err, "detect: interrupted after %d of %d pictures\n", finished, len(b.inputs))
		return exit(statusInterrupted)
	case failed > 0:
		return exit(statusFailed)
	}
	return nil
}
