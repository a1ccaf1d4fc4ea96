package augment

import (
	"image"
	"path/filepath"
	"testing"

	"haarlem/internal/samples"
)

// A dark face is darker, and its background unchanged; an object that is no
// face is unchanged.
func TestDark(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 120, 120))
	for i := range grey.Pix {
		grey.Pix[i] = 200
	}
	file := filepath.Join(t.TempDir(), "even.png")
	writePNG(t, file, grey)
	var marks []samples.Point
	for _, m := range samples.FrontalFace.Marks {
		marks = append(marks, samples.Point{X: 20 + 80*m.X, Y: 20 + 80*m.Y})
	}
	photos := []samples.Photo{{File: file, Objects: []samples.Object{{Marks: marks}}}}
	for _, w := range mustMake(t, photos, &MakeOptions{Variants: 20, Effects: Effects{Dark: 1, All: true}, Template: samples.FrontalFace}) {
		side := w.Grey.Rect.Dx()
		for _, p := range []image.Point{{0, 0}, {side - 1, 0}, {0, side - 1}, {side - 1, side - 1}} {
			if v := w.Grey.GrayAt(p.X, p.Y).Y; v < 190 || v > 200 { // a soft edge comes close
				t.Errorf("variant %d: %d behind the face, at %v, want 200", w.Variant, v, p)
			}
		}
		eye, mouth := w.Grey.GrayAt(side*3/10, side*4/10).Y, w.Grey.GrayAt(side/2, side*8/10).Y
		if eye < 55 || eye > 145 || mouth != eye {
			t.Errorf("variant %d: %d at the eye, %d at the mouth, want one level from 55 to 145", w.Variant, eye, mouth)
		}
	}
	photos[0].Objects[0] = samples.Object{Box: image.Rect(20, 20, 100, 100)}
	for _, w := range mustMake(t, photos, &MakeOptions{Variants: 3, Effects: Effects{Dark: 1, All: true}}) {
		for i, v := range w.Grey.Pix {
			if v != 200 {
				t.Fatalf("pixel %d of what is no face is %d", i, v)
			}
		}
	}
}
