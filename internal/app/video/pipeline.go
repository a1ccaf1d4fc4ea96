package video

import (
	"context"
	"errors"
	"io"

	"haarlem/internal/app/frames"
)

// A pipeline runs the frames of a source through workers, several at a time, and
// delivers them in order.
type pipeline struct {
	Source  frames.Source
	workers int
	Process func(context.Context, *frames.Frame) error // by several goroutines
	deliver func(*frames.Frame) error                  // by one, in order
}

// A passage is a frame in the pipeline.
type passage struct {
	frame *frames.Frame
	err   error
	done  chan struct{}
}

// run ends when the source does, or with the first error, or when ctx is done.
// All frames before that have been delivered then. It closes the source, but
// does not wait for one that gives no sign of life.
func (f *pipeline) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var (
		work  = make(chan *passage)
		order = make(chan *passage, 2*f.workers) // in flight, with those below
		ended = make(chan error, 1)
	)
	// What is in flight is finished when ctx is done: it belongs to the
	// output as far as it has come.
	looking := context.WithoutCancel(ctx)
	for range f.workers {
		go func() {
			for p := range work {
				if p.err = p.frame.Decode(); p.err == nil {
					p.err = f.Process(looking, p.frame)
				}
				close(p.done)
			}
		}()
	}
	source := f.Source // there may be another one when this goroutine ends
	go func() {
		defer close(order)
		defer close(work)
		err := read(ctx, source, work, order)
		if e := source.Close(); errors.Is(err, io.EOF) && e != nil {
			err = e
		}
		ended <- err
	}()
	for {
		var p *passage
		var ok bool
		select {
		case p, ok = <-order:
		case <-ctx.Done():
			select {
			case p, ok = <-order:
			default: // the source may be waiting for a camera
				return ctx.Err()
			}
		}
		if !ok {
			break
		}
		<-p.done
		if p.err != nil {
			return p.err
		}
		if err := f.deliver(p.frame); err != nil {
			return err
		}
	}
	if err := <-ended; !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func read(ctx context.Context, source frames.Source, work, order chan<- *passage) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		next, err := source.Next()
		if err != nil {
			return err
		}
		p := &passage{frame: next, done: make(chan struct{})}
		// Work first: what is in order is certain to be worked on.
		select {
		case work <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case order <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
