//go:build js && wasm

package main

import (
	"image"
	"slices"
	"time"

	"haarlem/cascade/detector"
	"haarlem/track"
)

// A following is the tracks of the video or the camera that is looked at.
type following struct {
	of        follows
	at        time.Duration
	tracker   *track.Tracker
	describer track.Describer
}

// follows is what tracks belong to: another one begins with none.
type follows struct {
	source, model int
	size          image.Point
}

// shownMissed is how long a track is shown after its face was last found. It is kept for
// longer, with its number.
const shownMissed = 300 * time.Millisecond

// add takes in what was found in the next frame. It returns the number and the box
// of the track of each, and behind them those of the tracks that were missed just now,
// with their last detections moved to where they should be.
func (f *following) add(of follows, at time.Duration, found []detector.Detection, g *image.Gray) (numbers []int, boxes []image.Rectangle, predicted []detector.Detection, err error) {
	if f.tracker == nil || of != f.of || at < f.at { // a video begins again
		if f.tracker, err = track.New(&track.Options{Bounds: image.Rectangle{Max: of.size}}); err != nil {
			return nil, nil, nil, err
		}
		f.of = of
	}
	f.at = at
	looks := make([]*track.Descriptor, len(found))
	for i := range found {
		looks[i] = f.describer.Describe(g, found[i].Box)
		boxes = append(boxes, found[i].Box)
	}
	numbers = f.tracker.UpdateDescribed(at, found, looks)
	for _, t := range f.tracker.Tracks(at) {
		if i := slices.Index(numbers[:len(found)], t.Number); i >= 0 {
			boxes[i] = t.Box
			continue
		}
		if at-t.Seen > shownMissed {
			continue
		}
		last := t.Last
		last.Box = t.Box
		predicted = append(predicted, last)
		numbers, boxes = append(numbers, t.Number), append(boxes, t.Box)
	}
	return numbers, boxes, predicted, nil
}
