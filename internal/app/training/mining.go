package training

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/mining"
	"haarlem/internal/app/shard/operation"
)

const mineText = `Finds hard negatives: windows of pictures without the object that a model passes. Names
come from -list, one a line, of which this call does one shard; detect merge puts the
shards together. A line of the results has the windows of a picture: their boxes, and
their grey levels in base64. docs/scaling.md says how to run shards on many machines.

   train-cascade mine -model face-fast -list backgrounds.txt -shard 3/64 -out mined

A training finds its own as it goes on; for that other machines help with mine-worker.`

func Mine() *cli.Command {
	return &cli.Command{
		Name: "mine", Summary: "find hard negatives in a list of pictures", Text: mineText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &mineFlags{largest: 100, shard: "0/1"}
			f.String(&v.model, "model", "`MODEL` whose false positives are wanted: a file or built-in model")
			f.String(&v.list, "list", "`FILE` of names, one a line; - for stdin")
			f.String(&v.shard, "shard", "do shard `I/N` of -list, from 0/N to N-1/N")
			f.String(&v.out, "out", "write the shard into `FOLDER`")
			f.Int(&v.largest, "max", "at most `N` windows of a picture")
			f.Uint64(&v.seed, "seed", "`SEED` by which they are chosen")
			f.Int(&v.workers, "workers", "use `N` goroutines; one for each processor if not given")
			return func(ctx context.Context, _ []string) error { return v.run(ctx, s) }
		},
	}
}

type mineFlags struct {
	model, list, shard, out string
	largest, workers        int
	seed                    uint64
}

func (v *mineFlags) run(ctx context.Context, s *cli.Streams) error {
	if v.model == "" || v.list == "" || v.out == "" {
		return cli.Usagef("mine: want -model, -list and -out")
	}
	p, err := shard.ParsePart(v.shard)
	if err != nil {
		return cli.Usagef("-shard %v", err)
	}
	c, err := input.OpenModel(v.model)
	if err != nil {
		return err
	}
	m, err := mining.NewMine(operation.Files{}, c, v.seed, v.largest)
	if err != nil {
		return cli.Usagef("-max: %v", err)
	}
	names := io.Reader(s.In)
	if v.list != "-" {
		f, err := os.Open(v.list)
		if err != nil {
			return cli.Usage(err)
		}
		defer f.Close()
		names = f
	}
	done, err := shard.Do(ctx, m, p, names, shard.Folder(v.out), v.workers)
	if err != nil {
		return fmt.Errorf("shard %v: %w", p, err)
	}
	_, err = fmt.Fprintf(s.Out, "shard %v: %s of %d, %d failed, %s\n", p, output.Count(int(done.Names), "picture"), done.List.Names, done.Failed, output.Count(int(done.Objects), "window"))
	return err
}

const mineWorkerText = `Helps a training that mines hard negatives in FOLDER (train -mine FOLDER), which this
machine must see by the same path, as it must the pictures. It waits for a training,
does its share of what is to be searched, and ends when the training does. Start as
many as there are machines, whenever and wherever; a worker that is killed costs a few
seconds. The cascade's bytes do not depend on workers.

   train-cascade train ... -mine /shared/mine
   train-cascade mine-worker /shared/mine                        on each other machine`

func MineWorker() *cli.Command {
	return &cli.Command{
		Name: "mine-worker", Summary: "help a training with -mine", Args: "FOLDER", Text: mineWorkerText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			workers := 0
			f.Int(&workers, "workers", "use `N` goroutines; one for each processor if not given")
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("mine-worker: want one folder, not %d", len(args))
				}
				log := slog.New(slog.NewTextHandler(s.Err, nil))
				var all atomic.Int64
				err := mining.Work(ctx, args[0], workers, func(wave string, shards int) {
					all.Add(int64(shards))
					log.Info("searched", "wave", wave, "shards", shards)
				})
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(s.Out, "%s\n", output.Count(int(all.Load()), "shard"))
				return err
			}
		},
	}
}
