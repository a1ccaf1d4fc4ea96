package track

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

const frame = time.Second / 25

func detection(x, y, size int) detector.Detection {
	return detector.Detection{Box: image.Rect(x, y, x+size, y+size), Score: 1, Neighbors: 5}
}

func newTracker(t *testing.T, o *Options) *Tracker {
	t.Helper()
	return must.Get(New(o))
}

// A face that stands still has a box that trembles less than its detections.
func TestTracksAreSteady(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tracker := newTracker(t, nil)
	var raw, steady float64
	last := image.Point{}
	for i := range 200 {
		at := time.Duration(i) * frame
		d := detection(300+rng.IntN(9)-4, 200+rng.IntN(9)-4, 100+rng.IntN(9)-4)
		tracker.Update(at, []detector.Detection{d})
		if i < 20 {
			continue
		}
		tracks := tracker.Tracks(at)
		if len(tracks) != 1 || tracks[0].Number != 1 || tracks[0].Hits != i+1 {
			t.Fatalf("frame %d: %+v", i, tracks)
		}
		box := tracks[0].Box
		raw += math.Abs(float64(d.Box.Min.X - last.X))
		steady += math.Abs(float64(box.Min.X - last.Y))
		last = image.Pt(d.Box.Min.X, box.Min.X)
		if math.Abs(float64(box.Min.X-300)) > 5 || math.Abs(float64(box.Dx()-100)) > 6 {
			t.Errorf("frame %d: %v, want about (300,200) and 100", i, box)
		}
	}
	if 3*steady > 2*raw {
		t.Errorf("the track moves %.0f pixels, its detections %.0f", steady, raw)
	}
}

// A track goes on at its velocity: between frames, ahead of the last, and
// through misses. Then it ends, and the next face has the next number.
func TestTracksMoveOn(t *testing.T) {
	tracker := newTracker(t, &Options{Misses: 3, Memory: -1})
	where := func(at time.Duration) int { return 100 + int(200*at.Seconds()) }
	var at time.Duration
	for i := range 30 {
		at = time.Duration(i) * frame
		tracker.Update(at, []detector.Detection{detection(where(at), 50, 60)})
	}
	if !tracker.Quiet() {
		t.Error("a face that is found each time: not quiet")
	}
	for _, ahead := range []time.Duration{0, frame / 2, frame, 4 * frame} {
		if got, want := tracker.Tracks(at + ahead)[0].Box.Min.X, where(at+ahead); max(got-want, want-got) > 4 {
			t.Errorf("%v ahead: at %d, want %d", ahead, got, want)
		}
	}
	// A guess is not carried far.
	if got := tracker.Tracks(at + time.Hour)[0].Box.Min.X; got > where(at+coast)+5 {
		t.Errorf("an hour ahead: at %d", got)
	}
	for miss := 1; miss <= 3; miss++ {
		at += frame
		tracker.Update(at, nil)
		tracks := tracker.Tracks(at)
		if len(tracks) != 1 || tracks[0].Misses != miss || tracker.Quiet() {
			t.Fatalf("miss %d: %+v, quiet %v", miss, tracks, tracker.Quiet())
		}
		if got := tracks[0].Box.Min.X; max(got-where(at), where(at)-got) > 4 {
			t.Errorf("miss %d: at %d, want %d", miss, got, where(at))
		}
	}
	at += frame
	if numbers := tracker.Update(at, []detector.Detection{detection(where(at), 50, 60)}); !slices.Equal(numbers, []int{1}) {
		t.Errorf("found again: %v, want track 1", numbers)
	}
	for range 4 {
		at += frame
		tracker.Update(at, nil)
	}
	if all := tracker.All(at); len(all) != 0 {
		t.Errorf("after four misses: %+v", all)
	}
	tracker.Update(at+frame, []detector.Detection{detection(where(at), 50, 60)})
	numbers := tracker.Update(at+2*frame, []detector.Detection{detection(where(at), 50, 60)})
	if !slices.Equal(numbers, []int{2}) {
		t.Errorf("a face behind that: %v, want track 2", numbers)
	}
}

// One detection is not shown, has no number, and takes none away.
func TestSingleDetectionsAreNotShown(t *testing.T) {
	tracker := newTracker(t, nil)
	face, alarm := detection(100, 100, 50), detection(300, 100, 50)
	if numbers := tracker.Update(0, []detector.Detection{alarm}); !slices.Equal(numbers, []int{0}) || len(tracker.Tracks(0)) != 0 || len(tracker.All(0)) != 1 {
		t.Errorf("first: %v", numbers)
	}
	tracker.Update(frame, []detector.Detection{face})
	if n := len(tracker.All(frame)); n != 1 {
		t.Errorf("%d tracks, want that of the alarm to be gone", n)
	}
	if numbers := tracker.Update(2*frame, []detector.Detection{face}); !slices.Equal(numbers, []int{1}) {
		t.Errorf("second: %v, want number 1", numbers)
	}
	sure := newTracker(t, &Options{Hits: 1})
	if numbers := sure.Update(0, []detector.Detection{alarm, face}); !slices.Equal(numbers, []int{1, 2}) {
		t.Errorf("Hits 1: %v", numbers)
	}
}

