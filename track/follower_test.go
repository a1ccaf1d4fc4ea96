package track

import (
	"image"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

// follow runs detections through a follower.
func follow(t *testing.T, o *Options, found [][]detector.Detection) [][]Followed {
	t.Helper()
	f := must.Get(NewFollower(o))
	var all [][]Followed
	for i, ds := range found {
		faces, ok := f.Add(time.Duration(i)*frame, ds)
		if ok != (i >= f.Delay()) {
			t.Fatalf("frame %d: answered %v", i, ok)
		}
		if len(f.held) > f.Delay() {
			t.Fatalf("%d frames are held, want %d", len(f.held), f.Delay())
		}
		if ok {
			all = append(all, faces)
		}
	}
	for {
		faces, ok := f.Rest()
		if !ok {
			break
		}
		all = append(all, faces)
	}
	if len(all) != len(found) {
		t.Fatalf("%d answers for %d frames", len(all), len(found))
	}
	return all
}

// A face has its number from its first frame on, and is there where the
// detector missed it; one that is seen once has none.
func TestFollowerBackdates(t *testing.T) {
	for _, hits := range []int{1, 2, 3, 5} {
		found := make([][]detector.Detection, 30)
		for i := 4; i < 20; i++ {
			if i < 12 || i > 14 {
				found[i] = append(found[i], detection(100+2*i, 50, 60))
			}
		}
		found[8] = append(found[8], detection(400, 200, 40))
		for i, faces := range follow(t, &Options{Hits: hits}, found) {
			var got []int
			for k, f := range faces {
				got = append(got, f.Number)
				if predicted := i >= 12 && i <= 14 || i >= 20 || k > 0 && hits == 1 && i > 8; f.Predicted != predicted {
					t.Errorf("hits %d, frame %d: %+v, want predicted %v", hits, i, f, predicted)
				}
				if !f.Predicted && !f.Detection.Equal(found[i][k]) {
					t.Errorf("hits %d, frame %d: %+v, want detection %+v", hits, i, f, found[i][k])
				}
			}
			var want []int
			if i >= 4 && i < 28 { // eight frames without it end it
				want = append(want, 1)
			}
			switch {
			case hits == 1 && i >= 8 && i <= 16: // one detection makes a track
				want = append(want, 2)
			case i == 8:
				want = append(want, 0)
			}
			if !slices.Equal(got, want) {
				t.Errorf("hits %d, frame %d: numbers %v, want %v", hits, i, got, want)
			}
		}
	}
}

// What a follower says is what a tracker shows, in the same frame.
func TestFollowerShowsTracks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	found := make([][]detector.Detection, 400)
	for i := range found {
		for k := range 3 {
			if rng.IntN(4) > 0 {
				found[i] = append(found[i], detection(100+200*k+i%100, 50+rng.IntN(3), 60))
			}
		}
		if rng.IntN(5) == 0 {
			found[i] = append(found[i], detection(rng.IntN(600), 300, 50), detector.Detection{Box: image.Rect(3, 3, 3, 3)})
		}
	}
	tracker := newTracker(t, nil)
	predicted := 0
	for i, faces := range follow(t, nil, found) {
		at := time.Duration(i) * frame
		numbers := tracker.Update(at, found[i])
		shown, said := map[int]image.Rectangle{}, map[int]image.Rectangle{}
		for _, track := range tracker.Tracks(at) {
			shown[track.Number] = track.Box
		}
		for k, f := range faces {
			if f.Predicted {
				predicted++
			} else if numbers[k] == 0 { // not shown yet
				continue
			}
			said[f.Number] = f.Box
		}
		if !reflect.DeepEqual(said, shown) {
			t.Fatalf("frame %d: said %v, shown %v", i, said, shown)
		}
	}
	if predicted < 100 {
		t.Errorf("only %d boxes were predicted: this test tests little", predicted)
	}
}
