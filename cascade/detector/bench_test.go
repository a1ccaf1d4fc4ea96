package detector_test

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/must"
	"haarlem/models"
)

// leaves is an image full of discs, about as much work as a photograph of
// leaves.
func leaves(width, height int) *image.Gray {
	rng := rand.New(rand.NewPCG(1, 2))
	g := image.NewGray(image.Rect(0, 0, width, height))
	for range width * height / 40 {
		r := 2 / math.Sqrt(rng.Float64()+1e-3)
		cx, cy, grey := rng.Float64()*float64(width), rng.Float64()*float64(height), 30+190*rng.Float64()
		for y := max(int(cy-r), 0); y < min(int(cy+r)+1, height); y++ {
			for x := max(int(cx-r), 0); x < min(int(cx+r)+1, width); x++ {
				if math.Hypot(float64(x)-cx, float64(y)-cy) < r {
					g.Pix[y*g.Stride+x] = byte(grey)
				}
			}
		}
	}
	return g
}

// BenchmarkDetect searches ordinary images with the built-in models.
func BenchmarkDetect(b *testing.B) {
	for _, model := range models.Names() {
		c := must.Get(models.Open(model))
		for name, g := range map[string]*image.Gray{"group": greyCopy(group()), "leaves": leaves(1280, 720)} {
			d := must.Get(detector.New(&detector.Options{Workers: 1}, c))
			var found []detector.Detection
			b.Run(model+"/"+name, func(b *testing.B) {
				for b.Loop() {
					found = must.Get(d.AppendDetect(context.Background(), found[:0], g))
				}
			})
		}
	}
}
