package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"haarlem/cloud/task"
)

func init() {
	register.DoFn3x1[context.Context, int, func(string), error](&shardFn{})
	register.Emitter1[string]()
	register.Function1x0(finished)
}

// build makes the pipeline: the numbers of the shards, spread over the workers, and
// each that is finished.
func build(scope beam.Scope, s task.Settings) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	spread(scope, &shardFn{Settings: string(text)}, s.Shards)
	return nil
}

// spread gives each of the numbers from 0 up to n to a DoFn, over the workers.
func spread(scope beam.Scope, fn any, n int) {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	done := beam.ParDo(scope, fn, beam.Reshuffle(scope, beam.CreateList(scope, numbers)))
	// Prism 2.77 waits for a bundle in a loop that never sleeps, and takes a processor
	// for it, if nothing is to come out of the bundle: so something does.
	beam.ParDo0(scope, finished, beam.Reshuffle(scope, done))
}

// finished takes the shards that are finished.
func finished(string) {}

// A shardFn does shards. Names are searched side by side by goroutines of its task.
type shardFn struct {
	Settings string // task.Settings in JSON
}

// Counters are those of bundles that the engine has committed: a shard that it tries
// again counts once.
var (
	pictures = beam.NewCounter("haarlem", "pictures")
	failures = beam.NewCounter("haarlem", "failures")
	objects  = beam.NewCounter("haarlem", "objects")
	millis   = beam.NewCounter("haarlem", "milliseconds")
	skipped  = beam.NewCounter("haarlem", "skipped")
)

// opened are the tasks of this process: one detector, however many bundles there are.
var opened sync.Map // of func() (*task.Task, error), by settings

func taskOf(text string) (*task.Task, error) {
	open, _ := opened.LoadOrStore(text, sync.OnceValues(func() (*task.Task, error) {
		var s task.Settings
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			return nil, err
		}
		return task.Open(s)
	}))
	return open.(func() (*task.Task, error))()
}

// turn lets one shard at a time through a process. It has goroutines for all
// processors, and a kill costs what was under way.
var turn = make(chan struct{}, 1)

// ProcessElement does one shard.
func (f *shardFn) ProcessElement(ctx context.Context, shard int, emit func(string)) error {
	t, err := taskOf(f.Settings)
	if err != nil {
		return err
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	began := time.Now()
	done, err := t.Run(ctx, shard)
	if err != nil {
		return fmt.Errorf("shard %d/%d: %w", shard, t.Shards, err)
	}
	pictures.Inc(ctx, done.Names)
	failures.Inc(ctx, done.Failed)
	objects.Inc(ctx, done.Objects)
	if done.Skipped {
		skipped.Inc(ctx, 1)
	} else {
		millis.Inc(ctx, time.Since(began).Milliseconds())
	}
	emit(fmt.Sprintf("%d/%d", shard, t.Shards))
	return nil
}

// counted says what the committed counters are.
func counted(r beam.PipelineResult) string {
	if r == nil {
		return "finished"
	}
	all := map[string]int64{}
	for _, c := range r.Metrics().Query(func(metrics.SingleResult) bool { return true }).Counters() {
		if c.Namespace() == "haarlem" {
			all[c.Name()] += c.Result()
		}
	}
	if n, ok := all["searched"]; ok {
		return fmt.Sprintf("%d shards of a training's waves", n)
	}
	return fmt.Sprintf("%d names, %d failed, %d found, %.1f seconds of shards, %d shards skipped",
		all["pictures"], all["failures"], all["objects"], float64(all["milliseconds"])/1e3, all["skipped"])
}
