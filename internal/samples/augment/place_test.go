package augment

import (
	"image"
	"strings"
	"testing"

	"haarlem/internal/samples"
)

// Boxes are enlarged on each side, and then along one to the window's shape.
func TestPlaceOfBoxes(t *testing.T) {
	ob := samples.Object{Box: image.Rect(10, 20, 50, 60)}
	for _, c := range []struct {
		o    MakeOptions
		want float64
	}{
		{MakeOptions{Width: 24, Height: 24}, 40},
		{MakeOptions{Width: 24, Height: 24, Margin: 0.25}, 60},
		{MakeOptions{Width: 24, Height: 48}, 40},
		{MakeOptions{Width: 48, Height: 24}, 80},
	} {
		p, worn, err := c.o.place(&ob)
		if err != nil || worn != nil || p != (samples.Similarity{A: c.want, X: 30, Y: 40}) {
			t.Errorf("%+v: %+v, %v, want a side of %v", c.o, p, err, c.want)
		}
	}
	for want, ob := range map[string]samples.Object{
		"neither a box nor marks say where it is":                       {},
		"it has 2 marks and no box: a template must say where marks go": {Marks: []samples.Point{{X: 1, Y: 2}, {X: 3, Y: 4}}},
	} {
		o := MakeOptions{Width: 24, Height: 24}
		if _, _, err := o.place(&ob); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	o := MakeOptions{Width: 24, Height: 24, Template: samples.FrontalFace}
	if _, _, err := o.place(&samples.Object{Marks: []samples.Point{{X: 1, Y: 2}, {X: 3, Y: 4}}}); err == nil || !strings.Contains(err.Error(), "it has 2 marks and no box, and the template has 5 marks") {
		t.Error(err)
	}
}
