package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/internal/cli"
	"haarlem/internal/shard"
	"haarlem/internal/shard/operation"
	"haarlem/picture"
	"haarlem/track"
)

const blurText = `
Writes copies of pictures, or of one video, in which faces cannot be recognised.
About three by three colours are left of a face; they %s. OUT is a folder,
unless it names a picture or video. Copies of photographs hold no metadata, such
as the place or a thumbnail.

In a video faces are followed. Where one is missed for up to half a second, or
just before it appears and after it goes, its box is guessed from the frames
around. Sound is not copied: a voice may identify somebody.

A face that is not found stays as it is. To miss fewer, a score of 0.1 is enough
here where a model asks for more, unless -min-score is given. Check the result
before you show it to others. Clothes and surroundings may be enough for those
who know a person.

What cannot be read gets no copy. Videos in a folder are not read, and make the
exit status 1: give each alone.
` + unreadText

// doubtful is the score that is enough to hide what may be a face.
const doubtful = 0.1

// obscureFlags are those of blur and pixelate.
type obscureFlags struct {
	out, format string
	margin      float64
	overwrite   bool
	shardFlags
	pictureFlags
	searchFlags
}

func blurCommand() *cli.Command {
	return obscureCommand("blur", "write copies with blurred faces", "are drawn smoothly", true)
}

func pixelateCommand() *cli.Command {
	return obscureCommand("pixelate", "write copies with pixelated faces", "are drawn as squares", false)
}

func obscureCommand(name, summary, how string, smooth bool) *cli.Command {
	return &cli.Command{
		Name: name, Summary: summary, Args: "-out OUT FILE|DIR|GLOB|-...", Text: fmt.Sprintf(blurText, how),
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := newStreams(cs), &obscureFlags{format: "text", margin: picture.UsualMargin, searchFlags: searchFlags{hides: true}}
			f.Group("Input and output")
			f.String(&v.out, "out", "write into the folder `OUT`, or for one picture or video to this file; a video needs one that ends in "+movieKinds())
			f.Float(&v.margin, "margin", "also hide `M` of a box's size around it")
			f.Bool(&v.overwrite, "overwrite", "let -out replace files")
			f.Choice(&v.format, "format", formats, "write results for pictures to stdout as `FORMAT`: text, json, jsonl or csv")
			v.recursiveFlag(f)
			v.shardFlags.declare(f)
			v.searchFlags.declare(f)
			f.Group("Limits")
			v.workersFlag(f)
			v.limitFlags(f)
			return func(ctx context.Context, args []string) error {
				if v.wanted() {
					return obscureShard(ctx, s, v, args, smooth)
				}
				return obscure(ctx, s, v, args, name, smooth)
			}
		},
	}
}

func obscure(ctx context.Context, s *streams, v *obscureFlags, args []string, name string, smooth bool) error {
	out, margin := v.out, v.margin
	switch {
	case !(margin >= 0 && margin <= 5):
		return cli.Usagef("-margin %v: want 0 to 5", margin)
	case len(args) == 0:
		return cli.Usagef("%s: no pictures: give files, folders, patterns or - for stdin, or a video (detect %s -help says more)", name, name)
	case out == "":
		return cli.Usagef("%s: -out is missing: where shall the copies go?", name)
	}
	if i := slices.IndexFunc(args, func(arg string) bool {
		return isMovie(arg) || isStream(arg) || isDevice(arg) || isSequence(arg) || isStdin(arg) && isMovie(out)
	}); i >= 0 {
		if len(args) > 1 {
			return cli.Usagef("%s: %s is a video: give it alone", name, args[i])
		}
		return obscureVideo(ctx, s, v, args[0], smooth)
	}
	job, err := newBatch(s, args, v.format, &v.pictureFlags, &v.searchFlags)
	if err != nil {
		return err
	}
	job.obscure = func(img image.Image, boxes []image.Rectangle) *image.RGBA {
		if smooth {
			return picture.Blur(img, boxes, margin)
		}
		return picture.Pixelate(img, boxes, margin)
	}
	ext := strings.ToLower(filepath.Ext(out))
	switch single := slices.Contains(picture.Extensions(), ext) && !isDir(out); {
	case isMovie(out):
		return cli.Usagef("-out %s: that is the name of a video, and there is none to read", out)
	case single && len(job.inputs) > 1:
		return cli.Usagef("-out %s: that is one picture, and there are %d to write; give a folder", out, len(job.inputs))
	case single:
		job.hidden, err = newOutput(out, v.overwrite, job.inputs)
	default:
		job.hidden, err = newOutputs(out, v.overwrite, job.inputs)
	}
	if err != nil {
		return err
	}
	return job.run(ctx)
}

