// Haarlem-cloud does shards of a job whose pictures, list and results may be in
// stores of objects (s3://, gs://), in files (file://, paths), or some here and some
// there. The same job with paths has the bytes that detect writes.
//
//	haarlem-cloud -list s3://b/names.txt -output s3://b/out -shards 64 -shard 3
//	haarlem-cloud -list s3://b/names.txt -output s3://b/out -merge > results.jsonl
//
// With -merge results come in the order of -list, or shard by shard without it.
// -shard may be left out where JOB_COMPLETION_INDEX (Kubernetes), SLURM_ARRAY_TASK_ID,
// AWS_BATCH_JOB_ARRAY_INDEX or CLOUD_RUN_TASK_INDEX says it. The exit status is 0 when
// the shard is finished, 1 when it must be tried again, and 2 when the flags are wrong.
// That of -merge is 1 when shards are missing or names failed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"syscall"

	"haarlem/cloud/task"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	task.Exit("haarlem-cloud", run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// errNames is the error of a merge whose results are all there.
var errNames = errors.New("names failed")

// indices are variables in which schedulers say which shard it is.
var indices = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX", "CLOUD_RUN_TASK_INDEX"}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var s task.Settings
	f := flag.NewFlagSet("haarlem-cloud", flag.ContinueOnError)
	f.SetOutput(stderr)
	s.Declare(f)
	index := f.Int("shard", -1, "number of the shard, from 0; if not given, what the scheduler's variable says")
	merge := f.Bool("merge", false, "check that all shards are in -output, and write their results to stdout")
	failures := f.String("failures", "", "with -merge: write what failed to `FILE`")
	if err := f.Parse(args); err != nil {
		return fmt.Errorf("%w: %w", task.ErrSettings, err)
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%w: %q is too much", task.ErrSettings, f.Arg(0))
	}
	if *merge {
		return mergeAll(ctx, s.Output, s.List, *failures, stdout)
	}
	for _, name := range indices {
		if text := os.Getenv(name); *index < 0 && text != "" {
			n, err := strconv.Atoi(text)
			if err != nil {
				return fmt.Errorf("%w: %s is %q, want a number", task.ErrSettings, name, text)
			}
			*index = n
		}
	}
	if *index < 0 || *index >= s.Shards {
		return fmt.Errorf("%w: -shard %d: want 0 to %d", task.ErrSettings, *index, s.Shards-1)
	}
	t, err := task.Open(s)
	if err != nil {
		return err
	}
	done, err := t.Run(ctx, *index)
	if err != nil {
		return fmt.Errorf("shard %d/%d: %w", *index, s.Shards, err)
	}
	how := ""
	if done.Skipped {
		how = ", skipped: it was finished"
	}
	_, err = fmt.Fprintf(stdout, "shard %d/%d: %d of %d names, %d failed, %d found%s\n", *index, s.Shards, done.Names, done.List.Names, done.Failed, done.Objects, how)
	return err
}

func mergeAll(ctx context.Context, place, list, failures string, stdout io.Writer) (err error) {
	if place == "" {
		return fmt.Errorf("%w: -merge wants -output", task.ErrSettings)
	}
	bad := io.Discard
	if failures != "" {
		out, wrong := os.Create(failures)
		if wrong != nil {
			return wrong
		}
		defer func() { err = errors.Join(err, out.Close()) }()
		bad = out
	}
	f, err := task.Merge(ctx, place, list, stdout, bad)
	if err == nil && f.Failed > 0 {
		err = fmt.Errorf("%w: %d of %d", errNames, f.Failed, f.List.Names)
	}
	return err
}
