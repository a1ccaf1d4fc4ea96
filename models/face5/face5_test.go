package face5

import (
	"image"
	"math"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/samples"
	"haarlem/landmarks"
	"haarlem/picture"
)

// In boxes that are too large and off to one side, points in the frame that the coarse
// levels or all levels find first are nearer to those in the right box.
func TestBoxes(t *testing.T) {
	group := must.Get(picture.Open("../../samples/group.png", nil))
	photos := must.Get(samples.ReadTruth("../../samples/group.csv", samples.Auto))
	g, _ := luma.Of(group.Image, nil)
	m := must.Get(Model())
	points := func(box image.Rectangle, angle float64, boxes landmarks.Boxes) []landmarks.Point {
		own := *m
		own.Box.Boxes = boxes
		p := must.Get(landmarks.NewPredictor(&own))
		return p.PointsIn(nil, g.Gray(), box, angle)
	}
	for _, angle := range []float64{0, 10} {
		var sums [landmarks.Rough + 1]float64
		for _, o := range photos[0].Objects {
			w := o.Box.Dx()
			off := image.Rect(o.Box.Min.X-w/20, o.Box.Min.Y, o.Box.Max.X+w/5, o.Box.Max.Y+w/5)
			want := points(o.Box, 0, landmarks.Learned)
			for boxes := range sums {
				for i, p := range points(off, angle, landmarks.Boxes(boxes)) {
					sums[boxes] += math.Hypot(p.X-want[i].X, p.Y-want[i].Y) / float64(w)
				}
			}
		}
		if once := sums[landmarks.Learned]; sums[landmarks.Near] > 0.7*once || sums[landmarks.Rough] > 0.7*once {
			t.Errorf("turned by %v degrees: errors sum to %.3f box widths found at once, %.3f after all levels, %.3f after coarse levels", angle, once, sums[landmarks.Near], sums[landmarks.Rough])
		}
	}
}
