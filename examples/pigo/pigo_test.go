package pigo

import (
	"testing"

	"haarlem/integral"
	"haarlem/internal/must"
	"haarlem/picture"
)

// The calls of a program that has pigo find the faces of the group picture, each with its
// eyes inside.
func TestFinder(t *testing.T) {
	finder := must.Get(NewFinder())
	p := must.Get(picture.Open("../../samples/group.png", nil))
	grey := integral.Grey(p.Image)
	size := grey.Rect.Size()
	params := CascadeParams{
		MinSize: 20, MaxSize: min(size.X, size.Y), ShiftFactor: 0.1, ScaleFactor: 1.1,
		ImageParams: ImageParams{Pixels: &grey.Pix, Rows: size.Y, Cols: size.X, Dim: grey.Stride},
	}
	found := must.Get(finder.RunCascade(params, 0))
	faces := finder.ClusterDetections(found, 0.2)
	if len(faces) != 11 {
		t.Errorf("%d faces, want 11", len(faces))
	}
	for _, f := range faces {
		left, right := finder.Eyes(f, params.ImageParams)
		half := f.Scale / 2
		if left.X >= right.X || left.X < f.Col-half || right.X > f.Col+half || left.Y > f.Row || f.Q < 0.5 {
			t.Errorf("%+v has eyes at %v and %v", f, left, right)
		}
	}
}
