// Haarlem-beam does all shards of a job with an engine for Apache Beam pipelines.
//
//	haarlem-beam -mode detect -list names.txt -output out -shards 64
//	haarlem-beam -runner universal -endpoint HOST:8099 -environment_type EXTERNAL -environment_config HOST:50000 ...
//
// The elements of the pipeline are shards, not names: what the engine holds does not
// grow with the list, and a shard that it tries again, or does twice, has the same
// bytes. Without -runner it runs here, on Prism, Beam's local runner.
//
//	haarlem-beam -mine /shared/mine -shards 8      workers for train-cascade train -mine
//
//	haarlem-beam -pool 50000        a pool of workers for EXTERNAL
//	haarlem-beam -prism 8099        Prism in a process of its own
//
// For PROCESS the command is haarlem-beam itself:
// -environment_config '{"command":"/path/haarlem-beam"}'.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal/extworker"

	"haarlem/cloud/task"
)

func main() {
	// Workers of all kinds come here too, so that nothing may be printed to stdout
	// before it is known what this process is.
	var s task.Settings
	s.Declare(flag.CommandLine)
	runner := flag.String("runner", "prism", "prism or universal")
	mine := flag.String("mine", "", "help the training that mines in `FOLDER`, which all machines see, with as many workers as -shards says, until it ends")
	pool := flag.Int("pool", 0, "be a pool of workers at this `PORT`, for -environment_type EXTERNAL")
	server := flag.Int("prism", 0, "be Prism at this `PORT`, for -runner universal")
	flag.String("provision_endpoint", "", "said to a worker by an engine with -environment_type PROCESS")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if id, endpoint, ok := booted(os.Args[1:]); ok {
		exit(boot(ctx, id, endpoint))
	}
	flag.Parse()
	beam.Init()
	switch {
	case flag.NArg() > 0:
		exit(fmt.Errorf("%w: %q is too much", task.ErrSettings, flag.Arg(0)))
	case *pool > 0:
		p, err := extworker.StartLoopback(ctx, *pool)
		if err != nil {
			exit(err)
		}
		<-ctx.Done()
		exit(p.Stop(context.Background()))
	case *server > 0:
		_, err := prism.CreateJobServer(ctx, prism.Options{Port: *server})
		if err != nil {
			exit(err)
		}
		<-ctx.Done()
		return
	}
	if *mine != "" {
		exit(help(ctx, *mine, s.Shards, *runner))
	}
	exit(run(ctx, s, *runner))
}

func exit(err error) { task.Exit("haarlem-beam", err) }

// run does the shards of a job.
func run(ctx context.Context, s task.Settings, runner string) error {
	// What is wrong with the settings shows here, and not on another machine.
	if _, err := task.Open(s); err != nil {
		return err
	}
	return submit(ctx, runner, func(scope beam.Scope) error { return build(scope, s) })
}

// help does shards of a training's waves in a folder, with so many workers.
func help(ctx context.Context, folder string, workers int, runner string) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("%w: -mine %s: there is no such folder", task.ErrSettings, folder)
	}
	if workers < 1 {
		return fmt.Errorf("%w: -shards %d: want 1 worker or more", task.ErrSettings, workers)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	return submit(ctx, runner, func(scope beam.Scope) error { buildMine(scope, folder, workers); return nil })
}

// submit gives a pipeline to an engine and waits for it.
func submit(ctx context.Context, runner string, build func(beam.Scope) error) error {
	if !slices.Contains([]string{"prism", "universal"}, runner) {
		return fmt.Errorf("%w: -runner %q: want prism or universal", task.ErrSettings, runner)
	}
	if *jobopts.WorkerBinary == "" { // Beam would build one, from sources
		self, err := os.Executable()
		if err != nil {
			return err
		}
		*jobopts.WorkerBinary = self
	}
	p, scope := beam.NewPipelineWithRoot()
	if err := build(scope); err != nil {
		return err
	}
	began := time.Now()
	result, err := beam.Run(ctx, runner, p)
	if err != nil {
		return fmt.Errorf("%w\nthe same command goes on: finished shards are skipped", err)
	}
	fmt.Printf("%s in %v\n", counted(result), time.Since(began).Round(time.Second/10))
	return nil
}
