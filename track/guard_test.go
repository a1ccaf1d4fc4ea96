package track

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

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
	found := make([][]detector.Detection, 200)
	for i := 90; i < 100; i++ {
		found[i] = []detector.Detection{{Box: face, Score: 0.9}}
	}
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
		found := make([][]detector.Detection, 2000)
		for i := range test.hits {
			found[i] = []detector.Detection{{Box: box, Score: 0.9}}
		}
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
	found := make([][]detector.Detection, 100)
	found[50] = []detector.Detection{{Box: image.Rect(10, 10, 60, 60), Score: 0.9}}
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
	found := make([][]detector.Detection, 200)
	for i := range 20 {
		found[i] = []detector.Detection{{Box: image.Rect(200, 100, 260, 160), Score: 0.9}}
	}
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

func TestGuardOptions(t *testing.T) {
	for _, o := range []GuardOptions{{Fill: -1}, {Delay: -1}, {Strong: -1}} {
		if _, err := NewGuard(&o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// A pan or a flash is no new shot; another picture is.
func TestScene(t *testing.T) {
	draw := func(offset, level int, other bool) []byte {
		m := image.NewGray(image.Rect(0, 0, 160, 120))
		for y := range 120 {
			for x := range 160 {
				v := 128 + 100*((x+offset)/40%2) - 50*(y/30%2)
				if other {
					v = 40 + 150*((x*2+y)/50%2)
				}
				m.Pix[y*160+x] = byte(min(max(v+level, 0), 255))
			}
		}
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
	const gaps, n = 8, 150
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
		for i, regions := range guardOver(t, &GuardOptions{Fill: gaps * frame}, found) {
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
