package camera

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"sync"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/annotate"
	"haarlem/internal/app/console"
	"haarlem/internal/app/frames"
	"haarlem/internal/app/video"
	"haarlem/track"
)

// A live view shows a camera's pictures as they come, with the boxes that the
// detector, which runs beside, has found in older ones. The boxes are moved to
// where they should be by now.
//
// Three loops: capture reads the source, and passes each frame on to the two
// others if they are ready for it; detection takes the newest frame when it is
// done with the one before; the view, on the goroutine of the caller, draws
// every frame and reads keys. Nobody waits for the detector.
type live struct {
	source frames.Source
	open   func(size image.Point) (screen, error) // by run's goroutine
	models []liveModel
	search detector.Options // but for the smallest size
	every  int              // frames from one full search to the next
	save   func(img *image.RGBA) (path string, err error)

	// look searches a frame; nil means a searcher for the model.
	look func(ctx context.Context, f *frames.Frame, areas []track.Area) ([]detector.Detection, error)

	mu       sync.Mutex
	settings settings
	tracker  *track.Tracker
	took     time.Duration // the last search
	whole    bool          // it was one of the whole picture
	searches int
	searched [2]time.Duration // time spent, by whether it was the whole picture
	byKind   [2]int           // searches, in the same way
	failed   error            // of the detector

	shown    int
	captured int
}

// settings are what keys change.
type settings struct {
	model    int
	smallest int // width of the smallest face
}

// smallestFace is where - and + end.
const (
	smallestFace = 16
	largestFace  = 1000
)

// run shows pictures until a key ends it, the window is closed, ctx is done or
// the source ends. A good end of the source, io.EOF, is no error.
func (l *live) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	toView, toDetector := newLatest(), newLatest()
	ended := make(chan error, 1)
	go func() {
		err := l.capture(ctx, toView, toDetector)
		if e := l.source.Close(); err == nil {
			err = e
		}
		ended <- err
	}()
	var detection sync.WaitGroup
	detection.Go(func() { l.detect(ctx, toDetector) })
	err := l.view(ctx, toView, ended)
	stop()
	detection.Wait()
	return errors.Join(err, l.failed)
}

func (l *live) capture(ctx context.Context, to ...latest) error {
	for ctx.Err() == nil {
		f, err := l.source.Next()
		if err != nil {
			return err
		}
		l.mu.Lock()
		l.captured++
		l.mu.Unlock()
		for _, n := range to {
			n.put(f)
		}
	}
	return nil
}

// detect searches the newest frame, again and again.
func (l *live) detect(ctx context.Context, from latest) {
	if err := l.detectUntil(ctx, from); err != nil && ctx.Err() == nil {
		l.mu.Lock()
		l.failed = err
		l.mu.Unlock()
	}
}

func (l *live) detectUntil(ctx context.Context, from latest) error {
	var (
		now     settings
		planner *track.Planner
		search  *searcher
	)
	for {
		f := from.take(ctx, 0)
		if f == nil {
			return nil
		}
		var tracks []track.Track
		quiet := false
		l.mu.Lock()
		fresh := l.tracker == nil || l.settings != now
		now = l.settings
		if fresh {
			var err error
			if l.tracker, err = track.New(&track.Options{Bounds: f.Image.Rect}); err != nil {
				l.mu.Unlock()
				return err
			}
		} else {
			tracks, quiet = l.tracker.All(f.At), l.tracker.Quiet()
		}
		l.mu.Unlock()
		if fresh {
			planner = track.NewPlanner(l.every)
			if l.look == nil {
				o := l.search
				m := &l.models[now.model]
				o.MinSize = image.Pt(now.smallest, m.height(now.smallest))
				var err error
				if search, err = newSearcher(m, o); err != nil {
					return err
				}
			}
		}
		areas := planner.Plan(f.Image.Rect, tracks, quiet)
		whole := len(areas) == 1 && areas[0].Rectangle == f.Image.Rect
		look := l.look
		if look == nil {
			look = func(ctx context.Context, f *frames.Frame, areas []track.Area) ([]detector.Detection, error) {
				return search.search(ctx, f.Image, areas)
			}
		}
		start := time.Now()
		found, err := look(ctx, f, areas)
		took := time.Since(start)
		if err != nil {
			return err
		}
		l.mu.Lock()
		if l.settings == now {
			l.tracker.Update(f.At, found)
		}
		l.took, l.whole = took, whole
		l.searches++
		kind := 0
		if whole {
			kind = 1
		}
		l.searched[kind] += took
		l.byKind[kind]++
		l.mu.Unlock()
	}
}

