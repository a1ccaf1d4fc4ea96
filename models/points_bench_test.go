package models_test

import (
	"fmt"
	"image"
	"image/png"
	"os"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/face68"
)

// BenchmarkPoints finds the points of one face, in boxes of several sizes that fit and
// in rough ones, where coarse levels come first.
func BenchmarkPoints(b *testing.B) {
	f := must.Get(os.Open("../samples/group.png"))
	defer f.Close()
	img := must.Get(png.Decode(f))
	plane, _ := luma.Of(img, nil)
	var points []landmarks.Point
	for _, model := range []func() (*landmarks.Model, error){face5.Model, face68.Model} {
		for name, boxes := range map[string]landmarks.Boxes{"fits": landmarks.Learned, "rough": landmarks.Rough} {
			m := must.Get(model())
			m.Box.Boxes = boxes
			p := must.Get(landmarks.NewPredictor(m))
			for _, box := range []image.Rectangle{image.Rect(246, 133, 278, 165), image.Rect(374, 168, 450, 244), image.Rect(243, 273, 369, 399), image.Rect(100, 0, 600, 500)} {
				b.Run(fmt.Sprint(m.Name, "/", name, "/", box.Dx()), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						points = p.Points(points[:0], plane.Gray(), m.Box.Frame(box))
					}
				})
			}
		}
	}
}
