package track_test

import (
	"fmt"
	"image"
	"time"

	"haarlem/cascade/detector"
	"haarlem/track"
)

// A face moves to the right. The detector misses it in the fourth frame.
func ExampleTracker() {
	tracker, err := track.New(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 6 {
		at := time.Duration(i) * 40 * time.Millisecond
		var found []detector.Detection
		if i != 3 {
			found = append(found, detector.Detection{Box: image.Rect(0, 0, 80, 80).Add(image.Pt(100+5*i, 50))})
		}
		tracker.Update(at, found)
		fmt.Print("frame ", i, ":")
		for _, t := range tracker.Tracks(at) {
			fmt.Printf(" face %d at %v, missed %d times", t.Number, t.Box, t.Misses)
		}
		fmt.Println()
	}
	// Output:
	// frame 0:
	// frame 1: face 1 at (104,50)-(184,130), missed 0 times
	// frame 2: face 1 at (109,50)-(189,130), missed 0 times
	// frame 3: face 1 at (113,50)-(193,130), missed 1 times
	// frame 4: face 1 at (120,50)-(200,130), missed 0 times
	// frame 5: face 1 at (125,50)-(205,130), missed 0 times
}
