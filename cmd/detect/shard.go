package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/picture"
)

// shardFlags say which part of which list is to be done.
type shardFlags struct {
	list, shard string
}

func (v *shardFlags) declare(f *cli.Flags) {
	f.String(&v.list, "list", "do the names in `FILE`, one a line; - for stdin")
	f.String(&v.shard, "shard", "do shard `I/N` of -list, from 0/N to N-1/N")
}

// wanted reports whether there is a list to do.
func (v *shardFlags) wanted() bool { return v.list != "" || v.shard != "" }

// check reads -shard, and holds the other flags against it. refused are flags that
// were given and have no meaning for a shard.
func (v *shardFlags) check(args []string, out, format string, refused ...string) (shard.Part, error) {
	switch {
	case v.list == "":
		return shard.Part{}, cli.Usagef("-shard %s: of which list? -list names a file, or - for stdin", v.shard)
	case len(args) > 0:
		return shard.Part{}, cli.Usagef("%s: pictures come from -list or from the command line, not from both", args[0])
	case out == "":
		return shard.Part{}, cli.Usagef("-list: -out is missing: where shall the shards go?")
	case format != "jsonl" && format != "csv":
		return shard.Part{}, cli.Usagef("-format %s: shards are jsonl or csv", format)
	case len(refused) > 0:
		return shard.Part{}, cli.Usagef("-%s is not for -list", refused[0])
	case v.shard == "":
		return shard.Part{Index: 0, Count: 1}, nil
	}
	p, err := shard.ParsePart(v.shard)
	if err != nil {
		return p, cli.Usagef("-shard %v", err)
	}
	return p, nil
}

// newShardSearch makes the operation.
func newShardSearch(s *streams, pictures *pictureFlags, how *searchFlags, format string) (*operation.Detect, error) {
	options, err := how.options()
	if err != nil {
		return nil, err
	}
	limits := picture.Options{Partial: !pictures.strict}
	if limits.MaxPixels, err = parsePixels("-max-pixels", "pixels", pictures.maxPixels); err != nil {
		return nil, err
	}
	cascades, err := how.open(how.model)
	if err != nil {
		return nil, err
	}
	if options.Framings, err = how.framings(cascades); err != nil {
		return nil, err
	}
	if err := how.route(options, cascades); err != nil {
		return nil, err
	}
	// What is wrong with the options is a mistake in the call.
	if _, err := detector.New(options, cascades...); err != nil {
		return nil, cli.Usage(err)
	}
	d, err := operation.NewDetect(operation.Files{}, limits, *options, cascades, format)
	if err == nil {
		tellOfWindow(s, detector.Set{d.Detector()})
	}
	return d, err
}

// A sharded is an operation of package operation.
type sharded interface {
	Job(shards int) (*shard.Job, error)
	Work(ctx context.Context, name string) (shard.Result, error)
}

// run does one shard, and says what it came to.
func (v *shardFlags) run(ctx context.Context, s *streams, p shard.Part, out shard.Folder, workers int, o sharded) (err error) {
	job, err := o.Job(p.Count)
	if err != nil {
		return err
	}
	names := s.in
	if v.list != "-" {
		f, err := os.Open(v.list)
		if err != nil {
			return cli.Usage(err)
		}
		defer f.Close()
		names = f
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	began := time.Now()
	done, err := shard.Run(ctx, job, p.Index, names, out, workers, o.Work)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(s.err, "detect: shard %v: interrupted; the same command does it again\n", p)
		return cli.Exit(cli.StatusInterrupted)
	case err != nil:
		return fmt.Errorf("shard %v of %s: %w", p, out, err)
	}
	how := "in " + time.Since(began).Round(time.Second/10).String()
	if done.Skipped {
		how = "skipped: it was finished"
	}
	_, err = fmt.Fprintf(s.out, "shard %v: %s of %d, %d failed, %d found, %s\n", p, count(int(done.Names), "name"), done.List.Names, done.Failed, done.Objects, how)
	return err
}

const mergeText = `
Checks that all shards are in the folder DIR, made with the same settings, model and
list, and writes their results to stdout, shard by shard: the same bytes, however
and wherever the shards were made. It says which shards are missing.

   detect -list names.txt -shard 3/64 -format jsonl -out DIR     for each of 64
   detect merge DIR > results.jsonl

The exit status is 1 if some names failed. docs/scaling.md says how to run shards
on many machines.`

func mergeCommand() *cli.Command {
	return &cli.Command{
		Name: "merge", Summary: "put the shards of -shard together", Args: "DIR", Text: mergeText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			failures := ""
			f.Group("Output")
			f.String(&failures, "failures", "write the names that failed, and why, to `FILE`, an object a line")
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("merge: want one folder, not %d (detect merge -help says more)", len(args))
				}
				return merge(ctx, s, shard.Folder(args[0]), failures)
			}
		},
	}
}

func merge(ctx context.Context, s *cli.Streams, dir shard.Folder, failures string) error {
	f, err := shard.Check(ctx, dir)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if failures != "" {
		if err := writeFile(failures, true, func(w io.Writer) error { return f.Failures(ctx, w) }); err != nil {
			return err
		}
	}
	if err := f.Results(ctx, s.Out); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	// All is there: what is half written belongs to processes that were killed.
	if err := dir.Clean(); err != nil {
		return err
	}
	if f.Failed > 0 {
		fmt.Fprintf(s.Err, "detect: %d of %s failed\n", f.Failed, count(int(f.List.Names), "name"))
		return cli.Exit(cli.StatusFailed)
	}
	return nil
}
