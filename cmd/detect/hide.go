package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"strings"

	"haarlem/cascade/detector"
	"haarlem/integral"
	"haarlem/internal/app/cli"
	"haarlem/picture"
	"haarlem/track"
)

// hideFlags say what of a video is hidden.
type hideFlags struct {
	failSafe, wholeFrame, solid, sound, resume bool
	rois, keeps                                []string
	most                                       int
	report                                     string
}

func (v *hideFlags) declare(f *cli.Flags) {
	f.Group("Videos")
	f.Bool(&v.failSafe, "fail-safe", "hide the place where a face was last seen, and a growing part around it, until a face is seen there again or the shot changes; -fail-safe=false hides half a second")
	f.Bool(&v.wholeFrame, "whole-frame", "hide all of a frame in which the place of a face is not known")
	f.Strings(&v.rois, "roi", "look for faces in `X,Y,WIDTH,HEIGHT` only; may be repeated")
	f.Int(&v.most, "max-faces", "hide at most the `N` best faces of a frame")
	f.Strings(&v.keeps, "keep", "leave the face with this `TRACK` visible, a number of -report; may be repeated")
	f.String(&v.report, "report", "list uncertain frames, with small pictures of the result, in `FILE`.html for a person to check")
	f.Bool(&v.sound, "sound", "copy the sound, though a voice may identify somebody; needs ffmpeg")
	f.Bool(&v.resume, "resume", "go on with a run over a file that was killed; the same flags again")
}

// hideOptions are the flags when they are read.
type hideOptions struct {
	hideFlags
	smooth bool
	margin float64
	areas  []image.Rectangle // empty: everywhere
	kept   []int
}

func (v *hideFlags) options(smooth bool, margin float64) (*hideOptions, error) {
	o := &hideOptions{hideFlags: *v, smooth: smooth, margin: margin}
	for _, text := range v.rois {
		var n [4]int
		words := strings.Split(text, ",")
		for i := range n {
			var err error
			if len(words) != 4 {
				err = strconv.ErrSyntax
			} else {
				n[i], err = strconv.Atoi(strings.TrimSpace(words[i]))
			}
			if err != nil || n[i] < 0 || n[i] > 1<<20 || i > 1 && n[i] == 0 {
				return nil, cli.Usagef("-roi %q: want X,Y,WIDTH,HEIGHT in pixels, such as 0,0,640,360", text)
			}
		}
		o.areas = append(o.areas, image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3]))
	}
	for _, text := range v.keeps {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, cli.Usagef("-keep %q: want the number of a track, from 1", text)
		}
		o.kept = append(o.kept, n)
	}
	if v.most < 0 {
		return nil, cli.Usagef("-max-faces %d: want 1 or more", v.most)
	}
	if v.report != "" && extension(v.report) != ".html" {
		return nil, cli.Usagef("-report %s: want a name that ends in .html", v.report)
	}
	return o, nil
}

// wanted leaves those detections that the flags ask for, and their descriptors.
func (o *hideOptions) wanted(f *frame) {
	inside := func(box image.Rectangle) bool {
		middle := image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2)
		return len(o.areas) == 0 || slices.ContainsFunc(o.areas, func(a image.Rectangle) bool { return middle.In(a) })
	}
	var found []detector.Detection
	var looks []*track.Descriptor
	for i, d := range f.found { // the best first
		if inside(d.Box) && (o.most == 0 || len(found) < o.most) {
			found, looks = append(found, d), append(looks, f.looks[i])
		}
	}
	f.found, f.looks = found, looks
}

// hide hides regions of a frame, and says why it is uncertain; empty if it is not.
func (o *hideOptions) hide(f *frame, regions []track.Region, strong float64) (doubt string) {
	var boxes []image.Rectangle
	for _, r := range regions {
		if slices.Contains(o.kept, r.Number) {
			continue
		}
		boxes = append(boxes, r.Box)
		switch {
		case r.Why == track.Held:
			doubt = "the place of a face is not known"
		case r.Why == track.Filled && doubt == "":
			doubt = "a face is guessed"
		case r.Score < strong && doubt == "":
			doubt = "a doubtful face"
		}
	}
	if o.wholeFrame && slices.ContainsFunc(regions, func(r track.Region) bool {
		return r.Why == track.Held && !slices.Contains(o.kept, r.Number)
	}) {
		boxes = []image.Rectangle{f.bounds()}
	}
	switch {
	case o.solid:
		picture.Cover(f.canvas(), boxes, o.margin)
	case f.planes != nil:
		picture.ObscurePlanes(f.planes, boxes, o.margin, o.smooth)
	default:
		picture.ObscureInPlace(f.image, boxes, o.margin, o.smooth)
	}
	return doubt
}

