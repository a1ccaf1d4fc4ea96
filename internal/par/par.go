// Package par runs work in parallel: [Group] without allocations after the
// first run, [Each] with a scratch per worker, [Chunks] over ranges of numbers,
// and [Queue] with results in order. Results do not depend on the number of
// workers.
package par

import (
	"cmp"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// crew is the number of workers where below 1 means GOMAXPROCS.
func crew(workers int) int { return cmp.Or(max(workers, 0), runtime.GOMAXPROCS(0)) }

// A Group is the memory for one [Group.Run] at a time. The zero value is ready.
type Group struct {
	do    func(ctx context.Context, worker, task int) error
	ctx   context.Context
	tasks int
	next  atomic.Int64
	err   atomic.Pointer[error]
	wg    sync.WaitGroup
	runs  []func() // of each worker, made beforehand since starting one must take no memory
}

// Run calls do for each task from 0 to tasks-1, with the number of its worker.
// It uses workers goroutines, including the caller's. The first error ends it:
// tasks that have not begun by then are skipped.
func (g *Group) Run(ctx context.Context, tasks, workers int, do func(ctx context.Context, worker, task int) error) error {
	g.ctx, g.do, g.tasks = ctx, do, tasks
	g.next.Store(0)
	g.err.Store(nil)
	for len(g.runs) < workers {
		worker := len(g.runs)
		g.runs = append(g.runs, func() { g.work(worker) })
	}
	g.wg.Add(workers)
	for worker := 1; worker < workers; worker++ {
		go g.runs[worker]()
	}
	if workers > 0 {
		g.runs[0]()
	}
	g.wg.Wait()
	g.ctx, g.do = nil, nil
	if err := g.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (g *Group) work(worker int) {
	defer g.wg.Done()
	for g.err.Load() == nil {
		task := int(g.next.Add(1)) - 1
		if task >= g.tasks {
			return
		}
		if err := g.do(g.ctx, worker, task); err != nil {
			failed := err // a copy, so that only errors take memory
			g.err.Store(&failed)
		}
	}
}
