package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/picture"
	"haarlem/track"
)

const blurDescription = `
Writes copies of pictures, or of one video, in which faces cannot be recognised:
of a face about three by three colours are left, which %s. Without
a name of a file, OUT is a folder. Copies of photographs hold nothing of what
the camera noted, such as the place and a small copy of the picture.

In a video faces are followed: where one is missed for up to half a second, or
comes into view or goes, its box is guessed from the frames around. Sound is not
copied; it may give people away, too.

A face that is never found stays as it is, and one that is missed costs more than
a wall that is hidden: where a model asks for a score, as the built-in ones do
for 0.5, one of 0.1 is enough here unless -score says otherwise. Look at the
result before you show it to others. What is left of somebody, such as clothes
and place, may be enough for those who know them.

Of what cannot be read there is no copy. Videos in a folder are not read, which
makes the exit status 1, too: give each alone.
` + unreadDescription

// doubtful is the score that is enough to hide what may be a face.
const doubtful = 0.1

// obscures reports whether c is one of the commands that hide faces.
func obscures(c *cli.Command) bool {
	return c.Name == "detect blur" || c.Name == "detect pixelate"
}

func newBlur(s *streams) *cli.Command {
	return newObscure(s, "blur", "are drawn smoothly", true)
}

func newPixelate(s *streams) *cli.Command {
	return newObscure(s, "pixelate", "are drawn as squares", false)
}

func newObscure(s *streams, name, how string, smooth bool) *cli.Command {
	flags := slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "write into the folder `OUT`, or for one picture or video to this\nfile; a video needs one that ends in " + movieKinds()},
		&cli.FloatFlag{Name: "margin", Value: picture.UsualMargin, Usage: fmt.Sprintf("hide `M` of a box's size around it, too; %g if not given", picture.UsualMargin)},
		&cli.BoolFlag{Name: "overwrite", Usage: "let -out replace files"},
		&cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT` of the results on stdout, for pictures: text, json, jsonl\nor csv; text if not given"},
	}, searchFlags(), pictureFlags())
	return command(s, "detect "+name, "detect "+name+" [flags] -out OUT FILE|DIR|GLOB|-...", fmt.Sprintf(blurDescription, how), flags, func(ctx context.Context, c *cli.Command) error {
		return obscure(ctx, s, c, name, smooth)
	})
}

func obscure(ctx context.Context, s *streams, c *cli.Command, name string, smooth bool) error {
	out, margin := c.String("out"), c.Float("margin")
	switch {
	case !(margin >= 0 && margin <= 5):
		return usagef("-margin %v: want 0 to 5", margin)
	case c.Args().Len() == 0:
		return usagef("%s: no pictures: give files, folders, patterns or - for stdin, or a video (detect %s -help says more)", name, name)
	case out == "":
		return usagef("%s: -out is missing: where shall the copies go?", name)
	}
	if i := slices.IndexFunc(c.Args().Slice(), func(arg string) bool {
		return isMovie(arg) || isStream(arg) || isDevice(arg) || isSequence(arg) || isStdin(arg) && isMovie(out)
	}); i >= 0 {
		if c.Args().Len() > 1 {
			return usagef("%s: %s is a video: give it alone", name, c.Args().Get(i))
		}
		return obscureVideo(ctx, s, c, out, margin, smooth)
	}
	job, err := newBatch(s, c)
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
		return usagef("-out %s: that is the name of a video, and there is none to read", out)
	case single && len(job.inputs) > 1:
		return usagef("-out %s: that is one picture, and there are %d to write; give a folder", out, len(job.inputs))
	case single:
		job.hidden, err = newOutput(out, c.Bool("overwrite"), job.inputs)
	default:
		job.hidden, err = newOutputs(out, c.Bool("overwrite"), job.inputs)
	}
	if err != nil {
		return err
	}
	return job.run(ctx)
}

func obscureVideo(ctx context.Context, s *streams, c *cli.Command, out string, margin float64, smooth bool) error {
	if movieCodecs[strings.ToLower(filepath.Ext(out))] == nil {
		return usagef("-out %s: for a video, want a name that ends in %s", out, movieKinds())
	}
	in := c.Args().First()
	run, err := newVideoRun(s, c, in, []string{out})
	if err != nil {
		return err
	}
	hide := func(f *frame, boxes []image.Rectangle) { picture.ObscureInPlace(f.image, boxes, margin, smooth) }
	fps := run.flow.source.about().fps
	movie := run.movie(out, c.Bool("overwrite"), fps, func(f *frame) *image.RGBA { return f.image })
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
