package compare

import (
	"context"
	"fmt"

	"haarlem/boost"
	"haarlem/internal/par"
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
				jobs = append(jobs, job{t, m, part[0], part[1], x.Seed + uint64(s)})
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

// runAll runs the jobs on e.Workers goroutines. Each run is a pure function of
// its job and writes to its own element.
func (e *Experiment) runAll(ctx context.Context, jobs []job) ([]*outcome, error) {
	outcomes := make([]*outcome, len(jobs))
	return outcomes, par.Each(ctx, len(jobs), e.Workers, func(_ *struct{}, i int) (err error) {
		j := &jobs[i]
		if outcomes[i], err = e.run(ctx, j); err != nil {
			return fmt.Errorf("compare: %s on %s: %w", e.Methods[j.method].Name, e.Tables[j.table].Name, err)
		}
		return nil
	}, e.Progress)
}
