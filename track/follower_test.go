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
		faces, ok := f.Add(time.Duration(i)*frame, ds, nil)
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
	for faces, ok := f.Rest(); ok; faces, ok = f.Rest() {
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
	tracker := must.Get(New(nil))
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

func isWhole(areas []Area, bounds image.Rectangle) bool {
	return len(areas) == 1 && areas[0] == Area{Rectangle: bounds}
}

// While it is quiet, a picture is searched as a whole every so many frames,
// and in between the parts cover all of it, near faces each time.
func TestQuietFramesAreSearchedInParts(t *testing.T) {
	bounds := image.Rect(0, 0, 641, 479)
	face := Track{Box: image.Rect(300, 200, 380, 280)}
	for _, want := range []int{1, 5, 30} {
		p := NewPlanner(want)
		since := want // the first plan is the whole picture
		var work int64
		seen := image.NewGray(bounds)
		const frames = 200
		for i := range frames {
			areas := p.Plan(bounds, []Track{face}, true)
			if isWhole(areas, bounds) {
				if since != want {
					t.Errorf("every %d: whole after %d frames", want, since)
				}
				since = 1
				work += area(bounds)
				continue
			}
			if since++; since > want {
				t.Fatalf("every %d: not searched for %d frames", want, since)
			}
			near := false
			for _, a := range areas {
				work += area(a.Rectangle)
				if !a.In(bounds) || a.Empty() {
					t.Fatalf("frame %d: area %v", i, a)
				}
				if a.MaxWidth == 0 {
					for y := a.Min.Y; y < a.Max.Y; y++ {
						for x := a.Min.X; x < a.Max.X; x++ {
							seen.Pix[seen.PixOffset(x, y)] = 1
						}
					}
				} else if face.Box.In(a.Rectangle) && a.MinWidth <= 60 && a.MaxWidth >= 110 {
					near = true
				}
			}
			if !near {
				t.Fatalf("frame %d: %v: not near the face", i, areas)
			}
		}
		if want == 1 {
			continue
		}
		for i, s := range seen.Pix {
			if s == 0 {
				t.Fatalf("every %d: pixel %d,%d is in no part", want, i%641, i/641)
			}
		}
		if whole := frames * area(bounds); work > whole/2 {
			t.Errorf("every %d: %d%% of the work", want, 100*work/whole)
		}
	}
}

// A face smaller than a part is whole in some part, wherever it is.
func TestPartsHoldFaces(t *testing.T) {
	bounds := image.Rect(0, 0, 640, 480)
	p := NewPlanner(12)
	p.Plan(bounds, nil, true)
	var parts []Area
	for range 12 {
		p.since = 0
		parts = append(parts, p.Plan(bounds, nil, true)...)
	}
	for y := 0; y+150 <= 480; y += 7 {
		for x := 0; x+150 <= 640; x += 7 {
			held := false
			for _, a := range parts {
				held = held || image.Rect(x, y, x+150, y+150).In(a.Rectangle)
			}
			if !held {
				t.Fatalf("no part holds a face at %d,%d", x, y)
			}
		}
	}
}

func TestWholeWhenSomethingHappens(t *testing.T) {
	bounds := image.Rect(0, 0, 640, 480)
	p := NewPlanner(100)
	p.Plan(bounds, nil, true)
	if isWhole(p.Plan(bounds, nil, true), bounds) {
		t.Error("quiet, and searched as a whole")
	}
	if !isWhole(p.Plan(bounds, nil, false), bounds) {
		t.Error("not quiet, and searched in parts")
	}
	if other := image.Rect(0, 0, 320, 240); !isWhole(p.Plan(other, nil, true), other) {
		t.Error("a picture of another size, and searched in parts")
	}
	large := []Track{{Box: image.Rect(100, 50, 500, 450)}}
	if !isWhole(p.Plan(image.Rect(0, 0, 320, 240), large, true), image.Rect(0, 0, 320, 240)) {
		t.Error("near a face that fills the picture, and searched in parts")
	}
	outside := []Track{{Box: image.Rect(-500, -500, -400, -400)}}
	if areas := p.Plan(image.Rect(0, 0, 320, 240), outside, true); len(areas) != 1 {
		t.Errorf("a track outside: %v", areas)
	}
}
