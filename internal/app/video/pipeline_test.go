package video

import (
	"context"
	"errors"
	"image"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/app/broadcast"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
	"haarlem/internal/must"
)

// Frames come out in order though they take unequal times, several are on
// their way at once, and not more than a few.
func TestPipeline(t *testing.T) {
	small := image.NewRGBA(image.Rect(0, 0, 8, 8))
	source := &detecttest.FakeSource{Info: frames.Footage{FPS: 25}, Images: slices.Repeat([]*image.RGBA{small}, 200), End: io.EOF}
	rng := rand.New(rand.NewPCG(1, 1))
	waits := make([]time.Duration, 200)
	for i := range waits {
		waits[i] = time.Duration(rng.IntN(800)) * time.Microsecond
	}
	delivered, far := 0, 0
	both := make(chan bool)
	f := pipeline{
		Source: source, workers: 4,
		Process: func(_ context.Context, f *frames.Frame) error {
			switch f.Index { // two at once, or this waits forever
			case 3:
				both <- true
			case 4:
				<-both
			}
			time.Sleep(waits[f.Index])
			f.Found = []detector.Detection{{Neighbors: f.Index}}
			return nil
		},
		deliver: func(f *frames.Frame) error {
			if f.Index != delivered || f.Found[0].Neighbors != f.Index {
				t.Errorf("frame %d in place %d", f.Index, delivered)
			}
			delivered++
			source.Mu.Lock()
			far = max(far, source.Given-delivered)
			source.Mu.Unlock()
			return nil
		},
	}
	if err := f.run(context.Background()); err != nil || delivered != 200 {
		t.Errorf("%d frames, %v", delivered, err)
	}
	if far > 3*f.workers+3 {
		t.Errorf("%d frames were on their way at once", far)
	}

	for name, spoil := range map[string]func(*pipeline){
		"look":    func(f *pipeline) { f.Process = func(context.Context, *frames.Frame) error { return io.ErrNoProgress } },
		"deliver": func(f *pipeline) { f.deliver = func(*frames.Frame) error { return io.ErrNoProgress } },
		"source":  func(f *pipeline) { f.Source.(*detecttest.FakeSource).End = io.ErrNoProgress },
	} {
		g := f
		g.Source = &detecttest.FakeSource{Info: frames.Footage{FPS: 25}, Images: slices.Repeat([]*image.RGBA{small}, 20), End: io.EOF}
		g.Process = func(context.Context, *frames.Frame) error { return nil }
		g.deliver = func(*frames.Frame) error { return nil }
		spoil(&g)
		if err := g.run(context.Background()); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No frame is sent before it was searched; when a search fails, the stream ends.
func TestStreamFailsClosed(t *testing.T) {
	p := detecttest.NewPan(t, 10)
	var searched sync.Map // of frames
	sent := 0
	sink := must.Get(broadcast.Listen(":0", io.Discard, func(f *frames.Frame) image.Image {
		sent++
		if _, ok := searched.Load(f); !ok || f.Index >= 5 {
			t.Errorf("frame %d is sent", f.Index)
		}
		return f.Picture()
	}))
	follow := newFollowSink(1)
	follow.sinks = []frames.Sink{sink}
	r := &Run{streams: console.New(&cli.Streams{Out: io.Discard, Err: io.Discard}), Sinks: []frames.Sink{follow}}
	r.Pipeline = pipeline{Source: p.Source("film"), workers: 1, Process: func(_ context.Context, f *frames.Frame) error {
		if f.Index == 5 {
			return io.ErrNoProgress
		}
		searched.Store(f, true)
		return nil
	}}
	if err := r.Run(context.Background()); !errors.Is(err, io.ErrNoProgress) || sent != 5 {
		t.Errorf("%d frames were sent, %v", sent, err)
	}
}
