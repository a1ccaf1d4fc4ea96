// Package texture draws images without objects: clouds, stripes, bricks,
// leaves, writing, houses, and mixtures of them. They are negatives for
// cascades without photographs.
//
//	rng := rand.New(rand.NewPCG(1, 2))
//	background := texture.Draw(rng, 320, 240)
//
// Everything is integer arithmetic, so that the same seed draws the same bytes
// on every machine.
package texture

import (
	"image"
	"math/rand/v2"
)

// kinds are all painters. New ones go to the end, since draws depend on the
// order.
var kinds = []struct {
	name  string
	paint func(*canvas)
}{
	{"clouds", clouds},
	{"grain", grain},
	{"stripes", stripes},
	{"checks", checks},
	{"discs", discs},
	{"houses", houses},
	{"writing", writing},
	{"leaves", leaves},
	{"edges", edges},
	{"folds", folds},
	{"rings", rings},
	{"bricks", bricks},
	{"shelf", shelf},
	{"branches", branches},
	{"boards", boards},
	{"pattern", pattern},
}

// Draw draws a random image: one to three kinds over each other, with light and
// grain. It panics if a side is not positive.
func Draw(rng *rand.Rand, width, height int) *image.Gray {
	c := newCanvas(rng, width, height)
	kinds[rng.IntN(len(kinds))].paint(c)
	for range rng.IntN(3) {
		// The next one in a part of the image, like things before a wall.
		p := newCanvas(rng, width, height)
		kinds[rng.IntN(len(kinds))].paint(p)
		c.putPart(p)
	}
	return c.finish()
}