// view draws frames and reads keys.
func (l *live) view(ctx context.Context, from latest, ended <-chan error) (failed error) {
	var (
		last   *frames.Frame // the newest
		frozen *frames.Frame // what is shown while it pauses
		shown  *image.RGBA
		rate   rate
		notice string
		until  time.Time // of the notice
		tracks []track.Track
		dark   bool
		window screen // from the first frame on
	)
	say := func(text string) { notice, until = text, time.Now().Add(2*time.Second) }
	for ctx.Err() == nil {
		f := from.take(ctx, 15*time.Millisecond)
		if f == nil {
			select {
			case err := <-ended:
				if errors.Is(err, io.EOF) {
					err = nil
				}
				return err
			default:
			}
		}
		if f != nil {
			last = f
			rate.add(time.Now())
			dark = frames.IsBlack(f.Image)
		}
		drawn := frozen
		if drawn == nil {
			drawn = f
		}
		if drawn != nil {
			l.mu.Lock()
			if frozen == nil && l.tracker != nil {
				tracks = l.tracker.Tracks(drawn.At)
			}
			lines := l.caption(rate)
			over := l.failed != nil
			l.mu.Unlock()
			if over {
				return nil // run reports it
			}
			switch {
			case frozen != nil:
				lines = append(lines, "paused: space goes on")
			case dark:
				lines = append(lines, "the picture is black")
			}
			if time.Now().Before(until) {
				lines = append(lines, notice)
			}
			shown = l.draw(shown, drawn, tracks, lines)
			if window == nil {
				var err error
				if window, err = l.open(drawn.Image.Rect.Size()); err != nil {
					return err
				}
				defer func() { failed = errors.Join(failed, window.close()) }()
			}
			if err := window.show(shown); err != nil {
				return err
			}
			if f != nil {
				l.shown++
			}
		}
		if window == nil {
			continue
		}
		key, open := window.key(time.Millisecond)
		if !open {
			return nil
		}
		switch key {
		case 'q', escape:
			return nil
		case ' ':
			if frozen != nil {
				frozen = nil
			} else {
				frozen = last
			}
		case 's':
			path, err := l.save(shown)
			if err != nil {
				say(err.Error())
			} else {
				say("saved " + path)
			}
		case 'm', '+', '=', '-', '_':
			say(l.set(key))
		}
	}
	return nil
}

// set changes what a key stands for, and says it.
func (l *live) set(key int) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch key {
	case 'm':
		if len(l.models) == 1 {
			return "there is one model only; -model may be given more than once"
		}
		l.settings.model = (l.settings.model + 1) % len(l.models)
		return "model " + l.models[l.settings.model].name
	case '+', '=':
		l.settings.smallest = min(l.settings.smallest*5/4+1, largestFace)
	default:
		l.settings.smallest = max(l.settings.smallest*4/5, smallestFace)
	}
	return fmt.Sprintf("%s from %d pixels", l.objects(), l.settings.smallest)
}

// objects is what the model at hand finds.
func (l *live) objects() string {
	return l.models[l.settings.model].object().Plural
}

// caption is what is written into the corner.
func (l *live) caption(r rate) []string {
	how := "whole picture"
	if !l.whole {
		how = "near " + l.objects() + " and a part"
	}
	return []string{
		fmt.Sprintf("%.1f fps   detector %.1f ms, %s", r.perSecond(), float64(l.took.Microseconds())/1e3, how),
		fmt.Sprintf("%s   %s from %d pixels", l.models[l.settings.model].name, l.objects(), l.settings.smallest),
	}
}

// draw makes the picture that is shown, in the memory of the one before if that
// fits: the frame itself belongs to the detector, too.
func (l *live) draw(into *image.RGBA, f *frames.Frame, tracks []track.Track, lines []string) *image.RGBA {
	if into == nil || into.Rect != f.Image.Rect || into.Stride != f.Image.Stride {
		into = &image.RGBA{Pix: make([]byte, len(f.Image.Pix)), Stride: f.Image.Stride, Rect: f.Image.Rect}
	}
	copy(into.Pix, f.Image.Pix)
	annotate.Draw(into, video.TrackMarks(tracks))
	annotate.Caption(into, lines...)
	return into
}

// A rate counts how often something happens, over the last second or so.
type rate struct{ times []time.Time }

func (r *rate) add(t time.Time) {
	r.times = append(r.times, t)
	for len(r.times) > 2 && t.Sub(r.times[0]) > time.Second {
		r.times = r.times[1:]
	}
}

func (r *rate) perSecond() float64 {
	if len(r.times) < 2 {
		return 0
	}
	return float64(len(r.times)-1) / max(r.times[len(r.times)-1].Sub(r.times[0]).Seconds(), 1e-6)
}

// summary says what was shown and what it cost.
func (l *live) summary() string {
	l.mu.Lock() // the camera may still be running
	defer l.mu.Unlock()
	mean := func(kind int) float64 {
		return float64(l.searched[kind].Microseconds()) / 1e3 / float64(max(1, l.byKind[kind]))
	}
	return fmt.Sprintf("%s, %d shown, %d searched: %d as a whole, %.1f ms on average, %d near %s and in parts, %.1f ms",
		console.Count(l.captured, "frame"), l.shown, l.searches, l.byKind[1], mean(1), l.byKind[0], l.objects(), mean(0))
}