// Two faces side by side keep their numbers whatever the order of detections.
func TestNumbersStay(t *testing.T) {
	tracker := newTracker(t, &Options{Hits: 1})
	a, b := detection(100, 100, 60), detection(150, 100, 60) // they overlap
	tracker.Update(0, []detector.Detection{a, b})
	for i := range 20 {
		at := time.Duration(i+1) * frame
		shift := image.Pt(2*i, i)
		p, q := a, b
		p.Box, q.Box = a.Box.Add(shift), b.Box.Add(shift)
		if i%2 == 0 {
			if numbers := tracker.Update(at, []detector.Detection{q, p}); !slices.Equal(numbers, []int{2, 1}) {
				t.Fatalf("frame %d: %v", i, numbers)
			}
		} else if numbers := tracker.Update(at, []detector.Detection{p, q}); !slices.Equal(numbers, []int{1, 2}) {
			t.Fatalf("frame %d: %v", i, numbers)
		}
	}
}

// Where another track has taken over a face, the old one does not wait for it.
func TestOneTrackAFace(t *testing.T) {
	tracker := newTracker(t, &Options{Hits: 1})
	tracker.Update(0, []detector.Detection{detection(100, 100, 60), detection(120, 100, 60)})
	tracker.Update(frame, []detector.Detection{detection(109, 100, 60)})
	if all := tracker.All(frame); len(all) != 1 {
		t.Errorf("%d tracks for one face", len(all))
	}
}

func TestTracksEndOutside(t *testing.T) {
	tracker := newTracker(t, &Options{Hits: 1, Misses: 100, Bounds: image.Rect(0, 0, 320, 240)})
	var at time.Duration
	for x := 200; x < 270; x += 10 {
		at += frame
		tracker.Update(at, []detector.Detection{detection(x, 100, 50)})
	}
	for range 10 {
		at += frame
		tracker.Update(at, nil)
	}
	if all := tracker.All(at); len(all) != 0 {
		t.Errorf("it left the picture, and is still at %v", all[0].Box)
	}
}

func TestBadOptions(t *testing.T) {
	for _, test := range []struct {
		o   Options
		say string
	}{
		{Options{Overlap: 1}, "Overlap 1"},
		{Options{Overlap: -0.1}, "Overlap -0.1"},
		{Options{Overlap: math.NaN()}, "Overlap NaN"},
		{Options{Hits: -1}, "Hits -1"},
		{Options{Misses: -2}, "Misses -2"},
	} {
		if _, err := New(&test.o); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), test.say) {
			t.Errorf("%+v: %v", test.o, err)
		}
	}
	for _, o := range []PlanOptions{{Every: -1}, {Columns: -1}, {Rows: -2}, {Near: -1}, {Near: math.NaN()}, {Near: math.Inf(1)}} {
		if _, err := NewPlanner(&o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	tracker := newTracker(t, &Options{Misses: -1, Hits: 1})
	tracker.Update(0, []detector.Detection{detection(0, 0, 9)})
	tracker.Update(frame, nil)
	if all := tracker.All(frame); len(all) != 0 {
		t.Error("Misses -1 allows one")
	}
}

// Whatever is found, at whatever times, boxes stay boxes.
func TestStrangeDetections(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tracker := newTracker(t, &Options{Hits: 1})
	var at time.Duration
	for range 3000 {
		at += time.Duration(rng.IntN(3)) * time.Duration(rng.Int64N(int64(time.Second)))
		found := make([]detector.Detection, rng.IntN(4))
		for k := range found {
			found[k] = detection(rng.IntN(400), rng.IntN(300), rng.IntN(200))
		}
		tracker.Update(at, found)
		for _, track := range tracker.Tracks(at + time.Duration(rng.Int64N(int64(time.Second)))) {
			if b := track.Box; b.Empty() || b.Dx() > 1000 || !b.Overlaps(image.Rect(-1000, -1000, 1500, 1500)) {
				t.Fatalf("a box of %v", b)
			}
		}
	}
}

func TestOverlap(t *testing.T) {
	a := image.Rect(0, 0, 10, 10)
	for _, test := range []struct {
		b    image.Rectangle
		want float64
	}{
		{a, 1},
		{image.Rect(5, 0, 15, 10), 1.0 / 3},
		{image.Rect(10, 0, 20, 10), 0},
		{image.Rect(2, 2, 4, 4), 0.04},
		{image.Rectangle{}, 0},
	} {
		if got := Overlap(a, test.b); math.Abs(got-test.want) > 1e-12 || Overlap(test.b, a) != got {
			t.Errorf("%v: %v, want %v", test.b, got, test.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	best, twin, other := detection(0, 0, 100), detection(5, 5, 100), detection(80, 0, 100)
	best.Score, other.Score = 3, 2
	got := Distinct([]detector.Detection{twin, other, best, twin}, 0.4)
	if !slices.EqualFunc(got, []detector.Detection{best, other}, detector.Detection.Equal) {
		t.Errorf("%+v", got)
	}
}
