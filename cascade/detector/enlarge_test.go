package detector_test

import (
	"context"
	"errors"
	"image"
	"math"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/must"
)

// Faces at a third of their size, many smaller than the window, are found where
// they are in the full-size image, and nowhere else.
func TestEnlarge(t *testing.T) {
	c := must.Get(cascade.Open("../../models/frontalface/frontalface.cascade"))
	whole := greyCopy(groupPicture(t))
	const part = 3
	small := image.NewGray(image.Rect(0, 0, whole.Rect.Dx()/part, whole.Rect.Dy()/part))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			sum := 0
			for i := range part * part {
				sum += int(whole.GrayAt(part*x+i%part, part*y+i/part).Y)
			}
			small.Pix[y*small.Stride+x] = byte(sum / (part * part))
		}
	}
	find := func(g *image.Gray, o detector.Options) []detector.Detection {
		return must.Get(newDetectorOf(t, c, &o).AppendDetect(context.Background(), nil, g))
	}
	faces := find(whole, detector.Options{})
	plain := find(small, detector.Options{})
	found := find(small, detector.Options{Enlarge: part})
	right := 0
	for _, f := range found {
		for _, face := range faces {
			a, b := centre(f.Box).Mul(part), centre(face.Box)
			if d := a.Sub(b); max(d.X, -d.X, d.Y, -d.Y) < face.Box.Dx()/4 && 4*f.Box.Dx()*part > 3*face.Box.Dx() && 3*f.Box.Dx()*part < 4*face.Box.Dx() {
				right++
				break
			}
		}
	}
	if right < len(plain)+3 || right < len(faces)-1 || right != len(found) {
		t.Errorf("%d found, %d of them right; %d without Enlarge, and the image has %d faces", len(found), right, len(plain), len(faces))
	}
	if got := find(small, detector.Options{Enlarge: part, MinSize: image.Pt(16, 16)}); len(got) >= len(found) {
		t.Errorf("%d found of at least 16 pixels, %d of all sizes", len(got), len(found))
	} else {
		for _, f := range got {
			if f.Box.Dx() < 15 { // a mean of candidates may be slightly smaller
				t.Errorf("%v is smaller than MinSize", f.Box)
			}
		}
	}

	for _, bad := range []float64{0.5, -1, 8.5, math.NaN(), math.Inf(1)} {
		if _, err := detector.New(&detector.Options{Enlarge: bad}, c); !errors.Is(err, detector.ErrOptions) {
			t.Errorf("Enlarge %v: %v", bad, err)
		}
	}
	// The limit is on the size of the enlarged image. This one takes no memory.
	huge := &image.Gray{Rect: image.Rect(0, 0, 1<<15, 1<<13)}
	huge.Pix = make([]byte, 1<<15)
	d := newDetectorOf(t, c, &detector.Options{Enlarge: 4})
	if _, err := d.AppendDetect(context.Background(), nil, huge); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("4 times %v: %v", huge.Rect, err)
	}
	if _, _, err := d.Engine().Cost(context.Background(), huge); !errors.Is(err, detector.ErrImageTooLarge) {
		t.Errorf("the cost of 4 times %v: %v", huge.Rect, err)
	}
}

func centre(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }
