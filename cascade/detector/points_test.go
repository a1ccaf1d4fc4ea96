package detector_test

import (
	"image"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/integral"
)

// corners is a PointFinder that returns the box's upper left corner, and the angle.
type corners struct{}

func (corners) PointsIn(dst []integral.Point, g *image.Gray, box image.Rectangle, angle float64) []integral.Point {
	if !box.In(image.Rect(0, 0, g.Rect.Dx(), g.Rect.Dy())) {
		panic("a box outside the plane")
	}
	return append(dst, integral.Point{X: float64(box.Min.X), Y: float64(box.Min.Y)}, integral.Point{X: angle})
}

// Points are found in the boxes of the cascade, whatever the box in the result frames,
// and are in the image's coordinates.
func TestPoints(t *testing.T) {
	grey := greyCopy(groupPicture(t))
	moved := &image.Gray{Pix: grey.Pix, Stride: grey.Stride, Rect: grey.Rect.Add(image.Pt(-300, 7))}
	for _, region := range []image.Rectangle{{}, image.Rect(-200, 50, 400, 450)} {
		o := detector.Options{Region: region}
		want := detectIn(t, newDetector(t, &o), moved)
		if len(want) < 3 {
			t.Fatalf("%d faces", len(want))
		}
		o.Points = corners{}
		f := cascade.Framing{Down: 0.05, Width: 0.5, Height: 0.6}
		for _, framed := range []bool{false, true} {
			if framed {
				o.Framing = f
			}
			got := detectIn(t, newDetector(t, &o), moved)
			if len(got) != len(want) {
				t.Fatalf("%d faces with points, %d without", len(got), len(want))
			}
			for i, d := range got {
				box := want[i].Box
				if p := d.Points[0]; p.X != float64(box.Min.X) || p.Y != float64(box.Min.Y) {
					t.Errorf("face %d: points %v in the box %v", i, d.Points, box)
				}
				if framed {
					box = f.Of(box, 0)
				}
				if d.Box != box || d.Score != want[i].Score || d.Angle != 0 {
					t.Errorf("face %d: %v, want the box %v and the score %v", i, d, box, want[i].Score)
				}
			}
		}
	}
}

// Detections in a rotated image have the angle, and points are searched at it.
func TestAngle(t *testing.T) {
	grey := quarterTurned(greyCopy(groupPicture(t)))
	o := &detector.Options{Angles: []float64{0, 90, 180, 270}, Points: corners{}}
	found := detectIn(t, newDetector(t, o), grey)
	if len(found) < 10 {
		t.Fatalf("%d faces, want those of the group", len(found))
	}
	for _, d := range found {
		if d.Angle != 90 || d.Points[1].X != 90 {
			t.Errorf("%v: angle %v, points at %v, want 90", d.Box, d.Angle, d.Points[1].X)
		}
	}
}

// quarterTurned returns g rotated clockwise by 90 degrees.
func quarterTurned(g *image.Gray) *image.Gray {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	out := image.NewGray(image.Rect(0, 0, h, w))
	for y := range h {
		for x := range w {
			out.Pix[x*out.Stride+h-1-y] = g.Pix[y*g.Stride+x]
		}
	}
	return out
}
