package cascade

import (
	"context"
	"sync/atomic"
)

// A lazy is what is made when it is first needed, unless the context ends before.
// Of several that need it first each may make it, and all get the same.
type lazy[T any] struct {
	make func(ctx context.Context) (T, error) // that it gives the same each time is the maker's affair
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
