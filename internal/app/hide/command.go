// Package hide is detect's commands blur and pixelate.
package hide

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/find"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/search"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/app/video"
	"haarlem/internal/app/wholefile"
	pixels "haarlem/internal/obscure"
	"haarlem/picture"
)

const blurText = `
Writes copies of pictures, or of one video, in which faces cannot be recognised.
About three by three colours are left of a face; they %s. OUT is a folder,
unless it names a picture or video. Copies of photographs hold no metadata, such
as the place or a thumbnail.

In a video faces are tracked. Where one is lost, a growing part
around the place is hidden until a face is seen there again or the shot changes
(-fail-safe). A file is read twice, so that a face is hidden before it was first
found; a stream, such as - for standard input, is written a second late. -report
lists the frames to check. Sound is not copied without -sound: a voice may
identify somebody.
  ffmpeg -i IN -f yuv4mpegpipe - | detect blur -out - - | ffmpeg -i - OUT.mp4
-stream sends a video or a camera such as /dev/video0 over HTTP, a second late.

A face that is not found stays as it is. To miss fewer, a score of 0.1 is enough
here where a model asks for more, unless -min-score is given. Check the result
before you show it to others. Clothes and surroundings may be enough for those
who know a person.

What cannot be read whole gets no copy: a JPEG or PNG that ends too early only
with -partial. Videos in a folder are not read, and make the exit status 1: give
each alone.
` + find.UnreadText

func BlurCommand() *cli.Command {
	return obscureCommand("blur", "write copies with blurred faces", "are drawn smoothly", true)
}

func PixelateCommand() *cli.Command {
	return obscureCommand("pixelate", "write copies with pixelated faces", "are drawn as squares", false)
}

func obscureCommand(name, summary, how string, smooth bool) *cli.Command {
	return &cli.Command{
		Name: name, Summary: summary, Args: "-out OUT|-stream ADDRESS FILE|DIR|GLOB|-...", Text: fmt.Sprintf(blurText, how),
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := console.New(cs), &obscureFlags{format: "text", margin: picture.UsualMargin, hideFlags: hideFlags{failSafe: true}, Flags: search.Flags{Hides: true}}
			f.Group("Input and output")
			f.String(&v.out, "out", "write into the folder `OUT`, or for one picture or video to this file; a video needs one that ends in "+frames.MovieKinds())
			f.String(&v.stream, "stream", video.StreamUsage)
			f.Float(&v.margin, "margin", "also hide `M` of a box's size around it")
			f.Bool(&v.solid, "solid", "paint over faces in one dark grey instead: nothing is left of them")
			f.Bool(&v.overwrite, "overwrite", "let -out and -report replace files")
			f.Choice(&v.format, "format", find.Formats, "write results for pictures to stdout as `FORMAT`: text, json, jsonl or csv")
			f.Choice(&v.outFormat, "out-format", frames.OutFormats, "-out - writes a video as `FORMAT`: y4m or mjpeg; as it comes, if not given")
			v.RecursiveFlag(f)
			v.hideFlags.declare(f)
			v.StreamFlags.Declare(f)
			v.ShardFlags.Declare(f)
			v.Flags.Declare(f)
			f.Group("Limits")
			v.WorkersFlag(f)
			v.LimitFlags(f, true)
			return func(ctx context.Context, args []string) error {
				if v.Wanted() {
					return obscureShard(ctx, s, v, args, smooth)
				}
				return obscure(ctx, s, v, args, name, smooth)
			}
		},
	}
}

func obscure(ctx context.Context, s *console.Streams, v *obscureFlags, args []string, name string, smooth bool) error {
	out, margin := v.out, v.margin
	switch {
	case !(margin >= 0 && margin <= 5):
		return cli.Usagef("-margin %v: want 0 to 5", margin)
	case len(args) == 0:
		return cli.Usagef("%s: no pictures: give files, folders, patterns or - for stdin, or a video (detect %s -help says more)", name, name)
	case out != "" && v.stream != "":
		return cli.Usagef("-stream: not together with -out")
	case out == "" && v.stream == "":
		return cli.Usagef("%s: -out is missing: where shall the copies go?", name)
	}
	if i := slices.IndexFunc(args, func(arg string) bool {
		return frames.IsMovie(arg) || frames.IsStream(arg) || frames.IsDevice(arg) || frames.IsSequence(arg) || v.stream != "" || frames.IsStdin(arg) && (frames.IsMovie(out) || out == "-" || v.Raw != "")
	}); i >= 0 {
		if len(args) > 1 {
			return cli.Usagef("%s: %s is a video: give it alone", name, args[i])
		}
		return obscureVideo(ctx, s, v, args[0], smooth)
	}
	job, err := find.NewBatch(s, args, v.format, &v.PictureFlags, &v.Flags)
	if err != nil {
		return err
	}
	for _, name := range []string{"whole-frame", "roi", "max-faces", "keep", "report", "sound", "resume", "raw", "fps", "out-format"} {
		if v.Given(name) {
			return cli.Usagef("-%s: is for videos, and %s is none", name, args[0])
		}
	}
	job.Obscure = func(img image.Image, boxes []image.Rectangle) *image.RGBA {
		switch {
		case v.solid:
			all := pixels.Copy(img)
			picture.Cover(all, boxes, margin)
			return all
		case smooth:
			return picture.Blur(img, boxes, margin)
		}
		return picture.Pixelate(img, boxes, margin)
	}
	ext := strings.ToLower(filepath.Ext(out))
	switch single := slices.Contains(picture.Extensions(), ext) && !wholefile.IsDir(out); {
	case frames.IsMovie(out):
		return cli.Usagef("-out %s: that is the name of a video, and there is none to read", out)
	case single && len(job.Inputs) > 1:
		return cli.Usagef("-out %s: that is one picture, and there are %d to write; give a folder", out, len(job.Inputs))
	case single:
		job.Hidden, err = find.NewOutput(out, v.overwrite, job.Inputs)
	default:
		job.Hidden, err = find.NewOutputs(out, v.overwrite, job.Inputs)
	}
	if err != nil {
		return err
	}
	return job.Run(ctx)
}

// obscureShard writes the copies of a shard of a list.
func obscureShard(ctx context.Context, s *console.Streams, v *obscureFlags, args []string, smooth bool) error {
	if !v.Given("format") {
		v.format = "jsonl"
	}
	p, err := v.ShardFlags.Check(args, v.out, v.format, v.Given, "overwrite", "recursive", "also")
	if err != nil {
		return err
	}
	d, err := find.NewShardSearch(s, &v.PictureFlags, &v.Flags, v.format)
	if err != nil {
		return err
	}
	out := shard.Folder(v.out)
	b, err := operation.NewBlur(d, out, v.margin, smooth)
	if err != nil {
		return cli.Usage(err)
	}
	return v.Run(ctx, s, p, out, v.Workers, b)
}
