package hide

import (
	"context"
	"errors"
	"fmt"

	"haarlem/internal/app/broadcast"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/search"
	"haarlem/internal/app/video"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/luma"
	"haarlem/picture"
	"haarlem/track"
)

// Stream sends what a source gives from an address, with hidden faces.
func Stream(ctx context.Context, s *console.Streams, v search.Flags, source frames.Source, address string, solid bool) error {
	v.Hides = true
	all := &obscureFlags{stream: address, margin: picture.UsualMargin, hideFlags: hideFlags{failSafe: true, solid: solid}, Flags: v}
	all.Opened = source
	return obscureVideo(ctx, s, all, source.About().Name, true)
}

// obscureVideo hides faces in a video: of a file in two passes, so that a face is hidden
// before it was first found, otherwise in one, with a delay.
func obscureVideo(ctx context.Context, s *console.Streams, v *obscureFlags, in string, smooth bool) error {
	out := v.out
	if v.stream == "" && out != "-" && !frames.IsWritable(out) {
		return cli.Usagef("-out %s: for a video, want a name that ends in %s, or -", out, frames.MovieKinds())
	}
	options, err := v.hideFlags.options(smooth, v.margin)
	if err != nil {
		return err
	}
	if v.report != "" && wholefile.IsSame(v.report, in) {
		return cli.Usagef("-report %s: that is the video to look at", v.report)
	}
	var outs []string
	if v.stream == "" {
		outs = []string{out}
	}
	run, err := video.NewRun(s, &v.Flags, &v.StreamFlags, in, outs, v.overwrite, v.resume)
	if err != nil {
		return err
	}
	process := run.Pipeline.Process
	run.Pipeline.Process = func(ctx context.Context, f *frames.Frame) error {
		if err := process(ctx, f); err != nil {
			return err
		}
		thumbnail(f)
		return nil
	}
	sound := ""
	if v.sound {
		if sound = run.Sound; sound == "" || frames.FindFFmpeg() == "" || len(frames.MovieCodecs[frames.Extension(out)]) == 0 {
			return errors.Join(cli.Usagef("-sound: sound is copied from a file into a file, by ffmpeg"), run.Abandon())
		}
	}
	var movie frames.Sink = run.Movie(out, sound, (*frames.Frame).Picture)
	switch {
	case v.stream != "":
		run.Reopen = nil // whoever watches does not wait for the second pass
		movie, err = broadcast.Listen(v.stream, s.Err, (*frames.Frame).Picture)
	case out == "-":
		movie, err = run.Stdout(v.outFormat, (*frames.Frame).Picture)
	}
	if err != nil {
		return errors.Join(err, run.Abandon())
	}
	h := newHiding(options, v.Strong)
	if run.Reopen != nil && !run.Pipeline.Source.About().Live && (frames.Backend == nil || !frames.Backend.Only) {
		err = twice(ctx, run, h, movie)
	} else {
		run.Sinks = []frames.Sink{&hidingSink{Sink: movie, h: h, fps: run.Pipeline.Source.About().FPS}}
		err = run.Run(ctx)
	}
	if e := h.write(v.overwrite || v.resume, frames.Shown(in)); e != nil {
		err = errors.Join(err, e)
	}
	if err != nil {
		return err
	}
	return run.Summary(h.summary(run.Frames))
}

// thumbnail makes the small picture by which shots are told apart.
func thumbnail(f *frames.Frame) {
	if f.Planes != nil {
		size := f.Planes.Rect.Size()
		f.Thumbnail = track.Thumbnail(f.Planes.Y, f.Planes.YStride, size.X, size.Y)
		return
	}
	d := video.Describers.Get().(*video.Describer)
	defer video.Describers.Put(d)
	var g luma.Plane
	g, d.Grey = luma.Of(f.Image, d.Grey)
	f.Thumbnail = track.Thumbnail(g.Pix, g.Stride, g.Width, g.Height)
}

// twice searches all frames, works out what to hide in each, and then reads them again
// and writes them. What there is of a file that breaks off is written all the same.
func twice(ctx context.Context, r *video.Run, h *hiding, movie frames.Sink) error {
	collected := &collectingSink{h: h}
	r.Sinks = []frames.Sink{collected}
	j := r.Journal
	r.KeepJournal, r.Things = true, "frames searched"
	broken := r.Run(ctx)
	if broken != nil && (ctx.Err() != nil || r.Frames == 0) {
		return errors.Join(broken, movie.Close())
	}
	searched, total := r.Frames, r.Took
	var regions [][]track.Region
	for h.guard != nil {
		one, ok := h.guard.Rest()
		if !ok {
			break
		}
		regions = append(regions, one)
	}
	source, err := r.Reopen()
	if err != nil {
		return errors.Join(err, movie.Close())
	}
	r.Pipeline.Source = source
	r.Pipeline.Process = func(_ context.Context, f *frames.Frame) error {
		if f.Index >= len(regions) {
			return fmt.Errorf("%s: has more frames than the %d that were searched: does somebody write to it?", frames.Shown(r.Name), len(regions))
		}
		f.Doubt = h.options.hide(f, regions[f.Index], h.strong)
		return nil
	}
	r.Sinks = []frames.Sink{&countingHider{movie, h, regions}}
	r.Journal, r.KeepJournal, r.Searched, r.Frames, r.Things = nil, false, j != nil, 0, "frames written"
	err = r.Run(ctx)
	if err == nil && r.Frames < searched {
		err = fmt.Errorf("%s: had %d frames when it was searched, and has %d now", frames.Shown(r.Name), searched, r.Frames)
	}
	r.Took += total
	switch {
	case err == nil && broken != nil: // it was cut off, and is not any more
		return broken
	case err == nil && j != nil:
		return j.Remove()
	}
	return err
}
