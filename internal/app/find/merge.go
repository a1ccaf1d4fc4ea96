package find

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/wholefile"
)

const mergeText = `
Checks that all shards are in the folder DIR, made with the same settings, model and
list, and writes their results to stdout, shard by shard, or with -list in the
list's order: the same bytes from any number of shards, however and wherever they
were made. It says which shards are missing.

   detect -list names.txt -shard 3/64 -format jsonl -out DIR     for each of 64
   detect merge DIR > results.jsonl

The exit status is 1 if some names failed. docs/scaling.md says how to run shards
on many machines.`

func MergeCommand() *cli.Command {
	return &cli.Command{
		Name: "merge", Summary: "put the shards of -shard together", Args: "DIR", Text: mergeText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			failures, list := "", ""
			f.Group("Output")
			f.String(&failures, "failures", "write the names that failed, and why, to `FILE`, an object a line")
			f.String(&list, "list", "write results and failures in the order of the list in `FILE`")
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("merge: want one folder, not %d (detect merge -help says more)", len(args))
				}
				return merge(ctx, s, shard.Folder(args[0]), failures, list)
			}
		},
	}
}

func merge(ctx context.Context, s *cli.Streams, dir shard.Folder, failures, list string) error {
	f, err := shard.Check(ctx, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	write := func(failed io.Writer) error {
		if list != "" {
			return inOrder(ctx, f, list, s.Out, failed)
		}
		return errors.Join(f.Results(ctx, s.Out), f.Failures(ctx, failed))
	}
	if failures == "" {
		err = write(io.Discard)
	} else {
		err = wholefile.Write(failures, true, write)
	}
	if err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	// All is there: what is half written belongs to processes that were killed.
	if err := dir.Clean(); err != nil {
		return err
	}
	if f.Failed > 0 {
		fmt.Fprintf(s.Err, "detect: %d of %s failed\n", f.Failed, console.Count(int(f.List.Names), "name"))
		return cli.Exit(cli.StatusFailed)
	}
	return nil
}

// inOrder writes results and failures in the order of a list.
func inOrder(ctx context.Context, f *shard.Finished, list string, results, failures io.Writer) error {
	names, err := os.Open(list)
	if err != nil {
		return cli.Usage(err)
	}
	defer names.Close()
	return f.InOrder(ctx, names, results, failures)
}