// obscureShard writes the copies of a shard of a list.
func obscureShard(ctx context.Context, s *streams, v *obscureFlags, args []string, smooth bool) error {
	if !v.given("format") {
		v.format = "jsonl"
	}
	var refused []string
	for _, name := range []string{"overwrite", "recursive"} {
		if v.given(name) {
			refused = append(refused, name)
		}
	}
	p, err := v.shardFlags.check(args, v.out, v.format, refused...)
	if err != nil {
		return err
	}
	d, err := newShardSearch(s, &v.pictureFlags, &v.searchFlags, v.format)
	if err != nil {
		return err
	}
	out := shard.Folder(v.out)
	b, err := operation.NewBlur(d, out, v.margin, smooth)
	if err != nil {
		return cli.Usage(err)
	}
	return v.run(ctx, s, p, out, v.workers, b)
}

func obscureVideo(ctx context.Context, s *streams, v *obscureFlags, in string, smooth bool) error {
	out := v.out
	if movieCodecs[strings.ToLower(filepath.Ext(out))] == nil {
		return cli.Usagef("-out %s: for a video, want a name that ends in %s", out, movieKinds())
	}
	run, err := newVideoRun(s, &v.searchFlags, in, []string{out}, v.overwrite)
	if err != nil {
		return err
	}
	hide := func(f *frame, boxes []image.Rectangle) { picture.ObscureInPlace(f.image, boxes, v.margin, smooth) }
	fps := run.flow.source.about().fps
	movie := run.movie(out, v.overwrite, fps, func(f *frame) *image.RGBA { return f.image })
	sink := &hidingSink{frameSink: movie, fps: fps, hide: hide}
	run.sinks = []frameSink{sink}
	if err := run.run(ctx); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, %s, %s found and %d guessed; written to %s\n", printable(in), count(run.frames, "frame"),
		"boxes: "+fmt.Sprint(sink.hidden), fmt.Sprint(sink.found), max(0, sink.hidden-sink.found), out)
	return err
}

// A hidingSink hides faces, and passes frames on when it knows what comes
// behind them.
type hidingSink struct {
	frameSink
	fps    float64
	hide   func(*frame, []image.Rectangle)
	filler *track.Filler
	queue  []*frame

	found, hidden int
	failed        bool // the sink behind takes nothing any more
}

// mostHeld is how much memory the frames in the queue may take. Of very large
// pictures fewer are held, and shorter gaps filled.
const mostHeld = 768 << 20

func (h *hidingSink) put(f *frame) error {
	if h.filler == nil {
		frames := min(max(int(h.fps/2+0.5), 4), 30)
		for frames > 1 && int64(3*frames/2+2)*int64(len(f.image.Pix)) > mostHeld {
			frames--
		}
		var err error
		if h.filler, err = track.NewFiller(&track.FillOptions{Frames: frames, Bounds: f.image.Rect}); err != nil {
			return err
		}
	}
	h.queue = append(h.queue, f)
	h.found += len(f.found)
	if boxes, ok := h.filler.Add(f.at, f.found); ok {
		return h.pass(boxes)
	}
	return nil
}

func (h *hidingSink) pass(boxes []image.Rectangle) error {
	f := h.queue[0]
	h.queue[0] = nil
	h.queue = h.queue[1:]
	h.hidden += len(boxes)
	h.hide(f, boxes)
	err := h.frameSink.put(f)
	h.failed = err != nil
	return err
}

func (h *hidingSink) close() error {
	var err error
	for h.filler != nil && !h.failed {
		boxes, ok := h.filler.Rest()
		if !ok {
			break
		}
		err = h.pass(boxes)
	}
	return errors.Join(err, h.frameSink.close())
}
