// Package scene draws synthetic training data and images with known truth:
// faces from a statistical model ([facemodel]) on textures ([texture]).
// train-cascade demo uses them.
//
// The same seed gives the same bytes on every machine.
package scene

import (
	"context"
	"image"
	"math/rand/v2"

	"haarlem/internal/kernel/resize"
	"haarlem/internal/par"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/texture"
)

// Windows draws n training windows of side by side pixels, with one face each.
// Position, size and tilt vary a little, as in the windows of a detector. A window
// is drawn up to 2.6 times as large, and scaled down as the detector does it,
// without smoothing. workers below 1 mean GOMAXPROCS; the windows do not depend on it.
func Windows(m *facemodel.Model, n, side int, seed uint64, workers int) []*image.Gray {
	return each(n, workers, func(i int) *image.Gray {
		rng := rand.New(rand.NewPCG(seed, uint64(i)<<8|1))
		size := side + rng.IntN(side*8/5+1)
		g := texture.Draw(rng, size, size)
		paint(m, rng, g, jittered(rng, g.Rect))
		grain(rng, g)
		return shrink(g, side)
	})
}

// Backgrounds draws n images without faces, as [Windows] does.
func Backgrounds(n, width, height int, seed uint64, workers int) []*image.Gray {
	return each(n, workers, func(i int) *image.Gray {
		return texture.Draw(rand.New(rand.NewPCG(seed, uint64(i)<<8|2)), width, height)
	})
}

// each draws n images, each with its own random numbers.
func each(n, workers int, draw func(i int) *image.Gray) []*image.Gray {
	out := make([]*image.Gray, n)
	par.Chunks(context.Background(), n, 1, workers, func(i, _ int) { out[i] = draw(i) })
	return out
}

// jittered moves a box by up to 1/32 of its side and scales it by up to 1/16.
func jittered(rng *rand.Rand, box image.Rectangle) image.Rectangle {
	side := box.Dx()
	by := func(share int) int { return rng.IntN(2*(side/share)+1) - side/share }
	grown := side + by(16)
	middle := box.Min.Add(image.Pt((side-grown)/2+by(32), (side-grown)/2+by(32)))
	return image.Rectangle{middle, middle.Add(image.Pt(grown, grown))}
}

// paint paints a random face.
func paint(m *facemodel.Model, rng *rand.Rand, g *image.Gray, box image.Rectangle) {
	f := m.Draw(rng)
	// Tangents of half the angle: up to 8 degrees.
	f.Tilt = float64(rng.IntN(145)-72) / 1024
	f.Paint(g, box)
}

// grain adds noise like that of film and sensors.
func grain(rng *rand.Rand, g *image.Gray) {
	strength := rng.IntN(10)
	for i, v := range g.Pix {
		r := rng.Uint32()
		noise := (int(r&255) + int(r>>8&255) - 255) * strength >> 7
		g.Pix[i] = uint8(min(max(int(v)+noise, 0), 255))
	}
}

// shrink scales a square picture as the detector does.
func shrink(g *image.Gray, side int) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, side, side))
	axis := resize.NewScale(g.Rect.Dx(), side)
	for y := range side {
		i, py := axis.At(y)
		top, bottom := g.Pix[i*g.Stride:], g.Pix[min(i+1, g.Rect.Dy()-1)*g.Stride:]
		for x := range side {
			k, px := axis.At(x)
			next := min(k+1, g.Rect.Dx()-1)
			out.Pix[y*out.Stride+x] = resize.Pixel(top[k], top[next], bottom[k], bottom[next], px, py)
		}
	}
	return out
}

// Group draws an image with up to n faces of several sizes, the smallest of
// side smallest, that do not overlap, and returns their boxes, which are
// windows as in Windows. There are fewer faces if the image has no room.
func Group(m *facemodel.Model, n, smallest, width, height int, seed uint64) (*image.Gray, []image.Rectangle) {
	rng := rand.New(rand.NewPCG(seed, 3))
	g := texture.Draw(rng, width, height)
	var boxes []image.Rectangle
	largest := max(min(width, height)/4, smallest)
	for tries := 0; len(boxes) < n && tries < 100*n; tries++ {
		// Sizes are distributed like the levels of a pyramid: as many from 30
		// to 40 as from 60 to 80.
		size := smallest
		for size < largest && rng.IntN(8) != 0 {
			size += size/8 + 1
		}
		size = min(size, largest)
		// Room for hair, chin and a tilt.
		head := image.Rect(-size/4, -size/2, size+size/4, size+size/3)
		if head.Dx() > width || head.Dy() > height {
			continue
		}
		at := image.Pt(-head.Min.X+rng.IntN(width-head.Dx()+1), -head.Min.Y+rng.IntN(height-head.Dy()+1))
		box := image.Rect(0, 0, size, size).Add(at)
		free := true
		for _, b := range boxes {
			other := image.Rect(b.Min.X-b.Dx()/4, b.Min.Y-b.Dy()/2, b.Max.X+b.Dx()/4, b.Max.Y+b.Dy()/3)
			free = free && !head.Add(at).Overlaps(other)
		}
		if free {
			boxes = append(boxes, box)
			paint(m, rng, g, box)
		}
	}
	grain(rng, g)
	return g, boxes
}
