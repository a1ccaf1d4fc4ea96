package picturetest

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"os"

	"haarlem/internal/must"
)

// Grey is a picture whose pixels have the levels that a function gives.
func Grey(width, height int, level func(x, y int) uint8) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, width, height))
	for i := range g.Pix {
		g.Pix[i] = level(i%width, i/width)
	}
	return g
}

// Even is a picture of one grey.
func Even(width, height int, level uint8) *image.Gray {
	return Grey(width, height, func(int, int) uint8 { return level })
}

// Fill gives the part of a picture within a box one level.
func Fill(m *image.Gray, box image.Rectangle, level uint8) {
	draw.Draw(m, box, image.NewUniform(color.Gray{level}), image.Point{}, draw.Src)
}

// Save writes a picture as a PNG, and returns the path.
func Save(path string, m image.Image) string {
	must.Do(os.WriteFile(path, PNG(m), 0o666))
	return path
}

// Noise is a picture of random greys, which are the same each time.
func Noise(width, height int, seed uint64) *image.Gray {
	r := rand.New(rand.NewPCG(seed, 1))
	return Grey(width, height, func(int, int) uint8 { return uint8(100 + r.IntN(20)) })
}

// Ramp is a picture that is lighter to the right and below.
func Ramp(width, height int) *image.Gray {
	return Grey(width, height, func(x, y int) uint8 { return uint8(3*x + 2*y) })
}
