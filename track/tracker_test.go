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
	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

const frame = time.Second / 25

func detection(x, y, size int) detector.Detection {
	return detector.Detection{Box: image.Rect(x, y, x+size, y+size), Score: 1, Neighbors: 5}
}

// weak is a detection of another score.
func weak(x, y, size int, score float64) detector.Detection {
	d := detection(x, y, size)
	d.Score = score
	return d
}

// A face that stands still has a box that trembles less than its detections.
func TestTracksAreSteady(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tracker := must.Get(New(nil))
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
	tracker := must.Get(New(&Options{Misses: 3, Memory: -1}))
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
	tracker := must.Get(New(nil))
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
	sure := must.Get(New(&Options{Hits: 1}))
	if numbers := sure.Update(0, []detector.Detection{alarm, face}); !slices.Equal(numbers, []int{1, 2}) {
		t.Errorf("Hits 1: %v", numbers)
	}
}

// Two faces side by side keep their numbers whatever the order of detections.
func TestNumbersStay(t *testing.T) {
	tracker := must.Get(New(&Options{Hits: 1}))
	a, b := detection(100, 100, 60), detection(150, 100, 60) // they overlap
	tracker.Update(0, []detector.Detection{a, b})
	for i := range 20 {
		found, want := []detector.Detection{detection(100+2*i, 100+i, 60), detection(150+2*i, 100+i, 60)}, []int{1, 2}
		if i%2 == 0 {
			slices.Reverse(found)
			slices.Reverse(want)
		}
		if numbers := tracker.Update(time.Duration(i+1)*frame, found); !slices.Equal(numbers, want) {
			t.Fatalf("frame %d: %v", i, numbers)
		}
	}
}

// Where another track has taken over a face, the old one does not wait for it.
func TestOneTrackAFace(t *testing.T) {
	tracker := must.Get(New(&Options{Hits: 1}))
	tracker.Update(0, []detector.Detection{detection(100, 100, 60), detection(120, 100, 60)})
	tracker.Update(frame, []detector.Detection{detection(109, 100, 60)})
	if all := tracker.All(frame); len(all) != 1 {
		t.Errorf("%d tracks for one face", len(all))
	}
}

