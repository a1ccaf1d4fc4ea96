//go:build timing

package detector_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/cpu"
	"haarlem/internal/must"
	"haarlem/models/facefast"
)

// TestHostileDeadlines: whatever the model, the image and the options, a search
// returns within 50 ms of its deadline. A busy machine may delay any one
// search; one that checks its context too rarely is late each time.
func TestHostileDeadlines(t *testing.T) {
	limit := 50 * time.Millisecond
	slow := cpu.Current() == cpu.PureGo || raceDetector || testing.Short() // as in TestCancel
	if slow {
		limit *= 20
	}
	pictures := []struct {
		name string
		*image.Gray
	}{{"tiled", tiled(t, 1200, 900)}, {"wide", tiled(t, 100_000, 300)}, {"large", largePicture()}}
	var worst time.Duration
	check := func(name string, make func() (*detector.Detector, error), g *image.Gray, deadline time.Duration) {
		t.Helper()
		late := time.Duration(math.MaxInt64)
		for range 4 {
			d, err := make() // new, since the first search has most to do
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			began := time.Now()
			ctx, cancel := context.WithDeadline(context.Background(), began.Add(deadline))
			_, err = d.AppendDetect(ctx, nil, g)
			late = min(late, time.Since(began)-deadline)
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, detector.ErrTooManyCandidates) {
				t.Errorf("%s: %v", name, err)
			}
			if late <= 10*time.Millisecond {
				break
			}
		}
		worst = max(worst, late)
		if late > 10*time.Millisecond {
			t.Logf("%s: %v after a deadline of %v", name, late, deadline)
		}
		if late > limit {
			t.Errorf("%s: %v after a deadline of %v, want at most %v", name, late, deadline, limit)
		}
	}
	deadlines := []time.Duration{5 * time.Millisecond, 20 * time.Millisecond, 60 * time.Millisecond}
	if slow {
		deadlines = deadlines[:1]
	}
	n := 0
	for model, c := range hostileModels(t) {
		for _, h := range hostileOptions {
			if n++; slow && n%4 != 0 {
				continue
			}
			// Each model is run on each image, under a third of the options.
			p := pictures[n%len(pictures)]
			check(fmt.Sprintf("%s, %s, %s", model, p.name, h.name), func() (*detector.Detector, error) { return h.detector(c) }, p.Gray, deadlines[n/2%len(deadlines)])
		}
	}
	// The pyramid alone takes seconds: each of thousands of levels has 100,000 columns.
	check("face-fast, wide, closest levels", func() (*detector.Detector, error) {
		return hostileOptions[2].detector(must.Get(facefast.Cascade()))
	}, pictures[1].Gray, deadlines[len(deadlines)-1])
	t.Logf("%v after a deadline at worst", worst)
}

// TestHostileTime: an image full of faces takes less than 1.5 times as long as
// one of the same size without any, and less than 2 s, on one core; also with
// Ungrouped and with levels close together. The size just within the bound on
// candidates takes longest.
func TestHostileTime(t *testing.T) {
	if raceDetector || testing.Short() || cpu.Current() == cpu.PureGo {
		t.Skip("a matter of time on a machine for real")
	}
	ways := map[string]detector.Options{
		"by default": {Workers: 1}, "single hits": {Workers: 1, Ungrouped: true}, "close levels": {Workers: 1, Scale: 1.02}, "turned": {Workers: 1, Angles: []float64{0, 90}},
	}
	for _, side := range []int{1200, 3000} {
		full, without := tiled(t, side, side), leaves(side, side)
		for name, o := range ways {
			measure := func(g *image.Gray) time.Duration {
				lowest := time.Duration(math.MaxInt64)
				for range 2 {
					d := newDetector(t, &o)
					began := time.Now()
					found, err := d.Detect(context.Background(), g)
					lowest = min(lowest, time.Since(began))
					if g == full && !errors.Is(err, detector.ErrTooManyCandidates) && len(found) < side*side/900*9/10 {
						t.Errorf("%d pixels a side, %s: %d faces, %v", side, name, len(found), err)
					}
				}
				return lowest
			}
			a, b := measure(without), measure(full)
			t.Logf("%d pixels a side, %s: %v without faces, %v with", side, name, a, b)
			if b > a+a/2+2*time.Second {
				t.Errorf("%d pixels a side, %s: %v without faces, %v with", side, name, a, b)
			}
		}
	}
}
