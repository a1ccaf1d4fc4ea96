package track

import (
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"haarlem/cascade/detector"
)

// fill runs detections through a filler, and returns the boxes of each frame.
func fill(t *testing.T, frames int, found [][]detector.Detection) [][]image.Rectangle {
	t.Helper()
	f, err := NewFiller(&FillOptions{Frames: frames})
	if err != nil {
		t.Fatal(err)
	}
	var all [][]image.Rectangle
	for i, ds := range found {
		boxes, ok := f.Add(time.Duration(i)*frame, ds)
		if ok != (i >= f.Delay()) {
			t.Fatalf("frame %d: answered %v", i, ok)
		}
		if ok {
			all = append(all, boxes)
		}
	}
	for {
		boxes, ok := f.Rest()
		if !ok {
			break
		}
		all = append(all, boxes)
	}
	if len(all) != len(found) {
		t.Fatalf("%d answers for %d frames", len(all), len(found))
	}
	return all
}

func covered(boxes []image.Rectangle, face image.Rectangle) bool {
	for _, b := range boxes {
		if area(b.Intersect(face))*10 >= 9*area(face) {
			return true
		}
	}
	return false
}

// Faces that move, and are missed now and then for up to as many frames as are
// filled, are covered in every frame.
func TestGapsAreFilled(t *testing.T) {
	const frames, n = 8, 150
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
			gap := frames // the detector needs that long to see it at first
			for i := range n {
				if gap > 0 || i >= n-frames {
					gap--
					missed++
					continue
				}
				found[i] = append(found[i], detector.Detection{Box: at(m, i).Add(image.Pt(rng.IntN(3)-1, rng.IntN(3)-1)), Score: 1})
				if rng.IntN(5) == 0 && i >= 2*frames && i < n-2*frames-1 {
					gap = 1 + rng.IntN(frames)
				}
			}
		}
		for i, boxes := range fill(t, frames, found) {
			for k, m := range movers {
				if !covered(boxes, at(m, i)) {
					t.Fatalf("seed %d, frame %d: face %d at %v is bare; boxes %v", seed, i, k, at(m, i), boxes)
				}
			}
		}
		if missed < n/4 {
			t.Fatalf("only %d faces were missed: this test tests nothing", missed)
		}
	}
}

// What was found is covered as it was found, and a face that is long gone, or
// long to come, is not there.
func TestNothingWhereNothingIs(t *testing.T) {
	const frames = 5
	found := make([][]detector.Detection, 40)
	found[20] = []detector.Detection{detection(100, 100, 50)}
	for i, boxes := range fill(t, frames, found) {
		far := max(i-20, 20-i)
		switch {
		case far > frames && len(boxes) > 0:
			t.Errorf("frame %d: %v", i, boxes)
		case far == 0 && (len(boxes) != 1 || boxes[0] != found[20][0].Box):
			t.Errorf("frame %d: %v", i, boxes)
		case far <= frames && (len(boxes) != 1 || !found[20][0].Box.In(boxes[0]) || boxes[0].Dx() > 75):
			t.Errorf("frame %d: %v", i, boxes)
		}
	}
}
