package track_test

import (
	"context"
	"image"
	"runtime"
	"sync"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/luma"
	"haarlem/internal/mot"
	"haarlem/internal/must"
	"haarlem/internal/samples/synth/clip"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/models"
	"haarlem/track"
)

// A seen clip is what the detector finds in a clip, with the truth.
type seenClip struct {
	times []time.Duration
	found [][]detector.Detection
	looks [][]*track.Descriptor
	truth []mot.Box
}

// search finds faces in every frame, those of a low score too.
func search(t testing.TB, c *clip.Clip) *seenClip {
	t.Helper()
	m := must.Get(models.Open("face-fast"))
	low := *m
	low.Search.MinScore = 0.1
	d := must.Get(detector.New(&detector.Options{Workers: 1, MinSize: image.Pt(36, 36)}, &low))
	s := &seenClip{
		times: make([]time.Duration, c.Frames()), found: make([][]detector.Detection, c.Frames()),
		looks: make([][]*track.Descriptor, c.Frames()),
	}
	var wait sync.WaitGroup
	work := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			var describer track.Describer
			for i := range work {
				img := c.Frame(i)
				found, err := d.Detect(context.Background(), img)
				if err != nil {
					t.Error(err)
				}
				grey, _ := luma.Of(img, nil)
				s.times[i] = time.Duration(i) * time.Second / time.Duration(c.Rate())
				s.found[i] = found
				for _, f := range found {
					s.looks[i] = append(s.looks[i], describer.Describe(grey.Gray(), f.Box))
				}
			}
		})
	}
	for i := range c.Frames() {
		work <- i
	}
	close(work)
	wait.Wait()
	for i := range c.Frames() {
		for _, o := range c.Truth(i) {
			s.truth = append(s.truth, mot.Box{Frame: i, ID: o.ID, Rectangle: o.Box, Ignored: o.Visible < 0.5})
		}
	}
	return s
}

// follow runs a follower over a clip.
func (s *seenClip) follow(t testing.TB, o *track.Options, described bool, smallest float64) []mot.Box {
	t.Helper()
	f := must.Get(track.NewFollower(o))
	var all []mot.Box
	frame := 0
	take := func(faces []track.Followed, ok bool) bool {
		if !ok {
			return false
		}
		for _, v := range faces {
			if v.Number > 0 {
				all = append(all, mot.Box{Frame: frame, ID: v.Number, Rectangle: v.Box})
			}
		}
		frame++
		return true
	}
	for i, found := range s.found {
		var strong []detector.Detection
		var looks []*track.Descriptor
		for k, d := range found {
			if d.Score >= smallest {
				strong = append(strong, d)
				if described {
					looks = append(looks, s.looks[i][k])
				}
			}
		}
		take(f.Add(s.times[i], strong, looks))
	}
	for take(f.Rest()) {
	}
	return all
}

// One face, one number: through turned heads, gaps of up to two seconds, posts and other
// faces. What the tracker did without memory, descriptors and weak detections is
// measured beside it.
func TestClips(t *testing.T) {
	if testing.Short() {
		t.Skip("searches some hundred frames")
	}
	m := facemodel.Builtin()
	type sum struct {
		idf1, mota                float64
		switches, tracks, objects int
	}
	var before, after sum
	add := func(to *sum, r mot.Result) {
		to.idf1 += r.IDF1
		to.mota += r.MOTA
		to.switches += r.Switches
		to.tracks += r.Tracks
		to.objects += r.Objects
	}
	clips := []*clip.Options{
		{People: 2, Turns: true, Seed: 1, Frames: 75, Rate: 13},
		{People: 3, Turns: true, Seed: 2, Width: 640, Frames: 75, Rate: 13},
		{People: 2, Posts: true, Seed: 3, Frames: 75, Rate: 13},
		{People: 3, Together: true, Seed: 4, Frames: 75, Rate: 13},
		{People: 2, Posts: true, Turns: true, Seed: 5, Frames: 75, Rate: 13},
	}
	for _, o := range clips {
		s := search(t, clip.New(m, o))
		old := mot.Evaluate(s.truth, s.follow(t, &track.Options{Memory: -1}, false, 0.5), 0.5)
		now := mot.Evaluate(s.truth, s.follow(t, &track.Options{Strong: 0.5, Patience: 12}, true, 0), 0.5)
		add(&before, old)
		add(&after, now)
		t.Logf("%+v\nwas %vis  %v", *o, old, now)
	}
	n := float64(len(clips))
	t.Logf("before: IDF1 %.3f, MOTA %.3f, %d switches, %d tracks of %d faces", before.idf1/n, before.mota/n, before.switches, before.tracks, before.objects)
	t.Logf("after:  IDF1 %.3f, MOTA %.3f, %d switches, %d tracks", after.idf1/n, after.mota/n, after.switches, after.tracks)
	if after.idf1/n < 0.88 || after.mota/n < before.mota/n-0.03 || after.switches > 2 || after.tracks > after.objects+2 {
		t.Error("faces lose their numbers, or are tracked where they are not")
	}
	if before.idf1/n > 0.65 {
		t.Error("these clips are too easy to show anything")
	}
}
