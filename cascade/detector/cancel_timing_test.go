//go:build timing

package detector_test

import (
	"context"
	"errors"
	"image"
	"slices"
	"testing"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/cpu"
)

// TestCancel cancels searches of 24 megapixels at different times. They must
// return within 50 ms. A busy machine can delay any one search, so the test
// takes the median of several, and tries again if that is too late. A detector
// that checks its context too rarely is late every time.
func TestCancel(t *testing.T) {
	grey := largePicture()
	rgba := image.NewRGBA(grey.Rect)
	for i, v := range grey.Pix {
		rgba.Pix[4*i], rgba.Pix[4*i+1], rgba.Pix[4*i+2], rgba.Pix[4*i+3] = v, v, v, 255
	}
	for _, test := range []struct {
		name  string
		image image.Image
		o     detector.Options
	}{
		{"grey, 1 worker", grey, detector.Options{Workers: 1}},
		{"grey", grey, detector.Options{}},
		{"colour", rgba, detector.Options{}},
		{"unknown type", plain{rgba}, detector.Options{}},
		{"turned", grey, detector.Options{Angles: []float64{45, 10, 20, 30}}},
	} {
		d := newDetector(t, &test.o)
		limit := 50 * time.Millisecond
		if cpu.Current() == cpu.PureGo || raceDetector || testing.Short() { // CI's emulators are short
			limit *= 20
		}
		var late []time.Duration
		for attempt := 0; attempt == 0 || attempt < 8 && late[len(late)/2] > limit; attempt++ {
			late = late[:0]
			for _, wait := range []time.Duration{5, 15, 30, 60, 90} {
				ctx, cancel := context.WithCancel(context.Background())
				var cancelled time.Time
				timer := time.AfterFunc(wait*time.Millisecond, func() { cancelled = time.Now(); cancel() })
				found, err := d.Detect(ctx, test.image)
				late = append(late, time.Since(cancelled))
				if timer.Stop() || err == nil {
					t.Fatalf("%s: done before it was cancelled", test.name)
				}
				if !errors.Is(err, context.Canceled) || found != nil {
					t.Errorf("%s: %d detections and %v, want none and that it was cancelled", test.name, len(found), err)
				}
			}
			slices.Sort(late)
			t.Logf("%s: %v", test.name, late)
		}
		if late[len(late)/2] > limit {
			t.Errorf("%s: returns %v after it was cancelled, want at most %v", test.name, late, limit)
		}
	}
}
