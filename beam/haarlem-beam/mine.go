package main

import (
	"context"
	"fmt"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"haarlem/internal/app/shard/mining"
)

func init() {
	register.DoFn3x1[context.Context, int, func(string), error](&mineFn{})
}

// buildMine makes a pipeline whose elements are workers: the training's waves come
// through the folder, and what an engine does is to start workers on its machines, and
// to start them again.
func buildMine(scope beam.Scope, folder string, workers int) {
	spread(scope, &mineFn{Folder: folder}, workers)
}

// A mineFn helps a training until it ends.
type mineFn struct {
	Folder string
}

// searched counts the shards of waves that were searched here.
var searched = beam.NewCounter("haarlem", "searched")

// ProcessElement is a worker. A second one in the same process would take nothing but
// turns from the first, and begins when that has ended, with the training.
func (f *mineFn) ProcessElement(ctx context.Context, worker int, emit func(string)) error {
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	err := mining.Work(ctx, f.Folder, runtime.GOMAXPROCS(0), func(_ string, shards int) { searched.Inc(ctx, int64(shards)) })
	if err != nil {
		return fmt.Errorf("worker %d: %w", worker, err)
	}
	emit(fmt.Sprint(worker))
	return nil
}
