package par

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

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

// The error is that of the lowest number that failed, for any number of workers,
// and progress counts what was done.
func TestEach(t *testing.T) {
	for workers := 1; workers < 7; workers++ {
		var sum atomic.Int64
		calls := 0
		err := Each(context.Background(), 100, workers, func(n *int, i int) error {
			*n++
			sum.Add(int64(i))
			return nil
		}, func(done, n int) {
			if calls++; done != calls || n != 100 {
				t.Errorf("%d of %d done at call %d", done, n, calls)
			}
		})
		if err != nil || sum.Load() != 4950 || calls != 100 {
			t.Errorf("%d workers: sum %d, %d calls, %v", workers, sum.Load(), calls, err)
		}
		first := errors.New("first")
		err = Each(context.Background(), 100, workers, func(_ *int, i int) error {
			switch i {
			case 20:
				time.Sleep(time.Millisecond)
				return first
			case 21, 22:
				return errors.New("later")
			}
			return nil
		}, nil)
		if err != first {
			t.Errorf("%d workers: %v, want the first error", workers, err)
		}
	}
}

// Every number is in one chunk, and chunks are no larger than asked for.
func TestChunks(t *testing.T) {
	for _, n := range []int{0, 1, 16, 17, 100} {
		seen := make([]atomic.Int32, n)
		must.Do(Chunks(context.Background(), n, 16, 3, func(lo, hi int) {
			if hi-lo > 16 || lo >= hi {
				t.Errorf("chunk %d to %d", lo, hi)
			}
			for i := lo; i < hi; i++ {
				seen[i].Add(1)
			}
		}))
		for i := range seen {
			if seen[i].Load() != 1 {
				t.Errorf("%d of %d came %d times", i, n, seen[i].Load())
			}
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := Chunks(ctx, 10, 1, 2, func(int, int) {}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// Results come in the order in which work was added; the first error ends the
// queue, and nothing is put after it.
func TestQueue(t *testing.T) {
	for workers := 1; workers < 7; workers++ {
		var got []int
		q := NewQueue(context.Background(), workers, func(i int) error { got = append(got, i); return nil })
		for i := range 50 {
			if !q.Add(func(context.Context) (int, error) {
				time.Sleep(time.Duration(i%3) * 100 * time.Microsecond)
				return i, nil
			}) {
				t.Fatal("the queue ended")
			}
		}
		if err := q.Close(); err != nil || len(got) != 50 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
		bad := errors.New("bad")
		got = nil
		q = NewQueue(context.Background(), workers, func(i int) error { got = append(got, i); return nil })
		for i := range 50 {
			if !q.Add(func(context.Context) (int, error) {
				if i == 7 {
					return 0, bad
				}
				return i, nil
			}) {
				break
			}
		}
		if err := q.Close(); err != bad || !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6}) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}