// A hiding is what is counted while a video is hidden.
type hiding struct {
	options *hideOptions
	strong  float64
	guard   *track.Guard
	scene   track.Scene
	sheet   *doubtSheet // nil: not wanted
	found   int
	why     map[string]int // regions
	shots   int
}

func newHiding(o *hideOptions, strong float64) *hiding {
	h := &hiding{options: o, strong: strong, why: map[string]int{}}
	if o.report != "" {
		h.sheet = &doubtSheet{}
	}
	return h
}

// start makes the guard when the size of frames is known. delay is 0 for all frames.
func (h *hiding) start(f *frame, delay int) error {
	if h.guard != nil {
		return nil
	}
	var err error
	h.guard, err = track.NewGuard(&track.GuardOptions{Strong: h.strong, Hold: h.options.failSafe, Delay: delay, Bounds: f.bounds()})
	return err
}

// add tells the guard about a frame.
func (h *hiding) add(f *frame) ([]track.Region, bool) {
	h.found += len(f.found)
	cut := h.scene.Cut(f.thumbnail)
	if cut {
		h.shots++
	}
	return h.guard.Add(f.at, f.found, f.looks, cut)
}

// count counts regions.
func (h *hiding) count(regions []track.Region) {
	for _, r := range regions {
		h.why[r.Why]++
	}
}

// say is a summary.
func (h *hiding) say(frames int) (string, []any) {
	return "%s in %s, boxes: %d found, %d guessed beside them, %d held until a face was seen again", []any{
		count(frames, "frame"), count(h.shots+1, "shot"), h.why[track.Found], h.why[track.Filled], h.why[track.Held],
	}
}

// obscureVideo hides faces in a video: of a file in two passes, so that a face is hidden
// before it was first found, otherwise in one, with a delay.
func obscureVideo(ctx context.Context, s *streams, v *obscureFlags, in string, smooth bool) error {
	out := v.out
	if out != "-" && !isWritable(out) {
		return cli.Usagef("-out %s: for a video, want a name that ends in %s, or -", out, movieKinds())
	}
	options, err := v.hideFlags.options(smooth, v.margin)
	if err != nil {
		return err
	}
	if v.report != "" && isSame(v.report, in) {
		return cli.Usagef("-report %s: that is the video to look at", v.report)
	}
	if v.pose == "" && v.model == "" { // all poses
		v.pose = "any"
	}
	run, err := newVideoRun(s, &v.searchFlags, &v.streamFlags, in, []string{out}, v.overwrite, v.resume)
	if err != nil {
		return err
	}
	look := run.flow.look
	run.flow.look = func(ctx context.Context, f *frame) error {
		if err := look(ctx, f); err != nil {
			return err
		}
		thumbnail(f)
		return nil
	}
	sound := ""
	if v.sound {
		if sound = run.soundOf(in); sound == "" || findFFmpeg() == "" || len(movieCodecs[extension(out)]) == 0 {
			return errors.Join(cli.Usagef("-sound: sound is copied from a file into a file, by ffmpeg"), run.abandon())
		}
	}
	var movie frameSink = run.movie(out, sound, (*frame).picture)
	if out == "-" {
		if movie, err = run.stdout(v.outFormat, (*frame).picture); err != nil {
			return errors.Join(err, run.abandon())
		}
	}
	h := newHiding(options, v.strong)
	if run.reopen != nil && !run.flow.source.about().live && (backend == nil || !backend.only) {
		err = twice(ctx, run, h, movie)
	} else {
		run.sinks = []frameSink{&hidingSink{frameSink: movie, h: h, fps: run.flow.source.about().fps}}
		err = run.run(ctx)
	}
	if e := h.write(s, v.overwrite || v.resume, shown(in)); e != nil {
		err = errors.Join(err, e)
	}
	if err != nil {
		return err
	}
	format, args := h.say(run.frames)
	if h.sheet != nil {
		format += "; %s to check in %s"
		args = append(args, count(h.sheet.frames, "frame"), v.report)
	}
	return run.summary(format, args...)
}

