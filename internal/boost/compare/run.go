package compare

import (
	"context"
	"fmt"
	"haarlem/boost"
	"slices"
	"sync"
	"sync/atomic"
)

// Run runs the experiment. It ends at the first error, or when ctx does.
func (e *Experiment) Run(ctx context.Context) (*Report, error) {
	x, err := e.withDefaults()
	if err != nil {
		return nil, err
	}
	var jobs []job
	for t, table := range x.Tables {
		splits, err := x.splits(table)
		if err != nil {
			return nil, fmt.Errorf("%w: table %q: %w", ErrExperiment, table.Name, err)
		}
		for s, part := range splits {
			for m := range x.Methods {
				jobs = append(jobs, job{t, m, s, part[0], part[1], x.Seed + uint64(s)})
			}
		}
	}
	outcomes, err := x.runAll(ctx, jobs)
	if err != nil {
		return nil, err
	}
	return x.report(jobs, outcomes), nil
}

// splits returns pairs of training and test data.
func (e *Experiment) splits(table Table) ([][2]*boost.Data, error) {
	data := Indicators(table.Data)
	if e.TrainRows > 0 {
		all := make([]int, table.Rows())
		for i := range all {
			all[i] = i
		}
		return [][2]*boost.Data{{data.Subset(all[:e.TrainRows]), data.Subset(all[e.TrainRows:])}}, nil
	}
	var splits [][2]*boost.Data
	for r := range e.Repeats {
		folds, err := foldsOf(table.Data, e.Folds, e.Seed+uint64(r))
		if err != nil {
			return nil, err
		}
		for f := range e.Folds {
			train, test := split(folds, f)
			splits = append(splits, [2]*boost.Data{data.Subset(train), data.Subset(test)})
		}
	}
	return splits, nil
}

// runAll runs the jobs on x.Workers goroutines. Each run is a pure function of
// its job and writes to its own element.
func (e *Experiment) runAll(ctx context.Context, jobs []job) ([]*outcome, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	outcomes := make([]*outcome, len(jobs))
	var next atomic.Int64
	var mu sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(e.Workers, len(jobs)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				o, err := e.run(ctx, &jobs[i])
				if err != nil {
					cancel(fmt.Errorf("compare: %s on %s: %w", e.Methods[jobs[i].method].Name, e.Tables[jobs[i].table].Name, err))
					return
				}
				outcomes[i] = o
				mu.Lock()
				done++
				if e.Progress != nil {
					e.Progress(done, len(jobs))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if slices.Contains(outcomes, nil) {
		return nil, context.Cause(ctx)
	}
	return outcomes, nil
}
