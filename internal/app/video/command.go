// Package video is detect's commands video and eval-tracks.
package video

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"haarlem/internal/app/broadcast"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/search"
)

const videoText = `
Finds faces in every frame of IN: a video file, - for standard input, numbered
pictures such as shots/%04d.png, or a stream such as rtsp://... Y4M, Motion
JPEG, PNG files one after another and, with -raw, plain frames need nothing
else; for other kinds of video ffmpeg is called, if it is installed:
  ffmpeg -i IN -f yuv4mpegpipe - | detect video - > faces.jsonl

Without -out it prints a line of JSON for each frame, with its number and its
time in seconds; faces that are tracked from frame to frame have the same
"track". One that is missed for a few frames is there as "predicted".

A video that is written has the boxes drawn into it that the lines call "shown".
ffmpeg copies the sound and keeps the time of each frame. -out - writes Y4M or
Motion JPEG to standard output.

When IN breaks off, what is written so far is complete, and the exit status is 1.
A run over a file that was killed goes on with -resume, and gives the same
results as one that was not.`

// StreamUsage is what -stream says.
const StreamUsage = "send the frames as Motion JPEG from `ADDRESS`, such as 127.0.0.1:8090, to browsers, OBS or VLC: each when it was searched; an error ends the stream"

// videoFlags are those of video.
type videoFlags struct {
	outs              []string
	outFormat, stream string
	overwrite, resume bool
	frames.StreamFlags
	search.Flags
}

func Command() *cli.Command {
	return &cli.Command{
		Name: "video", Summary: "find faces in every frame of a video", Args: "IN|-", Text: videoText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := console.New(cs), &videoFlags{Flags: search.Flags{Weak: true}}
			f.Group("Input and output")
			f.Strings(&v.outs, "out", "write to `OUT`: a video ("+frames.MovieKinds()+", or - for standard output) or lines of JSON (.jsonl). May be given twice")
			f.Choice(&v.outFormat, "out-format", frames.OutFormats, "-out - writes `FORMAT`: y4m or mjpeg; as IN is, if not given")
			f.String(&v.stream, "stream", StreamUsage)
			f.Bool(&v.overwrite, "overwrite", "let -out replace files")
			f.Bool(&v.resume, "resume", "go on with a run over a file that was killed; the same flags again")
			v.StreamFlags.Declare(f)
			v.Flags.Declare(f)
			f.Group("Limits")
			v.WorkersFlag(f)
			return func(ctx context.Context, args []string) error { return videoMain(ctx, s, v, args) }
		},
	}
}

// Stream sends what a source gives from an address, with the tracks drawn.
func Stream(ctx context.Context, s *console.Streams, v search.Flags, source frames.Source, address string) error {
	v.Weak = true
	all := &videoFlags{stream: address, Flags: v}
	all.Opened = source
	return videoMain(ctx, s, all, []string{source.About().Name})
}

func videoMain(ctx context.Context, s *console.Streams, v *videoFlags, args []string) error {
	if len(args) != 1 {
		return cli.Usagef("video: want one video, not %d (detect video -help says more)", len(args))
	}
	in, outs := args[0], v.outs
	for i, out := range outs {
		ext := frames.Extension(out)
		switch {
		case out != "-" && ext != ".jsonl" && !frames.IsWritable(out):
			return cli.Usagef("-out %s: want a name that ends in .jsonl or, for a video, in %s; or -", out, frames.MovieKinds())
		case slices.Contains(outs[:i], out):
			return cli.Usagef("-out %s: given twice", out)
		}
	}
	run, err := NewRun(s, &v.Flags, &v.StreamFlags, in, outs, v.overwrite, v.resume)
	if err != nil {
		return err
	}
	follow := &followSink{strong: v.Strong}
	run.Sinks = []frames.Sink{follow}
	for _, out := range outs {
		if frames.Extension(out) == ".jsonl" {
			sink, err := createLines(out, in, run.object, run.overwrite)
			if err != nil {
				return errors.Join(err, run.Abandon())
			}
			follow.sinks = append(follow.sinks, sink)
		}
	}
	if len(outs) == 0 && v.stream == "" {
		follow.sinks = append(follow.sinks, &frameReporter{in, run.object, s.Out})
	}
	// Videos behind lines, since boxes are drawn into the frames.
	for _, out := range outs {
		switch {
		case out == "-":
			sink, err := run.Stdout(v.outFormat, drawFollowed)
			if err != nil {
				return errors.Join(err, run.Abandon())
			}
			follow.sinks = append(follow.sinks, sink)
		case frames.IsWritable(out):
			follow.sinks = append(follow.sinks, run.Movie(out, run.Sound, drawFollowed))
		}
	}
	if v.stream != "" {
		sink, err := broadcast.Listen(v.stream, s.Err, drawFollowed)
		if err != nil {
			return errors.Join(err, run.Abandon())
		}
		follow.sinks = append(follow.sinks, sink)
	}
	if err := run.Run(ctx); err != nil {
		return err
	}
	if len(outs) == 0 {
		return nil
	}
	return run.Summary(fmt.Sprintf("%s, %s, %.1f frames a second", console.Count(run.Frames, "frame"),
		console.Count(follow.tracks(), "track"), float64(run.Frames)/max(run.Took.Seconds(), 1e-9)))
}
