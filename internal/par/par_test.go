package par

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"haarlem/internal/must"
)

func TestRun(t *testing.T) {
	var g Group
	for _, workers := range []int{1, 3, 2, 8} {
		var seen [100]atomic.Int32
		must.Do(g.Run(t.Context(), len(seen), workers, func(_ context.Context, worker, task int) error {
			if worker < 0 || worker >= workers {
				t.Errorf("worker %d of %d", worker, workers)
			}
			seen[task].Add(1)
			return nil
		}))
		for i := range seen {
			if n := seen[i].Load(); n != 1 {
				t.Errorf("%d workers: task %d was done %d times", workers, i, n)
			}
		}
	}
}

func TestRunFails(t *testing.T) {
	var g Group
	bad := errors.New("bad")
	done := 0
	err := g.Run(t.Context(), 100, 1, func(_ context.Context, _, task int) error {
		done++
		if task == 3 {
			return bad
		}
		return nil
	})
	if !errors.Is(err, bad) || done != 4 {
		t.Errorf("%v after %d tasks, want %v after 4", err, done, bad)
	}
	if err := g.Run(t.Context(), 2, 2, func(context.Context, int, int) error { return nil }); err != nil {
		t.Errorf("%v: of the run before", err)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	var g Group
	var sum atomic.Int64
	add := func(_ context.Context, _, task int) error { sum.Add(int64(task)); return nil }
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() { _ = g.Run(ctx, 64, 2, add) }); n > 0 {
		t.Errorf("%v allocations a run", n)
	}
}
