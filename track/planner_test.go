package track

import (
	"image"
	"testing"

	"haarlem/internal/must"
)

func newPlanner(t *testing.T, o *PlanOptions) *Planner {
	t.Helper()
	return must.Get(NewPlanner(o))
}

func isWhole(areas []Area, bounds image.Rectangle) bool {
	return len(areas) == 1 && areas[0] == Area{Rectangle: bounds}
}

// While it is quiet, a picture is searched as a whole every so many frames,
// and in between the parts cover all of it, near faces each time.
func TestQuietFramesAreSearchedInParts(t *testing.T) {
	bounds := image.Rect(0, 0, 641, 479)
	face := Track{Box: image.Rect(300, 200, 380, 280)}
	for _, every := range []int{0, 1, 5, 30} {
		p := newPlanner(t, &PlanOptions{Every: every})
		want := every
		if want == 0 {
			want = 12
		}
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
		if every == 1 {
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
	p := newPlanner(t, nil)
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
	p := newPlanner(t, &PlanOptions{Every: 100})
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
