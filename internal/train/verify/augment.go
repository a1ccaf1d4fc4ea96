package verify

import (
	"image"
	"math"
	"math/rand/v2"
)

const (
	copyShift = 0.08
	copyGrow  = 0.12
)

// augment appends copies of the true positives.
func (t *trainer) augment() {
	rng := rand.New(rand.NewPCG(t.s.Seed, 6))
	around := func(largest float64) float64 { return largest * (2*rng.Float64() - 1) }
	rule := t.rule()
	for _, p := range t.right[:len(t.right):len(t.right)] {
		for range t.s.Copies {
			w, h := float64(p.box.Dx()), float64(p.box.Dy())
			grow := 1 + around(copyGrow)
			x := float64(p.box.Min.X+p.box.Max.X)/2 + float64(w*around(copyShift))
			y := float64(p.box.Min.Y+p.box.Max.Y)/2 + float64(h*around(copyShift))
			c := p
			c.box = image.Rect(
				int(math.Round(x-float64(w*grow/2))), int(math.Round(y-float64(h*grow/2))),
				int(math.Round(x+float64(w*grow/2))), int(math.Round(y+float64(h*grow/2))),
			)
			if verdict, object := rule.classify(c.box, t.photos[p.photo].Objects); verdict == 1 {
				c.object = t.photos[p.photo].Objects[object].Box
				t.right = append(t.right, c)
			}
		}
	}
}
