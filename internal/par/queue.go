package par

import (
	"context"
	"sync"
)

// A Queue runs work in parallel and passes the results on in order.
type Queue[T any] struct {
	ctx  context.Context
	stop context.CancelCauseFunc
	room chan struct{}
	line chan chan result[T]
	done sync.WaitGroup
}

type result[T any] struct {
	value T
	err   error
}

// NewQueue starts a queue. put gets one result at a time, in the order of
// [Queue.Add]. The first error of work or put ends the queue. workers below 1
// mean GOMAXPROCS.
func NewQueue[T any](ctx context.Context, workers int, put func(T) error) *Queue[T] {
	workers = crew(workers)
	q := &Queue[T]{room: make(chan struct{}, workers), line: make(chan chan result[T], 2*workers)}
	q.ctx, q.stop = context.WithCancelCause(ctx)
	q.done.Go(func() {
		for c := range q.line {
			r := <-c
			if q.ctx.Err() != nil {
				continue
			}
			if r.err == nil {
				r.err = put(r.value)
			}
			if r.err != nil {
				q.stop(r.err)
			}
		}
	})
	return q
}

// Add puts work at the end of the queue, and waits for a free worker. False means
// that the queue has ended. The context ends with the queue.
func (q *Queue[T]) Add(work func(ctx context.Context) (T, error)) bool {
	select {
	case <-q.ctx.Done():
		return false
	case q.room <- struct{}{}:
	}
	c := make(chan result[T], 1)
	q.line <- c
	go func() {
		v, err := work(q.ctx)
		<-q.room
		c <- result[T]{v, err}
	}()
	return true
}

// Close waits for the work that was added, and returns the error that ended the
// queue.
func (q *Queue[T]) Close() error {
	close(q.line)
	q.done.Wait()
	err := context.Cause(q.ctx)
	q.stop(nil)
	return err
}
