package track

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

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

func scored(x, y, side int, score float64) detector.Detection {
	return detector.Detection{Box: image.Rect(x, y, x+side, y+side), Score: score}
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
		tracker := newTracker(t, nil)
		at := time.Duration(0)
		for range 10 {
			tracker.UpdateDescribed(at, []detector.Detection{scored(100, 50, 60, 1)}, []*Descriptor{looks[0]})
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
			numbers = tracker.UpdateDescribed(at, []detector.Detection{scored(180, 60, 60, 1)}, []*Descriptor{test.look})
			at += 40 * time.Millisecond
		}
		if again := numbers[0] == 1; again != test.again {
			t.Errorf("after %d frames without it: number %d", test.gap, numbers[0])
		}
	}
}

// Weak detections continue a track and begin none.
func TestWeakDetections(t *testing.T) {
	tracker := newTracker(t, &Options{Strong: 0.5, Misses: 2})
	for i := range 40 {
		score := 0.2
		if i < 2 {
			score = 0.9
		}
		numbers := tracker.Update(time.Duration(i)*frame, []detector.Detection{scored(100+2*i, 50, 60, score), scored(400, 50, 60, 0.4)})
		if want := min(i, 1); !slices.Equal(numbers, []int{want, 0}) {
			t.Fatalf("frame %d: %v", i, numbers)
		}
	}
	if all := tracker.All(40 * frame); len(all) != 1 || all[0].Hits != 40 {
		t.Errorf("%+v", all)
	}
	f := must.Get(NewFollower(&Options{Strong: 0.5}))
	f.Add(0, []detector.Detection{scored(10, 10, 50, 0.1)})
	if faces, ok := f.Rest(); !ok || len(faces) != 0 {
		t.Errorf("a weak detection alone is a face: %+v", faces)
	}
}

// Two faces that pass each other keep their numbers, by what they look like.
func TestPassing(t *testing.T) {
	looks := looksOf(2)
	tracker := newTracker(t, nil)
	for i := range 60 {
		// They stop where they overlap, and go back: by motion alone each would be
		// taken for the one that goes on.
		a := min(4*i, 120)
		b := 240 - min(4*i, 120)
		if i > 32 {
			a, b = 120-4*(i-32), 120+4*(i-32)
		}
		numbers := tracker.UpdateDescribed(time.Duration(i)*frame, []detector.Detection{scored(a, 50, 60, 1), scored(b, 54, 60, 1)}, looks)
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
			if faces, ok := f.AddDescribed(time.Duration(at)*frame, found, []*Descriptor{look}); ok {
				all = append(all, faces)
			}
		}
		for i := range 30 {
			switch {
			case i < 8:
				add(i, []detector.Detection{scored(100, 50, 60, 1)}, looks[0])
			case i < 20:
				add(i, nil, nil)
			case i < 24: // half of it
				add(i, []detector.Detection{scored(160, 50, 60, 1)}, looks[1])
			default:
				add(i, []detector.Detection{scored(160, 50, 60, 1)}, looks[0])
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
		m := image.NewGray(image.Rect(0, 0, 96, 96))
		var level [144]byte
		for i := range level {
			level[i] = byte(60 + rng.IntN(100))
		}
		for y := range 96 {
			for x := range 96 {
				m.Pix[y*96+x] = level[y/8*12+x/8]
			}
		}
		return m
	}
	var d Describer
	describe := func(m *image.Gray) *Descriptor {
		g, _ := luma.Of(m, nil)
		return d.Describe(g.Gray(), image.Rect(16, 16, 80, 80))
	}
	a, b := noise(), noise()
	bright := image.NewGray(a.Rect)
	for i, v := range a.Pix {
		bright.Pix[i] = v/2 + 90
	}
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
