// Package find is detect without a command: objects in pictures, and shards of long lists.
package find

import (
	"context"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/search"
	"haarlem/internal/app/shard"
	"haarlem/internal/objects"
)

const findText = `
Finds faces, or what the model was trained for, in JPEG, PNG, GIF, BMP, TIFF,
WebP and PNM files, turned upright. A folder stands for its pictures, and - for
standard input. Boxes are in pixels of the upright picture, from its top left.
-model may be a cascade of pico or pigo too, whose -min-score is 5 if not given.
A JPEG or PNG that ends too early is searched as far as it goes (see -strict).
` + UnreadText

// UnreadText is for all commands that go through pictures.
const UnreadText = `
A file that cannot be read is reported and skipped; the exit status is then 1.
It is also 1 if a folder holds HEIC, AVIF or RAW pictures, named pipes, links to
other folders, or folders that cannot be opened.`

// Formats are those of the results.
var Formats = []string{"text", "json", "jsonl", "csv"}

// findFlags are those of the command that everything is about.
type findFlags struct {
	format         string
	annotate, crop string
	landmarks, out string
	overwrite      bool
	ShardFlags
	PictureFlags
	search.Flags
}

func Command() *cli.Command {
	return &cli.Command{
		Args: "FILE|DIR|GLOB|-...", Text: findText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := console.New(cs), &findFlags{format: "text"}
			f.Group("Input and output")
			f.Choice(&v.format, "format", Formats, "write results as `FORMAT`: text, json (one array), jsonl (an object a line) or csv (a face a line)")
			f.String(&v.landmarks, "points", "find points with `MODEL`: face5, face68 or a file")
			f.String(&v.annotate, "annotate", "write copies with boxes and scores into `DIR`")
			f.String(&v.crop, "crop", "write each face into `DIR`; -points levels its eyes")
			f.Bool(&v.overwrite, "overwrite", "let -annotate and -crop replace files")
			v.RecursiveFlag(f)
			v.ShardFlags.Declare(f)
			f.String(&v.out, "out", "write the shard of -list into `DIR`")
			v.Flags.Declare(f)
			f.Group("Limits")
			v.WorkersFlag(f)
			v.LimitFlags(f, false)
			return func(ctx context.Context, args []string) error {
				if v.Wanted() {
					return findShard(ctx, s, v, args)
				}
				if v.out != "" {
					return cli.Usagef("-out is for -list; -annotate and -crop write pictures")
				}
				return find(ctx, s, v, args)
			}
		},
	}
}

// find is the whole command.
func find(ctx context.Context, s *console.Streams, v *findFlags, args []string) error {
	if v.landmarks != "" {
		var err error
		if v.Points, err = search.OpenPoints("points", v.landmarks); err != nil {
			return err
		}
	}
	job, err := NewBatch(s, args, v.format, &v.PictureFlags, &v.Flags)
	if err != nil {
		return err
	}
	if r, ok := job.reporter.(*csvReporter); ok {
		r.columns.Angles = v.Rotated()
		set, ok := job.finder.(objects.Set)
		r.columns.Objects = ok && len(set) > 1
		if v.Points != nil {
			r.columns.Points = len(v.Points.Mean)
		}
	}
	if job.annotate, err = NewOutputs(v.annotate, v.overwrite, job.Inputs); err != nil {
		return err
	}
	if job.crop, err = NewOutputs(v.crop, v.overwrite, job.Inputs); err != nil {
		return err
	}
	return job.Run(ctx)
}

// findShard is the whole command for a shard of a list.
func findShard(ctx context.Context, s *console.Streams, v *findFlags, args []string) error {
	if !v.Given("format") {
		v.format = "jsonl"
	}
	p, err := v.ShardFlags.Check(args, v.out, v.format, v.Given, "points", "annotate", "crop", "overwrite", "recursive")
	if err != nil {
		return err
	}
	d, err := NewShardSearch(s, &v.PictureFlags, &v.Flags, v.format)
	if err != nil {
		return err
	}
	return v.Run(ctx, s, p, shard.Folder(v.out), v.Workers, d)
}
