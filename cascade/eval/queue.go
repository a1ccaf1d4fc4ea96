package eval

import (
	"context"
	"sync"
)

// A queue runs work side by side and hands the results on in order.
type queue[T any] struct {
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

func newQueue[T any](ctx context.Context, workers int, put func(T) error) *queue[T] {
	workers = workersOr(workers)
	q := &queue[T]{room: make(chan struct{}, workers), line: make(chan chan result[T], 2*workers)}
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

// add puts work at the end of the queue; false says that the queue has ended.
func (q *queue[T]) add(work func() (T, error)) bool {
	select {
	case <-q.ctx.Done():
		return false
	case q.room <- struct{}{}:
	}
	c := make(chan result[T], 1)
	q.line <- c
	go func() {
		v, err := work()
		<-q.room
		c <- result[T]{v, err}
	}()
	return true
}

// close waits for what was added.
func (q *queue[T]) close() error {
	close(q.line)
	q.done.Wait()
	err := context.Cause(q.ctx)
	q.stop(nil)
	return err
}
