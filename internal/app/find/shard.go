package find

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/search"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/objects"
	"haarlem/picture"
)

// ShardFlags say which part of which list is to be done.
type ShardFlags struct {
	list, shard string
}

func (v *ShardFlags) Declare(f *cli.Flags) {
	f.String(&v.list, "list", "do the names in `FILE`, one a line; - for stdin")
	f.String(&v.shard, "shard", "do shard `I/N` of -list, from 0/N to N-1/N")
}

// Wanted reports whether there is a list to do.
func (v *ShardFlags) Wanted() bool { return v.list != "" || v.shard != "" }

// Check reads -shard, and holds the other flags against it. refused are flags that
// were given and have no meaning for a shard.
func (v *ShardFlags) Check(args []string, out, format string, given func(string) bool, refused ...string) (shard.Part, error) {
	refused = slices.DeleteFunc(refused, func(name string) bool { return !given(name) })
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

// NewShardSearch makes the operation.
func NewShardSearch(s *console.Streams, pictures *PictureFlags, how *search.Flags, format string) (*operation.Detect, error) {
	options, err := how.Options()
	if err != nil {
		return nil, err
	}
	limits := picture.Options{Partial: pictures.readsPart()}
	if limits.MaxPixels, err = search.ParsePixels("-max-pixels", "pixels", pictures.maxPixels); err != nil {
		return nil, err
	}
	c, err := how.Open(how.Model)
	if err != nil {
		return nil, err
	}
	if options.Framing, err = how.Framing(c); err != nil {
		return nil, err
	}
	if err := how.Route(options, c); err != nil {
		return nil, err
	}
	// What is wrong with the options is a mistake in the call.
	if _, err := detector.New(options, c); err != nil {
		return nil, cli.Usage(err)
	}
	d, err := operation.NewDetect(operation.Files{}, limits, *options, c, format)
	if err == nil {
		search.TellOfWindow(s, objects.Set{d.Detector()})
	}
	return d, err
}

// Run does one shard, and says what it came to.
func (v *ShardFlags) Run(ctx context.Context, s *console.Streams, p shard.Part, out shard.Folder, workers int, o shard.Operation) error {
	names := s.In
	if v.list != "-" {
		f, err := os.Open(v.list)
		if err != nil {
			return cli.Usage(err)
		}
		defer f.Close()
		names = f
	}
	began := time.Now()
	done, err := shard.Do(ctx, o, p, names, out, workers)
	switch {
	case ctx.Err() != nil:
		fmt.Fprintf(s.Err, "detect: shard %v: interrupted; the same command does it again\n", p)
		return cli.Exit(cli.StatusInterrupted)
	case err != nil:
		return fmt.Errorf("shard %v of %s: %w", p, out, err)
	}
	how := "in " + time.Since(began).Round(time.Second/10).String()
	if done.Skipped {
		how = "skipped: it was finished"
	}
	_, err = fmt.Fprintf(s.Out, "shard %v: %s of %d, %d failed, %d found, %s\n", p, console.Count(int(done.Names), "name"), done.List.Names, done.Failed, done.Objects, how)
	return err
}
