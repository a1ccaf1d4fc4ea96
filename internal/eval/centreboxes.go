package eval

import (
	"fmt"
	"image"
	"math"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// centreBoxes moves the edges that the last verifier corrects, by the mean errors of
// true positives, and returns the changed model. Trees that learned from boxes near
// those of objects are a little off for what is left by non-maximum suppression.
func (k *calibration) centreBoxes() (*cascade.Cascade, error) {
	c := k.model.Clone()
	v := c.Verifier
	for v != nil && v.Next != nil {
		v = v.Next
	}
	if v == nil || v.Boxes == nil {
		return nil, fmt.Errorf("%w: CentreBoxes, but the last verifier of %q corrects no boxes", ErrCalibration, c.Name)
	}
	edges := func(r image.Rectangle) [4]int { return [4]int{r.Min.X, r.Min.Y, r.Max.X, r.Max.Y} }
	var sum [4]float64
	n := 0
	for _, j := range k.judged(0) {
		if j.Verdict != Right {
			continue
		}
		n++
		side := float64(j.Box.Dx()+j.Box.Dy()) / 2
		found := edges(j.Box)
		for i, at := range edges(k.photos[j.Photo].Objects[j.Object].Box) {
			sum[i] += float64(at-found[i]) / side
		}
	}
	if n == 0 {
		return nil, fmt.Errorf("%w: CentreBoxes, but no detection is right", ErrCalibration)
	}
	for i, trees := range [...][]cascade.Weak{v.Boxes.Left, v.Boxes.Top, v.Boxes.Right, v.Boxes.Bottom} {
		if len(trees) == 0 {
			continue
		}
		by := math.Round(sum[i]/float64(n)/grid) * grid
		for l := range trees[0].Leaves {
			trees[0].Leaves[l] += float32(by)
		}
	}
	var err error
	k.model = c
	k.detector, err = detector.New(k.options(), c)
	return c, err
}