// thumbnail makes the small picture by which shots are told apart.
func thumbnail(f *frame) {
	if f.planes != nil {
		size := f.planes.Rect.Size()
		f.thumbnail = track.Thumbnail(f.planes.Y, f.planes.YStride, size.X, size.Y)
		return
	}
	d := describers.Get().(*describer)
	defer describers.Put(d)
	var g integral.Grey
	g, d.grey = integral.GreyOf(f.image, d.grey)
	f.thumbnail = track.Thumbnail(g.Pix, g.Stride, g.Width, g.Height)
}

// twice searches all frames, works out what to hide in each, and then reads them again
// and writes them. What there is of a file that breaks off is written all the same.
func twice(ctx context.Context, r *videoRun, h *hiding, movie frameSink) error {
	collected := &collectingSink{h: h}
	r.sinks = []frameSink{collected}
	j := r.journal
	r.keepJournal, r.things = true, "frames searched"
	broken := r.run(ctx)
	if broken != nil && (ctx.Err() != nil || r.frames == 0) {
		return errors.Join(broken, movie.close())
	}
	searched, total := r.frames, r.took
	var regions [][]track.Region
	for h.guard != nil {
		one, ok := h.guard.Rest()
		if !ok {
			break
		}
		regions = append(regions, one)
	}
	source, err := r.reopen()
	if err != nil {
		return errors.Join(err, movie.close())
	}
	r.flow.source = source
	r.flow.look = func(_ context.Context, f *frame) error {
		if f.index >= len(regions) {
			return fmt.Errorf("%s: has more frames than the %d that were searched: does somebody write to it?", shown(r.name), len(regions))
		}
		f.doubt = h.options.hide(f, regions[f.index], h.strong)
		return nil
	}
	r.sinks = []frameSink{&countingHider{movie, h, regions}}
	r.journal, r.keepJournal, r.frames, r.things = nil, false, 0, "frames written"
	err = r.run(ctx)
	if err == nil && r.frames < searched {
		err = fmt.Errorf("%s: had %d frames when it was searched, and has %d now", shown(r.name), searched, r.frames)
	}
	r.took += total
	switch {
	case err == nil && broken != nil: // it was cut off, and is not any more
		return broken
	case err == nil && j != nil:
		return j.remove()
	}
	return err
}

// A collectingSink tells a guard about all frames, and keeps none.
type collectingSink struct{ h *hiding }

func (c *collectingSink) put(f *frame) error {
	c.h.options.wanted(f)
	if err := c.h.start(f, 0); err != nil {
		return err
	}
	c.h.add(f)
	return nil
}

func (c *collectingSink) close() error { return nil }

// A countingHider counts what was hidden, and passes frames on.
type countingHider struct {
	frameSink
	h       *hiding
	regions [][]track.Region
}

func (c *countingHider) put(f *frame) error {
	c.h.count(c.regions[f.index])
	c.h.sheet.add(f)
	return c.frameSink.put(f)
}

// A hidingSink hides faces of a stream, and passes frames on when it knows what comes
// behind them.
type hidingSink struct {
	frameSink
	h     *hiding
	fps   float64
	queue []*frame

	failed bool // the sink behind takes nothing any more
}

// mostHeld is how much memory the frames in the queue may take. Of very large
// pictures fewer are held, and shorter gaps filled.
const mostHeld = 512 << 20

// delayOf is how many frames are held, of a second at most.
func delayOf(f *frame, fps float64) int {
	size := f.bounds().Size()
	return max(1, min(int(fps+0.5), 60, mostHeld/max(1, 4*size.X*size.Y)))
}

func (s *hidingSink) put(f *frame) error {
	if err := s.h.start(f, delayOf(f, s.fps)); err != nil {
		return err
	}
	s.queue = append(s.queue, f)
	s.h.options.wanted(f)
	if regions, ok := s.h.add(f); ok {
		return s.pass(regions)
	}
	return nil
}

func (s *hidingSink) pass(regions []track.Region) error {
	f := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	f.doubt = s.h.options.hide(f, regions, s.h.strong)
	s.h.count(regions)
	s.h.sheet.add(f)
	err := s.frameSink.put(f)
	s.failed = err != nil
	return err
}

func (s *hidingSink) close() error {
	var err error
	for s.h.guard != nil && !s.failed {
		regions, ok := s.h.guard.Rest()
		if !ok {
			break
		}
		err = s.pass(regions)
	}
	return errors.Join(err, s.frameSink.close())
}

// write writes the list of uncertain frames, as far as it goes.
func (h *hiding) write(s *streams, overwrite bool, name string) error {
	if h.sheet == nil {
		return nil
	}
	return writeFile(h.options.report, overwrite, func(w io.Writer) error { return h.sheet.write(w, name) })
}
