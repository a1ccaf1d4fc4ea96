package video

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	"haarlem/internal/mot"
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
	follow := &followSink{strong: 1}
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

// Whatever is in the files that eval-tracks and -resume read, they end with boxes or with
// an error.
func FuzzTracks(f *testing.F) {
	f.Add([]byte("frame,id,x,y,width,height,visible\n0,1,10,10,20,20,1\n"))
	f.Add([]byte(`{"frame":1,"faces":[{"track":2,"shown":{"x":1,"y":2,"width":3,"height":4}}]}`))
	f.Add([]byte(`{"haarlem-detections":"1","settings":""}` + "\n" + `{"f":0,"t":0,"ns":1,"d":[{"X":1,"Y":2,"W":3,"H":4,"N":5,"Score":0.5}]}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		truth, _ := readTruth(bytes.NewReader(data))
		found, _ := readTracks(bytes.NewReader(data))
		if len(truth)+len(found) < 100 {
			mot.Evaluate(truth, found, 0.5)
		}
		j := &journal{}
		if n, err := j.load(data, journalHead{journalVersion, ""}); err == nil && (n < 0 || n > int64(len(data))) {
			t.Fatalf("%d of %d bytes", n, len(data))
		}
	})
}

// However long a video is, no more frames are held than it takes to know
// numbers, and a source that breaks off leaves none behind.
func TestFollowSinkHoldsLittle(t *testing.T) {
	s := &followSink{strong: 0}
	counted := &countingSink{}
	s.sinks = []frames.Sink{counted}
	for i := range 500 {
		f := &frames.Frame{Index: i, Image: image.NewRGBA(image.Rect(0, 0, 8, 8)), At: time.Duration(i) * 40 * time.Millisecond, Found: []detector.Detection{{Box: image.Rect(i, 5, i+50, 55)}}}
		must.Do(s.Put(f))
		if len(s.held) > maxPatience || counted.frames < i+1-maxPatience {
			t.Fatalf("frame %d: %d are held, %d passed on", i, len(s.held), counted.frames)
		}
	}
	if err := s.Close(); err != nil || counted.frames != 500 || counted.closed != 1 {
		t.Errorf("%d frames, closed %d times, %v", counted.frames, counted.closed, err)
	}
}

type countingSink struct{ frames, closed int }

func (c *countingSink) Put(f *frames.Frame) error {
	if f.Index != c.frames || len(f.Faces) != 1 || f.Faces[0].Number != 1 {
		return fmt.Errorf("frame %d in place %d, with %+v", f.Index, c.frames, f.Faces)
	}
	c.frames++
	return nil
}

func (c *countingSink) Close() error { c.closed++; return nil }