func TestTracksEndOutside(t *testing.T) {
	tracker := must.Get(New(&Options{Hits: 1, Misses: 100, Bounds: image.Rect(0, 0, 320, 240)}))
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
	for _, o := range []GuardOptions{{Delay: -1}, {Strong: -1}} {
		if _, err := NewGuard(&o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	tracker := must.Get(New(&Options{Misses: -1, Hits: 1}))
	tracker.Update(0, []detector.Detection{detection(0, 0, 9)})
	tracker.Update(frame, nil)
	if all := tracker.All(frame); len(all) != 0 {
		t.Error("Misses -1 allows one")
	}
}

// Whatever is found, at whatever times, boxes stay boxes.
func TestStrangeDetections(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	tracker := must.Get(New(&Options{Hits: 1}))
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

// looksOf are descriptors of faces that have nothing in common.
func looksOf(n int) []*Descriptor {
	rng := rand.New(rand.NewPCG(5, 6))
	all := make([]*Descriptor, n)
	for i := range all {
		all[i] = &Descriptor{}
		for k := range all[i] {
			all[i][k] = int8(rng.IntN(101) - 50)
		}
	}
	return all
}

// seen are so many frames, in some of which a certain face is found.
func seen(frames, from, to int, face image.Rectangle) [][]detector.Detection {
	found := make([][]detector.Detection, frames)
	for i := from; i < to; i++ {
		found[i] = []detector.Detection{{Box: face, Score: 0.9}}
	}
	return found
}

// A face that is gone for nearly two seconds has its number again, another one there has
// not, and after more than two seconds nobody has.
func TestMemory(t *testing.T) {
	looks := looksOf(2)
	for _, test := range []struct {
		gap   int // frames of 40 milliseconds
		look  *Descriptor
		again bool
	}{{45, looks[0], true}, {45, looks[1], false}, {55, looks[0], false}} {
		tracker := must.Get(New(nil))
		at := time.Duration(0)
		for range 10 {
			tracker.UpdateDescribed(at, []detector.Detection{detection(100, 50, 60)}, []*Descriptor{looks[0]})
			at += 40 * time.Millisecond
		}
		for range test.gap {
			tracker.Update(at, nil)
			at += 40 * time.Millisecond
		}
		if shown := tracker.Tracks(at); len(shown) > 0 {
			t.Fatalf("after %d frames it is still shown: %+v", test.gap, shown)
		}
		var numbers []int
		for range 2 {
			numbers = tracker.UpdateDescribed(at, []detector.Detection{detection(180, 60, 60)}, []*Descriptor{test.look})
			at += 40 * time.Millisecond
		}
		if again := numbers[0] == 1; again != test.again {
			t.Errorf("after %d frames without it: number %d", test.gap, numbers[0])
		}
	}
}

// Weak detections continue a track and begin none.
func TestWeakDetections(t *testing.T) {
	tracker := must.Get(New(&Options{Strong: 0.5, Misses: 2}))
	for i := range 40 {
		score := 0.2
		if i < 2 {
			score = 0.9
		}
		numbers := tracker.Update(time.Duration(i)*frame, []detector.Detection{weak(100+2*i, 50, 60, score), weak(400, 50, 60, 0.4)})
		if want := min(i, 1); !slices.Equal(numbers, []int{want, 0}) {
			t.Fatalf("frame %d: %v", i, numbers)
		}
	}
	if all := tracker.All(40 * frame); len(all) != 1 || all[0].Hits != 40 {
		t.Errorf("%+v", all)
	}
	f := must.Get(NewFollower(&Options{Strong: 0.5}))
	f.Add(0, []detector.Detection{weak(10, 10, 50, 0.1)}, nil)
	if faces, ok := f.Rest(); !ok || len(faces) != 0 {
		t.Errorf("a weak detection alone is a face: %+v", faces)
	}
}

// Two faces that pass each other keep their numbers, by what they look like.
func TestPassing(t *testing.T) {
	looks := looksOf(2)
	tracker := must.Get(New(nil))
	for i := range 60 {
		// They stop where they overlap, and go back: by motion alone each would be
		// taken for the one that goes on.
		a := min(4*i, 120)
		b := 240 - min(4*i, 120)
		if i > 32 {
			a, b = 120-4*(i-32), 120+4*(i-32)
		}
		numbers := tracker.UpdateDescribed(time.Duration(i)*frame, []detector.Detection{detection(a, 50, 60), detection(b, 54, 60)}, looks)
		if i > 1 && !slices.Equal(numbers, []int{1, 2}) {
			t.Fatalf("frame %d: %v", i, numbers)
		}
	}
}

// A face that comes out from behind something looks like itself only after a while, and
// has its number from its first frame on if the follower is patient.
func TestPatience(t *testing.T) {
	looks := looksOf(2)
	for _, patience := range []int{0, 6} {
		f := must.Get(NewFollower(&Options{Patience: patience}))
		var all [][]Followed
		add := func(at int, found []detector.Detection, look *Descriptor) {
			if faces, ok := f.Add(time.Duration(at)*frame, found, []*Descriptor{look}); ok {
				all = append(all, faces)
			}
		}
		for i := range 30 {
			switch {
			case i < 8:
				add(i, []detector.Detection{detection(100, 50, 60)}, looks[0])
			case i < 20:
				add(i, nil, nil)
			case i < 24: // half of it
				add(i, []detector.Detection{detection(160, 50, 60)}, looks[1])
			default:
				add(i, []detector.Detection{detection(160, 50, 60)}, looks[0])
			}
		}
		for faces, ok := f.Rest(); ok; faces, ok = f.Rest() {
			all = append(all, faces)
		}
		if len(all) != 30 {
			t.Fatalf("%d frames", len(all))
		}
		want := 2
		if patience > 0 {
			want = 1
		}
		for i := 20; i < 30; i++ {
			if len(all[i]) != 1 || all[i][0].Number != want {
				t.Errorf("patience %d, frame %d: %+v, want number %d", patience, i, all[i], want)
			}
		}
	}
}

// A picture is like itself, in another light too, and unlike others; even grey says
// nothing, and is no mistake.
func TestDescriptor(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	noise := func() *image.Gray {
		var level [144]byte
		for i := range level {
			level[i] = byte(60 + rng.IntN(100))
		}
		return picturetest.Grey(96, 96, func(x, y int) byte { return level[y/8*12+x/8] })
	}
	var d Describer
	describe := func(m *image.Gray) *Descriptor {
		g, _ := luma.Of(m, nil)
		return d.Describe(g.Gray(), image.Rect(16, 16, 80, 80))
	}
	a, b := noise(), noise()
	bright := picturetest.Grey(96, 96, func(x, y int) byte { return a.GrayAt(x, y).Y/2 + 90 })
	if s := Similarity(describe(a), describe(bright)); s < 0.95 {
		t.Errorf("in another light: %v", s)
	}
	if s := Similarity(describe(a), describe(b)); s >= takenUp {
		t.Errorf("another picture: %v", s)
	}
	if s := Similarity(describe(image.NewGray(a.Rect)), describe(a)); s != 0 {
		t.Errorf("black: %v", s)
	}
}

// guardOver runs a guard over frames of 40 milliseconds, and returns the regions of each.
func guardOver(t *testing.T, o *GuardOptions, found [][]detector.Detection, cuts ...int) [][]Region {
	t.Helper()
	g := must.Get(NewGuard(o))
	var all [][]Region
	for i, f := range found {
		regions, ok := g.Add(time.Duration(i)*frame, f, nil, slices.Contains(cuts, i))
		if ok {
			all = append(all, regions)
		}
		if ok != (g.o.Delay > 0 && i >= g.o.Delay) {
			t.Fatalf("frame %d is answered for: %v, with a delay of %d", i, ok, g.o.Delay)
		}
	}
	for regions, ok := g.Rest(); ok; regions, ok = g.Rest() {
		all = append(all, regions)
	}
	if len(all) != len(found) {
		t.Fatalf("%d answers for %d frames", len(all), len(found))
	}
	return all
}

func hides(regions []Region, box image.Rectangle) bool {
	return slices.ContainsFunc(regions, func(r Region) bool { return box.In(r.Box) })
}

// A certain face is hidden from the beginning of its shot to the end, and in no other
// shot; without Hold half a second before and behind. Regions grow with time.
func TestGuardHolds(t *testing.T) {
	face := image.Rect(200, 100, 260, 160)
	found := seen(200, 90, 100, face)
	for _, delay := range []int{0, 25} {
		all := guardOver(t, &GuardOptions{Hold: true, Strong: 0.5, Delay: delay, Bounds: image.Rect(0, 0, 640, 480)}, found, 40, 160)
		for i, regions := range all {
			want := i >= 40 && i < 160
			if delay > 0 && i < 90-delay+certainHits-1 { // nobody can know
				want = false
			}
			if hides(regions, face) != want {
				t.Errorf("delay %d, frame %d: %v", delay, i, regions)
			}
			if len(regions) > 0 {
				why := Held
				switch {
				case i >= 90 && i < 100:
					why = Found
				case i >= 90-12 && i < 100+12:
					why = Filled
				}
				if regions[0].Why != why || regions[0].Number != 1 {
					t.Errorf("delay %d, frame %d: %+v, want %s", delay, i, regions[0], why)
				}
			}
		}
		if a, b := all[101][0].Box.Dx(), all[120][0].Box.Dx(); b <= a || all[159][0].Box.Dx() > 3*60+1 {
			t.Errorf("regions of %d, %d and %d pixels", a, b, all[159][0].Box.Dx())
		}
	}
	for i, regions := range guardOver(t, &GuardOptions{Strong: 0.5}, found) {
		if want := i >= 78 && i < 112; hides(regions, face) != want {
			t.Errorf("without Hold, frame %d: %v", i, regions)
		}
	}
}

// A false positive, which is there for a moment, is released; a face that was followed for
// a second is not.
func TestGuardReleasesWhatWasBrief(t *testing.T) {
	box := image.Rect(200, 100, 260, 160)
	for _, test := range []struct{ hits, smallest, largest int }{{5, 50, 70}, {25, 250, 300}, {26, 1900, 2000}} {
		found := seen(2000, 0, test.hits, box)
		for _, delay := range []int{0, 25} {
			hidden := 0
			for _, regions := range guardOver(t, &GuardOptions{Hold: true, Strong: 0.5, Delay: delay, Bounds: image.Rect(0, 0, 640, 480)}, found) {
				if len(regions) > 0 {
					hidden++
				}
			}
			if hidden < test.smallest || hidden > test.largest {
				t.Errorf("found in %d frames, with a delay of %d: hidden in %d, want %d to %d", test.hits, delay, hidden, test.smallest, test.largest)
			}
		}
	}
}

// What is not certain is hidden, but not held: one detection, and weak ones.
func TestGuardHoldsNoDoubt(t *testing.T) {
	found := seen(100, 50, 51, image.Rect(10, 10, 60, 60))
	for i := 45; i < 55; i++ {
		found[i] = append(found[i], detector.Detection{Box: image.Rect(300, 10, 350, 60), Score: 0.2})
	}
	for i, regions := range guardOver(t, &GuardOptions{Hold: true, Strong: 0.5}, found) {
		if hides(regions, image.Rect(10, 10, 60, 60)) != (i >= 38 && i <= 62) || hides(regions, image.Rect(300, 10, 350, 60)) != (i >= 33 && i <= 66) {
			t.Errorf("frame %d: %v", i, regions)
		}
	}
}

// A face that is seen again where another was lost ends what was held for that one.
func TestGuardEndsWhereAFaceIsSeenAgain(t *testing.T) {
	found := seen(200, 0, 20, image.Rect(200, 100, 260, 160))
	for i := 110; i < 200; i++ { // more than two seconds later
		x := 230 + 2*(i-110)
		found[i] = []detector.Detection{{Box: image.Rect(x, 110, x+60, 170), Score: 0.9}}
	}
	for _, delay := range []int{0, 25} {
		all := guardOver(t, &GuardOptions{Hold: true, Strong: 0.5, Delay: delay}, found)
		for i, regions := range all {
			want := 1
			if i < 110 && i > 19 {
				want = len(regions) // both, or the one before
			}
			if len(regions) != want || len(regions) == 0 {
				t.Errorf("delay %d, frame %d: %v", delay, i, regions)
			}
		}
	}
}

// A face that goes on where it is not found, and comes back, is hidden all the way.
func TestGuardFillsGaps(t *testing.T) {
	where := func(i int) image.Rectangle {
		x := 100 + 3*min(i, 60-min(i, 60)) // to and fro
		return image.Rect(x, 50, x+60, 110)
	}
	found := make([][]detector.Detection, 60)
	for i := range found {
		if i < 24 || i > 36 {
			found[i] = []detector.Detection{{Box: where(i), Score: 0.9}}
		}
	}
	for i, regions := range guardOver(t, &GuardOptions{Hold: true, Strong: 0.5}, found) {
		if !hides(regions, where(i)) {
			t.Errorf("frame %d: %v, the face is at %v", i, regions, where(i))
		}
	}
}

// However long a stream is, a guard keeps little of it.
func TestGuardForgets(t *testing.T) {
	g := must.Get(NewGuard(&GuardOptions{Hold: true, Strong: 0.5, Delay: 25}))
	for i := range 20000 {
		x := i / 50 % 7 * 100
		var found []detector.Detection
		if i%50 < 30 {
			found = []detector.Detection{{Box: image.Rect(x, 50, x+40, 90), Score: 0.9}}
		}
		g.Add(time.Duration(i)*frame, found, nil, i%1000 == 999)
		if len(g.tracks) > 60 || len(g.byState) > 60 || len(g.times) > 4096 || len(g.shots) > 3 {
			t.Fatalf("frame %d: %d tracks, %d states, %d times, %d shots", i, len(g.tracks), len(g.byState), len(g.times), len(g.shots))
		}
	}
}

// A pan or a flash is no new shot; another picture is.
func TestScene(t *testing.T) {
	draw := func(offset, level int, other bool) []byte {
		m := picturetest.Grey(160, 120, func(x, y int) byte {
			v := 128 + 100*((x+offset)/40%2) - 50*(y/30%2)
			if other {
				v = 40 + 150*((x*2+y)/50%2)
			}
			return byte(min(max(v+level, 0), 255))
		})
		return Thumbnail(m.Pix, m.Stride, 160, 120)
	}
	var s Scene
	for i, test := range []struct {
		thumbnail []byte
		cut       bool
	}{{draw(0, 0, false), false}, {draw(4, 0, false), false}, {draw(8, 40, false), false}, {draw(8, 0, true), true}, {draw(8, -20, true), false}, {draw(0, 0, false), true}} {
		if got := s.Cut(test.thumbnail); got != test.cut {
			t.Errorf("frame %d: a new shot: %v", i, got)
		}
	}
}

// Faces that move, and are missed now and then, before they are first found and after
// they are last found, are hidden in every frame.
func TestGuardHidesWhatMoves(t *testing.T) {
	const gaps, n = 12, 150 // of nearly half a second
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		type mover struct{ x, y, vx, vy, size int }
		movers := []mover{{50, 60, 2, 1, 50}, {500, 60, -2, 0, 70}, {200, 300, 1, -1, 120}}
		found := make([][]detector.Detection, n)
		at := func(m mover, i int) image.Rectangle {
			x, y := m.x+m.vx*i, m.y+m.vy*i
			return image.Rect(x, y, x+m.size, y+m.size)
		}
		missed := 0
		for _, m := range movers {
			gap := gaps // the detector needs that long to see it at first
			for i := range n {
				if gap > 0 || i >= n-gaps {
					gap--
					missed++
					continue
				}
				found[i] = append(found[i], detector.Detection{Box: at(m, i).Add(image.Pt(rng.IntN(3)-1, rng.IntN(3)-1)), Score: 1})
				if rng.IntN(5) == 0 && i >= 2*gaps && i < n-2*gaps-1 {
					gap = 1 + rng.IntN(gaps)
				}
			}
		}
		for i, regions := range guardOver(t, nil, found) {
			for k, m := range movers {
				face := at(m, i)
				if !slices.ContainsFunc(regions, func(r Region) bool { return area(r.Box.Intersect(face))*10 >= 9*area(face) }) {
					t.Fatalf("seed %d, frame %d: face %d at %v is bare; regions %v", seed, i, k, face, regions)
				}
			}
		}
		if missed < n/4 {
			t.Fatalf("only %d faces were missed: this test tests nothing", missed)
		}
	}
}
