package engine

import (
	"context"
	"sync/atomic"
)

// A lazy is a value that is made when it is first needed, unless the context ends
// first. Goroutines that need it at the same time may all make it, and get the same
// one.
type lazy[T any] struct {
	make func(ctx context.Context) (T, error) // must give equal values each time
	made atomic.Pointer[T]
}

func (l *lazy[T]) get(ctx context.Context) (T, error) {
	if v := l.made.Load(); v != nil {
		return *v, nil
	}
	v, err := l.make(ctx)
	if err == nil && !l.made.CompareAndSwap(nil, &v) {
		v = *l.made.Load()
	}
	return v, err
}
